-- A receipt, for staff and for residents: these helpers read only rows that row-level security lets the portal see.

create type residence.document_recu_echeance as (
  numero_contrat text, logement text, debut date, fin date, montant core.montant, montant_paye core.montant,
  reste core.montant_signe, numero_facture text);
comment on type residence.document_recu_echeance is 'Échéance d''un reçu à imprimer.';
comment on column residence.document_recu_echeance.numero_facture is 'Numéro de sa facture, dont la preuve est celle du reçu ; null si elle n''en a pas.';
create type residence.document_recu_facture as (numero text, libelle text, montant core.montant_signe);
comment on type residence.document_recu_facture is 'Facture qu''un paiement règle, et la part du paiement qui lui va.';
create type residence.document_recu as (
  fichier text, organisation core.organisation, numero text, reference text, jour date, moyen text, client text,
  montant core.montant, echeance residence.document_recu_echeance, paiements facturation.document_paiement[],
  factures residence.document_recu_facture[], caution text, jeton text);
comment on type residence.document_recu is 'Tout ce qu''imprime un reçu.';
comment on column residence.document_recu.numero is 'Donné par la base : la référence d''un paiement est un texte libre, que le code QR ne signe pas.';
comment on column residence.document_recu.echeance is 'D''un reçu d''échéance ; null pour celui d''un paiement.';
comment on column residence.document_recu.paiements is 'Ce que l''échéance a reçu.';
comment on column residence.document_recu.factures is 'Ce que le paiement règle.';
comment on column residence.document_recu.caution is 'Numéro du contrat dont ce paiement verse la caution, null pour un autre paiement.';
comment on column residence.document_recu.jeton is 'Jeton du code QR : il mène à la vérification du document (core._jeton).';

create function residence._document_recu_echeance(p_id_echeance bigint) returns residence.document_recu
language plpgsql stable as $$
declare
  v residence.recu_echeance := residence._recu_echeance(p_id_echeance);
begin
  return (
    select row('recu-' || v.reference, core._organisation(), v.reference, null, core.jour(v.date), v.mode_paiement,
               concat_ws(' ', (v.client).prenoms, (v.client).nom), v.montant,
               row((v.echeance).numero_contrat, v.logement, e.date_echeance, e.date_fin, e.montant, e.montant_paye,
                   e.montant - e.montant_paye, f.numero)::residence.document_recu_echeance,
               array(select row(x.jour, x.moyen, x.reference, x.montant)::facturation.document_paiement
                       from (select p.jour, m.libelle::text as moyen, p.reference::text, a.montant, p.date,
                                    a.id_paiement as rang
                               from finances.imputation_vue a
                               join finances.paiement p on p.id_paiement = a.id_paiement
                               join finances.moyen_paiement m on m.id_moyen = p.id_moyen
                              where a.id_facture = f.id_facture
                             union all -- the credit that a credit note has left to the client, and its return
                             select core.jour(c.date), 'Crédit client', a.numero, -c.montant, c.date, c.id_mouvement
                               from facturation.avoir a
                               join finances.mouvement_credit c on c.id_avoir = a.id_avoir
                              where a.id_facture = f.id_facture) x
                      order by x.date, x.rang),
               null, null, core._jeton('echeance', p_id_echeance))::residence.document_recu
      from residence.echeance e
      left join facturation.facture f on f.source_type = 'LOCATION' and f.source_id = e.id_echeance and not f.annulee
     where e.id_echeance = p_id_echeance);
end $$;
comment on function residence._document_recu_echeance is
  'Reçu à imprimer d''une échéance, vérifiée visible par l''appelant. Refuse ECHEANCE_NON_PAYEE.';
