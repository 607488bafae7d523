create function residence.abonnement_creer(
  p_id_client bigint, p_service core.libelle, p_type residence.type_abonnement, p_montant core.montant,
  p_date_debut date, p_id_logement bigint default null, p_date_fin date default null,
  p_montant_paye core.montant default null, p_statut residence.statut_abonnement default 'ACTIF',
  p_id_categorie_abonnement bigint default null)
returns residence.abonnement_vue
language plpgsql volatile security definer set search_path = pg_catalog, pg_temp as $$
declare
  v residence.abonnement;
  v_periode record;
begin
  perform p_montant_paye; -- part of the contract, but only payments change this amount
  if p_statut <> 'ACTIF' then
    perform core.refuser(400, 'ABONNEMENT_NAIT_ACTIF',
      'Un abonnement naît ACTIF : suspendez-le ou résiliez-le ensuite.');
  end if;
  perform residence._categorie_abonnement_active(p_id_categorie_abonnement);
  v.id_abonnement := nextval('residence.abonnement_id_abonnement_seq');
  v.id_client := client._client_resoudre(p_id_client, null);
  v.service := p_service;
  v.type := p_type;
  v.montant := p_montant;
  v.date_debut := p_date_debut;
  v.date_fin := p_date_fin;
  select p.debut, p.fin into strict v_periode from residence._abonnement_periodes(v, p_date_debut) p;
  v.id_facture := residence._abonnement_facturer(v, v_periode.debut, v_periode.fin);
  insert into residence.abonnement (id_abonnement, id_client, id_logement, id_categorie_abonnement, service, type,
                                    montant, date_debut, date_fin, id_facture)
  overriding system value
  values (v.id_abonnement, v.id_client, p_id_logement, p_id_categorie_abonnement, p_service, p_type, p_montant,
          p_date_debut, p_date_fin, v.id_facture);
  insert into residence.abonnement_periode (id_abonnement, date_debut, date_fin, id_facture)
  values (v.id_abonnement, v_periode.debut, v_periode.fin, v.id_facture);
  return residence.abonnement_detail(v.id_abonnement);
end $$;
comment on function residence.abonnement_creer is
  'Abonne un client à un service ; la facture de sa première période est émise, impayée, et se paie par POST /finances/paiements avec id_facture. MENSUEL ou ANNUEL, chaque période qui commence est facturée par la tâche « generer-echeances ». montant_paye est tenu par la base : celui envoyé ne sert pas.';
