create function auth.role_permissions(p_role text) returns text[]
language sql stable security definer set search_path = pg_catalog, pg_temp
return (select array(select p.code::text from auth.role_permission rp join auth.permission p using (id_permission)
                      where rp.id_role = r.id_role order by p.code::text collate "C")
          from auth.role r where r.code = p_role);
comment on function auth.role_permissions is 'Codes des permissions d''un rôle, triés ; null pour un rôle inconnu.';
