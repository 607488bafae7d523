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
  v_paiement residence.portail_paiement := residence._portail_paiement(v_id_client, p_id_paiement);
  v_facture facturation.facture;
  v_client residence.recu_client;
begin
  v_facture := residence._portail_facture(v_id_client, p_id_paiement);
  select k.nom, k.prenoms into strict v_client from client.client k where k.id_client = v_id_client;
  return row(v_paiement.type, coalesce(v_paiement.reference, v_facture.numero), v_paiement.date, v_paiement.montant,
             v_paiement.mode_paiement,
             case v_paiement.type when 'LOYER' then residence._recu_paiement_echeance(v_facture.source_id) end,
             case when v_paiement.type <> 'LOYER' and v_facture.id_facture is not null
                  then residence._recu_facture(v_facture) end, v_client)::residence.recu_paiement;
end $$;
comment on function residence.portail_paiement_recu is 'Reçu d''un paiement du résident connecté.';

create function residence._recu_paiement_echeance(p_id_echeance bigint) returns residence.recu_paiement_echeance
language sql stable
return (select row(e.mois, e.annee, c.numero_contrat)::residence.recu_paiement_echeance
          from residence.echeance e join residence.contrat_location c on c.id_contrat = e.id_contrat
         where e.id_echeance = p_id_echeance);
comment on function residence._recu_paiement_echeance is 'Échéance d''un reçu.';

create function residence._recu_facture(p_facture facturation.facture) returns residence.recu_facture
language sql stable
return row((p_facture).numero, (p_facture).date, (p_facture).montant_total, (p_facture).montant_paye,
           array(select row(l.libelle, trim_scale(l.quantite), l.prix_unitaire, l.total)::residence.recu_ligne_facture
                   from facturation.facture_ligne l where l.id_facture = (p_facture).id_facture order by l.id_ligne)
          )::residence.recu_facture;
comment on function residence._recu_facture is 'Facture d''un reçu, avec ses lignes.';
