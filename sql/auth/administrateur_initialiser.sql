create function auth.administrateur_initialiser(p_login auth.login, p_mot_de_passe auth.mot_de_passe) returns boolean
language plpgsql volatile security definer set search_path = pg_catalog, pg_temp as $$
declare
  v_id_role bigint;
  v_id_utilisateur bigint;
begin
  -- When two servers start on an empty database, the lock makes one wait, and only the first creates the account.
  select r.id_role into strict v_id_role from auth.role r where r.code = 'ADMINISTRATEUR' for no key update;
  if exists (select from auth.utilisateur) then
    return false;
  end if;
  insert into auth.utilisateur (login, id_role) values (p_login, v_id_role)
  returning id_utilisateur into v_id_utilisateur;
  perform auth._mot_de_passe_poser(v_id_utilisateur, p_mot_de_passe);
  return true;
end $$;
comment on function auth.administrateur_initialiser is
  'Crée le premier administrateur d''une base sans aucun compte ; rend faux, sans rien faire, s''il y en a un.';
