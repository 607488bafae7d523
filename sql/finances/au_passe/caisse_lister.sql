create function finances.caisse_lister(p_instant timestamptz default null) returns setof finances.caisse_vue
language plpgsql stable security definer set search_path = pg_catalog, pg_temp as $$
begin
  if p_instant is not null then
    return query execute audit._au_passe(p_instant, 'select * from finances.caisse_vue c order by c.id_caisse');
  else
    return query select * from finances.caisse_vue c order by c.id_caisse;
  end if;
end $$;
comment on function finances.caisse_lister(timestamptz) is
  'Liste les caisses ; un utilisateur lié à une caisse ne voit que la sienne. « instant » : comme à cet instant passé.';
call core.peut_refuser('finances.caisse_lister', 'INSTANT_FUTUR', 'INSTANT_AVANT_JOURNAL', 'JOURNAL_ARCHIVE');
