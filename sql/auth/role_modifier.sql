create type auth.role_champs as (code core.code, libelle core.libelle, description core.texte);
comment on type auth.role_champs is 'Champs modifiables d''un rôle.';

create function auth.role_modifier(p_id_role bigint, p_champs jsonb) returns auth.role_vue
language plpgsql volatile security definer set search_path = pg_catalog, pg_temp as $$
begin
  update auth.role r
     set (code, libelle, description) = (
           select n.code, n.libelle, n.description from jsonb_populate_record(r, p_champs) n)
   where r.id_role = p_id_role;
  return auth.role_detail(p_id_role);
end $$;
comment on function auth.role_modifier is 'Modifie les champs donnés d''un rôle.';
