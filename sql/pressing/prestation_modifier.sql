create type pressing.prestation_champs as (libelle core.libelle, actif boolean, code_taxe core.code);
comment on type pressing.prestation_champs is 'Champs modifiables d''une prestation du catalogue.';

create function pressing.prestation_modifier(p_id_prestation bigint, p_champs jsonb)
returns pressing.prestation_pressing_vue
language plpgsql volatile security definer set search_path = pg_catalog, pg_temp as $$
begin
  update pressing.prestation t
     set (libelle, actif, code_taxe) =
         (select v.libelle, v.actif, v.code_taxe from jsonb_populate_record(t, p_champs) v)
   where t.id_prestation = p_id_prestation and pressing._visible();
  return pressing.prestation_detail(p_id_prestation);
end $$;
comment on function pressing.prestation_modifier is
  'Renomme, désactive ou réactive une prestation du catalogue ; les commandes gardent le libellé qu''elles ont.';
