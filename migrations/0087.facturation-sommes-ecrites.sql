-- Every settlement evaluated these expressions from their text again. The triggers that own the sums compute and check
-- them now (docs/decisions/0044-vitesse-du-reglement.md), so the columns are plain.
-- depends: 0086.finances-categorie-d-abord
-- squawk-ignore-file ban-drop-constraint -- the triggers that are loaded in the same transaction refuse the same rows
-- squawk-ignore-file ban-drop-generated-expression -- these triggers compute the same values
alter table facturation.facture alter column reste drop expression;
alter table facturation.facture alter column statut drop expression;
alter table facturation.facture
  drop constraint surpaiement, drop constraint facture_montant_positif, drop constraint facture_taxe_bornee,
  drop constraint facture_avoirs_bornes, drop constraint facture_credit_borne;
alter table facturation.facture_ligne alter column total drop expression;
alter table finances.paiement
  drop constraint periode_avec_caisse, drop constraint annulation_d_un_paiement,
  drop constraint paiement_credit_hors_caisse, drop constraint paiement_credit_du_client;
alter table finances.application_paiement drop constraint application_non_nulle;
