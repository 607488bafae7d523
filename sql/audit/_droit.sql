create function audit._droit(p_cle text) returns text
language sql stable parallel safe
return (select 'Permission ' || p.code || ' du rôle ' || r.code
          from auth.role r, auth.permission p
         where r.id_role = split_part(p_cle, '-', 1)::bigint and p.id_permission = split_part(p_cle, '-', 2)::bigint);
comment on function audit._droit is 'Une ligne de auth.role_permission en mots ; null une fois le rôle supprimé.';
