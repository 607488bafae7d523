create view auth.permission_vue as
select p.id_permission, p.code, p.libelle from auth.permission p;
comment on view auth.permission_vue is 'Catalogue des permissions.';
comment on column auth.permission_vue.code is 'Code <DOMAINE>.<ACTION>.';

create view auth.role_vue as
select r.id_role, r.code, r.libelle, r.description from auth.role r;
comment on view auth.role_vue is 'Rôles.';

-- Registration, leases, tills and the first start find these roles by code.
create function auth._t20_role_reserve() returns trigger
language plpgsql as $$
begin
  perform core.refuser(409, 'ROLE_RESERVE',
    format('Le service a besoin du rôle %s : son code ne change pas et il ne se supprime pas.', old.code));
  return null;
end $$;
comment on function auth._t20_role_reserve is 'Refuse de renommer ou de supprimer un rôle dont le service a besoin.';

create trigger t20_role_reserve_supprime before delete on auth.role
for each row when (old.code in ('ADMINISTRATEUR', 'CAISSIER', 'CLIENT', 'RESIDENT'))
execute function auth._t20_role_reserve();
create trigger t20_role_reserve_renomme before update of code on auth.role
for each row when (old.code in ('ADMINISTRATEUR', 'CAISSIER', 'CLIENT', 'RESIDENT') and new.code <> old.code)
execute function auth._t20_role_reserve();
