create function salle_fete.type_manifestation_creer(p_libelle core.libelle, p_code_taxe core.code default null)
returns salle_fete.type_manifestation_vue
language plpgsql volatile security definer set search_path = pg_catalog, pg_temp as $$
declare
  v_id_type_manifestation bigint;
begin
  perform facturation._activite_permise(facturation._activite('SALLE_FETE'));
  insert into salle_fete.type_manifestation as t (libelle, code_taxe) values (p_libelle, p_code_taxe)
  returning t.id_type_manifestation into v_id_type_manifestation;
  return salle_fete.type_manifestation_detail(v_id_type_manifestation);
end $$;
comment on function salle_fete.type_manifestation_creer is 'Ajoute un type de manifestation au catalogue.';
