-- The key that ends the order is not a column of the answer.
create function finances.impaye_lister(
  p_type finances.type_impaye default null, p_client bigint default null, p_periode core.periode default null,
  p_du date default null, p_au date default null, p_limit core.limite default 1000, p_offset core.decalage default 0)
returns setof finances.impaye_vue
language plpgsql stable security definer set search_path = pg_catalog, pg_temp as $$
declare
  v_debut date := to_date(p_periode, 'YYYY-MM');
  v finances.impaye_vue;
begin
  for v in execute core._liste('finances._impaye_vue', $filtre$
        ($1 is null or v.type = $1)
    and ($2 is null or v.id_client = $2)
    and ($3 is null or v.date_echeance >= $3)
    and ($4 is null or v.date_echeance <= $4)
  $filtre$, 'v.date_echeance, v.reference, v.type, v.cle', null, null, p_limit, p_offset,
  array['finances._impaye_facture_vue', 'finances._impaye_loyer_vue', 'finances._impaye_charge_vue',
        'finances._impaye_sejour_vue']::regclass[])
  using p_type, p_client, greatest(p_du, v_debut), least(p_au, (v_debut + interval '1 month')::date - 1)
  loop
    return next v;
  end loop;
end $$;
comment on function finances.impaye_lister is
  'Liste ce que les clients doivent encore, le plus ancien d''abord ; « client » est un id_client, « periode » le mois de l''échéance, « du » et « au » des jours compris.';
