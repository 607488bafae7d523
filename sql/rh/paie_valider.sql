create function rh.paie_valider(p_id_paie bigint) returns rh.paie_vue
language plpgsql volatile security definer set search_path = pg_catalog, pg_temp as $$
begin
  perform rh._paie_passer(p_id_paie, 'VALIDEE');
  return rh._paie(p_id_paie);
end $$;
comment on function rh.paie_valider is 'Valide un bulletin CALCULEE ; il ne change plus.';
call core.peut_refuser('rh.paie_valider', 'NOT_FOUND', 'TRANSITION_INTERDITE');
-- A payslip of a closed month counts on a later day.
call core.ne_refuse_pas('rh.paie_valider', 'PERIODE_CLOTUREE');
