create function rh.paie_valider(p_id_paie bigint) returns rh.paie_vue
language plpgsql volatile security definer set search_path = pg_catalog, pg_temp as $$
begin
  perform rh._paie_passer(p_id_paie, 'VALIDEE');
  return rh._paie(p_id_paie);
end $$;
comment on function rh.paie_valider is 'Valide un bulletin CALCULEE ; il ne change plus.';
