-- At least one account can always administer. A statement that takes this from a user or a role first locks the row of
-- the permission ADMIN.MODIFIER, so two administrators who deactivate each other at the same time cannot both succeed.

create function auth._administre(p_id_role bigint) returns boolean
language sql stable
return 3 = (select count(*) from auth.role_permission rp join auth.permission p using (id_permission)
             where rp.id_role = p_id_role and p.code in ('ADMIN.VOIR', 'ADMIN.CREER', 'ADMIN.MODIFIER'));
comment on function auth._administre is 'Vrai si ce rôle permet d''administrer : voir, créer et modifier.';

create function auth._administrateur_exiger() returns void
language plpgsql volatile as $$
begin
  -- A restore keeps accounts closed that were closed after the backup, even the last administrator of the backup.
  if current_setting('comptoir.reprise', true) = 'oui' then
    return;
  end if;
  perform from auth.permission p where p.code = 'ADMIN.MODIFIER' for no key update;
  if not exists (select from auth.utilisateur u where u.actif and auth._administre(u.id_role)) then
    perform core.refuser(409, 'DERNIER_ADMINISTRATEUR',
      'C''est le dernier administrateur actif : nommez-en d''abord un autre.');
  end if;
end $$;
comment on function auth._administrateur_exiger is 'Refuse DERNIER_ADMINISTRATEUR s''il ne reste aucun administrateur actif.';

create function auth._t20_utilisateur_administrateur() returns trigger
language plpgsql as $$
begin
  if auth._administre(old.id_role) and (tg_op = 'DELETE' or not new.actif or not auth._administre(new.id_role)) then
    perform auth._administrateur_exiger();
  end if;
  return null;
end $$;
comment on function auth._t20_utilisateur_administrateur is 'Refuse de retirer le dernier administrateur.';

create trigger t20_utilisateur_administrateur after delete or update of actif, id_role on auth.utilisateur
for each row when (old.actif) execute function auth._t20_utilisateur_administrateur();

create function auth._t20_role_permission_administrateur() returns trigger
language plpgsql as $$
begin
  if exists (
    select from (select distinct a.id_role from anciennes a join auth.permission p using (id_permission)
                  where p.code in ('ADMIN.VOIR', 'ADMIN.CREER', 'ADMIN.MODIFIER')) r
     where exists (select from auth.utilisateur u where u.id_role = r.id_role and u.actif)
       and 3 = (select count(*) from auth.permission p
                 where p.code in ('ADMIN.VOIR', 'ADMIN.CREER', 'ADMIN.MODIFIER')
                   and p.id_permission in (
                     select a.id_permission from anciennes a where a.id_role = r.id_role
                     union all
                     select rp.id_permission from auth.role_permission rp where rp.id_role = r.id_role)))
  then
    perform auth._administrateur_exiger();
  end if;
  return null;
end $$;
comment on function auth._t20_role_permission_administrateur is 'Refuse de priver le dernier administrateur.';

create trigger t20_role_permission_administrateur after delete on auth.role_permission
referencing old table as anciennes for each statement execute function auth._t20_role_permission_administrateur();
create trigger t20_role_permission_administrateur_maj after update on auth.role_permission
referencing old table as anciennes for each statement execute function auth._t20_role_permission_administrateur();

create function auth._administrateur(p_id_utilisateur bigint) returns boolean
language sql stable
return exists (select from auth.utilisateur u join auth.role r on r.id_role = u.id_role
                where u.id_utilisateur = p_id_utilisateur and r.code = 'ADMINISTRATEUR');
comment on function auth._administrateur is 'Vrai d''un compte de rôle ADMINISTRATEUR.';
