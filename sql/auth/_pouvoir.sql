-- A user can neither give more than the user's own account has, nor change an account that has more: its role has a
-- permission that the caller lacks, or it is less limited. Outside the API (psql, jobs) nothing is compared.

create function auth._pouvoir_refuser() returns void
language plpgsql stable as $$
begin
  perform core.refuser(403, 'POUVOIR_DEPASSE',
    'Ce compte a, ou aurait, plus de permissions ou un périmètre plus large que le vôtre : adressez-vous à quelqu''un qui en a autant.');
end $$;
comment on function auth._pouvoir_refuser is 'Refuse POUVOIR_DEPASSE.';

create function auth._role_exiger(p_id_role bigint) returns void
language plpgsql stable as $$
begin
  if exists (select from auth.role_permission rp join auth.permission p on p.id_permission = rp.id_permission
              where rp.id_role = p_id_role and not auth._permise(p.code)) then
    perform auth._pouvoir_refuser();
  end if;
end $$;
comment on function auth._role_exiger is
  'Refuse de donner un rôle qui permet plus que celui de l''utilisateur : POUVOIR_DEPASSE. Appelé avant que le rôle soit écrit : l''utilisateur peut changer le sien.';

create function auth._bornes_permises(p_id_client bigint, p_id_caisse bigint, p_id_activite bigint) returns boolean
language sql stable
return p_id_client is not distinct from coalesce(core.client(), p_id_client)
   and p_id_caisse is not distinct from coalesce(core.caisse(), p_id_caisse)
   and p_id_activite is not distinct from coalesce(core.activite(), p_id_activite);
comment on function auth._bornes_permises is 'Vrai si ces bornes limitent autant que celles de l''utilisateur.';

create function auth._bornes_exiger(p_id_utilisateur bigint) returns void
language plpgsql stable as $$
begin
  if not (select auth._bornes_permises(p.id_client, p.id_caisse, p.id_activite)
            from auth.perimetre_vue p where p.id_utilisateur = p_id_utilisateur) then
    perform auth._pouvoir_refuser();
  end if;
end $$;
comment on function auth._bornes_exiger is
  'Refuse un compte que son client, sa caisse ou son activité ne limitent pas autant que l''utilisateur : POUVOIR_DEPASSE. Appelé aussi après l''écriture, car caisse et activité sont dans deux tables.';

create function auth._pouvoir_permis(
  p_id_utilisateur bigint, p_permissions text[] default null, p_id_caisse bigint default null,
  p_id_activite bigint default null) returns boolean
language sql stable
return (select not exists (
                 select from auth.role_permission rp join auth.permission p on p.id_permission = rp.id_permission
                  where rp.id_role = u.id_role and p.code::text = any (coalesce(p_permissions, array[p.code::text]))
                    and not auth._permise(p.code))
               and auth._bornes_permises(p.id_client, coalesce(p_id_caisse, p.id_caisse),
                                         coalesce(p_id_activite, p.id_activite))
          from auth.utilisateur u join auth.perimetre_vue p on p.id_utilisateur = u.id_utilisateur
         where u.id_utilisateur = p_id_utilisateur);
comment on function auth._pouvoir_permis is
  'Vrai si un compte, limité de plus à ces permissions, à cette caisse et à cette activité, ne peut rien que l''utilisateur ne puisse.';

create function auth._pouvoir_exiger(p_id_utilisateur bigint) returns void
language plpgsql stable as $$
begin
  perform auth._role_exiger((auth.utilisateur_detail(p_id_utilisateur)).id_role);
  perform auth._bornes_exiger(p_id_utilisateur);
end $$;
comment on function auth._pouvoir_exiger is 'Refuse de toucher à un compte qui peut plus que l''utilisateur.';

create function auth._permissions_exiger(p_id_permissions bigint[]) returns void
language plpgsql stable as $$
declare
  v_code text;
begin
  select p.code into v_code from auth.permission p
   where p.id_permission = any (p_id_permissions) and not auth._permise(p.code)
   order by p.code collate "C" limit 1;
  if found then
    perform core.refuser(403, 'PERMISSION_NON_DETENUE',
      format('Vous n''avez pas la permission %s : vous ne pouvez ni la donner ni la retirer.', v_code));
  end if;
end $$;
comment on function auth._permissions_exiger is 'Refuse de changer une permission que l''utilisateur n''a pas.';
