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
  -- A login that looks like an e-mail address must be the address of this account, to which its links go. The refusals
  -- use the message of a login that is taken: the caller does not learn which addresses are known.
  if strpos(p_login, '@') > 0
     and (lower(p_login) is distinct from lower(p_email)
          or exists (select from client.client c where lower(c.email) = lower(p_login))
          or exists (select from auth.utilisateur u where lower(u.email) = lower(p_login))) then
    perform core.refuser(409, 'LOGIN_EXISTANT', 'Ce login existe déjà.');
  end if;
  select r.id_role into strict v_id_role from auth.role r where r.code = 'CLIENT';
  insert into auth.utilisateur (login, nom, prenom, id_role, a_confirmer)
  values (p_login, p_nom, p_prenoms, v_id_role, true)
  returning id_utilisateur into v_id_utilisateur;
  perform auth._mot_de_passe_poser(v_id_utilisateur, p_mot_de_passe);
  -- The client is inserted last: its number blocks every other new client until the commit.
  insert into client.client (nom, prenoms, tel_principal, email, type_client)
  values (p_nom, p_prenoms, p_tel_principal, p_email, 'PASSAGE')
  returning id_client into v_id_client;
  update auth.utilisateur u set id_client = v_id_client where u.id_utilisateur = v_id_utilisateur;
  return v_id_utilisateur;
end $$;
comment on function auth.inscrire is
  'Inscription libre : crée un client et son compte, de rôle CLIENT, dont l''espace s''ouvre quand un lien envoyé à son adresse a servi. Un login qui est une adresse est celle de qui s''inscrit.';
-- The new client has no taxpayer number.
call core.ne_refuse_pas('auth.inscrire', 'NUMERO_CONTRIBUABLE_INVALIDE');
