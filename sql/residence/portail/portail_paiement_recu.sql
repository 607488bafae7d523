create type residence.recu_paiement_echeance as (mois smallint, annee smallint, numero_contrat text);
comment on type residence.recu_paiement_echeance is 'Échéance réglée.';
create type residence.recu_ligne_facture as (
  libelle text, quantite numeric, prix_unitaire core.montant, total core.montant);
comment on type residence.recu_ligne_facture is 'Ligne de la facture réglée.';
create type residence.recu_facture as (
  numero text, date timestamptz, montant_total core.montant, montant_paye core.montant,
  lignes residence.recu_ligne_facture[]);
comment on type residence.recu_facture is 'Facture réglée.';
create type residence.recu_paiement as (
  type residence.type_paiement_portail, reference text, date timestamptz, montant core.montant, mode_paiement text,
  echeance residence.recu_paiement_echeance, facture residence.recu_facture, client residence.recu_client);
comment on type residence.recu_paiement is 'Reçu d''un paiement.';
comment on column residence.recu_paiement.reference is 'Référence du paiement, sinon le numéro de la facture réglée.';
comment on column residence.recu_paiement.montant is 'Montant du paiement entier.';
comment on column residence.recu_paiement.echeance is 'D''un LOYER seulement ; la plus ancienne quand il en règle plusieurs.';
comment on column residence.recu_paiement.facture is 'D''une CHARGE ou d''un AUTRE seulement ; null pour une caution.';
call core.peut_etre_null('residence.recu_paiement', 'reference', 'mode_paiement', 'echeance', 'facture', 'client');

create function residence.portail_paiement_recu(p_id_paiement bigint) returns residence.recu_paiement
language plpgsql stable security definer set search_path = pg_catalog, pg_temp as $$
declare
  v_id_client bigint := client._portail_client();
  v residence.portail_paiement := residence._portail_paiement(v_id_client, p_id_paiement);
  v_facture facturation.facture;
begin
  -- The invoice whose number and nature residence._portail_paiements shows.
  select f.* into v_facture
    from facturation.facture f
    join finances.imputation_vue a on a.id_facture = f.id_facture
    left join residence.echeance e on f.source_type = 'LOCATION' and e.id_echeance = f.source_id
   where f.id_client = v_id_client and a.id_paiement = p_id_paiement
   order by residence._portail_type(f.source_type), e.date_echeance, f.id_facture limit 1;
  return row(
    v.type, coalesce(v.reference, v_facture.numero), v.date, v.montant, v.mode_paiement,
    case v.type when 'LOYER' then (
      select row(e.mois, e.annee, c.numero_contrat)::residence.recu_paiement_echeance
        from residence.echeance e join residence.contrat_location c on c.id_contrat = e.id_contrat
       where e.id_echeance = v_facture.source_id) end,
    case when v.type <> 'LOYER' and v_facture.id_facture is not null then
      row(v_facture.numero, v_facture.date, v_facture.montant_total, v_facture.montant_paye, array(
        select row(l.libelle, trim_scale(l.quantite), l.prix_unitaire, l.total)::residence.recu_ligne_facture
          from facturation.facture_ligne l
         where l.id_facture = v_facture.id_facture order by l.id_ligne))::residence.recu_facture end,
    (select row(k.nom, k.prenoms)::residence.recu_client
       from client.client k where k.id_client = v_id_client))::residence.recu_paiement;
end $$;
comment on function residence.portail_paiement_recu is 'Reçu d''un paiement du résident connecté.';
