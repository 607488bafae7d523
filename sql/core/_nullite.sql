-- Null or not, where PostgreSQL keeps no mark of it. A field of a composite type is never null unless a row says so; a
-- column of a view is never null if its table says so, or a row. The rows are below; a house test
-- refuses one that names nothing.

create table core.nullite (
  type text not null,
  champ text not null,
  nul boolean not null,
  constraint nullite_pkey primary key (type, champ)
);
comment on table core.nullite is
  'Ce que le document de l''API ne peut pas déduire des tables : les champs d''une réponse qui peuvent être null, et les colonnes d''une vue qui ne le sont jamais ; refait avec le code.';
comment on column core.nullite.type is 'Type composé ou vue, schéma compris.';
comment on column core.nullite.champ is 'Champ ou colonne.';
comment on column core.nullite.nul is 'Vrai : peut être null. Faux : ne l''est jamais.';

create domain core.nombres_par_cle as jsonb;
comment on domain core.nombres_par_cle is 'Objet JSON : un nombre entier par clé.';

create domain core.montants_par_cle as jsonb;
comment on domain core.montants_par_cle is 'Objet JSON : un montant, en texte, par clé.';

create domain core.chiffres_par_cle as jsonb;
comment on domain core.chiffres_par_cle is 'Objet JSON : par clé un montant en texte, un nombre entier, ou des nombres par clé.';

create domain core.donnees as jsonb;
comment on domain core.donnees is 'Objet JSON : un texte, un nombre, un booléen ou null par clé.';

create function core.nullite_lister() returns setof core.nullite
language sql stable security definer set search_path = pg_catalog, pg_temp
begin atomic
  select * from core.nullite;
end;
comment on function core.nullite_lister() is 'Ce que l''API lit à son démarrage pour son document.';

insert into core.nullite (type, champ, nul)
select t.type, c.champ, true
  from (values
  ('auth.compte', 'id_client id_caisse id_activite_scope nom prenom email'),
  ('audit.constat', 'registre nombre ids rang du_id au_id'),
  ('audit.scellement', 'rang date empreinte'),
  ('client.portail_fiche', 'email tel_secondaire adresse ville pays'),
  ('facturation.controle', 'numero montant facture'),
  ('facturation.portail_facture', 'activite libelle'),
  ('facturation.reglement', 'id_paiement'),
  ('finances.depense_hint', 'montant libelle'),
  ('finances.paiement_applique', 'facture numero'),
  ('finances.paiements_utilisateur', 'id_utilisateur login'),
  ('jobs.sauvegarde_auto_bilan', 'id_sauvegarde'),
  ('market.rapport_periode', 'du au'),
  ('market.vente_reglement', 'id_paiement'),
  ('pressing.commande_reglement', 'facture numero id_paiement'),
  ('rapports.dashboard_finances', 'salaires_a_payer_mois'),
  ('rapports.financier_depense', 'justificatif'),
  ('rapports.financier_paiement', 'reference motif activite_libelle'),
  ('rapports.periode', 'du au'),
  ('rapports.prochaine_reservation', 'nom_client'),
  ('rapports.synthese', 'masse_salariale residence market pressing personnel'),
  ('rapports.tableau', 'activite residence market pressing restaurant salle_fete personnel'),
  ('residence.caution_payee', 'date_versement date_restitution montant_restitue retenue motif_retenue id_paiement'),
  ('residence.charge_reglement', 'facture numero id_paiement'),
  ('residence.compte_resident', 'email_envoye'),
  ('residence.contrat_cree', 'date_fin_prevue duree_mois periodicite date_signature date_resiliation motif_resiliation compte_resident'),
  ('residence.echeance_encaissee', 'id_paiement'),
  ('residence.encaissement_lot', 'avertissement'),
  ('residence.portail_caution', 'date_versement montant_restitue retenue motif_retenue'),
  ('residence.portail_caution_response', 'caution'),
  ('residence.portail_contrat', 'date_fin_prevue periodicite'),
  ('residence.portail_echeance', 'date_paiement'),
  ('residence.portail_echeances', 'prochaine_echeance'),
  ('residence.portail_historique_caution', 'montant motif id_paiement'),
  ('residence.portail_logement', 'nom'),
  ('residence.portail_paiement', 'mode_paiement reference'),
  ('residence.portail_photo', 'piece commentaire'),
  ('residence.portail_resume', 'contrat_en_cours prochaine_echeance'),
  ('residence.recu_echeance', 'reference date mode_paiement'),
  ('residence.recu_paiement', 'reference mode_paiement echeance facture client'),
  ('residence.sejour_reglement', 'facture numero id_paiement'),
  ('restaurant.commande_reglement', 'id_paiement'),
  ('rh.rapport_service', 'libelle id_service'),
  ('salle_fete.reservation_reglement', 'facture numero id_paiement')) t (type, champs),
       string_to_table(t.champs, ' ') c (champ);

-- Columns of views that no table proves: expressions, and outer joins on keys that are never missing.
insert into core.nullite (type, champ, nul)
select t.type, c.champ, false
  from (values
  ('audit.trace_vue', 'date_heure module operation entite'),
  ('facturation.facture_vue', 'date_emission'),
  ('finances.caisse_dashboard_vue', 'libelle id_activite actif revenus_jour total_paiements total_depenses nombre_employes'),
  ('finances.impaye_vue', 'type client reference montant_du montant_paye reste date_echeance'),
  ('market.mouvement_stock_vue', 'reference nom quantite_mouvement'),
  ('market.stock_alerte_vue', 'reference nom quantite_stock seuil_alerte niveau'),
  ('market.vente_ligne_vue', 'produit remise_ligne'),
  ('pressing.commande_vue', 'acompte reste_a_payer client_nom client_prenoms client_tel'),
  ('residence.charge_facturee_vue', 'montant_paye reste_a_payer statut numero_logement categorie_libelle'),
  ('residence.contrat_location_vue', 'montant_loyer'),
  ('residence.loyer_impaye_vue', 'id_contrat id_client client numero_contrat logement batiment mois annee montant montant_paye reste date_echeance statut jours_retard'),
  ('residence.sejour_court_vue', 'montant_paye reste_a_payer numero_logement'),
  ('residence.suivi_vue', 'numero_contrat client logement batiment mois annee loyer_applique date_echeance statut montant_paye montant reste id_echeance id_contrat id_client'),
  ('restaurant.commande_ligne_vue', 'plat'),
  ('rh.paie_vue', 'employe_nom employe_prenom'),
  ('rh.pointage_vue', 'employe_nom employe_prenom'),
  ('salle_fete.creneau_vue', 'date_evenement heure_debut duree type_manifestation statut debut fin'),
  ('salle_fete.reservation_vue', 'acompte solde')) t (type, champs),
       string_to_table(t.champs, ' ') c (champ);
