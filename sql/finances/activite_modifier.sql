create type finances.activite_champs as (code_taxe core.code);
comment on type finances.activite_champs is 'Ce qui se modifie d''une activité.';
comment on column finances.activite_champs.code_taxe is 'Code de taxe de ce qui n''a pas le sien, null sans taxe.';
call core.null_comme('finances.activite_champs', 'core.activite');

create function finances.activite_modifier(p_id_activite bigint, p_champs jsonb) returns finances.activite_vue
language plpgsql volatile security definer set search_path = pg_catalog, pg_temp as $$
begin
  update core.activite a set code_taxe = (select n.code_taxe from jsonb_populate_record(a, p_champs) n)
   where a.id_activite = p_id_activite;
  return core._trouve((select a from finances.activite_vue a where a.id_activite = p_id_activite));
end $$;
comment on function finances.activite_modifier is
  'Donne à une activité le code de taxe de ce qui n''a pas le sien ; les factures émises ne changent pas.';
