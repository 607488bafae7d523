create type pressing.type_vetement_champs as (libelle core.libelle, actif boolean);
comment on type pressing.type_vetement_champs is 'Champs modifiables d''un type de vêtement du catalogue.';

create function pressing.type_vetement_modifier(p_id_type_vetement bigint, p_champs jsonb)
returns pressing.type_vetement_vue
language plpgsql volatile security definer set search_path = pg_catalog, pg_temp as $$
begin
  update pressing.type_vetement t
     set (libelle, actif) = (select v.libelle, v.actif from jsonb_populate_record(t, p_champs) v)
   where t.id_type_vetement = p_id_type_vetement and pressing._visible();
  return pressing.type_vetement_detail(p_id_type_vetement);
end $$;
comment on function pressing.type_vetement_modifier is
  'Renomme, désactive ou réactive un type de vêtement du catalogue ; les commandes gardent le libellé qu''elles ont.';
