create function auth.utilisateur_creer(
  p_login auth.login, p_mot_de_passe auth.mot_de_passe, p_id_role bigint,
  p_nom core.libelle default null, p_prenom core.libelle default null,
  p_id_activite_scope bigint default null, p_id_caisse bigint default null,
  p_id_employe bigint default null, p_id_client bigint default null, p_actif boolean default true,
  p_email core.email default null)
returns auth.utilisateur_vue
language plpgsql volatile security definer set search_path = pg_catalog, pg_temp as $$
declare
  v_id_utilisateur bigint;
begin
  perform auth._preuve_exiger();
  perform auth._role_exiger(p_id_role);
  insert into auth.utilisateur (login, nom, prenom, id_role, id_activite_scope, id_client, actif, email)
  values (p_login, p_nom, p_prenom, p_id_role, p_id_activite_scope, p_id_client, p_actif, p_email)
  returning id_utilisateur into v_id_utilisateur;
  perform auth._mot_de_passe_poser(v_id_utilisateur, p_mot_de_passe);
  perform auth._caisse_affecter(v_id_utilisateur, p_id_caisse);
  perform rh._employe_lier(v_id_utilisateur, p_id_employe);
  perform auth._perimetre_verifier(v_id_utilisateur);
  perform auth._bornes_exiger(v_id_utilisateur);
  return auth.utilisateur_detail(v_id_utilisateur);
end $$;
comment on function auth.utilisateur_creer is
  'Crée un compte. À son adresse s''écrivent les liens de mot de passe et l''avis d''une connexion inhabituelle. Un caissier est limité à une activité ou à une caisse.';
