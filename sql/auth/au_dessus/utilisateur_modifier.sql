create type auth.utilisateur_champs as (
  nom core.libelle,
  prenom core.libelle,
  login auth.login,
  id_role bigint,
  id_activite_scope bigint,
  id_caisse bigint,
  id_employe bigint,
  id_client bigint,
  actif boolean,
  email core.email
);
comment on type auth.utilisateur_champs is 'Champs modifiables d''un compte ; le mot de passe a sa propre opération.';
comment on column auth.utilisateur_champs.id_caisse is 'Caisse imposée ; null la retire.';
comment on column auth.utilisateur_champs.id_employe is 'Employé dont c''est le compte ; null le délie.';
comment on column auth.utilisateur_champs.email is 'Adresse où écrire au titulaire ; null la retire. Les liens envoyés à l''ancienne ne valent plus.';
call core.peut_etre_null('auth.utilisateur_champs', 'id_caisse', 'id_employe');

create function auth.utilisateur_modifier(p_id_utilisateur bigint, p_champs jsonb) returns auth.utilisateur_vue
language plpgsql volatile security definer set search_path = pg_catalog, pg_temp as $$
declare
  v auth.utilisateur;
  v_avant auth.utilisateur;
  v_champs auth.utilisateur_champs;
begin
  select * into strict v_avant from auth.utilisateur u where u.id_utilisateur = p_id_utilisateur for no key update;
  perform auth._pouvoir_exiger(p_id_utilisateur);
  v := jsonb_populate_record(v_avant, p_champs);
  v_champs := jsonb_populate_record(null::auth.utilisateur_champs, p_champs);
  perform auth._role_exiger(v.id_role);
  -- A new name or a closed account gives no power.
  if row(v.login, v.email, v.id_role, v.id_activite_scope, v.id_client, v.actif and not v_avant.actif)
       is distinct from row(v_avant.login, v_avant.email, v_avant.id_role, v_avant.id_activite_scope,
                            v_avant.id_client, false)
     or p_champs ? 'id_caisse'
        and v_champs.id_caisse is distinct from (auth.utilisateur_detail(p_id_utilisateur)).id_caisse then
    perform auth._preuve_exiger();
  end if;
  update auth.utilisateur u
     set (nom, prenom, login, id_role, id_activite_scope, id_client, actif, email)
       = row(v.nom, v.prenom, v.login, v.id_role, v.id_activite_scope, v.id_client, v.actif, v.email)
   where u.id_utilisateur = p_id_utilisateur;
  if p_champs ? 'id_caisse' then
    perform auth._caisse_affecter(p_id_utilisateur, v_champs.id_caisse);
  end if;
  if p_champs ? 'id_employe' then
    perform rh._employe_lier(p_id_utilisateur, v_champs.id_employe);
  end if;
  perform auth._perimetre_verifier(p_id_utilisateur);
  perform auth._bornes_exiger(p_id_utilisateur);
  return auth.utilisateur_detail(p_id_utilisateur);
end $$;
comment on function auth.utilisateur_modifier is
  'Modifie les champs donnés d''un compte ; désactivé, il perd ses sessions et ses clés d''API.';
