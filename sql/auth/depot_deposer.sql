create function auth.depot_deposer(p_categorie auth.categorie_depot) returns void
language plpgsql stable security definer set search_path = pg_catalog, pg_temp as $$
begin
  perform auth._depot_exiger(p_categorie, 'MODIFIER');
end $$;
comment on function auth.depot_deposer is 'Vérifie que l''utilisateur peut déposer un fichier de cette catégorie.';
