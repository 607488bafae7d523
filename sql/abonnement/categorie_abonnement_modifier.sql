call core.modification('abonnement.categorie_abonnement_modifier', 'abonnement.categorie_abonnement',
  'abonnement.categorie_abonnement_detail', 'libelle', 'description', 'actif', 'code core.code');
comment on type abonnement.categorie_abonnement_champs is 'Ce qui se modifie d''une catégorie d''abonnement.';
comment on function abonnement.categorie_abonnement_modifier is 'Modifie une catégorie d''abonnement.';
