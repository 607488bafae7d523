create function abonnement.categorie_abonnement_detail(p_id_categorie_abonnement bigint)
returns abonnement.categorie_abonnement_vue
language plpgsql stable security definer set search_path = pg_catalog, pg_temp as $$
begin
  return core._trouve((
    select c from abonnement.categorie_abonnement_vue c where c.id_categorie_abonnement = p_id_categorie_abonnement));
end $$;
comment on function abonnement.categorie_abonnement_detail is 'Une catégorie d''abonnement.';
