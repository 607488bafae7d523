call core.modification('abonnement.offre_modifier', 'abonnement.offre', 'abonnement.offre_detail', 'libelle',
  'description', 'quota', 'prix', 'duree_jours', 'actif');
comment on type abonnement.offre_champs is 'Ce qui se modifie d''une offre.';
comment on function abonnement.offre_modifier is
  'Modifie les champs donnés d''une offre. Les abonnements déjà vendus gardent leur quota, leur prix et leurs dates.';
