create function auth.cle_lister() returns setof auth.cle_vue
language sql stable security definer set search_path = pg_catalog, pg_temp
begin atomic
  select * from auth.cle_vue c where c.id_utilisateur = core.utilisateur() order by c.id_cle;
end;
comment on function auth.cle_lister is 'Clés d''API de l''utilisateur, sans les clés elles-mêmes.';
