create function rh.employe_creer(
  p_nom core.libelle, p_prenom core.libelle, p_fonction rh.fonction, p_date_embauche date,
  p_type_contrat rh.type_contrat, p_salaire_base core.montant, p_telephone core.telephone default null,
  p_id_service bigint default null, p_autres_infos core.texte default null,
  p_date_sortie date default null)
returns rh.employe_vue
language plpgsql volatile security definer set search_path = pg_catalog, pg_temp as $$
declare
  v_id_employe bigint;
begin
  if not auth._sans_bornes() then
    perform core.refuser(403, 'PERSONNEL_DE_L_ENTREPRISE',
      'Votre compte est limité : un employé s''enregistre par un compte sans activité ni caisse imposée.');
  end if;
  insert into rh.employe (nom, prenom, telephone, fonction, id_service, date_embauche, type_contrat, salaire_base,
                          autres_infos, date_sortie)
  values (p_nom, p_prenom, p_telephone, p_fonction, p_id_service, p_date_embauche, p_type_contrat, p_salaire_base,
          p_autres_infos, p_date_sortie)
  returning id_employe into v_id_employe;
  return rh._employe(v_id_employe);
end $$;
comment on function rh.employe_creer(
  core.libelle, core.libelle, rh.fonction, date, rh.type_contrat, core.montant, core.telephone, bigint, core.texte,
  date) is
  'Enregistre un employé ; son code lui est donné.';
call core.peut_refuser('rh.employe_creer', 'EMPLOYE_SERVICE_INCONNU', 'SORTIE_AVANT_EMBAUCHE',
  'PERSONNEL_DE_L_ENTREPRISE');
