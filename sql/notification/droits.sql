create type notification.droits as (id_utilisateur bigint, empreinte text);
comment on type notification.droits is 'Empreinte de ce qui décide de ce qu''un utilisateur voit, et de l''époque de ses jetons.';

create function notification.droits(p_utilisateurs bigint[]) returns setof notification.droits
language sql stable security definer set search_path = pg_catalog, pg_temp
begin atomic
  select p.id_utilisateur,
         md5(row(p.epoque, p.role, auth.role_permissions(p.role), p.id_caisse, p.id_activite, p.id_client)::text)
    from auth.perimetre_vue p
   where p.id_utilisateur = any (p_utilisateurs) and p.actif;
end;
comment on function notification.droits is
  'Empreinte des droits de ces utilisateurs ; un compte désactivé n''y est pas.';
