call core.detail(
  'abonnement.categorie_abonnement_detail', 'abonnement.categorie_abonnement_vue', 'id_categorie_abonnement');
comment on function abonnement.categorie_abonnement_detail is 'Une catégorie d''abonnement.';
