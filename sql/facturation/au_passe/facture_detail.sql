create function facturation.facture_detail(p_id_facture bigint, p_instant timestamptz default null)
returns facturation.facture_detail_vue
language sql stable security definer set search_path = pg_catalog, pg_temp
return case when p_instant is null then facturation._facture(p_id_facture)
            else audit._ligne_passee(null::facturation.facture_detail_vue, p_id_facture, p_instant) end;
comment on function facturation.facture_detail(bigint, timestamptz) is
  'Une facture et ses lignes. « instant » : comme à cet instant passé.';
call core.peut_refuser('facturation.facture_detail', 'NOT_FOUND',
  'INSTANT_FUTUR', 'INSTANT_AVANT_JOURNAL', 'JOURNAL_ARCHIVE');
