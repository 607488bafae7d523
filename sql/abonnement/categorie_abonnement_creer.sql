call core.creation('abonnement.categorie_abonnement_creer', 'abonnement.categorie_abonnement',
  'abonnement.categorie_abonnement_detail', 'abonnement._acces_exiger()', 'libelle', 'description', 'actif',
  'code core.code default null');
comment on function abonnement.categorie_abonnement_creer is
  'Crée une catégorie d''abonnement ; sans code, elle en reçoit un.';
-- The index compares an expression of the code.
call core.peut_refuser('abonnement.categorie_abonnement_creer', 'CODE_CATEGORIE_ABONNEMENT_EXISTANT');
