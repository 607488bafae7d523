create function auth.inscrire(
  p_nom core.libelle, p_prenoms core.libelle, p_tel_principal core.telephone, p_login auth.login,
  p_mot_de_passe auth.mot_de_passe, p_email core.email default null)
returns bigint
language plpgsql volatile security definer set search_path = pg_catalog, pg_temp as $$
declare
  v_id_role bigint;
  v_id_client bigint;
  v_id_utilisateur bigint;
begin
  select r.id_role into strict v_id_role from auth.role r where r.code = 'CLIENT';
  insert into auth.utilisateur (login, nom, prenom, id_role) values (p_login, p_nom, p_prenoms, v_id_role)
  returning id_utilisateur into v_id_utilisateur;
  perform auth._mot_de_passe_poser(v_id_utilisateur, p_mot_de_passe);
  -- The client comes last: its number holds up every other new client until the commit.
  insert into client.client (nom, prenoms, tel_principal, email, type_client)
  values (p_nom, p_prenoms, p_tel_principal, p_email, 'PASSAGE')
  returning id_client into v_id_client;
  update auth.utilisateur u set id_client = v_id_client where u.id_utilisateur = v_id_utilisateur;
  return v_id_utilisateur;
end $$;
comment on function auth.inscrire(core.libelle, core.libelle, core.telephone, auth.login, auth.mot_de_passe, core.email) is
  'Inscription libre : crée un client et son compte, de rôle CLIENT. Refuse : LOGIN_EXISTANT.';
