create function auth.utilisateur_detail(p_id_utilisateur bigint) returns auth.utilisateur_vue
language plpgsql stable security definer set search_path = pg_catalog, pg_temp as $$
declare
  v auth.utilisateur_vue;
begin
  select * into strict v from auth.utilisateur_vue u where u.id_utilisateur = p_id_utilisateur;
  return v;
end $$;
comment on function auth.utilisateur_detail is 'Un compte.';
