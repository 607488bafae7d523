create function pressing.prestation_creer(p_libelle core.libelle, p_code_taxe core.code default null)
returns pressing.prestation_pressing_vue
language plpgsql volatile security definer set search_path = pg_catalog, pg_temp as $$
declare
  v_id_prestation bigint;
begin
  perform facturation._activite_permise(facturation._activite('PRESSING'));
  insert into pressing.prestation as t (libelle, code_taxe) values (p_libelle, p_code_taxe)
  returning t.id_prestation into v_id_prestation;
  return pressing.prestation_detail(v_id_prestation);
end $$;
comment on function pressing.prestation_creer is 'Ajoute une prestation au catalogue du pressing.';
