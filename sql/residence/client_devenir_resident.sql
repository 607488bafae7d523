create function residence.client_devenir_resident(
  p_id_client bigint, p_id_logement bigint, p_date_debut date, p_montant_loyer core.montant_du_reglement,
  p_type_location residence.type_location, p_date_fin_prevue date default null,
  p_duree_mois residence.duree_mois default null, p_periodicite core.libelle default null,
  p_date_signature date default null, p_lien_en_file boolean default null)
returns residence.contrat_cree
language plpgsql volatile security definer set search_path = pg_catalog, pg_temp as $$
begin
  perform client._client(p_id_client);
  update client.client c set type_client = 'LOCATAIRE' where c.id_client = p_id_client and c.type_client <> 'LOCATAIRE';
  return residence._contrat_creer(p_id_client, p_id_logement, p_date_debut, p_montant_loyer, p_type_location,
                                  p_date_fin_prevue, p_duree_mois, p_periodicite, p_date_signature,
                                  p_lien_en_file);
end $$;
comment on function residence.client_devenir_resident is
  'Fait d''un client un locataire : son type devient LOCATAIRE et un contrat est créé comme par POST /residence/contrats.';
-- client._client has already refused NOT_FOUND.
call core.ne_refuse_pas('residence.client_devenir_resident', 'CLIENT_INCONNU');
