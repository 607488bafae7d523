create type core.taxe_champs as (libelle core.libelle);
comment on type core.taxe_champs is 'Ce qui se modifie d''un taux : son libellé.';

create function core.taxe_modifier(p_id_taxe bigint, p_champs jsonb) returns core.taxe_vue
language plpgsql volatile security definer set search_path = pg_catalog, pg_temp as $$
begin
  update core.taxe t set libelle = (select n.libelle from jsonb_populate_record(t, p_champs) n)
   where t.id_taxe = p_id_taxe;
  return core.taxe_detail(p_id_taxe);
end $$;
comment on function core.taxe_modifier is
  'Change le libellé d''un taux ; pour changer le taux, le même code reçoit un taux suivant.';
