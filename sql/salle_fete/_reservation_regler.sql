-- The settlement records every payment of a booking. One invoice serves from the advance to the balance.
-- Locks, in this order: the booking, then the locks of the settlement.

create type salle_fete.paiement_entree as (montant core.montant, id_moyen bigint);
comment on type salle_fete.paiement_entree is 'Paiement d''une réservation.';
comment on column salle_fete.paiement_entree.montant is 'Acompte, plus grand que zéro, ou solde exact.';
comment on column salle_fete.paiement_entree.id_moyen is 'Moyen de paiement.';

create type salle_fete.reservation_reglement as (
  reservation salle_fete.reservation_vue, facture facturation.facture_solde, numero text, id_paiement bigint);
comment on type salle_fete.reservation_reglement is 'Réservation et sa facture après un règlement.';
comment on column salle_fete.reservation_reglement.numero is 'Numéro de la facture.';
comment on column salle_fete.reservation_reglement.id_paiement is 'Paiement de cette opération, null si elle n''encaisse rien.';
call core.peut_etre_null('salle_fete.reservation_reglement', 'facture', 'numero', 'id_paiement');

create function salle_fete._reservation_regler(p_id_reservation bigint, p_montant core.montant, p_id_moyen bigint)
returns facturation.reglement
language plpgsql volatile as $$
declare
  v salle_fete.reservation;
  v_libelle core.libelle;
begin
  select * into strict v from salle_fete.reservation r where r.id_reservation = p_id_reservation;
  v_libelle := left(
    format('Salle de fête, %s : %s', to_char(v.date_evenement, 'DD/MM/YYYY'), v.type_manifestation), 200);
  return finances._facture_regler(
    p_source_type => 'RESERVATION_FETE', p_source_id => v.id_reservation,
    p_id_activite => facturation._activite('SALLE_FETE'), p_id_client => v.id_client, p_libelle => v_libelle,
    p_lignes => array[facturation._ligne(v_libelle, 1, v.tarif, (
      select t.code_taxe from salle_fete.type_manifestation t
       where t.id_type_manifestation = v.id_type_manifestation))],
    p_montant => p_montant, p_id_moyen => p_id_moyen);
end $$;
comment on function salle_fete._reservation_regler is
  'Paie une réservation, en tout ou en partie, sur sa facture, émise ici si elle n''existe pas encore.';

create function salle_fete._reponse(p_id_reservation bigint, p_reglement facturation.reglement)
returns salle_fete.reservation_reglement
language sql stable
return row(salle_fete.reservation_detail(p_id_reservation), finances._solde(p_reglement),
           p_reglement.numero, p_reglement.id_paiement)::salle_fete.reservation_reglement;
comment on function salle_fete._reponse is 'Réponse d''une opération qui encaisse.';
