create type auth.role_champs as (code core.code, libelle core.libelle, description core.texte);
comment on type auth.role_champs is 'Champs modifiables d''un rôle.';

create function auth.role_modifier(p_id_role bigint, p_champs jsonb) returns auth.role_vue
language plpgsql volatile security definer set search_path = pg_catalog, pg_temp as $$
declare
  v auth.role;
begin
  select * into strict v from auth.role r where r.id_role = p_id_role for no key update;
  v := jsonb_populate_record(v, p_champs);
  update auth.role r set (code, libelle, description) = row(v.code, v.libelle, v.description)
   where r.id_role = p_id_role;
  return auth.role_detail(p_id_role);
end $$;
comment on function auth.role_modifier is 'Modifie les champs donnés d''un rôle.';
