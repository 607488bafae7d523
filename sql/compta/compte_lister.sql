create function compta.compte_lister() returns setof compta.compte_vue
language sql stable security definer set search_path = pg_catalog, pg_temp
begin atomic
  select c.* from compta.compte_vue c
   order by c.genre, c.id_activite nulls first, c.id_moyen, c.id_caisse, c.id_categorie_depense, c.code_taxe;
end;
comment on function compta.compte_lister is
  'Tous les cas et leur compte ; ceux qui n''en ont pas prennent celui de leur cas général, qui doit en avoir un.';
