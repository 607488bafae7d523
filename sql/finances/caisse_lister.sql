create function finances.caisse_lister() returns setof finances.caisse_vue
language plpgsql stable security definer set search_path = pg_catalog, pg_temp as $$
begin
  return query select * from finances.caisse_vue c order by c.id_caisse;
end $$;
comment on function finances.caisse_lister() is
  'Liste les caisses ; un utilisateur lié à une caisse ne voit que la sienne.';
