call core.liste('abonnement.categorie_abonnement_lister', 'abonnement.categorie_abonnement_vue',
  'v.libelle, v.id_categorie_abonnement',
  'recherche: core._contient(v.libelle, $) or core._contient(v.description, $)', 'libelle', 'actif');
comment on function abonnement.categorie_abonnement_lister is 'Catégories d''abonnements, par libellé.';
