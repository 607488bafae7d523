create type abonnement.offre_champs as (
  libelle core.libelle, description core.texte, quota abonnement.quantite, prix core.montant,
  duree_jours abonnement.duree, actif boolean);
comment on type abonnement.offre_champs is 'Ce qui se modifie d''une offre.';

call core.modification('abonnement.offre_modifier', 'abonnement.offre', 'abonnement.offre_detail');
comment on function abonnement.offre_modifier is
  'Modifie les champs donnés d''une offre. Les abonnements déjà vendus gardent leur quota, leur prix et leurs dates.';
