create type finances.caisse_champs as (libelle core.libelle, actif boolean);
comment on type finances.caisse_champs is 'Ce qui se modifie d''une caisse ; l''activité n''en est pas.';

create function finances.caisse_modifier(p_id_caisse bigint, p_champs jsonb) returns finances.caisse_vue
language plpgsql volatile security definer set search_path = pg_catalog, pg_temp as $$
declare
  v finances.caisse;
begin
  perform finances.caisse_detail(p_id_caisse);
  select * into strict v from finances.caisse c where c.id_caisse = p_id_caisse for update;
  v := jsonb_populate_record(v, p_champs);
  update finances.caisse c set (libelle, actif) = row(v.libelle, v.actif) where c.id_caisse = p_id_caisse;
  return (select c from finances.caisse_vue c where c.id_caisse = p_id_caisse);
end $$;
comment on function finances.caisse_modifier is 'Modifie une caisse. Une caisse inactive ne s''ouvre plus.';
-- The function does not write the activity.
call core.ne_refuse_pas('finances.caisse_modifier', 'ACTIVITE_DE_CAISSE_FIGEE');
