create function finances.paiement_detail(p_id_paiement bigint, p_instant timestamptz default null)
returns finances.paiement_detail_vue
language sql stable security definer set search_path = pg_catalog, pg_temp
return case when p_instant is null then finances._paiement(p_id_paiement)
            else audit._ligne_passee(null::finances.paiement_detail_vue, p_id_paiement, p_instant) end;
comment on function finances.paiement_detail(bigint, timestamptz) is
  'Un paiement. « instant » : comme à cet instant passé.';
call core.peut_refuser('finances.paiement_detail', 'NOT_FOUND',
  'INSTANT_FUTUR', 'INSTANT_AVANT_JOURNAL', 'JOURNAL_ARCHIVE');
