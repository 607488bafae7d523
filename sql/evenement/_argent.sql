-- Events of invoices, payments, expenses and tills.

-- Every settlement runs these two. They read neither the type nor the whole row.
create function evenement._t90_facture() returns trigger
language plpgsql volatile security definer set search_path = pg_catalog, pg_temp as $$
begin
  perform evenement._emettre(tg_argv[0], new.id_facture, new.id_activite, null,
                             evenement._ligne('facturation.facture_detail_vue', new.id_facture));
  return null;
end $$;
comment on function evenement._t90_facture() is 'Écrit l''événement d''une facture, à la validation.';

create function evenement._t90_paiement() returns trigger
language plpgsql volatile security definer set search_path = pg_catalog, pg_temp as $$
begin
  perform evenement._emettre(tg_argv[0], new.id_paiement, new.id_activite, new.id_caisse,
                             evenement._ligne('finances.paiement_detail_vue', new.id_paiement));
  return null;
end $$;
comment on function evenement._t90_paiement() is 'Écrit l''événement d''un paiement, à la validation.';

call evenement.declarer('facture.emise', 'facturation.facture_detail_vue', 'FACTURATION.VOIR', 'Une facture est émise.');
create constraint trigger t90_evenement_emise after insert on facturation.facture deferrable initially deferred
  for each row execute function evenement._t90_facture('facture.emise');

call evenement.declarer('facture.payee', 'facturation.facture_detail_vue', 'FACTURATION.VOIR',
  'Une facture est payée en entier ; de nouveau si un paiement annulé l''avait rouverte.');
create constraint trigger t90_evenement_payee after update on facturation.facture deferrable initially deferred
  for each row when (new.statut = 'PAYEE' and old.statut <> 'PAYEE') execute function evenement._t90_facture('facture.payee');
create constraint trigger t90_evenement_payee_emise after insert on facturation.facture deferrable initially deferred
  for each row when (new.statut = 'PAYEE') execute function evenement._t90_facture('facture.payee');

call evenement.declarer('facture.annulee', 'facturation.facture_detail_vue', 'FACTURATION.VOIR', 'Une facture est annulée.');
create constraint trigger t90_evenement_annulee after update on facturation.facture deferrable initially deferred
  for each row when (new.annulee and not old.annulee) execute function evenement._t90_facture('facture.annulee');

call evenement.declarer('paiement.recu', 'finances.paiement_detail_vue', 'FINANCES.VOIR', 'De l''argent est reçu.', 'CAISSE');
create constraint trigger t90_evenement_recu after insert on finances.paiement deferrable initially deferred
  for each row when (new.type = 'ENCAISSEMENT' and new.id_paiement_origine is null)
  execute function evenement._t90_paiement('paiement.recu');

call evenement.declarer('paiement.verse', 'finances.paiement_detail_vue', 'FINANCES.VOIR',
  'De l''argent est versé : salaire, caution restituée ou reste d''abonnement.', 'CAISSE');
create constraint trigger t90_evenement_verse after insert on finances.paiement deferrable initially deferred
  for each row when (new.type = 'DECAISSEMENT' and new.id_paiement_origine is null)
  execute function evenement._t90_paiement('paiement.verse');

call evenement.declarer('paiement.rembourse', 'finances.paiement_detail_vue', 'FINANCES.VOIR',
  'Un paiement est annulé ou rendu ; les données sont celles du paiement contraire.', 'CAISSE');
create constraint trigger t90_evenement_rembourse after insert on finances.paiement deferrable initially deferred
  for each row when (new.id_paiement_origine is not null) execute function evenement._t90_paiement('paiement.rembourse');

call evenement.declarer('depense.creee', 'finances.depense_vue', 'FINANCES.VOIR', 'Une dépense est saisie.', 'CAISSE');
create constraint trigger t90_evenement_creee after insert on finances.depense deferrable initially deferred
  for each row execute function evenement._t90_evenement('depense.creee', 'id_depense', '');

call evenement.declarer('caisse.ouverte', 'finances.periode_caisse_vue', 'FINANCES.VOIR', 'Une caisse s''ouvre.', 'CAISSE');
create constraint trigger t90_evenement_ouverte after insert on finances.periode_caisse deferrable initially deferred
  for each row execute function evenement._t90_evenement('caisse.ouverte', 'id_caisse', '', 'id_periode');

call evenement.declarer('caisse.fermee', 'finances.periode_caisse_vue', 'FINANCES.VOIR', 'Une caisse se ferme.', 'CAISSE');
create constraint trigger t90_evenement_fermee after update on finances.periode_caisse deferrable initially deferred
  for each row when (old.fermeture is null and new.fermeture is not null)
  execute function evenement._t90_evenement('caisse.fermee', 'id_caisse', '', 'id_periode');

call evenement.declarer('tirage.ecart', 'finances.tirage_vue', 'FINANCES.VOIR',
  'Un comptage de caisse ne trouve pas ce qu''il attend.', 'CAISSE');
create constraint trigger t90_evenement_ecart after insert on finances.tirage deferrable initially deferred
  for each row when (new.ecart <> 0) execute function evenement._t90_evenement('tirage.ecart', 'id_tirage', '');
