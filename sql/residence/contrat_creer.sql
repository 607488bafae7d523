create function residence.contrat_creer(
  p_id_client bigint, p_id_logement bigint, p_date_debut date, p_montant_loyer core.montant_du_reglement,
  p_type_location residence.type_location, p_statut residence.statut_contrat_nomme default 'EN_ATTENTE',
  p_date_fin_prevue date default null, p_duree_mois residence.duree_mois default null,
  p_periodicite core.libelle default null, p_date_signature date default null,
  p_lien_en_file boolean default null)
returns residence.contrat_cree
language plpgsql volatile security definer set search_path = pg_catalog, pg_temp as $$
begin
  if p_statut <> 'EN_ATTENTE' then
    perform core.refuser(400, 'CONTRAT_NAIT_EN_ATTENTE', 'Un contrat naît en attente : activez-le ensuite.');
  end if;
  return residence._contrat_creer(p_id_client, p_id_logement, p_date_debut, p_montant_loyer, p_type_location,
                                  p_date_fin_prevue, p_duree_mois, p_periodicite, p_date_signature,
                                  p_lien_en_file);
end $$;
comment on function residence.contrat_creer is
  'Crée un contrat en attente et réserve son logement. Toutes ses échéances sont créées jusqu''à la fin prévue, ou un an à l''avance sans terme ; le premier et le dernier mois au prorata des jours. La durée donne la fin prévue qui manque. Un client sans compte en reçoit un, de rôle RESIDENT, et s''il a une adresse un lien pour choisir son mot de passe.';
