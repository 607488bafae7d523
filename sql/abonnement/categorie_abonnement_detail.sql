create function abonnement.categorie_abonnement_detail(p_id_categorie_abonnement bigint)
returns abonnement.categorie_abonnement_vue
language sql stable security definer set search_path = pg_catalog, pg_temp
return abonnement._categorie_abonnement(p_id_categorie_abonnement);
comment on function abonnement.categorie_abonnement_detail is 'Une catégorie d''abonnement.';
