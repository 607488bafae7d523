create function finances.caisse_lister(p_id_activite bigint default null, p_actif boolean default null)
returns setof finances.caisse_vue
language sql stable security definer set search_path = pg_catalog, pg_temp
begin atomic
  select * from finances.caisse_vue c
   where (p_id_activite is null or c.id_activite = p_id_activite) and (p_actif is null or c.actif = p_actif)
   order by c.id_caisse;
end;
comment on function finances.caisse_lister is
  'Liste les caisses ; un utilisateur lié à une caisse ne voit que la sienne.';
