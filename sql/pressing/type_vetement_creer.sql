create function pressing.type_vetement_creer(p_libelle core.libelle) returns pressing.type_vetement_vue
language plpgsql volatile security definer set search_path = pg_catalog, pg_temp as $$
declare
  v_id_type_vetement bigint;
begin
  perform facturation._activite_permise(facturation._activite('PRESSING'));
  insert into pressing.type_vetement as t (libelle) values (p_libelle)
  returning t.id_type_vetement into v_id_type_vetement;
  return pressing.type_vetement_detail(v_id_type_vetement);
end $$;
comment on function pressing.type_vetement_creer is 'Ajoute un type de vêtement au catalogue du pressing.';
