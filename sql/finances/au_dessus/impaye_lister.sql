create function finances.impaye_lister(
  p_type finances.type_impaye default null, p_client bigint default null, p_periode core.periode default null,
  p_du date default null, p_au date default null)
returns setof finances.impaye_vue
language plpgsql stable security definer set search_path = pg_catalog, pg_temp as $$
declare
  v_debut date := to_date(p_periode, 'YYYY-MM');
begin
  return query
  select * from finances.impaye_vue i
   where (p_type is null or i.type = p_type)
     and (p_client is null or i.id_client = p_client)
     and (v_debut is null or i.date_echeance >= v_debut and i.date_echeance < (v_debut + interval '1 month')::date)
     and (p_du is null or i.date_echeance >= p_du)
     and (p_au is null or i.date_echeance <= p_au)
   order by i.date_echeance, i.reference;
end $$;
comment on function finances.impaye_lister(finances.type_impaye, bigint, core.periode, date, date) is
  'Liste ce que les clients doivent encore, le plus ancien d''abord ; « client » est un id_client, « periode » le mois de l''échéance, « du » et « au » des jours compris.';
