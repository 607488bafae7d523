create function rh.paie_valider(p_id_paie bigint) returns rh.paie_vue
language sql volatile security definer set search_path = pg_catalog, pg_temp
return rh._paie_passer(p_id_paie, 'VALIDEE');
comment on function rh.paie_valider is 'Valide un bulletin CALCULEE ; il ne change plus.';
