create function rh.employe_creer(
  p_nom core.libelle, p_prenom core.libelle, p_fonction rh.fonction, p_date_embauche date,
  p_type_contrat rh.type_contrat, p_salaire_base core.montant, p_telephone core.telephone default null,
  p_id_service bigint default null, p_autres_infos core.texte default null,
  p_date_sortie date default null)
returns rh.employe_vue
language sql volatile security definer set search_path = pg_catalog, pg_temp
return rh._employe_inscrire(null, p_nom, p_prenom, p_fonction, p_date_embauche, p_type_contrat, p_salaire_base,
                            p_telephone, p_id_service, p_autres_infos, p_date_sortie);
comment on function rh.employe_creer is 'Enregistre un employé ; son code lui est donné.';
