create function market.produit_detail(p_id_produit bigint, p_instant timestamptz default null) returns market.produit_vue
language sql stable security definer set search_path = pg_catalog, pg_temp
return case when p_instant is null then market._produit(p_id_produit)
            else audit._ligne_passee(null::market.produit_vue, p_id_produit, p_instant) end;
comment on function market.produit_detail(bigint, timestamptz) is
  'Un produit et son stock. « instant » : comme à cet instant passé.';
call core.peut_refuser('market.produit_detail', 'NOT_FOUND',
  'INSTANT_FUTUR', 'INSTANT_AVANT_JOURNAL', 'JOURNAL_ARCHIVE');
