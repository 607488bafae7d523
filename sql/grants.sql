-- All grants, and the one setting of the database, which a copy of the database does not have either.
-- The file runs twice: before the code is loaded, to allow the loading, and after it, to allow the execution.
--
-- comptoir_code      owns functions, views and triggers; reads and writes tables, as listed here
-- comptoir_portail   owns the functions of the portal; reads what they need, under sql/politiques.sql
-- comptoir_app       the API: may execute public operations, and nothing else
-- comptoir_lecture   people who read: may select the reporting views
-- comptoir_travail   the worker: runs the queue and may execute the public operations of jobs

do $$
declare
  v_schema regnamespace;
  v_partie regclass;
begin
  execute format('revoke all on database %I from public', current_database());
  -- No grant to comptoir_code, which has no login: « drop owned » would revoke it in every database of the server.
  execute format('grant connect on database %I to comptoir_app, comptoir_lecture, comptoir_travail',
                 current_database());
  -- A server with JIT would compile the queries whose estimate is high, which takes longer than to run them.
  if (select pg_has_role(datdba, 'usage') from pg_database where datname = current_database()) then
    execute format('alter database %I set jit = off', current_database());
  end if;
  for v_schema in
    select n.oid from pg_namespace n
     where n.nspowner = 'comptoir_owner'::regrole and n.nspname not in ('migration', 'queue')
  loop
    execute format('grant usage, create on schema %s to comptoir_code', v_schema);
    execute format('grant usage on schema %s to comptoir_app', v_schema);
    execute format('grant select, insert, update, delete, trigger on all tables in schema %s to comptoir_code',
                   v_schema);
    execute format('grant usage, select on all sequences in schema %s to comptoir_code', v_schema);
  end loop;
  -- The code reads and writes the parts of the journal only through the whole.
  for v_partie in select i.inhrelid from pg_inherits i where i.inhparent = 'audit.journal'::regclass loop
    execute format('revoke select, insert, update, delete on %s from comptoir_code', v_partie);
  end loop;
end $$;

-- Payments and their history are never rewritten. Without the privilege, even a mistake in the code cannot do it.
revoke delete, truncate on finances.paiement, finances.application_paiement, finances.depense, finances.tirage,
  finances.periode_caisse, facturation.facture, facturation.facture_ligne, facturation.facture_ligne_taxe,
  facturation.avoir, facturation.avoir_ligne, finances.mouvement_credit, tresorerie.virement from comptoir_code;
revoke update on finances.application_paiement, finances.tirage, facturation.avoir, facturation.avoir_ligne,
  finances.mouvement_credit, tresorerie.virement from comptoir_code;
-- An issued invoice keeps its amount, its lines and its discount: what it loses is a credit note.
revoke update on facturation.facture, facturation.facture_ligne, facturation.facture_ligne_taxe from comptoir_code;
grant update (libelle, montant_paye, montant_avoirs, montant_credit, annulee, motif_annulation) on facturation.facture
  to comptoir_code;
revoke delete, truncate on achat.reception, achat.reception_ligne, achat.facture, achat.facture_ligne, achat.avoir,
  achat.avoir_ligne, achat.paiement, achat.application, achat.taxe_deduite from comptoir_code;
revoke update on achat.reception, achat.reception_ligne, achat.facture, achat.facture_ligne, achat.avoir,
  achat.avoir_ligne, achat.paiement, achat.application, achat.taxe_deduite from comptoir_code;
grant update (quantite_facturee, montant_facture) on achat.reception_ligne to comptoir_code;
grant update (numero, jour, statut, montant_avoirs, montant_paye) on achat.facture to comptoir_code;
grant update (id_mouvement, montant_attendu) on achat.facture_ligne to comptoir_code;
grant update (date_annulation) on achat.paiement to comptoir_code;
revoke delete, truncate on core.taxe, core.code_taxe, core.regime from comptoir_code;
revoke update on core.taxe, core.regime from comptoir_code;
grant update (libelle) on core.taxe to comptoir_code;
revoke update on finances.paiement from comptoir_code;
grant update (date, jour, id_moyen, motif, reference) on finances.paiement to comptoir_code;
revoke delete on residence.contrat_location, residence.echeance, residence.revision_loyer, residence.caution,
  residence.caution_evenement from comptoir_code;
revoke update on residence.revision_loyer, residence.caution_evenement from comptoir_code;
grant update (motif) on residence.revision_loyer, residence.caution_evenement to comptoir_code;
revoke delete, truncate on market.vente, market.vente_ligne, market.mouvement_stock, restaurant.commande,
  restaurant.commande_ligne from comptoir_code;
revoke update on market.vente_ligne, market.mouvement_stock, restaurant.commande_ligne from comptoir_code;
revoke delete, truncate on abonnement.souscription, abonnement.mouvement from comptoir_code;
revoke update on abonnement.mouvement from comptoir_code;
grant update (motif) on abonnement.mouvement to comptoir_code;
revoke update, delete, truncate on pressing.tarif_kg from comptoir_code;
revoke update, delete on audit.journal, audit.sceau, audit.feuillage, audit.noeud, audit.effacement,
  audit.rectification from comptoir_code;
-- Erasing a client (audit.effacement): the triggers let nothing else pass.
grant update (avant, apres, adresse_ip) on audit.journal to comptoir_code;
grant update (sels) on audit.feuillage to comptoir_code;
-- The account that owns the tables signs (app/seals). The code reads what is public of the keys.
revoke insert, update, delete on audit.arbre, audit.cle_sceau, audit.tete, audit.publication from comptoir_code;
revoke select on audit.cle_sceau from comptoir_code;
grant select (id_cle, publique, du, au, signature) on audit.cle_sceau to comptoir_code;
revoke insert, update, delete on audit.archive from comptoir_code;
revoke update, delete, truncate on compta.ecriture, compta.periode, compta.jour_efface, compta.operation,
  compta.operation_ligne, compta.exercice_clos from comptoir_code;
grant update (libelle) on compta.ecriture to comptoir_code;

-- The code writes only the columns of attendance that a user decides. The time of arrival is a default of the table.
revoke insert, update, delete on rh.pointage from comptoir_code;
grant insert (id_employe, date, statut, note), update (horloge_depart, statut, heures_sup, note) on rh.pointage
  to comptoir_code;
revoke delete, truncate on rh.employe, rh.paie, rh.element_salaire from comptoir_code;

-- The worker runs the queue. The code adds jobs, takes back the jobs of a dead worker, deletes old jobs, and counts.
grant usage on schema queue to comptoir_travail, comptoir_code;
grant select, insert, update, delete on all tables in schema queue to comptoir_travail;
grant usage on all sequences in schema queue to comptoir_travail, comptoir_code;
grant execute on all functions in schema queue to comptoir_travail;
grant select, insert, update, delete on queue.procrastinate_jobs to comptoir_code;
grant select, insert on queue.procrastinate_events to comptoir_code;
grant select on queue.procrastinate_workers to comptoir_code;
grant select (job_id), update (job_id) on queue.procrastinate_periodic_defers to comptoir_code;
grant execute on function queue.procrastinate_defer_jobs_v1(queue.procrastinate_job_to_defer_v1[]),
  queue.procrastinate_finish_job_v1(bigint, queue.procrastinate_job_status, boolean),
  queue.procrastinate_retry_job_v2(bigint, timestamptz, integer, varchar, varchar) to comptoir_code;
grant usage on schema jobs to comptoir_travail;

-- The portal only reads. Tables without a client have no policy, so only the granted columns limit them.
grant usage on schema core, client, facturation, finances, tresorerie, pressing, abonnement, residence, market,
  restaurant, salle_fete, signalement to comptoir_portail;
grant select on residence.contrat_location, residence.revision_loyer, residence.echeance, residence.caution,
  residence.caution_evenement, residence.etat_des_lieux, residence.sejour_court, salle_fete.reservation,
  market.vente, market.vente_ligne, pressing.commande_ligne, restaurant.commande, restaurant.commande_ligne,
  signalement.signalement, signalement.photo, pressing.commande, abonnement.souscription, abonnement.mouvement,
  abonnement.offre, facturation.facture, facturation.facture_ligne, facturation.facture_ligne_taxe, facturation.avoir,
  finances.mouvement_credit, finances.paiement, finances.application_paiement to comptoir_portail;
grant select (id_client, code, nom, prenoms, type_client, tel_principal, tel_secondaire, email, adresse, ville, pays,
  date_enregistrement, numero_contribuable) on client.client to comptoir_portail;
grant select (id_activite, libelle) on core.activite to comptoir_portail;
grant select (id_taxe, code, taux, nature) on core.taxe to comptoir_portail;
grant select (id_prestation, libelle) on pressing.prestation to comptoir_portail;
grant select (id_logement, id_batiment, numero, nom, type, tarif, statut) on residence.logement to comptoir_portail;
grant select (id_batiment, code, nom) on residence.batiment to comptoir_portail;
grant select (id_logement, periode) on residence.occupation to comptoir_portail;
grant select (id_produit, nom) on market.produit to comptoir_portail;
grant select (id_plat, nom) on restaurant.plat to comptoir_portail;
grant select (id_moyen, libelle) on finances.moyen_paiement to comptoir_portail;
grant select (cle, valeur) on core.parametre to comptoir_portail;
grant select on tresorerie.compte to comptoir_portail; -- the code of PI-SPI on an invoice carries the alias of an account
-- Receipts of the portal carry a check value made with the secret. No function of the portal returns the secret.
grant select (secret) on core.secret_documents to comptoir_portail;

do $$
begin
  -- The role creates its functions while the code is loaded, and needs no privilege to create afterwards.
  if exists (select from pg_proc p where p.proowner = 'comptoir_portail'::regrole) then
    revoke create on schema client, facturation, abonnement, residence, market, pressing, restaurant, salle_fete,
      signalement from comptoir_portail;
    grant select on abonnement._souscription_vue, abonnement.mouvement_vue, finances.imputation_vue
      to comptoir_portail;
    revoke all on core.declaration from comptoir_portail;
    revoke execute on procedure core.peut_etre_null(regclass, text[]),
      core._champs_declarer(regclass, core.genre_declaration, text[]) from comptoir_portail;
  else
    grant create on schema client, facturation, abonnement, residence, market, pressing, restaurant, salle_fete,
      signalement to comptoir_portail;
  end if;
end $$;

-- The first run, before the code, takes from PUBLIC the execution of every function created later.
alter default privileges for role comptoir_code, comptoir_portail revoke execute on functions from public;

-- People who read: the reports, as views and as functions, with the helpers that these views use, and the seals.
grant usage on schema rapports, core, residence, audit to comptoir_lecture;
grant select (id_activite, code) on core.activite to comptoir_lecture;
grant select (cle, valeur) on core.parametre to comptoir_lecture;
grant select on audit.sceau, audit.archive, audit.tete, audit.publication to comptoir_lecture;

do $$
declare
  v_vue regclass;
begin
  for v_vue in
    select c.oid from pg_class c where c.relnamespace = 'rapports'::regnamespace and c.relkind = 'v'
  loop
    execute format('grant select on %s to comptoir_lecture', v_vue);
  end loop;
end $$;

do $$
declare
  v record;
begin
  for v in
    with fonction as (
      select p.oid::regprocedure as signature, n.nspname as tranche, n.nspname || '.' || p.proname as nom,
             p.proowner::regrole::text as proprietaire,
             p.prosecdef and p.proname !~ '^_' and p.prorettype <> 'trigger'::regtype as operation
        from pg_proc p
        join pg_namespace n on n.oid = p.pronamespace
       where p.proowner in ('comptoir_code'::regrole, 'comptoir_portail'::regrole))
    -- A function is a public operation unless it is a helper (its name begins with _) or a trigger.
    select f.signature, 'comptoir_app' as role from fonction f where f.operation
    union all
    select f.signature, case f.tranche when 'jobs' then 'comptoir_travail' else 'comptoir_lecture' end
      from fonction f where f.operation and f.tranche in ('jobs', 'rapports') and f.proprietaire = 'comptoir_code'
    union all
    select f.signature, h.role
      from (values
        -- Helpers shared with the portal. They are not security definer, so they read as comptoir_portail.
        ('comptoir_portail', 'comptoir_code', array[
           'core.client', 'core.a_confirmer', 'core.refuser', 'core._liste', 'core._curseur', 'core._suites',
           'core._apres', 'core._page_noter', 'core.fuseau', 'core._fuseau_enregistre', 'core.jour',
           'core.aujourdhui', 'core.moment', 'core.debut_du_jour', 'core._organisation', 'core._jeton', 'core._signer',
           'finances._paiement_numero', 'residence._statut_echeance', 'residence._loyer', 'residence._loyers_revises',
           'residence._reference_loyer', 'residence._recu_echeance', 'residence._document_recu_echeance',
           'finances._document_dresser', 'facturation._document_client',
           'facturation._document_taxe', 'core.parametre', 'core.nombre_ecrire', 'abonnement._quantite',
           'signalement._cible', 'core._trouve', 'tresorerie._qr_facture', 'tresorerie._qr_pispi',
           'tresorerie._emv', 'tresorerie._crc16', 'tresorerie._compte_qui_recoit', 'tresorerie._recoit',
           'tresorerie._passe_avant']),
        -- The portal only reads, so the code writes requests. It finds the client and the request by these functions:
        -- row-level security and the condition both hide another client's.
        ('comptoir_code', 'comptoir_portail', array[
           'client._portail_client', 'client._portail_liste', 'client._portail_lie',
           'residence.portail_sejour_detail', 'residence._portail_libres',
           'salle_fete.portail_reservation_detail', 'market.portail_vente_detail',
           'pressing.portail_commande_detail', 'restaurant.portail_commande_detail',
           'signalement.portail_signalement_detail', 'signalement.portail_photo_detail']),
        -- The helpers that the views of reports use, and the seals.
        ('comptoir_lecture', 'comptoir_code', array[
           'core.caisse', 'core.activite', 'core.client', 'core.fuseau', 'core._fuseau_enregistre',
           'core.jour', 'core.aujourdhui', 'core.moment', 'audit.verifier', 'core._visible', 'core._activite_visible',
           'core._activite_sans_caisse', 'residence._visible', 'residence._statut_echeance'])) h (role, proprietaire, noms)
      join fonction f on f.proprietaire = h.proprietaire and f.nom = any (h.noms)
     order by role  -- each load stores the grants of a function in the same order
  loop
    execute format('grant execute on function %s to %I', v.signature, v.role);
  end loop;
end $$;
