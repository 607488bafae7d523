create function compta.periode_lister() returns setof compta.periode_vue
language sql stable security definer set search_path = pg_catalog, pg_temp
begin atomic
  select p.* from compta.periode_vue p order by p.periode desc;
end;
comment on function compta.periode_lister is 'Mois clôturés, du dernier au premier.';
