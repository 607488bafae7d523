-- A user can neither give more than the user's own account has, nor change an account that has more. An account has more
-- when its role has a permission that the caller lacks, or when it is less limited than the caller. Outside the API
-- (psql, jobs) nothing is compared.

create function auth._role_permis(p_id_role bigint) returns boolean
language sql stable
return not exists (
  select from auth.role_permission rp join auth.permission p on p.id_permission = rp.id_permission
   where rp.id_role = p_id_role and not auth._permise(p.code));
comment on function auth._role_permis(bigint) is 'Vrai si l''utilisateur a chaque permission de ce rôle.';

create function auth._pouvoir_refuser() returns void
language plpgsql stable as $$
begin
  perform core.refuser(403, 'POUVOIR_DEPASSE',
    'Ce compte a, ou aurait, plus de permissions ou un périmètre plus large que le vôtre : adressez-vous à quelqu''un qui en a autant.');
end $$;
comment on function auth._pouvoir_refuser() is 'Refuse POUVOIR_DEPASSE.';

create function auth._role_exiger(p_id_role bigint) returns void
language plpgsql stable as $$
begin
  if not auth._role_permis(p_id_role) then
    perform auth._pouvoir_refuser();
  end if;
end $$;
comment on function auth._role_exiger(bigint) is
  'Refuse de donner un rôle qui permet plus que celui de l''utilisateur : POUVOIR_DEPASSE. Appelé avant que le rôle soit écrit : l''utilisateur peut changer le sien.';

create function auth._bornes_exiger(p_id_utilisateur bigint) returns void
language plpgsql stable as $$
declare
  v auth.perimetre_vue;
begin
  select * into strict v from auth.perimetre_vue p where p.id_utilisateur = p_id_utilisateur;
  if v.id_client is distinct from coalesce(core.client(), v.id_client)
     or v.id_caisse is distinct from coalesce(core.caisse(), v.id_caisse)
     or v.id_activite is distinct from coalesce(core.activite(), v.id_activite) then
    perform auth._pouvoir_refuser();
  end if;
end $$;
comment on function auth._bornes_exiger(bigint) is
  'Refuse un compte que son client, sa caisse ou son activité ne limitent pas autant que l''utilisateur : POUVOIR_DEPASSE. Appelé aussi après l''écriture, car caisse et activité sont dans deux tables.';

create function auth._pouvoir_exiger(p_id_utilisateur bigint) returns void
language plpgsql stable as $$
begin
  perform auth._role_exiger((auth._utilisateur(p_id_utilisateur)).id_role);
  perform auth._bornes_exiger(p_id_utilisateur);
end $$;
comment on function auth._pouvoir_exiger(bigint) is
  'Refuse de toucher à un compte qui peut plus que l''utilisateur : POUVOIR_DEPASSE, NOT_FOUND.';

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
comment on function auth._permissions_exiger(bigint[]) is
  'Refuse de donner ou de retirer une permission que l''utilisateur n''a pas : PERMISSION_NON_DETENUE.';
