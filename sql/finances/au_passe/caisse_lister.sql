create function finances.caisse_lister(
  p_id_activite bigint default null, p_actif boolean default null, p_instant timestamptz default null)
returns setof finances.caisse_vue
language plpgsql stable security definer set search_path = pg_catalog, pg_temp as $$
begin
  return query execute audit._au_passe(p_instant, 'select * from finances.caisse_vue c
     where ($1 is null or c.id_activite = $1) and ($2 is null or c.actif = $2) order by c.id_caisse')
  using p_id_activite, p_actif;
end $$;
comment on function finances.caisse_lister is
  'Liste les caisses ; un utilisateur lié à une caisse ne voit que la sienne. « instant » : comme à cet instant passé.';
