call core.retrait('abonnement.categorie_abonnement_supprimer', 'abonnement.categorie_abonnement_detail',
  'delete from abonnement.categorie_abonnement');
comment on function abonnement.categorie_abonnement_supprimer is
  'Supprime une catégorie qu''aucun abonnement ne porte.';
