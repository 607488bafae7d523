-- Généré par « comptoir generer » : les tables que font migrations/. Ne pas modifier.

-- Name: abonnement; Type: SCHEMA; Schema: -

CREATE SCHEMA abonnement;

-- Name: SCHEMA abonnement; Type: COMMENT; Schema: -

COMMENT ON SCHEMA abonnement IS 'Catégories d''abonnements.';

-- Name: audit; Type: SCHEMA; Schema: -

CREATE SCHEMA audit;

-- Name: SCHEMA audit; Type: COMMENT; Schema: -

COMMENT ON SCHEMA audit IS 'Journal des écritures.';

-- Name: auth; Type: SCHEMA; Schema: -

CREATE SCHEMA auth;

-- Name: SCHEMA auth; Type: COMMENT; Schema: -

COMMENT ON SCHEMA auth IS 'Comptes, rôles, permissions et sessions.';

-- Name: client; Type: SCHEMA; Schema: -

CREATE SCHEMA client;

-- Name: SCHEMA client; Type: COMMENT; Schema: -

COMMENT ON SCHEMA client IS 'Référentiel unique des clients, pièces d''identité et contacts d''urgence.';

-- Name: core; Type: SCHEMA; Schema: -

CREATE SCHEMA core;

-- Name: SCHEMA core; Type: COMMENT; Schema: -

COMMENT ON SCHEMA core IS 'Socle : paramètres, activités, numérotation, contexte de la requête, refus nommés.';

-- Name: facturation; Type: SCHEMA; Schema: -

CREATE SCHEMA facturation;

-- Name: SCHEMA facturation; Type: COMMENT; Schema: -

COMMENT ON SCHEMA facturation IS 'Prestations et factures ; le règlement commun à toutes les activités.';

-- Name: finances; Type: SCHEMA; Schema: -

CREATE SCHEMA finances;

-- Name: SCHEMA finances; Type: COMMENT; Schema: -

COMMENT ON SCHEMA finances IS 'Caisses, périodes, paiements, dépenses et comptages.';

-- Name: jobs; Type: SCHEMA; Schema: -

CREATE SCHEMA jobs;

-- Name: SCHEMA jobs; Type: COMMENT; Schema: -

COMMENT ON SCHEMA jobs IS 'Tâches de fond : ce que la file exécute, et ce qu''elle dit d''elle-même.';

-- Name: market; Type: SCHEMA; Schema: -

CREATE SCHEMA market;

-- Name: SCHEMA market; Type: COMMENT; Schema: -

COMMENT ON SCHEMA market IS 'Boutique : produits, fournisseurs, mouvements de stock, ventes.';

-- Name: notification; Type: SCHEMA; Schema: -

CREATE SCHEMA notification;

-- Name: SCHEMA notification; Type: COMMENT; Schema: -

COMMENT ON SCHEMA notification IS 'Notifications adressées aux utilisateurs.';

-- Name: pressing; Type: SCHEMA; Schema: -

CREATE SCHEMA pressing;

-- Name: SCHEMA pressing; Type: COMMENT; Schema: -

COMMENT ON SCHEMA pressing IS 'Pressing : commandes, de la dépose au retrait.';

-- Name: rapports; Type: SCHEMA; Schema: -

CREATE SCHEMA rapports;

-- Name: SCHEMA rapports; Type: COMMENT; Schema: -

COMMENT ON SCHEMA rapports IS 'Rapports et tableaux de bord, les mêmes chiffres par l''API et en SQL.';

-- Name: residence; Type: SCHEMA; Schema: -

CREATE SCHEMA residence;

-- Name: SCHEMA residence; Type: COMMENT; Schema: -

COMMENT ON SCHEMA residence IS 'Bâtiments, logements, contrats de location, échéances, cautions, séjours, charges.';

-- Name: restaurant; Type: SCHEMA; Schema: -

CREATE SCHEMA restaurant;

-- Name: SCHEMA restaurant; Type: COMMENT; Schema: -

COMMENT ON SCHEMA restaurant IS 'Restaurant : carte et commandes.';

-- Name: rh; Type: SCHEMA; Schema: -

CREATE SCHEMA rh;

-- Name: SCHEMA rh; Type: COMMENT; Schema: -

COMMENT ON SCHEMA rh IS 'Personnel : services, employés, pointages, bulletins de paie.';

-- Name: salle_fete; Type: SCHEMA; Schema: -

CREATE SCHEMA salle_fete;

-- Name: SCHEMA salle_fete; Type: COMMENT; Schema: -

COMMENT ON SCHEMA salle_fete IS 'Salle de fête : réservations et créneaux.';

-- Name: signalement; Type: SCHEMA; Schema: -

CREATE SCHEMA signalement;

-- Name: SCHEMA signalement; Type: COMMENT; Schema: -

COMMENT ON SCHEMA signalement IS 'Signalements d''incidents.';

-- Name: btree_gist; Type: EXTENSION; Schema: -

CREATE EXTENSION IF NOT EXISTS btree_gist WITH SCHEMA public;

-- Name: EXTENSION btree_gist; Type: COMMENT; Schema: -

COMMENT ON EXTENSION btree_gist IS 'support for indexing common datatypes in GiST';

-- Name: nature_constat; Type: TYPE; Schema: audit

CREATE TYPE audit.nature_constat AS ENUM (
    'CHANGEE',
    'MANQUANTE',
    'AJOUTEE',
    'SCEAU_ROMPU',
    'SCEAU_MANQUANT',
    'SCEAU_ATTENDU_ABSENT'
);

-- Name: TYPE nature_constat; Type: COMMENT; Schema: audit

COMMENT ON TYPE audit.nature_constat IS 'Ce qu''une vérification trouve.';

-- Name: operation; Type: TYPE; Schema: audit

CREATE TYPE audit.operation AS ENUM (
    'INSERT',
    'UPDATE',
    'DELETE'
);

-- Name: TYPE operation; Type: COMMENT; Schema: audit

COMMENT ON TYPE audit.operation IS 'Nature d''une écriture.';

-- Name: registre; Type: TYPE; Schema: audit

CREATE TYPE audit.registre AS ENUM (
    'journal',
    'facture',
    'paiement',
    'application_paiement'
);

-- Name: TYPE registre; Type: COMMENT; Schema: audit

COMMENT ON TYPE audit.registre IS 'Ce qui se scelle.';

-- Name: action_depot; Type: TYPE; Schema: auth

CREATE TYPE auth.action_depot AS ENUM (
    'VOIR',
    'MODIFIER'
);

-- Name: TYPE action_depot; Type: COMMENT; Schema: auth

COMMENT ON TYPE auth.action_depot IS 'Lire un fichier, ou en déposer un.';

-- Name: categorie_depot; Type: TYPE; Schema: auth

CREATE TYPE auth.categorie_depot AS ENUM (
    'client-photo',
    'piece-identite',
    'plat-photo',
    'etat-lieux',
    'produit-photo'
);

-- Name: TYPE categorie_depot; Type: COMMENT; Schema: auth

COMMENT ON TYPE auth.categorie_depot IS 'Catégorie d''un fichier déposé : ce qui précède la barre de sa clé.';

-- Name: code_permission; Type: DOMAIN; Schema: auth

CREATE DOMAIN auth.code_permission AS text
	CONSTRAINT permission_mal_formee CHECK ((VALUE ~ '^[A-Z_]+\.(VOIR|CREER|MODIFIER|SUPPRIMER)$'::text));

-- Name: DOMAIN code_permission; Type: COMMENT; Schema: auth

COMMENT ON DOMAIN auth.code_permission IS 'Code <DOMAINE>.<ACTION>, action VOIR, CREER, MODIFIER ou SUPPRIMER.';

-- Name: CONSTRAINT permission_mal_formee ON DOMAIN code_permission; Type: COMMENT; Schema: auth

COMMENT ON CONSTRAINT permission_mal_formee ON DOMAIN auth.code_permission IS 'Un code de permission s''écrit DOMAINE.ACTION.';

-- Name: login; Type: DOMAIN; Schema: auth

CREATE DOMAIN auth.login AS text
	CONSTRAINT login_mal_forme CHECK ((VALUE ~ '^[A-Za-z0-9][A-Za-z0-9._@+-]{2,99}$'::text));

-- Name: DOMAIN login; Type: COMMENT; Schema: auth

COMMENT ON DOMAIN auth.login IS 'Identifiant de connexion : 3 à 100 lettres, chiffres, points, tirets, @ ; la casse ne compte pas.';

-- Name: CONSTRAINT login_mal_forme ON DOMAIN login; Type: COMMENT; Schema: auth

COMMENT ON CONSTRAINT login_mal_forme ON DOMAIN auth.login IS 'Un login compte 3 à 100 lettres sans accent, chiffres, points ou tirets (exemple : prenom.nom).';

-- Name: mot_de_passe; Type: DOMAIN; Schema: auth

CREATE DOMAIN auth.mot_de_passe AS text
	CONSTRAINT mot_de_passe_non_hache CHECK ((VALUE ~ '^\$2[aby]\$10\$[./A-Za-z0-9]{53}$'::text));

-- Name: DOMAIN mot_de_passe; Type: COMMENT; Schema: auth

COMMENT ON DOMAIN auth.mot_de_passe IS 'Mot de passe haché par bcrypt au coût 10, ce que l''API fait avant l''appel ; auth.mot_de_passe_clair a la règle de ce qu''elle hache.';

-- Name: CONSTRAINT mot_de_passe_non_hache ON DOMAIN mot_de_passe; Type: COMMENT; Schema: auth

COMMENT ON CONSTRAINT mot_de_passe_non_hache ON DOMAIN auth.mot_de_passe IS 'Le mot de passe doit être haché par bcrypt, coût 10.';

-- Name: mot_de_passe_clair; Type: DOMAIN; Schema: auth

CREATE DOMAIN auth.mot_de_passe_clair AS text
	CONSTRAINT mot_de_passe_court CHECK ((char_length(VALUE) >= 8))
	CONSTRAINT mot_de_passe_long CHECK ((octet_length(VALUE) <= 72));

-- Name: DOMAIN mot_de_passe_clair; Type: COMMENT; Schema: auth

COMMENT ON DOMAIN auth.mot_de_passe_clair IS 'Mot de passe tel qu''une personne l''écrit, où une opération prend un auth.mot_de_passe. L''API lit ici sa règle, l''applique et le hache : aucune requête ne le porte.';

-- Name: CONSTRAINT mot_de_passe_court ON DOMAIN mot_de_passe_clair; Type: COMMENT; Schema: auth

COMMENT ON CONSTRAINT mot_de_passe_court ON DOMAIN auth.mot_de_passe_clair IS 'Le mot de passe doit compter au moins 8 caractères.';

-- Name: CONSTRAINT mot_de_passe_long ON DOMAIN mot_de_passe_clair; Type: COMMENT; Schema: auth

COMMENT ON CONSTRAINT mot_de_passe_long ON DOMAIN auth.mot_de_passe_clair IS 'Le mot de passe dépasse 72 octets (une lettre accentuée en compte deux).';

-- Name: sexe; Type: TYPE; Schema: client

CREATE TYPE client.sexe AS ENUM (
    'M',
    'F',
    'AUTRE'
);

-- Name: TYPE sexe; Type: COMMENT; Schema: client

COMMENT ON TYPE client.sexe IS 'Sexe déclaré.';

-- Name: type_client; Type: TYPE; Schema: client

CREATE TYPE client.type_client AS ENUM (
    'LOCATAIRE',
    'PASSAGE',
    'AUTRE'
);

-- Name: TYPE type_client; Type: COMMENT; Schema: client

COMMENT ON TYPE client.type_client IS 'Nature du client.';

-- Name: type_piece; Type: TYPE; Schema: client

CREATE TYPE client.type_piece AS ENUM (
    'CNI',
    'PASSEPORT',
    'CARTE_SEJOUR',
    'AUTRE'
);

-- Name: TYPE type_piece; Type: COMMENT; Schema: client

COMMENT ON TYPE client.type_piece IS 'Nature d''une pièce d''identité.';

-- Name: cle_objet; Type: DOMAIN; Schema: core

CREATE DOMAIN core.cle_objet AS text
	CONSTRAINT cle_objet_mal_formee CHECK ((VALUE ~ '^[a-z]+(-[a-z]+)*/[A-Za-z0-9._-]{1,120}$'::text));

-- Name: DOMAIN cle_objet; Type: COMMENT; Schema: core

COMMENT ON DOMAIN core.cle_objet IS 'Clé d''un fichier déposé : <categorie>/<nom>.';

-- Name: CONSTRAINT cle_objet_mal_formee ON DOMAIN cle_objet; Type: COMMENT; Schema: core

COMMENT ON CONSTRAINT cle_objet_mal_formee ON DOMAIN core.cle_objet IS 'La clé du fichier n''est pas valable : déposez le fichier et reprenez la clé rendue.';

-- Name: cle_parametre; Type: DOMAIN; Schema: core

CREATE DOMAIN core.cle_parametre AS text
	CONSTRAINT cle_mal_formee CHECK ((VALUE ~ '^[A-Za-z][A-Za-z0-9_.-]{0,99}$'::text));

-- Name: DOMAIN cle_parametre; Type: COMMENT; Schema: core

COMMENT ON DOMAIN core.cle_parametre IS 'Clé d''un paramètre : lettres, chiffres, points, tirets, 100 caractères au plus.';

-- Name: CONSTRAINT cle_mal_formee ON DOMAIN cle_parametre; Type: COMMENT; Schema: core

COMMENT ON CONSTRAINT cle_mal_formee ON DOMAIN core.cle_parametre IS 'Une clé commence par une lettre et ne contient que lettres, chiffres, points et tirets.';

-- Name: code; Type: DOMAIN; Schema: core

CREATE DOMAIN core.code AS text
	CONSTRAINT code_mal_forme CHECK ((VALUE ~ '^[A-Z][A-Z0-9_]{0,49}$'::text));

-- Name: DOMAIN code; Type: COMMENT; Schema: core

COMMENT ON DOMAIN core.code IS 'Code technique : majuscules, chiffres et tirets bas, 50 caractères au plus.';

-- Name: CONSTRAINT code_mal_forme ON DOMAIN code; Type: COMMENT; Schema: core

COMMENT ON CONSTRAINT code_mal_forme ON DOMAIN core.code IS 'Un code s''écrit en majuscules, chiffres et tirets bas (exemple : RESPONSABLE_MAGASIN).';

-- Name: decalage; Type: DOMAIN; Schema: core

CREATE DOMAIN core.decalage AS integer
	CONSTRAINT decalage_positif CHECK ((VALUE >= 0));

-- Name: DOMAIN decalage; Type: COMMENT; Schema: core

COMMENT ON DOMAIN core.decalage IS 'Nombre de lignes à sauter, 0 ou plus.';

-- Name: CONSTRAINT decalage_positif ON DOMAIN decalage; Type: COMMENT; Schema: core

COMMENT ON CONSTRAINT decalage_positif ON DOMAIN core.decalage IS 'Le décalage ne peut pas être négatif.';

-- Name: email; Type: DOMAIN; Schema: core

CREATE DOMAIN core.email AS text
	CONSTRAINT email_mal_forme CHECK ((VALUE ~ '^[^@\s<>]{1,64}@[^@\s<>]{1,180}\.[^@\s<>.]{2,63}$'::text));

-- Name: DOMAIN email; Type: COMMENT; Schema: core

COMMENT ON DOMAIN core.email IS 'Adresse électronique.';

-- Name: CONSTRAINT email_mal_forme ON DOMAIN email; Type: COMMENT; Schema: core

COMMENT ON CONSTRAINT email_mal_forme ON DOMAIN core.email IS 'L''adresse électronique n''est pas valable (exemple : nom@exemple.ci).';

-- Name: libelle; Type: DOMAIN; Schema: core

CREATE DOMAIN core.libelle AS text
	CONSTRAINT libelle_rempli CHECK ((VALUE ~ '\S'::text))
	CONSTRAINT libelle_trop_long CHECK ((char_length(VALUE) <= 200));

-- Name: DOMAIN libelle; Type: COMMENT; Schema: core

COMMENT ON DOMAIN core.libelle IS 'Texte d''une ligne, de 1 à 200 caractères.';

-- Name: CONSTRAINT libelle_rempli ON DOMAIN libelle; Type: COMMENT; Schema: core

COMMENT ON CONSTRAINT libelle_rempli ON DOMAIN core.libelle IS 'Ce texte ne peut pas être vide.';

-- Name: CONSTRAINT libelle_trop_long ON DOMAIN libelle; Type: COMMENT; Schema: core

COMMENT ON CONSTRAINT libelle_trop_long ON DOMAIN core.libelle IS 'Ce texte compte 200 caractères au plus.';

-- Name: limite; Type: DOMAIN; Schema: core

CREATE DOMAIN core.limite AS integer
	CONSTRAINT limite_maximale CHECK ((VALUE <= 1000))
	CONSTRAINT limite_minimale CHECK ((VALUE >= 1));

-- Name: DOMAIN limite; Type: COMMENT; Schema: core

COMMENT ON DOMAIN core.limite IS 'Nombre de lignes demandées, de 1 à 1000.';

-- Name: CONSTRAINT limite_maximale ON DOMAIN limite; Type: COMMENT; Schema: core

COMMENT ON CONSTRAINT limite_maximale ON DOMAIN core.limite IS 'La limite est de 1000 au plus.';

-- Name: CONSTRAINT limite_minimale ON DOMAIN limite; Type: COMMENT; Schema: core

COMMENT ON CONSTRAINT limite_minimale ON DOMAIN core.limite IS 'La limite est de 1 au moins.';

-- Name: montant; Type: DOMAIN; Schema: core

CREATE DOMAIN core.montant AS numeric(14,2)
	CONSTRAINT montant_positif CHECK ((VALUE >= (0)::numeric));

-- Name: DOMAIN montant; Type: COMMENT; Schema: core

COMMENT ON DOMAIN core.montant IS 'Montant en monnaie de l''organisation, deux décimales, zéro ou plus.';

-- Name: CONSTRAINT montant_positif ON DOMAIN montant; Type: COMMENT; Schema: core

COMMENT ON CONSTRAINT montant_positif ON DOMAIN core.montant IS 'Un montant ne peut pas être négatif.';

-- Name: montant_du_reglement; Type: DOMAIN; Schema: core

CREATE DOMAIN core.montant_du_reglement AS numeric(14,2)
	CONSTRAINT montant_strictement_positif CHECK ((VALUE > (0)::numeric));

-- Name: DOMAIN montant_du_reglement; Type: COMMENT; Schema: core

COMMENT ON DOMAIN core.montant_du_reglement IS 'Montant encaissé ou décaissé, deux décimales, plus grand que zéro.';

-- Name: CONSTRAINT montant_strictement_positif ON DOMAIN montant_du_reglement; Type: COMMENT; Schema: core

COMMENT ON CONSTRAINT montant_strictement_positif ON DOMAIN core.montant_du_reglement IS 'Le montant doit être plus grand que zéro.';

-- Name: montant_signe; Type: DOMAIN; Schema: core

CREATE DOMAIN core.montant_signe AS numeric(14,2);

-- Name: DOMAIN montant_signe; Type: COMMENT; Schema: core

COMMENT ON DOMAIN core.montant_signe IS 'Montant signé en monnaie de l''organisation, deux décimales.';

-- Name: nombre; Type: DOMAIN; Schema: core

CREATE DOMAIN core.nombre AS numeric(12,2)
	CONSTRAINT nombre_positif CHECK ((VALUE > (0)::numeric));

-- Name: DOMAIN nombre; Type: COMMENT; Schema: core

COMMENT ON DOMAIN core.nombre IS 'Nombre plus grand que zéro, deux décimales au plus ; un nombre JSON dans les réponses.';

-- Name: CONSTRAINT nombre_positif ON DOMAIN nombre; Type: COMMENT; Schema: core

COMMENT ON CONSTRAINT nombre_positif ON DOMAIN core.nombre IS 'Le nombre doit être plus grand que zéro.';

-- Name: nombre_signe; Type: DOMAIN; Schema: core

CREATE DOMAIN core.nombre_signe AS numeric(16,2);

-- Name: DOMAIN nombre_signe; Type: COMMENT; Schema: core

COMMENT ON DOMAIN core.nombre_signe IS 'Nombre signé, deux décimales au plus ; un nombre JSON dans les réponses.';

-- Name: periode; Type: DOMAIN; Schema: core

CREATE DOMAIN core.periode AS text
	CONSTRAINT periode_mal_formee CHECK ((VALUE ~ '^[0-9]{4}-(0[1-9]|1[0-2])$'::text));

-- Name: DOMAIN periode; Type: COMMENT; Schema: core

COMMENT ON DOMAIN core.periode IS 'Mois, AAAA-MM.';

-- Name: CONSTRAINT periode_mal_formee ON DOMAIN periode; Type: COMMENT; Schema: core

COMMENT ON CONSTRAINT periode_mal_formee ON DOMAIN core.periode IS 'Un mois s''écrit AAAA-MM (exemple : 2026-08).';

-- Name: quantite; Type: DOMAIN; Schema: core

CREATE DOMAIN core.quantite AS numeric(12,2)
	CONSTRAINT quantite_positive CHECK ((VALUE > (0)::numeric));

-- Name: DOMAIN quantite; Type: COMMENT; Schema: core

COMMENT ON DOMAIN core.quantite IS 'Quantité, deux décimales, plus grande que zéro ; un texte dans les réponses.';

-- Name: CONSTRAINT quantite_positive ON DOMAIN quantite; Type: COMMENT; Schema: core

COMMENT ON CONSTRAINT quantite_positive ON DOMAIN core.quantite IS 'La quantité doit être plus grande que zéro.';

-- Name: sens; Type: TYPE; Schema: core

CREATE TYPE core.sens AS ENUM (
    'asc',
    'desc'
);

-- Name: TYPE sens; Type: COMMENT; Schema: core

COMMENT ON TYPE core.sens IS 'Sens d''un tri.';

-- Name: somme; Type: DOMAIN; Schema: core

CREATE DOMAIN core.somme AS numeric(32,2);

-- Name: DOMAIN somme; Type: COMMENT; Schema: core

COMMENT ON DOMAIN core.somme IS 'Somme de montants, de quantités ou d''heures, signée, deux décimales : plus large que ce qu''elle additionne, aucun rapport ne peut la dépasser.';

-- Name: somme_nombre; Type: DOMAIN; Schema: core

CREATE DOMAIN core.somme_nombre AS numeric(32,2);

-- Name: DOMAIN somme_nombre; Type: COMMENT; Schema: core

COMMENT ON DOMAIN core.somme_nombre IS 'Somme signée, deux décimales ; un nombre JSON dans les réponses.';

-- Name: telephone; Type: DOMAIN; Schema: core

CREATE DOMAIN core.telephone AS text
	CONSTRAINT telephone_mal_forme CHECK ((VALUE ~ '^\+?[0-9][0-9 .()-]{4,24}$'::text));

-- Name: DOMAIN telephone; Type: COMMENT; Schema: core

COMMENT ON DOMAIN core.telephone IS 'Numéro de téléphone : chiffres, espaces, points, tirets, avec ou sans indicatif (+225…).';

-- Name: CONSTRAINT telephone_mal_forme ON DOMAIN telephone; Type: COMMENT; Schema: core

COMMENT ON CONSTRAINT telephone_mal_forme ON DOMAIN core.telephone IS 'Le numéro de téléphone n''est pas valable (exemple : +2250700000000).';

-- Name: texte; Type: DOMAIN; Schema: core

CREATE DOMAIN core.texte AS text
	CONSTRAINT texte_trop_long CHECK ((char_length(VALUE) <= 5000));

-- Name: DOMAIN texte; Type: COMMENT; Schema: core

COMMENT ON DOMAIN core.texte IS 'Texte libre, 5 000 caractères au plus.';

-- Name: CONSTRAINT texte_trop_long ON DOMAIN texte; Type: COMMENT; Schema: core

COMMENT ON CONSTRAINT texte_trop_long ON DOMAIN core.texte IS 'Ce texte compte 5 000 caractères au plus.';

-- Name: source_type; Type: TYPE; Schema: facturation

CREATE TYPE facturation.source_type AS ENUM (
    'VENTE',
    'COMMANDE_PRESSING',
    'COMMANDE_RESTAURANT',
    'SEJOUR',
    'CHARGE',
    'LOCATION',
    'RESERVATION_FETE',
    'PRESTATION',
    'AUTRE'
);

-- Name: TYPE source_type; Type: COMMENT; Schema: facturation

COMMENT ON TYPE facturation.source_type IS 'Ce que la facture fait payer.';

-- Name: statut_facture; Type: TYPE; Schema: facturation

CREATE TYPE facturation.statut_facture AS ENUM (
    'IMPAYEE',
    'PARTIELLE',
    'PAYEE',
    'ANNULEE'
);

-- Name: TYPE statut_facture; Type: COMMENT; Schema: facturation

COMMENT ON TYPE facturation.statut_facture IS 'État d''une facture, déduit de ses montants.';

-- Name: type_paiement; Type: TYPE; Schema: finances

CREATE TYPE finances.type_paiement AS ENUM (
    'ENCAISSEMENT',
    'DECAISSEMENT'
);

-- Name: TYPE type_paiement; Type: COMMENT; Schema: finances

COMMENT ON TYPE finances.type_paiement IS 'Sens du paiement : argent reçu ou rendu.';

-- Name: frequence_sauvegarde; Type: TYPE; Schema: jobs

CREATE TYPE jobs.frequence_sauvegarde AS ENUM (
    'QUOTIDIENNE',
    'HEBDOMADAIRE'
);

-- Name: TYPE frequence_sauvegarde; Type: COMMENT; Schema: jobs

COMMENT ON TYPE jobs.frequence_sauvegarde IS 'Rythme des sauvegardes ; HEBDOMADAIRE : le dimanche.';

-- Name: statut_sauvegarde; Type: TYPE; Schema: jobs

CREATE TYPE jobs.statut_sauvegarde AS ENUM (
    'EN_COURS',
    'SUCCES',
    'ERREUR'
);

-- Name: TYPE statut_sauvegarde; Type: COMMENT; Schema: jobs

COMMENT ON TYPE jobs.statut_sauvegarde IS 'Issue d''une sauvegarde ou d''une restauration.';

-- Name: type_sauvegarde; Type: TYPE; Schema: jobs

CREATE TYPE jobs.type_sauvegarde AS ENUM (
    'AUTOMATIQUE',
    'MANUELLE'
);

-- Name: TYPE type_sauvegarde; Type: COMMENT; Schema: jobs

COMMENT ON TYPE jobs.type_sauvegarde IS 'Ce qui a voulu une sauvegarde : la planification, ou quelqu''un.';

-- Name: quantite_signee; Type: DOMAIN; Schema: market

CREATE DOMAIN market.quantite_signee AS numeric(12,2);

-- Name: DOMAIN quantite_signee; Type: COMMENT; Schema: market

COMMENT ON DOMAIN market.quantite_signee IS 'Quantité signée, deux décimales ; un texte dans les réponses.';

-- Name: statut_vente; Type: TYPE; Schema: market

CREATE TYPE market.statut_vente AS ENUM (
    'EN_COURS',
    'PAYEE',
    'ANNULEE'
);

-- Name: TYPE statut_vente; Type: COMMENT; Schema: market

COMMENT ON TYPE market.statut_vente IS 'État d''une vente.';

-- Name: stock; Type: DOMAIN; Schema: market

CREATE DOMAIN market.stock AS numeric(12,2)
	CONSTRAINT stock_positif CHECK ((VALUE >= (0)::numeric));

-- Name: DOMAIN stock; Type: COMMENT; Schema: market

COMMENT ON DOMAIN market.stock IS 'Quantité en stock ou seuil, deux décimales, zéro ou plus.';

-- Name: CONSTRAINT stock_positif ON DOMAIN stock; Type: COMMENT; Schema: market

COMMENT ON CONSTRAINT stock_positif ON DOMAIN market.stock IS 'Une quantité en stock ne peut pas être négative.';

-- Name: type_mouvement; Type: TYPE; Schema: market

CREATE TYPE market.type_mouvement AS ENUM (
    'ENTREE',
    'SORTIE',
    'AJUSTEMENT'
);

-- Name: TYPE type_mouvement; Type: COMMENT; Schema: market

COMMENT ON TYPE market.type_mouvement IS 'Nature d''un mouvement de stock.';

-- Name: priorite; Type: TYPE; Schema: notification

CREATE TYPE notification.priorite AS ENUM (
    'LOW',
    'MEDIUM',
    'HIGH',
    'CRITICAL'
);

-- Name: TYPE priorite; Type: COMMENT; Schema: notification

COMMENT ON TYPE notification.priorite IS 'Priorité d''une notification.';

-- Name: statut_commande; Type: TYPE; Schema: pressing

CREATE TYPE pressing.statut_commande AS ENUM (
    'DEPOSE',
    'EN_TRAITEMENT',
    'PRET',
    'RETIRE',
    'ANNULEE'
);

-- Name: TYPE statut_commande; Type: COMMENT; Schema: pressing

COMMENT ON TYPE pressing.statut_commande IS 'État d''une commande de pressing.';

-- Name: code_batiment; Type: DOMAIN; Schema: residence

CREATE DOMAIN residence.code_batiment AS text
	CONSTRAINT code_batiment_mal_forme CHECK ((VALUE ~ '^\S(.{0,18}\S)?$'::text));

-- Name: DOMAIN code_batiment; Type: COMMENT; Schema: residence

COMMENT ON DOMAIN residence.code_batiment IS 'Code d''un bâtiment, 1 à 20 caractères.';

-- Name: CONSTRAINT code_batiment_mal_forme ON DOMAIN code_batiment; Type: COMMENT; Schema: residence

COMMENT ON CONSTRAINT code_batiment_mal_forme ON DOMAIN residence.code_batiment IS 'Un code de bâtiment compte 1 à 20 caractères, sans espace au bord (exemple : D).';

-- Name: duree_mois; Type: DOMAIN; Schema: residence

CREATE DOMAIN residence.duree_mois AS smallint
	CONSTRAINT duree_maximale CHECK ((VALUE <= 600))
	CONSTRAINT duree_minimale CHECK ((VALUE >= 1));

-- Name: DOMAIN duree_mois; Type: COMMENT; Schema: residence

COMMENT ON DOMAIN residence.duree_mois IS 'Durée en mois, de 1 à 600.';

-- Name: CONSTRAINT duree_maximale ON DOMAIN duree_mois; Type: COMMENT; Schema: residence

COMMENT ON CONSTRAINT duree_maximale ON DOMAIN residence.duree_mois IS 'La durée est de 600 mois au plus.';

-- Name: CONSTRAINT duree_minimale ON DOMAIN duree_mois; Type: COMMENT; Schema: residence

COMMENT ON CONSTRAINT duree_minimale ON DOMAIN residence.duree_mois IS 'La durée est d''un mois au moins.';

-- Name: evenement_caution; Type: TYPE; Schema: residence

CREATE TYPE residence.evenement_caution AS ENUM (
    'DECLARATION',
    'VERSEMENT',
    'ENCAISSEMENT',
    'RESTITUTION',
    'REMBOURSEMENT'
);

-- Name: TYPE evenement_caution; Type: COMMENT; Schema: residence

COMMENT ON TYPE residence.evenement_caution IS 'Histoire d''une caution ; VERSEMENT et RESTITUTION sont déclarés, ENCAISSEMENT et REMBOURSEMENT passent par un paiement.';

-- Name: releve; Type: DOMAIN; Schema: residence

CREATE DOMAIN residence.releve AS numeric(14,2)
	CONSTRAINT releve_positif CHECK ((VALUE >= (0)::numeric));

-- Name: DOMAIN releve; Type: COMMENT; Schema: residence

COMMENT ON DOMAIN residence.releve IS 'Relevé d''un compteur, deux décimales, zéro ou plus.';

-- Name: CONSTRAINT releve_positif ON DOMAIN releve; Type: COMMENT; Schema: residence

COMMENT ON CONSTRAINT releve_positif ON DOMAIN residence.releve IS 'Un relevé de compteur ne peut pas être négatif.';

-- Name: statut_abonnement; Type: TYPE; Schema: residence

CREATE TYPE residence.statut_abonnement AS ENUM (
    'ACTIF',
    'SUSPENDU',
    'RESILIE',
    'EXPIRE'
);

-- Name: TYPE statut_abonnement; Type: COMMENT; Schema: residence

COMMENT ON TYPE residence.statut_abonnement IS 'État d''un abonnement.';

-- Name: statut_caution; Type: TYPE; Schema: residence

CREATE TYPE residence.statut_caution AS ENUM (
    'EN_COURS',
    'RESTITUEE',
    'RETENUE'
);

-- Name: TYPE statut_caution; Type: COMMENT; Schema: residence

COMMENT ON TYPE residence.statut_caution IS 'État d''une caution, déduit de sa restitution.';

-- Name: statut_charge; Type: TYPE; Schema: residence

CREATE TYPE residence.statut_charge AS ENUM (
    'IMPAYEE',
    'PARTIELLE',
    'PAYEE'
);

-- Name: TYPE statut_charge; Type: COMMENT; Schema: residence

COMMENT ON TYPE residence.statut_charge IS 'État d''une charge, celui de sa facture.';

-- Name: statut_contrat; Type: TYPE; Schema: residence

CREATE TYPE residence.statut_contrat AS ENUM (
    'EN_ATTENTE',
    'ACTIF',
    'RESILIE',
    'TERMINE'
);

-- Name: TYPE statut_contrat; Type: COMMENT; Schema: residence

COMMENT ON TYPE residence.statut_contrat IS 'État d''un contrat de location.';

-- Name: statut_logement; Type: TYPE; Schema: residence

CREATE TYPE residence.statut_logement AS ENUM (
    'DISPONIBLE',
    'RESERVE',
    'OCCUPE',
    'EN_NETTOYAGE',
    'EN_MAINTENANCE',
    'INDISPONIBLE'
);

-- Name: TYPE statut_logement; Type: COMMENT; Schema: residence

COMMENT ON TYPE residence.statut_logement IS 'État d''un logement.';

-- Name: statut_sejour; Type: TYPE; Schema: residence

CREATE TYPE residence.statut_sejour AS ENUM (
    'EN_COURS',
    'TERMINE',
    'ANNULE'
);

-- Name: TYPE statut_sejour; Type: COMMENT; Schema: residence

COMMENT ON TYPE residence.statut_sejour IS 'État d''un séjour. TERMINE : soldé, ou clos au départ du client.';

-- Name: type_abonnement; Type: TYPE; Schema: residence

CREATE TYPE residence.type_abonnement AS ENUM (
    'MENSUEL',
    'ANNUEL',
    'PERIODIQUE'
);

-- Name: TYPE type_abonnement; Type: COMMENT; Schema: residence

COMMENT ON TYPE residence.type_abonnement IS 'Rythme d''un abonnement.';

-- Name: type_etat_des_lieux; Type: TYPE; Schema: residence

CREATE TYPE residence.type_etat_des_lieux AS ENUM (
    'ENTREE',
    'SORTIE'
);

-- Name: TYPE type_etat_des_lieux; Type: COMMENT; Schema: residence

COMMENT ON TYPE residence.type_etat_des_lieux IS 'Moment d''un état des lieux.';

-- Name: type_location; Type: TYPE; Schema: residence

CREATE TYPE residence.type_location AS ENUM (
    'MENSUEL',
    'ANNUEL'
);

-- Name: TYPE type_location; Type: COMMENT; Schema: residence

COMMENT ON TYPE residence.type_location IS 'Ce que couvre une échéance : un mois ou une année civile.';

-- Name: type_logement; Type: TYPE; Schema: residence

CREATE TYPE residence.type_logement AS ENUM (
    'CHAMBRE',
    'STUDIO',
    'APPARTEMENT',
    'MEUBLE'
);

-- Name: TYPE type_logement; Type: COMMENT; Schema: residence

COMMENT ON TYPE residence.type_logement IS 'Nature d''un logement.';

-- Name: type_prestation_sejour; Type: TYPE; Schema: residence

CREATE TYPE residence.type_prestation_sejour AS ENUM (
    'NUITEE',
    'SIESTE'
);

-- Name: TYPE type_prestation_sejour; Type: COMMENT; Schema: residence

COMMENT ON TYPE residence.type_prestation_sejour IS 'NUITEE : une nuit ou plus. SIESTE : arrivée et départ le même jour.';

-- Name: statut_commande; Type: TYPE; Schema: restaurant

CREATE TYPE restaurant.statut_commande AS ENUM (
    'EN_COURS',
    'EN_PREPARATION',
    'SERVIE',
    'PAYEE',
    'ANNULEE'
);

-- Name: TYPE statut_commande; Type: COMMENT; Schema: restaurant

COMMENT ON TYPE restaurant.statut_commande IS 'État d''une commande.';

-- Name: type_commande; Type: TYPE; Schema: restaurant

CREATE TYPE restaurant.type_commande AS ENUM (
    'SUR_PLACE',
    'A_EMPORTER',
    'LIVRAISON'
);

-- Name: TYPE type_commande; Type: COMMENT; Schema: restaurant

COMMENT ON TYPE restaurant.type_commande IS 'Où la commande se mange.';

-- Name: fonction; Type: TYPE; Schema: rh

CREATE TYPE rh.fonction AS ENUM (
    'RESPONSABLE',
    'SERVEUR',
    'CAISSIER',
    'CUISINIER',
    'RESPONSABLE_CUISINE',
    'RECEPTIONNISTE',
    'OPERATEUR_LAVAGE',
    'OPERATEUR_SECHAGE',
    'OPERATEUR_REPASSAGE',
    'CONTROLEUR_QUALITE',
    'AGENT_LIVRAISON',
    'AGENT_ENTRETIEN',
    'TECHNICIEN',
    'VENDEUR',
    'MAGASINIER',
    'RESPONSABLE_APPROVISIONNEMENT',
    'AUTRE'
);

-- Name: TYPE fonction; Type: COMMENT; Schema: rh

COMMENT ON TYPE rh.fonction IS 'Fonction d''un employé.';

-- Name: heures; Type: DOMAIN; Schema: rh

CREATE DOMAIN rh.heures AS numeric(5,2)
	CONSTRAINT heures_d_un_jour CHECK ((VALUE <= (24)::numeric))
	CONSTRAINT heures_positives CHECK ((VALUE >= (0)::numeric));

-- Name: DOMAIN heures; Type: COMMENT; Schema: rh

COMMENT ON DOMAIN rh.heures IS 'Heures d''une journée, deux décimales, de 0 à 24.';

-- Name: CONSTRAINT heures_d_un_jour ON DOMAIN heures; Type: COMMENT; Schema: rh

COMMENT ON CONSTRAINT heures_d_un_jour ON DOMAIN rh.heures IS 'Une journée compte 24 heures au plus.';

-- Name: CONSTRAINT heures_positives ON DOMAIN heures; Type: COMMENT; Schema: rh

COMMENT ON CONSTRAINT heures_positives ON DOMAIN rh.heures IS 'Un nombre d''heures ne peut pas être négatif.';

-- Name: statut_arrivee; Type: TYPE; Schema: rh

CREATE TYPE rh.statut_arrivee AS ENUM (
    'PRESENT',
    'RETARD'
);

-- Name: TYPE statut_arrivee; Type: COMMENT; Schema: rh

COMMENT ON TYPE rh.statut_arrivee IS 'Présence de qui pointe son arrivée.';

-- Name: statut_employe; Type: TYPE; Schema: rh

CREATE TYPE rh.statut_employe AS ENUM (
    'ACTIF',
    'INACTIF',
    'SUSPENDU'
);

-- Name: TYPE statut_employe; Type: COMMENT; Schema: rh

COMMENT ON TYPE rh.statut_employe IS 'Un employé n''est jamais effacé : il devient INACTIF.';

-- Name: statut_paie; Type: TYPE; Schema: rh

CREATE TYPE rh.statut_paie AS ENUM (
    'CALCULEE',
    'VALIDEE',
    'PAYEE',
    'ANNULEE'
);

-- Name: TYPE statut_paie; Type: COMMENT; Schema: rh

COMMENT ON TYPE rh.statut_paie IS 'État d''un bulletin de paie.';

-- Name: statut_pointage; Type: TYPE; Schema: rh

CREATE TYPE rh.statut_pointage AS ENUM (
    'PRESENT',
    'ABSENT',
    'RETARD',
    'CONGE'
);

-- Name: TYPE statut_pointage; Type: COMMENT; Schema: rh

COMMENT ON TYPE rh.statut_pointage IS 'Présence d''une journée.';

-- Name: type_contrat; Type: TYPE; Schema: rh

CREATE TYPE rh.type_contrat AS ENUM (
    'CDI',
    'CDD',
    'APPRENTI',
    'AUTRE'
);

-- Name: TYPE type_contrat; Type: COMMENT; Schema: rh

COMMENT ON TYPE rh.type_contrat IS 'Contrat de travail.';

-- Name: type_element; Type: TYPE; Schema: rh

CREATE TYPE rh.type_element AS ENUM (
    'PRIME',
    'AVANCE',
    'RETENUE',
    'HEURE_SUP',
    'AUTRE'
);

-- Name: TYPE type_element; Type: COMMENT; Schema: rh

COMMENT ON TYPE rh.type_element IS 'Élément de salaire ; AVANCE et RETENUE se déduisent.';

-- Name: statut_reservation; Type: TYPE; Schema: salle_fete

CREATE TYPE salle_fete.statut_reservation AS ENUM (
    'DISPONIBLE',
    'RESERVEE',
    'CONFIRMEE',
    'REALISEE',
    'ANNULEE'
);

-- Name: TYPE statut_reservation; Type: COMMENT; Schema: salle_fete

COMMENT ON TYPE salle_fete.statut_reservation IS 'État d''une réservation ; DISPONIBLE n''est celui d''aucune, les filtres l''acceptent.';

-- Name: recit; Type: DOMAIN; Schema: signalement

CREATE DOMAIN signalement.recit AS core.texte
	CONSTRAINT recit_rempli CHECK (((VALUE)::text ~ '\S'::text));

-- Name: DOMAIN recit; Type: COMMENT; Schema: signalement

COMMENT ON DOMAIN signalement.recit IS 'Texte libre qui dit quelque chose, 5 000 caractères au plus.';

-- Name: CONSTRAINT recit_rempli ON DOMAIN recit; Type: COMMENT; Schema: signalement

COMMENT ON CONSTRAINT recit_rempli ON DOMAIN signalement.recit IS 'Ce texte ne peut pas être vide.';

-- Name: statut_signalement; Type: TYPE; Schema: signalement

CREATE TYPE signalement.statut_signalement AS ENUM (
    'OUVERT',
    'EN_COURS',
    'RESOLU',
    'REJETE'
);

-- Name: TYPE statut_signalement; Type: COMMENT; Schema: signalement

COMMENT ON TYPE signalement.statut_signalement IS 'État d''un signalement.';

-- Name: categorie_abonnement; Type: TABLE; Schema: abonnement

CREATE TABLE abonnement.categorie_abonnement (
    id_categorie_abonnement bigint NOT NULL,
    libelle core.libelle NOT NULL,
    description core.texte,
    actif boolean DEFAULT true NOT NULL
);

-- Name: TABLE categorie_abonnement; Type: COMMENT; Schema: abonnement

COMMENT ON TABLE abonnement.categorie_abonnement IS 'Catégorie d''abonnement.';

-- Name: COLUMN categorie_abonnement.description; Type: COMMENT; Schema: abonnement

COMMENT ON COLUMN abonnement.categorie_abonnement.description IS 'Ce que l''abonnement comprend, texte libre.';

-- Name: COLUMN categorie_abonnement.actif; Type: COMMENT; Schema: abonnement

COMMENT ON COLUMN abonnement.categorie_abonnement.actif IS 'Une catégorie inactive ne se choisit plus ; les abonnements qui la portent la gardent.';

-- Name: categorie_abonnement_id_categorie_abonnement_seq; Type: SEQUENCE; Schema: abonnement

ALTER TABLE abonnement.categorie_abonnement ALTER COLUMN id_categorie_abonnement ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME abonnement.categorie_abonnement_id_categorie_abonnement_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

-- Name: journal; Type: TABLE; Schema: audit

CREATE TABLE audit.journal (
    id_trace bigint NOT NULL,
    date_heure timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
    id_utilisateur bigint,
    module text NOT NULL,
    operation audit.operation NOT NULL,
    entite text NOT NULL,
    entite_id text,
    montant numeric(14,2),
    avant jsonb,
    apres jsonb,
    adresse_ip inet,
    requete text
);

-- Name: TABLE journal; Type: COMMENT; Schema: audit

COMMENT ON TABLE audit.journal IS 'Une ligne par ligne écrite : qui, quand, d''où, avant et après. Les secrets y sont masqués à l''écriture.';

-- Name: COLUMN journal.date_heure; Type: COMMENT; Schema: audit

COMMENT ON COLUMN audit.journal.date_heure IS 'Instant de l''écriture, à l''horloge de la base.';

-- Name: COLUMN journal.id_utilisateur; Type: COMMENT; Schema: audit

COMMENT ON COLUMN audit.journal.id_utilisateur IS 'Auteur, null pour le système. Sans clé étrangère : une trace survit à tout.';

-- Name: COLUMN journal.module; Type: COMMENT; Schema: audit

COMMENT ON COLUMN audit.journal.module IS 'Schéma de la table écrite.';

-- Name: COLUMN journal.operation; Type: COMMENT; Schema: audit

COMMENT ON COLUMN audit.journal.operation IS 'INSERT, UPDATE ou DELETE.';

-- Name: COLUMN journal.entite; Type: COMMENT; Schema: audit

COMMENT ON COLUMN audit.journal.entite IS 'Table écrite, sans son schéma.';

-- Name: COLUMN journal.entite_id; Type: COMMENT; Schema: audit

COMMENT ON COLUMN audit.journal.entite_id IS 'Clé primaire de la ligne ; ses colonnes se joignent par un tiret.';

-- Name: COLUMN journal.montant; Type: COMMENT; Schema: audit

COMMENT ON COLUMN audit.journal.montant IS 'Montant de la ligne, null si elle n''en porte pas.';

-- Name: COLUMN journal.avant; Type: COMMENT; Schema: audit

COMMENT ON COLUMN audit.journal.avant IS 'La ligne avant l''écriture, ses secrets masqués ; null pour un INSERT.';

-- Name: COLUMN journal.apres; Type: COMMENT; Schema: audit

COMMENT ON COLUMN audit.journal.apres IS 'La ligne après l''écriture, ses secrets masqués ; null pour un DELETE.';

-- Name: COLUMN journal.adresse_ip; Type: COMMENT; Schema: audit

COMMENT ON COLUMN audit.journal.adresse_ip IS 'Adresse du client de la requête, null hors de l''API.';

-- Name: COLUMN journal.requete; Type: COMMENT; Schema: audit

COMMENT ON COLUMN audit.journal.requete IS 'Identifiant de la requête (X-Request-Id).';

-- Name: journal_id_trace_seq; Type: SEQUENCE; Schema: audit

ALTER TABLE audit.journal ALTER COLUMN id_trace ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME audit.journal_id_trace_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

-- Name: sceau; Type: TABLE; Schema: audit

CREATE TABLE audit.sceau (
    rang bigint NOT NULL,
    date timestamp with time zone NOT NULL,
    registre audit.registre NOT NULL,
    du_id bigint NOT NULL,
    au_id bigint NOT NULL,
    ids bigint[] NOT NULL,
    empreintes bytea[] NOT NULL,
    empreinte bytea NOT NULL,
    CONSTRAINT sceau_intervalle CHECK ((du_id <= au_id))
);

-- Name: TABLE sceau; Type: COMMENT; Schema: audit

COMMENT ON TABLE audit.sceau IS 'Chaîne de sceaux. Chacun fige les entrées d''un intervalle d''identifiants, celles qui y manquent comprises, et porte l''empreinte du sceau d''avant.';

-- Name: COLUMN sceau.rang; Type: COMMENT; Schema: audit

COMMENT ON COLUMN audit.sceau.rang IS 'Place dans la chaîne, à partir de 1, sans trou.';

-- Name: COLUMN sceau.date; Type: COMMENT; Schema: audit

COMMENT ON COLUMN audit.sceau.date IS 'Instant du scellement.';

-- Name: COLUMN sceau.registre; Type: COMMENT; Schema: audit

COMMENT ON COLUMN audit.sceau.registre IS 'Table scellée : le journal, les factures, les paiements ou leurs applications.';

-- Name: COLUMN sceau.du_id; Type: COMMENT; Schema: audit

COMMENT ON COLUMN audit.sceau.du_id IS 'Premier identifiant de l''intervalle ; il suit le dernier du sceau d''avant du même registre.';

-- Name: COLUMN sceau.au_id; Type: COMMENT; Schema: audit

COMMENT ON COLUMN audit.sceau.au_id IS 'Dernier identifiant de l''intervalle, compris.';

-- Name: COLUMN sceau.ids; Type: COMMENT; Schema: audit

COMMENT ON COLUMN audit.sceau.ids IS 'Entrées qui existaient, par identifiant ; les autres de l''intervalle n''ont jamais existé.';

-- Name: COLUMN sceau.empreintes; Type: COMMENT; Schema: audit

COMMENT ON COLUMN audit.sceau.empreintes IS 'SHA-256 de chaque entrée, dans le même ordre.';

-- Name: COLUMN sceau.empreinte; Type: COMMENT; Schema: audit

COMMENT ON COLUMN audit.sceau.empreinte IS 'SHA-256 de l''empreinte du sceau d''avant et de tout le reste de celui-ci.';

-- Name: CONSTRAINT sceau_intervalle ON sceau; Type: COMMENT; Schema: audit

COMMENT ON CONSTRAINT sceau_intervalle ON audit.sceau IS 'Un sceau finit après avoir commencé.';

-- Name: connexion; Type: TABLE; Schema: auth

CREATE TABLE auth.connexion (
    id_connexion bigint NOT NULL,
    id_utilisateur bigint NOT NULL,
    date timestamp with time zone DEFAULT now() NOT NULL,
    succes boolean NOT NULL,
    adresse_ip inet,
    agent core.texte
);

-- Name: TABLE connexion; Type: COMMENT; Schema: auth

COMMENT ON TABLE auth.connexion IS 'Connexions réussies et échouées d''un compte.';

-- Name: COLUMN connexion.id_utilisateur; Type: COMMENT; Schema: auth

COMMENT ON COLUMN auth.connexion.id_utilisateur IS 'Compte auquel on a voulu se connecter.';

-- Name: COLUMN connexion.date; Type: COMMENT; Schema: auth

COMMENT ON COLUMN auth.connexion.date IS 'Instant de l''essai, réussi ou non.';

-- Name: COLUMN connexion.succes; Type: COMMENT; Schema: auth

COMMENT ON COLUMN auth.connexion.succes IS 'Faux pour un mot de passe refusé ou un compte inactif.';

-- Name: COLUMN connexion.adresse_ip; Type: COMMENT; Schema: auth

COMMENT ON COLUMN auth.connexion.adresse_ip IS 'Adresse d''où elle vient, null si elle n''est pas connue.';

-- Name: COLUMN connexion.agent; Type: COMMENT; Schema: auth

COMMENT ON COLUMN auth.connexion.agent IS 'Logiciel annoncé par l''appareil (User-Agent).';

-- Name: connexion_id_connexion_seq; Type: SEQUENCE; Schema: auth

ALTER TABLE auth.connexion ALTER COLUMN id_connexion ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME auth.connexion_id_connexion_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

-- Name: depot; Type: TABLE; Schema: auth

CREATE TABLE auth.depot (
    categorie auth.categorie_depot NOT NULL,
    domaine text NOT NULL,
    id_activite bigint,
    CONSTRAINT depot_domaine_mal_forme CHECK ((domaine ~ '^[A-Z_]+$'::text))
);

-- Name: TABLE depot; Type: COMMENT; Schema: auth

COMMENT ON TABLE auth.depot IS 'Qui lit et dépose les fichiers d''une catégorie.';

-- Name: COLUMN depot.categorie; Type: COMMENT; Schema: auth

COMMENT ON COLUMN auth.depot.categorie IS 'Ce qui précède la barre de la clé d''un fichier.';

-- Name: COLUMN depot.domaine; Type: COMMENT; Schema: auth

COMMENT ON COLUMN auth.depot.domaine IS 'Domaine des permissions : <DOMAINE>.VOIR pour lire, <DOMAINE>.MODIFIER pour déposer.';

-- Name: COLUMN depot.id_activite; Type: COMMENT; Schema: auth

COMMENT ON COLUMN auth.depot.id_activite IS 'Activité dont ces fichiers relèvent ; null pour ceux que toutes partagent.';

-- Name: CONSTRAINT depot_domaine_mal_forme ON depot; Type: COMMENT; Schema: auth

COMMENT ON CONSTRAINT depot_domaine_mal_forme ON auth.depot IS 'Le domaine d''une permission s''écrit en majuscules.';

-- Name: jeton_rafraichissement; Type: TABLE; Schema: auth

CREATE TABLE auth.jeton_rafraichissement (
    hash text NOT NULL,
    id_utilisateur bigint NOT NULL,
    famille uuid NOT NULL,
    replaced_by_hash text,
    date_creation timestamp with time zone DEFAULT now() NOT NULL,
    date_expiration timestamp with time zone NOT NULL,
    date_revocation timestamp with time zone,
    adresse_ip inet,
    date_connexion timestamp with time zone DEFAULT now() NOT NULL
);

-- Name: TABLE jeton_rafraichissement; Type: COMMENT; Schema: auth

COMMENT ON TABLE auth.jeton_rafraichissement IS 'Jetons de rafraîchissement, par leur SHA-256 ; une famille naît d''une connexion.';

-- Name: COLUMN jeton_rafraichissement.hash; Type: COMMENT; Schema: auth

COMMENT ON COLUMN auth.jeton_rafraichissement.hash IS 'SHA-256 du jeton ; le jeton n''est gardé nulle part.';

-- Name: COLUMN jeton_rafraichissement.id_utilisateur; Type: COMMENT; Schema: auth

COMMENT ON COLUMN auth.jeton_rafraichissement.id_utilisateur IS 'Compte dont le jeton renouvelle la session.';

-- Name: COLUMN jeton_rafraichissement.famille; Type: COMMENT; Schema: auth

COMMENT ON COLUMN auth.jeton_rafraichissement.famille IS 'Connexion dont le jeton descend ; révoquée tout entière si l''un d''eux est rejoué.';

-- Name: COLUMN jeton_rafraichissement.replaced_by_hash; Type: COMMENT; Schema: auth

COMMENT ON COLUMN auth.jeton_rafraichissement.replaced_by_hash IS 'Successeur dans la famille.';

-- Name: COLUMN jeton_rafraichissement.date_creation; Type: COMMENT; Schema: auth

COMMENT ON COLUMN auth.jeton_rafraichissement.date_creation IS 'Instant où le jeton a été donné.';

-- Name: COLUMN jeton_rafraichissement.date_expiration; Type: COMMENT; Schema: auth

COMMENT ON COLUMN auth.jeton_rafraichissement.date_expiration IS 'Instant à partir duquel il est refusé.';

-- Name: COLUMN jeton_rafraichissement.date_revocation; Type: COMMENT; Schema: auth

COMMENT ON COLUMN auth.jeton_rafraichissement.date_revocation IS 'Usage ou révocation ; un jeton présenté après elle révoque toute la famille.';

-- Name: COLUMN jeton_rafraichissement.adresse_ip; Type: COMMENT; Schema: auth

COMMENT ON COLUMN auth.jeton_rafraichissement.adresse_ip IS 'Adresse qui l''a reçu.';

-- Name: COLUMN jeton_rafraichissement.date_connexion; Type: COMMENT; Schema: auth

COMMENT ON COLUMN auth.jeton_rafraichissement.date_connexion IS 'Connexion dont la famille est née : aucun de ses jetons ne vit plus de 90 jours après elle.';

-- Name: jeton_reinitialisation; Type: TABLE; Schema: auth

CREATE TABLE auth.jeton_reinitialisation (
    hash text NOT NULL,
    id_utilisateur bigint NOT NULL,
    date_creation timestamp with time zone DEFAULT now() NOT NULL,
    date_expiration timestamp with time zone NOT NULL,
    date_usage timestamp with time zone
);

-- Name: TABLE jeton_reinitialisation; Type: COMMENT; Schema: auth

COMMENT ON TABLE auth.jeton_reinitialisation IS 'Jetons de réinitialisation du mot de passe, par leur SHA-256, à usage unique.';

-- Name: COLUMN jeton_reinitialisation.hash; Type: COMMENT; Schema: auth

COMMENT ON COLUMN auth.jeton_reinitialisation.hash IS 'SHA-256 du jeton ; le jeton n''est que dans l''e-mail.';

-- Name: COLUMN jeton_reinitialisation.id_utilisateur; Type: COMMENT; Schema: auth

COMMENT ON COLUMN auth.jeton_reinitialisation.id_utilisateur IS 'Compte dont le mot de passe peut être changé.';

-- Name: COLUMN jeton_reinitialisation.date_creation; Type: COMMENT; Schema: auth

COMMENT ON COLUMN auth.jeton_reinitialisation.date_creation IS 'Instant de la demande.';

-- Name: COLUMN jeton_reinitialisation.date_expiration; Type: COMMENT; Schema: auth

COMMENT ON COLUMN auth.jeton_reinitialisation.date_expiration IS 'Instant à partir duquel le lien est refusé.';

-- Name: COLUMN jeton_reinitialisation.date_usage; Type: COMMENT; Schema: auth

COMMENT ON COLUMN auth.jeton_reinitialisation.date_usage IS 'Usage, ou demande suivante qui le remplace ; null tant qu''il peut servir.';

-- Name: permission; Type: TABLE; Schema: auth

CREATE TABLE auth.permission (
    id_permission bigint NOT NULL,
    code auth.code_permission NOT NULL,
    libelle core.libelle NOT NULL
);

-- Name: TABLE permission; Type: COMMENT; Schema: auth

COMMENT ON TABLE auth.permission IS 'Catalogue des permissions.';

-- Name: COLUMN permission.code; Type: COMMENT; Schema: auth

COMMENT ON COLUMN auth.permission.code IS 'DOMAINE.ACTION, par exemple FINANCES.VOIR.';

-- Name: permission_id_permission_seq; Type: SEQUENCE; Schema: auth

ALTER TABLE auth.permission ALTER COLUMN id_permission ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME auth.permission_id_permission_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

-- Name: role; Type: TABLE; Schema: auth

CREATE TABLE auth.role (
    id_role bigint NOT NULL,
    code core.code NOT NULL,
    libelle core.libelle NOT NULL,
    description core.texte
);

-- Name: TABLE role; Type: COMMENT; Schema: auth

COMMENT ON TABLE auth.role IS 'Rôle : un ensemble de permissions.';

-- Name: COLUMN role.code; Type: COMMENT; Schema: auth

COMMENT ON COLUMN auth.role.code IS 'Code technique, par exemple RESPONSABLE_MAGASIN.';

-- Name: COLUMN role.description; Type: COMMENT; Schema: auth

COMMENT ON COLUMN auth.role.description IS 'À qui ce rôle est donné, texte libre.';

-- Name: role_id_role_seq; Type: SEQUENCE; Schema: auth

ALTER TABLE auth.role ALTER COLUMN id_role ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME auth.role_id_role_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

-- Name: role_permission; Type: TABLE; Schema: auth

CREATE TABLE auth.role_permission (
    id_role bigint NOT NULL,
    id_permission bigint NOT NULL
);

-- Name: TABLE role_permission; Type: COMMENT; Schema: auth

COMMENT ON TABLE auth.role_permission IS 'Permissions d''un rôle.';

-- Name: secret; Type: TABLE; Schema: auth

CREATE TABLE auth.secret (
    id_utilisateur bigint NOT NULL,
    mot_de_passe auth.mot_de_passe NOT NULL,
    date_maj timestamp with time zone DEFAULT now() NOT NULL
);

-- Name: TABLE secret; Type: COMMENT; Schema: auth

COMMENT ON TABLE auth.secret IS 'Mot de passe haché de chaque compte ; lu par auth.identifiants seulement, jamais journalisé.';

-- Name: COLUMN secret.mot_de_passe; Type: COMMENT; Schema: auth

COMMENT ON COLUMN auth.secret.mot_de_passe IS 'Hachage bcrypt, coût 10.';

-- Name: COLUMN secret.date_maj; Type: COMMENT; Schema: auth

COMMENT ON COLUMN auth.secret.date_maj IS 'Dernier changement du mot de passe.';

-- Name: utilisateur; Type: TABLE; Schema: auth

CREATE TABLE auth.utilisateur (
    id_utilisateur bigint NOT NULL,
    login auth.login NOT NULL,
    nom core.libelle,
    prenom core.libelle,
    id_role bigint NOT NULL,
    id_activite_scope bigint,
    id_client bigint,
    actif boolean DEFAULT true NOT NULL,
    date_creation timestamp with time zone DEFAULT now() NOT NULL,
    dernier_connexion timestamp with time zone,
    a_confirmer boolean DEFAULT false NOT NULL,
    epoque integer DEFAULT 0 NOT NULL,
    email core.email
);

-- Name: TABLE utilisateur; Type: COMMENT; Schema: auth

COMMENT ON TABLE auth.utilisateur IS 'Compte d''une personne ; son mot de passe est à part, dans auth.secret.';

-- Name: COLUMN utilisateur.login; Type: COMMENT; Schema: auth

COMMENT ON COLUMN auth.utilisateur.login IS 'Identifiant de connexion, souvent une adresse électronique ; sa casse ne compte pas.';

-- Name: COLUMN utilisateur.id_role; Type: COMMENT; Schema: auth

COMMENT ON COLUMN auth.utilisateur.id_role IS 'Rôle présent : ses permissions sont celles du compte, dès la requête suivante.';

-- Name: COLUMN utilisateur.id_activite_scope; Type: COMMENT; Schema: auth

COMMENT ON COLUMN auth.utilisateur.id_activite_scope IS 'Activité à laquelle le compte est limité, null sans limite.';

-- Name: COLUMN utilisateur.id_client; Type: COMMENT; Schema: auth

COMMENT ON COLUMN auth.utilisateur.id_client IS 'Client dont c''est l''espace, null pour le personnel.';

-- Name: COLUMN utilisateur.actif; Type: COMMENT; Schema: auth

COMMENT ON COLUMN auth.utilisateur.actif IS 'Un compte inactif n''ouvre plus de session, et les siennes prennent fin.';

-- Name: COLUMN utilisateur.date_creation; Type: COMMENT; Schema: auth

COMMENT ON COLUMN auth.utilisateur.date_creation IS 'Instant de l''enregistrement, écrit par la base.';

-- Name: COLUMN utilisateur.dernier_connexion; Type: COMMENT; Schema: auth

COMMENT ON COLUMN auth.utilisateur.dernier_connexion IS 'Dernière connexion réussie.';

-- Name: COLUMN utilisateur.a_confirmer; Type: COMMENT; Schema: auth

COMMENT ON COLUMN auth.utilisateur.a_confirmer IS 'Vrai d''un compte né d''une inscription libre, tant qu''un lien envoyé à son adresse n''a pas servi : son espace reste fermé. Écrite par l''inscription et par le lien.';

-- Name: COLUMN utilisateur.epoque; Type: COMMENT; Schema: auth

COMMENT ON COLUMN auth.utilisateur.epoque IS 'Génération des jetons d''accès du compte : ceux d''une génération passée ne valent plus. Écrite par le service, quand le mot de passe change ou que le compte est désactivé.';

-- Name: COLUMN utilisateur.email; Type: COMMENT; Schema: auth

COMMENT ON COLUMN auth.utilisateur.email IS 'Adresse à laquelle écrire au titulaire du compte : mot de passe oublié, connexion d''ailleurs. Écrite par l''administration ; null où l''on n''en connaît pas.';

-- Name: utilisateur_id_utilisateur_seq; Type: SEQUENCE; Schema: auth

ALTER TABLE auth.utilisateur ALTER COLUMN id_utilisateur ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME auth.utilisateur_id_utilisateur_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

-- Name: client; Type: TABLE; Schema: client

CREATE TABLE client.client (
    id_client bigint NOT NULL,
    code text NOT NULL,
    nom core.libelle NOT NULL,
    prenoms core.libelle NOT NULL,
    type_client client.type_client NOT NULL,
    tel_principal core.telephone NOT NULL,
    tel_secondaire core.telephone,
    email core.email,
    date_naissance date,
    lieu_naissance core.libelle,
    sexe client.sexe,
    nationalite core.libelle,
    profession core.libelle,
    photo core.cle_objet,
    adresse core.texte,
    ville core.libelle,
    pays core.libelle,
    date_enregistrement timestamp with time zone DEFAULT now() NOT NULL,
    CONSTRAINT naissance_plausible CHECK (((date_naissance >= '1900-01-01'::date) AND (date_naissance <= '2100-01-01'::date)))
);

-- Name: TABLE client; Type: COMMENT; Schema: client

COMMENT ON TABLE client.client IS 'Client de l''entreprise, commun à toutes les activités.';

-- Name: COLUMN client.code; Type: COMMENT; Schema: client

COMMENT ON COLUMN client.client.code IS 'Code <ORG>-CL-<NNN>, donné par la base.';

-- Name: COLUMN client.type_client; Type: COMMENT; Schema: client

COMMENT ON COLUMN client.client.type_client IS 'LOCATAIRE quand il devient résident ; PASSAGE pour qui ne fait que passer.';

-- Name: COLUMN client.tel_principal; Type: COMMENT; Schema: client

COMMENT ON COLUMN client.client.tel_principal IS 'Téléphone auquel on le joint d''abord.';

-- Name: COLUMN client.tel_secondaire; Type: COMMENT; Schema: client

COMMENT ON COLUMN client.client.tel_secondaire IS 'Téléphone auquel on le joint à défaut du premier, null s''il n''y en a pas.';

-- Name: COLUMN client.photo; Type: COMMENT; Schema: client

COMMENT ON COLUMN client.client.photo IS 'Clé de la photo déposée.';

-- Name: COLUMN client.adresse; Type: COMMENT; Schema: client

COMMENT ON COLUMN client.client.adresse IS 'Adresse de son domicile, telle qu''elle paraît sur les documents.';

-- Name: COLUMN client.date_enregistrement; Type: COMMENT; Schema: client

COMMENT ON COLUMN client.client.date_enregistrement IS 'Instant de l''enregistrement, écrit par la base.';

-- Name: CONSTRAINT naissance_plausible ON client; Type: COMMENT; Schema: client

COMMENT ON CONSTRAINT naissance_plausible ON client.client IS 'La date de naissance n''est pas plausible.';

-- Name: client_id_client_seq; Type: SEQUENCE; Schema: client

ALTER TABLE client.client ALTER COLUMN id_client ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME client.client_id_client_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

-- Name: contact_urgence; Type: TABLE; Schema: client

CREATE TABLE client.contact_urgence (
    id_contact bigint NOT NULL,
    id_client bigint NOT NULL,
    nom core.libelle NOT NULL,
    prenom core.libelle,
    lien core.libelle NOT NULL,
    tel_principal core.telephone NOT NULL,
    tel_secondaire core.telephone,
    adresse core.texte,
    email core.email
);

-- Name: TABLE contact_urgence; Type: COMMENT; Schema: client

COMMENT ON TABLE client.contact_urgence IS 'Personne à prévenir pour un client.';

-- Name: COLUMN contact_urgence.lien; Type: COMMENT; Schema: client

COMMENT ON COLUMN client.contact_urgence.lien IS 'Lien avec le client, par exemple MERE.';

-- Name: COLUMN contact_urgence.tel_principal; Type: COMMENT; Schema: client

COMMENT ON COLUMN client.contact_urgence.tel_principal IS 'Téléphone auquel on joint la personne d''abord.';

-- Name: COLUMN contact_urgence.tel_secondaire; Type: COMMENT; Schema: client

COMMENT ON COLUMN client.contact_urgence.tel_secondaire IS 'Téléphone à défaut du premier, null s''il n''y en a pas.';

-- Name: contact_urgence_id_contact_seq; Type: SEQUENCE; Schema: client

ALTER TABLE client.contact_urgence ALTER COLUMN id_contact ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME client.contact_urgence_id_contact_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

-- Name: piece_identite; Type: TABLE; Schema: client

CREATE TABLE client.piece_identite (
    id_piece bigint NOT NULL,
    id_client bigint NOT NULL,
    type_piece client.type_piece NOT NULL,
    numero core.libelle NOT NULL,
    date_delivrance date,
    date_expiration date,
    autorite_delivrance core.libelle,
    copie_num core.cle_objet,
    copie_num_verso core.cle_objet,
    CONSTRAINT piece_dates_ordonnees CHECK ((date_expiration > date_delivrance))
);

-- Name: TABLE piece_identite; Type: COMMENT; Schema: client

COMMENT ON TABLE client.piece_identite IS 'Pièce d''identité d''un client ; les copies sont des clés de fichiers déposés.';

-- Name: COLUMN piece_identite.type_piece; Type: COMMENT; Schema: client

COMMENT ON COLUMN client.piece_identite.type_piece IS 'CNI, PASSEPORT, CARTE_SEJOUR ou AUTRE.';

-- Name: COLUMN piece_identite.numero; Type: COMMENT; Schema: client

COMMENT ON COLUMN client.piece_identite.numero IS 'Numéro porté par la pièce.';

-- Name: COLUMN piece_identite.date_delivrance; Type: COMMENT; Schema: client

COMMENT ON COLUMN client.piece_identite.date_delivrance IS 'Jour où la pièce a été délivrée.';

-- Name: COLUMN piece_identite.date_expiration; Type: COMMENT; Schema: client

COMMENT ON COLUMN client.piece_identite.date_expiration IS 'Dernier jour de validité, null si la pièce n''en a pas.';

-- Name: COLUMN piece_identite.autorite_delivrance; Type: COMMENT; Schema: client

COMMENT ON COLUMN client.piece_identite.autorite_delivrance IS 'Qui a délivré la pièce.';

-- Name: COLUMN piece_identite.copie_num; Type: COMMENT; Schema: client

COMMENT ON COLUMN client.piece_identite.copie_num IS 'Clé de la copie du recto.';

-- Name: COLUMN piece_identite.copie_num_verso; Type: COMMENT; Schema: client

COMMENT ON COLUMN client.piece_identite.copie_num_verso IS 'Clé de la copie du verso, null s''il n''y en a pas.';

-- Name: CONSTRAINT piece_dates_ordonnees ON piece_identite; Type: COMMENT; Schema: client

COMMENT ON CONSTRAINT piece_dates_ordonnees ON client.piece_identite IS 'La pièce doit expirer après sa délivrance.';

-- Name: piece_identite_id_piece_seq; Type: SEQUENCE; Schema: client

ALTER TABLE client.piece_identite ALTER COLUMN id_piece ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME client.piece_identite_id_piece_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

-- Name: activite; Type: TABLE; Schema: core

CREATE TABLE core.activite (
    id_activite bigint NOT NULL,
    code core.code NOT NULL,
    libelle core.libelle NOT NULL,
    actif boolean DEFAULT true NOT NULL
);

-- Name: TABLE activite; Type: COMMENT; Schema: core

COMMENT ON TABLE core.activite IS 'Les activités de l''entreprise ; chaque facture, caisse et paiement s''y rattache.';

-- Name: COLUMN activite.code; Type: COMMENT; Schema: core

COMMENT ON COLUMN core.activite.code IS 'Code technique, par exemple PRESSING ; il ne change pas.';

-- Name: COLUMN activite.actif; Type: COMMENT; Schema: core

COMMENT ON COLUMN core.activite.actif IS 'Une activité inactive reste dans les factures et les paiements passés.';

-- Name: activite_id_activite_seq; Type: SEQUENCE; Schema: core

ALTER TABLE core.activite ALTER COLUMN id_activite ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME core.activite_id_activite_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

-- Name: compteur; Type: TABLE; Schema: core

CREATE TABLE core.compteur (
    type core.code NOT NULL,
    annee integer NOT NULL,
    valeur bigint NOT NULL
)
WITH (fillfactor='50');

-- Name: TABLE compteur; Type: COMMENT; Schema: core

COMMENT ON TABLE core.compteur IS 'Dernier numéro donné par série ; une ligne verrouillée le plus tard possible, donc sans trou.';

-- Name: COLUMN compteur.type; Type: COMMENT; Schema: core

COMMENT ON COLUMN core.compteur.type IS 'Série : FAC pour les factures, CL pour les clients, CPR, CON…';

-- Name: COLUMN compteur.annee; Type: COMMENT; Schema: core

COMMENT ON COLUMN core.compteur.annee IS 'Année de la série, 0 pour une série sans année.';

-- Name: COLUMN compteur.valeur; Type: COMMENT; Schema: core

COMMENT ON COLUMN core.compteur.valeur IS 'Dernier rang donné.';

-- Name: empreinte; Type: TABLE; Schema: core

CREATE TABLE core.empreinte (
    genre text NOT NULL,
    nom text NOT NULL,
    valeur text NOT NULL
);

-- Name: TABLE empreinte; Type: COMMENT; Schema: core

COMMENT ON TABLE core.empreinte IS 'Ce que la dernière migration a laissé : fichiers chargés et objets créés, pour que « comptoir check » nomme chaque écart.';

-- Name: COLUMN empreinte.genre; Type: COMMENT; Schema: core

COMMENT ON COLUMN core.empreinte.genre IS 'fichier, migration, objet ou table.';

-- Name: COLUMN empreinte.nom; Type: COMMENT; Schema: core

COMMENT ON COLUMN core.empreinte.nom IS 'Chemin du fichier, ou nom de l''objet.';

-- Name: COLUMN empreinte.valeur; Type: COMMENT; Schema: core

COMMENT ON COLUMN core.empreinte.valeur IS 'Empreinte de son contenu.';

-- Name: idempotence; Type: TABLE; Schema: core

CREATE TABLE core.idempotence (
    id_utilisateur bigint NOT NULL,
    cle text NOT NULL,
    empreinte text NOT NULL,
    reponse bytea,
    date_creation timestamp with time zone DEFAULT now() NOT NULL
);

-- Name: TABLE idempotence; Type: COMMENT; Schema: core

COMMENT ON TABLE core.idempotence IS 'Première réponse d''une requête portant Idempotency-Key, écrite avec son effet, rejouée ensuite ; gardée sept jours.';

-- Name: COLUMN idempotence.id_utilisateur; Type: COMMENT; Schema: core

COMMENT ON COLUMN core.idempotence.id_utilisateur IS 'Une clé est à l''utilisateur qui l''envoie.';

-- Name: COLUMN idempotence.cle; Type: COMMENT; Schema: core

COMMENT ON COLUMN core.idempotence.cle IS 'Valeur de l''en-tête Idempotency-Key.';

-- Name: COLUMN idempotence.empreinte; Type: COMMENT; Schema: core

COMMENT ON COLUMN core.idempotence.empreinte IS 'SHA-256 de la méthode, du chemin et du corps : une autre requête sous la même clé est refusée.';

-- Name: COLUMN idempotence.reponse; Type: COMMENT; Schema: core

COMMENT ON COLUMN core.idempotence.reponse IS 'Corps de la première réponse, octet pour octet ; null tant que sa transaction court.';

-- Name: COLUMN idempotence.date_creation; Type: COMMENT; Schema: core

COMMENT ON COLUMN core.idempotence.date_creation IS 'Instant de la première requête ; la ligne est retirée sept jours après.';

-- Name: parametre; Type: TABLE; Schema: core

CREATE TABLE core.parametre (
    id_parametre bigint NOT NULL,
    cle core.cle_parametre NOT NULL,
    valeur core.texte NOT NULL,
    description core.texte,
    date_maj timestamp with time zone DEFAULT now() NOT NULL
);

-- Name: TABLE parametre; Type: COMMENT; Schema: core

COMMENT ON TABLE core.parametre IS 'Réglages de l''organisation, clé et valeur.';

-- Name: COLUMN parametre.cle; Type: COMMENT; Schema: core

COMMENT ON COLUMN core.parametre.cle IS 'Clé unique, par exemple DEVISE_DEFAUT.';

-- Name: COLUMN parametre.valeur; Type: COMMENT; Schema: core

COMMENT ON COLUMN core.parametre.valeur IS 'Toujours un texte ; ce que le service sait lire d''un paramètre est vérifié à l''écriture.';

-- Name: COLUMN parametre.description; Type: COMMENT; Schema: core

COMMENT ON COLUMN core.parametre.description IS 'Ce que règle ce paramètre.';

-- Name: COLUMN parametre.date_maj; Type: COMMENT; Schema: core

COMMENT ON COLUMN core.parametre.date_maj IS 'Dernière écriture, tenue par un déclencheur.';

-- Name: parametre_id_parametre_seq; Type: SEQUENCE; Schema: core

ALTER TABLE core.parametre ALTER COLUMN id_parametre ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME core.parametre_id_parametre_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

-- Name: secret_documents; Type: TABLE; Schema: core

CREATE TABLE core.secret_documents (
    seul boolean DEFAULT true NOT NULL,
    secret bytea NOT NULL,
    CONSTRAINT secret_documents_seul CHECK (seul)
);

-- Name: TABLE secret_documents; Type: COMMENT; Schema: core

COMMENT ON TABLE core.secret_documents IS 'Clé de la valeur de contrôle imprimée sur les documents, tirée au hasard à l''installation ; personne ne la lit.';

-- Name: COLUMN secret_documents.seul; Type: COMMENT; Schema: core

COMMENT ON COLUMN core.secret_documents.seul IS 'Toujours vrai : une seule ligne.';

-- Name: COLUMN secret_documents.secret; Type: COMMENT; Schema: core

COMMENT ON COLUMN core.secret_documents.secret IS '64 octets : la clé du premier hachage, puis celle du second.';

-- Name: CONSTRAINT secret_documents_seul ON secret_documents; Type: COMMENT; Schema: core

COMMENT ON CONSTRAINT secret_documents_seul ON core.secret_documents IS 'Il n''y a qu''une clé.';

-- Name: facture; Type: TABLE; Schema: facturation

CREATE TABLE facturation.facture (
    id_facture bigint NOT NULL,
    numero text NOT NULL,
    date timestamp with time zone NOT NULL,
    jour date NOT NULL,
    id_client bigint,
    id_activite bigint,
    id_utilisateur bigint,
    libelle core.libelle,
    remise core.montant DEFAULT 0 NOT NULL,
    montant_total core.somme DEFAULT 0 NOT NULL,
    montant_paye core.somme DEFAULT 0 NOT NULL,
    annulee boolean DEFAULT false NOT NULL,
    source_type facturation.source_type NOT NULL,
    source_id bigint,
    motif_annulation core.texte,
    statut facturation.statut_facture GENERATED ALWAYS AS (
CASE
    WHEN annulee THEN 'ANNULEE'::facturation.statut_facture
    WHEN ((montant_paye)::numeric >= (montant_total)::numeric) THEN 'PAYEE'::facturation.statut_facture
    WHEN ((montant_paye)::numeric > (0)::numeric) THEN 'PARTIELLE'::facturation.statut_facture
    ELSE 'IMPAYEE'::facturation.statut_facture
END) STORED NOT NULL,
    reste core.somme GENERATED ALWAYS AS (
CASE
    WHEN annulee THEN (0)::numeric
    ELSE ((montant_total)::numeric - (montant_paye)::numeric)
END) STORED NOT NULL,
    CONSTRAINT facture_annulee_remboursee CHECK (((NOT annulee) OR ((montant_paye)::numeric = (0)::numeric))),
    CONSTRAINT facture_montant_positif CHECK ((((montant_total)::numeric >= (0)::numeric) AND ((montant_paye)::numeric >= (0)::numeric))),
    CONSTRAINT surpaiement CHECK (((montant_paye)::numeric <= (montant_total)::numeric))
)
WITH (fillfactor='85');

-- Name: TABLE facture; Type: COMMENT; Schema: facturation

COMMENT ON TABLE facturation.facture IS 'Facture ; montant_total vient des lignes moins la remise, montant_paye des applications de paiement.';

-- Name: COLUMN facture.numero; Type: COMMENT; Schema: facturation

COMMENT ON COLUMN facturation.facture.numero IS 'Numéro <ORG>-FAC-<AAAA>-<NNN>, sans trou, donné à l''émission.';

-- Name: COLUMN facture.date; Type: COMMENT; Schema: facturation

COMMENT ON COLUMN facturation.facture.date IS 'Instant de l''émission, pris une fois le numéro donné : les dates suivent les numéros. Posé par un déclencheur.';

-- Name: COLUMN facture.jour; Type: COMMENT; Schema: facturation

COMMENT ON COLUMN facturation.facture.jour IS 'Date de gestion de la facture.';

-- Name: COLUMN facture.id_client; Type: COMMENT; Schema: facturation

COMMENT ON COLUMN facturation.facture.id_client IS 'Client qui doit, null pour un client de passage.';

-- Name: COLUMN facture.id_activite; Type: COMMENT; Schema: facturation

COMMENT ON COLUMN facturation.facture.id_activite IS 'Activité dont c''est la recette, null pour aucune.';

-- Name: COLUMN facture.id_utilisateur; Type: COMMENT; Schema: facturation

COMMENT ON COLUMN facturation.facture.id_utilisateur IS 'Qui l''a émise, null hors de l''API.';

-- Name: COLUMN facture.libelle; Type: COMMENT; Schema: facturation

COMMENT ON COLUMN facturation.facture.libelle IS 'Objet de la facture, la seule chose qui s''y corrige.';

-- Name: COLUMN facture.remise; Type: COMMENT; Schema: facturation

COMMENT ON COLUMN facturation.facture.remise IS 'Remise sur la somme des lignes ; elle ne la dépasse pas.';

-- Name: COLUMN facture.montant_total; Type: COMMENT; Schema: facturation

COMMENT ON COLUMN facturation.facture.montant_total IS 'Somme des lignes moins la remise, tenue par un déclencheur.';

-- Name: COLUMN facture.montant_paye; Type: COMMENT; Schema: facturation

COMMENT ON COLUMN facturation.facture.montant_paye IS 'Somme des applications de paiement, tenue par un déclencheur.';

-- Name: COLUMN facture.annulee; Type: COMMENT; Schema: facturation

COMMENT ON COLUMN facturation.facture.annulee IS 'Vrai quand sa source est annulée : elle n''est plus due, ses paiements sont rendus.';

-- Name: COLUMN facture.source_type; Type: COMMENT; Schema: facturation

COMMENT ON COLUMN facturation.facture.source_type IS 'Ce que la facture fait payer ; source_id en est l''identifiant.';

-- Name: COLUMN facture.source_id; Type: COMMENT; Schema: facturation

COMMENT ON COLUMN facturation.facture.source_id IS 'Identifiant de la vente, de la commande, du séjour… payé par cette facture.';

-- Name: COLUMN facture.motif_annulation; Type: COMMENT; Schema: facturation

COMMENT ON COLUMN facturation.facture.motif_annulation IS 'Pourquoi la facture est annulée, écrit avec son annulation ; null tant qu''elle tient.';

-- Name: COLUMN facture.statut; Type: COMMENT; Schema: facturation

COMMENT ON COLUMN facturation.facture.statut IS 'Déduit des montants ; ANNULEE par l''annulation de sa source.';

-- Name: COLUMN facture.reste; Type: COMMENT; Schema: facturation

COMMENT ON COLUMN facturation.facture.reste IS 'Reste à payer : montant_total − montant_paye, 0 pour une facture annulée.';

-- Name: CONSTRAINT facture_annulee_remboursee ON facture; Type: COMMENT; Schema: facturation

COMMENT ON CONSTRAINT facture_annulee_remboursee ON facturation.facture IS 'Une facture annulée ne garde aucun paiement : remboursez-la d''abord.';

-- Name: CONSTRAINT facture_montant_positif ON facture; Type: COMMENT; Schema: facturation

COMMENT ON CONSTRAINT facture_montant_positif ON facturation.facture IS 'Une facture n''a pas de montant négatif.';

-- Name: CONSTRAINT surpaiement ON facture; Type: COMMENT; Schema: facturation

COMMENT ON CONSTRAINT surpaiement ON facturation.facture IS 'Le paiement dépasse le reste à payer.';

-- Name: facture_id_facture_seq; Type: SEQUENCE; Schema: facturation

ALTER TABLE facturation.facture ALTER COLUMN id_facture ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME facturation.facture_id_facture_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

-- Name: facture_ligne; Type: TABLE; Schema: facturation

CREATE TABLE facturation.facture_ligne (
    id_ligne bigint NOT NULL,
    id_facture bigint NOT NULL,
    libelle core.libelle NOT NULL,
    quantite core.nombre DEFAULT 1 NOT NULL,
    prix_unitaire core.montant NOT NULL,
    total numeric(14,2) GENERATED ALWAYS AS (round(((quantite)::numeric * (prix_unitaire)::numeric), 2)) STORED NOT NULL
);

-- Name: TABLE facture_ligne; Type: COMMENT; Schema: facturation

COMMENT ON TABLE facturation.facture_ligne IS 'Ligne d''une facture, écrite juste avant elle : sa clé étrangère se vérifie à la fin de la transaction.';

-- Name: COLUMN facture_ligne.libelle; Type: COMMENT; Schema: facturation

COMMENT ON COLUMN facturation.facture_ligne.libelle IS 'Ce qui est facturé, tel que la facture l''imprime.';

-- Name: COLUMN facture_ligne.quantite; Type: COMMENT; Schema: facturation

COMMENT ON COLUMN facturation.facture_ligne.quantite IS 'Nombre d''unités, nuits ou pièces, deux décimales.';

-- Name: COLUMN facture_ligne.prix_unitaire; Type: COMMENT; Schema: facturation

COMMENT ON COLUMN facturation.facture_ligne.prix_unitaire IS 'Prix d''une unité.';

-- Name: COLUMN facture_ligne.total; Type: COMMENT; Schema: facturation

COMMENT ON COLUMN facturation.facture_ligne.total IS 'quantite × prix_unitaire, arrondi à deux décimales.';

-- Name: facture_ligne_id_ligne_seq; Type: SEQUENCE; Schema: facturation

ALTER TABLE facturation.facture_ligne ALTER COLUMN id_ligne ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME facturation.facture_ligne_id_ligne_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

-- Name: prestation; Type: TABLE; Schema: facturation

CREATE TABLE facturation.prestation (
    id_prestation bigint NOT NULL,
    libelle core.libelle NOT NULL,
    categorie core.libelle,
    prix core.montant NOT NULL,
    description core.texte,
    id_activite bigint,
    actif boolean DEFAULT true NOT NULL
);

-- Name: TABLE prestation; Type: COMMENT; Schema: facturation

COMMENT ON TABLE facturation.prestation IS 'Service facturable et son prix.';

-- Name: COLUMN prestation.categorie; Type: COMMENT; Schema: facturation

COMMENT ON COLUMN facturation.prestation.categorie IS 'Regroupement libre, pour les listes.';

-- Name: COLUMN prestation.prix; Type: COMMENT; Schema: facturation

COMMENT ON COLUMN facturation.prestation.prix IS 'Prix d''une unité ; les factures émises gardent celui de leur jour.';

-- Name: COLUMN prestation.description; Type: COMMENT; Schema: facturation

COMMENT ON COLUMN facturation.prestation.description IS 'Ce que le service comprend, texte libre.';

-- Name: COLUMN prestation.id_activite; Type: COMMENT; Schema: facturation

COMMENT ON COLUMN facturation.prestation.id_activite IS 'Activité qui la facture, null pour toutes.';

-- Name: COLUMN prestation.actif; Type: COMMENT; Schema: facturation

COMMENT ON COLUMN facturation.prestation.actif IS 'Une prestation inactive ne se facture plus.';

-- Name: prestation_id_prestation_seq; Type: SEQUENCE; Schema: facturation

ALTER TABLE facturation.prestation ALTER COLUMN id_prestation ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME facturation.prestation_id_prestation_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

-- Name: affectation_caisse; Type: TABLE; Schema: finances

CREATE TABLE finances.affectation_caisse (
    id_utilisateur bigint NOT NULL,
    id_caisse bigint NOT NULL
);

-- Name: TABLE affectation_caisse; Type: COMMENT; Schema: finances

COMMENT ON TABLE finances.affectation_caisse IS 'Caisse imposée à un utilisateur : tout ce qu''il encaisse ou dépense y va.';

-- Name: COLUMN affectation_caisse.id_utilisateur; Type: COMMENT; Schema: finances

COMMENT ON COLUMN finances.affectation_caisse.id_utilisateur IS 'Utilisateur lié à la caisse ; à une seule.';

-- Name: COLUMN affectation_caisse.id_caisse; Type: COMMENT; Schema: finances

COMMENT ON COLUMN finances.affectation_caisse.id_caisse IS 'Caisse où va tout ce qu''il encaisse ou dépense.';

-- Name: application_paiement; Type: TABLE; Schema: finances

CREATE TABLE finances.application_paiement (
    id_application bigint NOT NULL,
    id_paiement bigint NOT NULL,
    id_facture bigint NOT NULL,
    montant core.montant_signe NOT NULL,
    CONSTRAINT application_non_nulle CHECK (((montant)::numeric <> (0)::numeric))
);

-- Name: TABLE application_paiement; Type: COMMENT; Schema: finances

COMMENT ON TABLE finances.application_paiement IS 'Part d''un paiement qui règle une facture ; négative pour un paiement contraire. Celle d''une nouvelle facture est écrite juste avant elle.';

-- Name: COLUMN application_paiement.montant; Type: COMMENT; Schema: finances

COMMENT ON COLUMN finances.application_paiement.montant IS 'Part appliquée à la facture ; négative pour un paiement contraire, jamais nulle.';

-- Name: CONSTRAINT application_non_nulle ON application_paiement; Type: COMMENT; Schema: finances

COMMENT ON CONSTRAINT application_non_nulle ON finances.application_paiement IS 'Une application de paiement n''est pas nulle.';

-- Name: application_paiement_id_application_seq; Type: SEQUENCE; Schema: finances

ALTER TABLE finances.application_paiement ALTER COLUMN id_application ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME finances.application_paiement_id_application_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

-- Name: caisse; Type: TABLE; Schema: finances

CREATE TABLE finances.caisse (
    id_caisse bigint NOT NULL,
    libelle core.libelle NOT NULL,
    id_activite bigint NOT NULL,
    actif boolean DEFAULT true NOT NULL
);

-- Name: TABLE caisse; Type: COMMENT; Schema: finances

COMMENT ON TABLE finances.caisse IS 'Caisse d''une activité ; l''activité ne change pas.';

-- Name: COLUMN caisse.actif; Type: COMMENT; Schema: finances

COMMENT ON COLUMN finances.caisse.actif IS 'Une caisse inactive ne s''ouvre plus et n''encaisse plus.';

-- Name: caisse_id_caisse_seq; Type: SEQUENCE; Schema: finances

ALTER TABLE finances.caisse ALTER COLUMN id_caisse ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME finances.caisse_id_caisse_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

-- Name: categorie_depense; Type: TABLE; Schema: finances

CREATE TABLE finances.categorie_depense (
    id_categorie_depense bigint NOT NULL,
    libelle core.libelle NOT NULL
);

-- Name: TABLE categorie_depense; Type: COMMENT; Schema: finances

COMMENT ON TABLE finances.categorie_depense IS 'Catégorie de dépense.';

-- Name: categorie_depense_id_categorie_depense_seq; Type: SEQUENCE; Schema: finances

ALTER TABLE finances.categorie_depense ALTER COLUMN id_categorie_depense ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME finances.categorie_depense_id_categorie_depense_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

-- Name: depense; Type: TABLE; Schema: finances

CREATE TABLE finances.depense (
    id_depense bigint NOT NULL,
    date timestamp with time zone DEFAULT now() NOT NULL,
    jour date NOT NULL,
    montant core.montant_du_reglement NOT NULL,
    id_categorie_depense bigint NOT NULL,
    id_activite bigint,
    id_caisse bigint,
    id_periode bigint,
    id_utilisateur bigint,
    libelle core.libelle NOT NULL,
    justificatif core.texte,
    date_annulation timestamp with time zone,
    CONSTRAINT depense_periode_avec_caisse CHECK (((id_caisse IS NULL) = (id_periode IS NULL)))
);

-- Name: TABLE depense; Type: COMMENT; Schema: finances

COMMENT ON TABLE finances.depense IS 'Dépense. Supprimée, elle reste ici et au journal, hors des listes et des sommes.';

-- Name: COLUMN depense.date; Type: COMMENT; Schema: finances

COMMENT ON COLUMN finances.depense.date IS 'Instant de la dépense, jamais à venir.';

-- Name: COLUMN depense.jour; Type: COMMENT; Schema: finances

COMMENT ON COLUMN finances.depense.jour IS 'Date de gestion de la dépense.';

-- Name: COLUMN depense.montant; Type: COMMENT; Schema: finances

COMMENT ON COLUMN finances.depense.montant IS 'Somme sortie, deux décimales, dans la monnaie de l''organisation.';

-- Name: COLUMN depense.id_activite; Type: COMMENT; Schema: finances

COMMENT ON COLUMN finances.depense.id_activite IS 'Activité que la dépense charge, null pour l''entreprise entière.';

-- Name: COLUMN depense.id_caisse; Type: COMMENT; Schema: finances

COMMENT ON COLUMN finances.depense.id_caisse IS 'Caisse qui a payé, null sans caisse.';

-- Name: COLUMN depense.id_periode; Type: COMMENT; Schema: finances

COMMENT ON COLUMN finances.depense.id_periode IS 'Période ouverte de la caisse au moment de la dépense, posée par un déclencheur.';

-- Name: COLUMN depense.id_utilisateur; Type: COMMENT; Schema: finances

COMMENT ON COLUMN finances.depense.id_utilisateur IS 'Qui l''a écrite, null hors de l''API.';

-- Name: COLUMN depense.libelle; Type: COMMENT; Schema: finances

COMMENT ON COLUMN finances.depense.libelle IS 'Ce qui a été payé.';

-- Name: COLUMN depense.justificatif; Type: COMMENT; Schema: finances

COMMENT ON COLUMN finances.depense.justificatif IS 'Référence ou description de la pièce justificative.';

-- Name: COLUMN depense.date_annulation; Type: COMMENT; Schema: finances

COMMENT ON COLUMN finances.depense.date_annulation IS 'Suppression, possible tant que la période de caisse est ouverte.';

-- Name: CONSTRAINT depense_periode_avec_caisse ON depense; Type: COMMENT; Schema: finances

COMMENT ON CONSTRAINT depense_periode_avec_caisse ON finances.depense IS 'Une dépense en caisse appartient à une période de cette caisse.';

-- Name: depense_id_depense_seq; Type: SEQUENCE; Schema: finances

ALTER TABLE finances.depense ALTER COLUMN id_depense ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME finances.depense_id_depense_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

-- Name: moyen_paiement; Type: TABLE; Schema: finances

CREATE TABLE finances.moyen_paiement (
    id_moyen bigint NOT NULL,
    libelle core.libelle NOT NULL,
    actif boolean DEFAULT true NOT NULL
);

-- Name: TABLE moyen_paiement; Type: COMMENT; Schema: finances

COMMENT ON TABLE finances.moyen_paiement IS 'Moyen de paiement accepté.';

-- Name: COLUMN moyen_paiement.actif; Type: COMMENT; Schema: finances

COMMENT ON COLUMN finances.moyen_paiement.actif IS 'Un moyen inactif n''est plus proposé ; ses paiements restent.';

-- Name: moyen_paiement_id_moyen_seq; Type: SEQUENCE; Schema: finances

ALTER TABLE finances.moyen_paiement ALTER COLUMN id_moyen ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME finances.moyen_paiement_id_moyen_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

-- Name: paiement; Type: TABLE; Schema: finances

CREATE TABLE finances.paiement (
    id_paiement bigint NOT NULL,
    date timestamp with time zone DEFAULT now() NOT NULL,
    jour date NOT NULL,
    montant core.montant_du_reglement NOT NULL,
    type finances.type_paiement DEFAULT 'ENCAISSEMENT'::finances.type_paiement NOT NULL,
    id_moyen bigint NOT NULL,
    id_activite bigint,
    id_caisse bigint,
    id_periode bigint,
    id_utilisateur bigint,
    motif core.texte,
    reference core.libelle,
    id_paiement_origine bigint,
    annulation boolean DEFAULT false NOT NULL,
    id_client bigint,
    CONSTRAINT annulation_d_un_paiement CHECK (((NOT annulation) OR (id_paiement_origine IS NOT NULL))),
    CONSTRAINT periode_avec_caisse CHECK (((id_caisse IS NULL) = (id_periode IS NULL)))
);

-- Name: TABLE paiement; Type: COMMENT; Schema: finances

COMMENT ON TABLE finances.paiement IS 'Argent reçu ou rendu. Le montant ne change jamais ; une erreur se corrige par un paiement contraire.';

-- Name: COLUMN paiement.date; Type: COMMENT; Schema: finances

COMMENT ON COLUMN finances.paiement.date IS 'Instant du paiement ; se corrige tant que la période de caisse est ouverte.';

-- Name: COLUMN paiement.jour; Type: COMMENT; Schema: finances

COMMENT ON COLUMN finances.paiement.jour IS 'Date de gestion du paiement.';

-- Name: COLUMN paiement.montant; Type: COMMENT; Schema: finances

COMMENT ON COLUMN finances.paiement.montant IS 'Toujours positif : type dit le sens.';

-- Name: COLUMN paiement.type; Type: COMMENT; Schema: finances

COMMENT ON COLUMN finances.paiement.type IS 'ENCAISSEMENT : argent reçu. DECAISSEMENT : argent rendu ou versé, un salaire par exemple.';

-- Name: COLUMN paiement.id_activite; Type: COMMENT; Schema: finances

COMMENT ON COLUMN finances.paiement.id_activite IS 'Activité dont c''est l''argent, null pour aucune.';

-- Name: COLUMN paiement.id_caisse; Type: COMMENT; Schema: finances

COMMENT ON COLUMN finances.paiement.id_caisse IS 'Caisse qui l''a reçu ou rendu, null hors caisse.';

-- Name: COLUMN paiement.id_periode; Type: COMMENT; Schema: finances

COMMENT ON COLUMN finances.paiement.id_periode IS 'Période ouverte de la caisse au moment du paiement, posée par un déclencheur.';

-- Name: COLUMN paiement.id_utilisateur; Type: COMMENT; Schema: finances

COMMENT ON COLUMN finances.paiement.id_utilisateur IS 'Qui l''a écrit, null hors de l''API.';

-- Name: COLUMN paiement.motif; Type: COMMENT; Schema: finances

COMMENT ON COLUMN finances.paiement.motif IS 'Ce qui est payé, en clair.';

-- Name: COLUMN paiement.reference; Type: COMMENT; Schema: finances

COMMENT ON COLUMN finances.paiement.reference IS 'Texte libre : numéro de chèque, de virement, de transaction.';

-- Name: COLUMN paiement.id_paiement_origine; Type: COMMENT; Schema: finances

COMMENT ON COLUMN finances.paiement.id_paiement_origine IS 'Paiement que celui-ci rend, en tout ou en partie.';

-- Name: COLUMN paiement.annulation; Type: COMMENT; Schema: finances

COMMENT ON COLUMN finances.paiement.annulation IS 'Vrai pour le paiement contraire qui annule son origine, saisie par erreur ; faux pour celui qui rend de l''argent.';

-- Name: COLUMN paiement.id_client; Type: COMMENT; Schema: finances

COMMENT ON COLUMN finances.paiement.id_client IS 'Client dont vient l''argent, quand ce paiement dépasse ce qu''il règle et qu''aucune facture ne le dirait ; null sinon.';

-- Name: CONSTRAINT annulation_d_un_paiement ON paiement; Type: COMMENT; Schema: finances

COMMENT ON CONSTRAINT annulation_d_un_paiement ON finances.paiement IS 'Une annulation nomme le paiement qu''elle annule.';

-- Name: CONSTRAINT periode_avec_caisse ON paiement; Type: COMMENT; Schema: finances

COMMENT ON CONSTRAINT periode_avec_caisse ON finances.paiement IS 'Un paiement en caisse appartient à une période de cette caisse.';

-- Name: paiement_id_paiement_seq; Type: SEQUENCE; Schema: finances

ALTER TABLE finances.paiement ALTER COLUMN id_paiement ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME finances.paiement_id_paiement_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

-- Name: periode_caisse; Type: TABLE; Schema: finances

CREATE TABLE finances.periode_caisse (
    id_periode bigint NOT NULL,
    id_caisse bigint NOT NULL,
    ouverture timestamp with time zone DEFAULT now() NOT NULL,
    fermeture timestamp with time zone,
    fond_initial core.montant DEFAULT 0 NOT NULL,
    id_utilisateur_ouverture bigint,
    id_utilisateur_fermeture bigint,
    CONSTRAINT periode_ordonnee CHECK ((fermeture >= ouverture))
);

-- Name: TABLE periode_caisse; Type: COMMENT; Schema: finances

COMMENT ON TABLE finances.periode_caisse IS 'Période d''ouverture d''une caisse ; une seule ouverte à la fois.';

-- Name: COLUMN periode_caisse.ouverture; Type: COMMENT; Schema: finances

COMMENT ON COLUMN finances.periode_caisse.ouverture IS 'Instant de l''ouverture.';

-- Name: COLUMN periode_caisse.fermeture; Type: COMMENT; Schema: finances

COMMENT ON COLUMN finances.periode_caisse.fermeture IS 'Null tant que la caisse est ouverte.';

-- Name: COLUMN periode_caisse.fond_initial; Type: COMMENT; Schema: finances

COMMENT ON COLUMN finances.periode_caisse.fond_initial IS 'Argent en caisse à l''ouverture, hors montant attendu.';

-- Name: COLUMN periode_caisse.id_utilisateur_ouverture; Type: COMMENT; Schema: finances

COMMENT ON COLUMN finances.periode_caisse.id_utilisateur_ouverture IS 'Qui a ouvert la caisse, null hors de l''API.';

-- Name: COLUMN periode_caisse.id_utilisateur_fermeture; Type: COMMENT; Schema: finances

COMMENT ON COLUMN finances.periode_caisse.id_utilisateur_fermeture IS 'Qui a fermé la caisse, null tant qu''elle est ouverte.';

-- Name: CONSTRAINT periode_ordonnee ON periode_caisse; Type: COMMENT; Schema: finances

COMMENT ON CONSTRAINT periode_ordonnee ON finances.periode_caisse IS 'Une période se ferme après son ouverture.';

-- Name: periode_caisse_id_periode_seq; Type: SEQUENCE; Schema: finances

ALTER TABLE finances.periode_caisse ALTER COLUMN id_periode ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME finances.periode_caisse_id_periode_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

-- Name: resume_etat; Type: TABLE; Schema: finances

CREATE TABLE finances.resume_etat (
    seul boolean DEFAULT true NOT NULL,
    jusqu_a bigint DEFAULT 0 NOT NULL,
    CONSTRAINT resume_etat_seul CHECK (seul)
);

-- Name: TABLE resume_etat; Type: COMMENT; Schema: finances

COMMENT ON TABLE finances.resume_etat IS 'Jusqu''où les paiements sont résumés, une ligne ; les suivants se lisent un à un.';

-- Name: COLUMN resume_etat.seul; Type: COMMENT; Schema: finances

COMMENT ON COLUMN finances.resume_etat.seul IS 'Toujours vrai : une seule ligne.';

-- Name: COLUMN resume_etat.jusqu_a; Type: COMMENT; Schema: finances

COMMENT ON COLUMN finances.resume_etat.jusqu_a IS 'Tout paiement de cet identifiant ou d''un plus petit est dans finances.resume_paiement.';

-- Name: CONSTRAINT resume_etat_seul ON resume_etat; Type: COMMENT; Schema: finances

COMMENT ON CONSTRAINT resume_etat_seul ON finances.resume_etat IS 'Il n''y a qu''un état.';

-- Name: resume_paiement; Type: TABLE; Schema: finances

CREATE TABLE finances.resume_paiement (
    jour date NOT NULL,
    id_activite bigint,
    id_caisse bigint,
    encaissements core.somme NOT NULL,
    decaissements core.somme NOT NULL,
    nombre bigint NOT NULL,
    id_utilisateur bigint
);

-- Name: TABLE resume_paiement; Type: COMMENT; Schema: finances

COMMENT ON TABLE finances.resume_paiement IS 'Paiements résumés par jour, activité, caisse et utilisateur ; la tâche « resumer-paiements » les y ajoute, chacun une fois.';

-- Name: COLUMN resume_paiement.jour; Type: COMMENT; Schema: finances

COMMENT ON COLUMN finances.resume_paiement.jour IS 'Date de gestion des paiements.';

-- Name: COLUMN resume_paiement.id_activite; Type: COMMENT; Schema: finances

COMMENT ON COLUMN finances.resume_paiement.id_activite IS 'Activité des paiements, null pour ceux qui n''en ont pas.';

-- Name: COLUMN resume_paiement.id_caisse; Type: COMMENT; Schema: finances

COMMENT ON COLUMN finances.resume_paiement.id_caisse IS 'Caisse des paiements, null pour ceux hors caisse.';

-- Name: COLUMN resume_paiement.encaissements; Type: COMMENT; Schema: finances

COMMENT ON COLUMN finances.resume_paiement.encaissements IS 'Somme de l''argent reçu.';

-- Name: COLUMN resume_paiement.decaissements; Type: COMMENT; Schema: finances

COMMENT ON COLUMN finances.resume_paiement.decaissements IS 'Somme de l''argent rendu ou versé, positive.';

-- Name: COLUMN resume_paiement.nombre; Type: COMMENT; Schema: finances

COMMENT ON COLUMN finances.resume_paiement.nombre IS 'Nombre de paiements, dans les deux sens.';

-- Name: COLUMN resume_paiement.id_utilisateur; Type: COMMENT; Schema: finances

COMMENT ON COLUMN finances.resume_paiement.id_utilisateur IS 'Qui a écrit les paiements, null pour ceux écrits hors de l''API.';

-- Name: tirage; Type: TABLE; Schema: finances

CREATE TABLE finances.tirage (
    id_tirage bigint NOT NULL,
    id_caisse bigint NOT NULL,
    date date NOT NULL,
    montant_compte core.montant NOT NULL,
    montant_attendu core.somme NOT NULL,
    note core.texte,
    id_utilisateur bigint,
    date_creation timestamp with time zone DEFAULT now() NOT NULL,
    cumul numeric(32,2),
    ecart core.somme GENERATED ALWAYS AS (((montant_compte)::numeric - (montant_attendu)::numeric)) STORED NOT NULL
);

-- Name: TABLE tirage; Type: COMMENT; Schema: finances

COMMENT ON TABLE finances.tirage IS 'Comptage d''une caisse en fin de journée, un par caisse et par jour.';

-- Name: COLUMN tirage.date; Type: COMMENT; Schema: finances

COMMENT ON COLUMN finances.tirage.date IS 'Jour compté, pas celui de la saisie.';

-- Name: COLUMN tirage.montant_compte; Type: COMMENT; Schema: finances

COMMENT ON COLUMN finances.tirage.montant_compte IS 'Argent trouvé dans la caisse, fond initial déduit.';

-- Name: COLUMN tirage.montant_attendu; Type: COMMENT; Schema: finances

COMMENT ON COLUMN finances.tirage.montant_attendu IS 'Encaissements − décaissements − dépenses de la caisse depuis le comptage d''avant, ou depuis sa première ouverture ; tenu par un déclencheur.';

-- Name: COLUMN tirage.note; Type: COMMENT; Schema: finances

COMMENT ON COLUMN finances.tirage.note IS 'Note libre, par exemple sur un écart.';

-- Name: COLUMN tirage.id_utilisateur; Type: COMMENT; Schema: finances

COMMENT ON COLUMN finances.tirage.id_utilisateur IS 'Qui a compté.';

-- Name: COLUMN tirage.date_creation; Type: COMMENT; Schema: finances

COMMENT ON COLUMN finances.tirage.date_creation IS 'Instant du comptage, écrit par la base.';

-- Name: COLUMN tirage.cumul; Type: COMMENT; Schema: finances

COMMENT ON COLUMN finances.tirage.cumul IS 'Encaissements − décaissements − dépenses de la caisse depuis sa première ouverture, jusqu''à ce comptage compris ; le comptage suivant attend ce qui s''y ajoute. Tenu par un déclencheur ; null pour ceux d''avant cette colonne, sauf le dernier fait de chaque caisse.';

-- Name: COLUMN tirage.ecart; Type: COMMENT; Schema: finances

COMMENT ON COLUMN finances.tirage.ecart IS 'montant_compte − montant_attendu.';

-- Name: tirage_id_tirage_seq; Type: SEQUENCE; Schema: finances

ALTER TABLE finances.tirage ALTER COLUMN id_tirage ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME finances.tirage_id_tirage_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

-- Name: horloge; Type: TABLE; Schema: jobs

CREATE TABLE jobs.horloge (
    tache text NOT NULL,
    derniere timestamp with time zone NOT NULL,
    id_job bigint
);

-- Name: TABLE horloge; Type: COMMENT; Schema: jobs

COMMENT ON TABLE jobs.horloge IS 'Dernière heure à laquelle chaque tâche périodique était due : ce que tous les travailleurs savent de ce qui est déjà parti.';

-- Name: COLUMN horloge.tache; Type: COMMENT; Schema: jobs

COMMENT ON COLUMN jobs.horloge.tache IS 'Nom de la tâche, par exemple menage.';

-- Name: COLUMN horloge.derniere; Type: COMMENT; Schema: jobs

COMMENT ON COLUMN jobs.horloge.derniere IS 'Dernier instant dû pris en compte, par une exécution qui a commencé ou parce que la tâche était nouvelle ; écrit par jobs.tache_commencer et jobs.tache_echoir.';

-- Name: COLUMN horloge.id_job; Type: COMMENT; Schema: jobs

COMMENT ON COLUMN jobs.horloge.id_job IS 'Tâche de la file qui s''est chargée de la dernière heure due, null s''il n''y en a pas eu ; écrit par jobs.tache_commencer.';

-- Name: planification; Type: TABLE; Schema: jobs

CREATE TABLE jobs.planification (
    id_planification bigint DEFAULT 1 NOT NULL,
    frequence jobs.frequence_sauvegarde NOT NULL,
    heure time(0) without time zone NOT NULL,
    active boolean NOT NULL,
    date_maj timestamp with time zone DEFAULT now() NOT NULL,
    CONSTRAINT planification_heure CHECK (((heure < '24:00:00'::time without time zone) AND (EXTRACT(second FROM heure) = (0)::numeric))),
    CONSTRAINT planification_unique CHECK ((id_planification = 1))
);

-- Name: TABLE planification; Type: COMMENT; Schema: jobs

COMMENT ON TABLE jobs.planification IS 'Quand sauvegarder ; une seule ligne.';

-- Name: COLUMN planification.frequence; Type: COMMENT; Schema: jobs

COMMENT ON COLUMN jobs.planification.frequence IS 'QUOTIDIENNE ou HEBDOMADAIRE ; HEBDOMADAIRE est le dimanche.';

-- Name: COLUMN planification.heure; Type: COMMENT; Schema: jobs

COMMENT ON COLUMN jobs.planification.heure IS 'Heure, au fuseau de l''organisation.';

-- Name: COLUMN planification.active; Type: COMMENT; Schema: jobs

COMMENT ON COLUMN jobs.planification.active IS 'Faux : rien ne se sauvegarde de soi-même.';

-- Name: COLUMN planification.date_maj; Type: COMMENT; Schema: jobs

COMMENT ON COLUMN jobs.planification.date_maj IS 'Dernier changement ; seules les échéances d''après comptent.';

-- Name: CONSTRAINT planification_heure ON planification; Type: COMMENT; Schema: jobs

COMMENT ON CONSTRAINT planification_heure ON jobs.planification IS 'L''heure s''écrit HH:MM, de 00:00 à 23:59.';

-- Name: CONSTRAINT planification_unique ON planification; Type: COMMENT; Schema: jobs

COMMENT ON CONSTRAINT planification_unique ON jobs.planification IS 'Il n''y a qu''une planification.';

-- Name: restauration; Type: TABLE; Schema: jobs

CREATE TABLE jobs.restauration (
    id_restauration bigint NOT NULL,
    id_sauvegarde bigint NOT NULL,
    statut jobs.statut_sauvegarde DEFAULT 'EN_COURS'::jobs.statut_sauvegarde NOT NULL,
    auteur text,
    date_creation timestamp with time zone DEFAULT now() NOT NULL,
    date_debut timestamp with time zone,
    date_fin timestamp with time zone,
    ancienne_base text,
    message_erreur text,
    CONSTRAINT restauration_erreur_dite CHECK (((statut = 'ERREUR'::jobs.statut_sauvegarde) = (message_erreur IS NOT NULL)))
);

-- Name: TABLE restauration; Type: COMMENT; Schema: jobs

COMMENT ON TABLE jobs.restauration IS 'Remise en place d''une sauvegarde, réussie ou non.';

-- Name: COLUMN restauration.id_sauvegarde; Type: COMMENT; Schema: jobs

COMMENT ON COLUMN jobs.restauration.id_sauvegarde IS 'Sauvegarde remise en place.';

-- Name: COLUMN restauration.statut; Type: COMMENT; Schema: jobs

COMMENT ON COLUMN jobs.restauration.statut IS 'EN_COURS, puis SUCCES ou ERREUR.';

-- Name: COLUMN restauration.auteur; Type: COMMENT; Schema: jobs

COMMENT ON COLUMN jobs.restauration.auteur IS 'Login de qui l''a demandée, null pour la ligne de commande.';

-- Name: COLUMN restauration.date_creation; Type: COMMENT; Schema: jobs

COMMENT ON COLUMN jobs.restauration.date_creation IS 'Instant de la demande.';

-- Name: COLUMN restauration.date_debut; Type: COMMENT; Schema: jobs

COMMENT ON COLUMN jobs.restauration.date_debut IS 'Null tant que personne ne l''a prise en main.';

-- Name: COLUMN restauration.date_fin; Type: COMMENT; Schema: jobs

COMMENT ON COLUMN jobs.restauration.date_fin IS 'Null tant qu''elle court.';

-- Name: COLUMN restauration.ancienne_base; Type: COMMENT; Schema: jobs

COMMENT ON COLUMN jobs.restauration.ancienne_base IS 'Nom sous lequel la base remplacée est gardée.';

-- Name: COLUMN restauration.message_erreur; Type: COMMENT; Schema: jobs

COMMENT ON COLUMN jobs.restauration.message_erreur IS 'Pourquoi elle a échoué, null sinon.';

-- Name: CONSTRAINT restauration_erreur_dite ON restauration; Type: COMMENT; Schema: jobs

COMMENT ON CONSTRAINT restauration_erreur_dite ON jobs.restauration IS 'Une restauration en erreur dit pourquoi, et elle seule.';

-- Name: restauration_id_restauration_seq; Type: SEQUENCE; Schema: jobs

ALTER TABLE jobs.restauration ALTER COLUMN id_restauration ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME jobs.restauration_id_restauration_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

-- Name: sauvegarde; Type: TABLE; Schema: jobs

CREATE TABLE jobs.sauvegarde (
    id_sauvegarde bigint NOT NULL,
    type jobs.type_sauvegarde NOT NULL,
    statut jobs.statut_sauvegarde DEFAULT 'EN_COURS'::jobs.statut_sauvegarde NOT NULL,
    chemin text NOT NULL,
    echeance timestamp with time zone,
    auteur text,
    id_tache bigint,
    date_creation timestamp with time zone DEFAULT now() NOT NULL,
    date_debut timestamp with time zone,
    date_fin timestamp with time zone,
    taille_octets bigint,
    sha256 text,
    lignes jsonb,
    message_erreur text,
    date_retrait timestamp with time zone,
    CONSTRAINT sauvegarde_echeance_automatique CHECK (((type = 'AUTOMATIQUE'::jobs.type_sauvegarde) = (echeance IS NOT NULL))),
    CONSTRAINT sauvegarde_erreur_dite CHECK (((statut = 'ERREUR'::jobs.statut_sauvegarde) = (message_erreur IS NOT NULL))),
    CONSTRAINT sauvegarde_reussie_entiere CHECK (((statut <> 'SUCCES'::jobs.statut_sauvegarde) OR (num_nulls(date_debut, date_fin, taille_octets, sha256, lignes) = 0)))
);

-- Name: TABLE sauvegarde; Type: COMMENT; Schema: jobs

COMMENT ON TABLE jobs.sauvegarde IS 'Sauvegarde de toute la base dans le stockage ; la ligne reste quand son fichier est retiré.';

-- Name: COLUMN sauvegarde.type; Type: COMMENT; Schema: jobs

COMMENT ON COLUMN jobs.sauvegarde.type IS 'MANUELLE, demandée par quelqu''un, ou AUTOMATIQUE, par la planification.';

-- Name: COLUMN sauvegarde.statut; Type: COMMENT; Schema: jobs

COMMENT ON COLUMN jobs.sauvegarde.statut IS 'EN_COURS, puis SUCCES ou ERREUR.';

-- Name: COLUMN sauvegarde.chemin; Type: COMMENT; Schema: jobs

COMMENT ON COLUMN jobs.sauvegarde.chemin IS 'Clé du fichier dans le seau des sauvegardes ; sa somme est à côté, suffixe .sha256.';

-- Name: COLUMN sauvegarde.echeance; Type: COMMENT; Schema: jobs

COMMENT ON COLUMN jobs.sauvegarde.echeance IS 'Instant de la planification auquel répond une sauvegarde AUTOMATIQUE.';

-- Name: COLUMN sauvegarde.auteur; Type: COMMENT; Schema: jobs

COMMENT ON COLUMN jobs.sauvegarde.auteur IS 'Login de qui l''a demandée, null pour la planification et la ligne de commande.';

-- Name: COLUMN sauvegarde.id_tache; Type: COMMENT; Schema: jobs

COMMENT ON COLUMN jobs.sauvegarde.id_tache IS 'Tâche de la file qui la fera, null sans file.';

-- Name: COLUMN sauvegarde.date_creation; Type: COMMENT; Schema: jobs

COMMENT ON COLUMN jobs.sauvegarde.date_creation IS 'Instant de la demande.';

-- Name: COLUMN sauvegarde.date_debut; Type: COMMENT; Schema: jobs

COMMENT ON COLUMN jobs.sauvegarde.date_debut IS 'Null tant que personne ne l''a prise en main.';

-- Name: COLUMN sauvegarde.date_fin; Type: COMMENT; Schema: jobs

COMMENT ON COLUMN jobs.sauvegarde.date_fin IS 'Null tant qu''elle court.';

-- Name: COLUMN sauvegarde.taille_octets; Type: COMMENT; Schema: jobs

COMMENT ON COLUMN jobs.sauvegarde.taille_octets IS 'Taille du fichier, en octets.';

-- Name: COLUMN sauvegarde.sha256; Type: COMMENT; Schema: jobs

COMMENT ON COLUMN jobs.sauvegarde.sha256 IS 'SHA-256 du fichier, en hexadécimal.';

-- Name: COLUMN sauvegarde.lignes; Type: COMMENT; Schema: jobs

COMMENT ON COLUMN jobs.sauvegarde.lignes IS 'Nombre de lignes de chaque table dans l''instantané sauvegardé ; une restauration les compare.';

-- Name: COLUMN sauvegarde.message_erreur; Type: COMMENT; Schema: jobs

COMMENT ON COLUMN jobs.sauvegarde.message_erreur IS 'Pourquoi elle a échoué, null sinon.';

-- Name: COLUMN sauvegarde.date_retrait; Type: COMMENT; Schema: jobs

COMMENT ON COLUMN jobs.sauvegarde.date_retrait IS 'Quand SAUVEGARDE_RETENTION a fait retirer son fichier.';

-- Name: CONSTRAINT sauvegarde_echeance_automatique ON sauvegarde; Type: COMMENT; Schema: jobs

COMMENT ON CONSTRAINT sauvegarde_echeance_automatique ON jobs.sauvegarde IS 'Seule une sauvegarde automatique a une échéance.';

-- Name: CONSTRAINT sauvegarde_erreur_dite ON sauvegarde; Type: COMMENT; Schema: jobs

COMMENT ON CONSTRAINT sauvegarde_erreur_dite ON jobs.sauvegarde IS 'Une sauvegarde en erreur dit pourquoi, et elle seule.';

-- Name: CONSTRAINT sauvegarde_reussie_entiere ON sauvegarde; Type: COMMENT; Schema: jobs

COMMENT ON CONSTRAINT sauvegarde_reussie_entiere ON jobs.sauvegarde IS 'Une sauvegarde réussie a ses dates, sa taille, sa somme et ses comptes.';

-- Name: sauvegarde_id_sauvegarde_seq; Type: SEQUENCE; Schema: jobs

ALTER TABLE jobs.sauvegarde ALTER COLUMN id_sauvegarde ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME jobs.sauvegarde_id_sauvegarde_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

-- Name: total; Type: TABLE; Schema: jobs

CREATE TABLE jobs.total (
    tache text NOT NULL,
    issue text NOT NULL,
    nombre bigint NOT NULL
);

-- Name: TABLE total; Type: COMMENT; Schema: jobs

COMMENT ON TABLE jobs.total IS 'Tentatives dont la file ne garde rien : exécutions à la main, et tâches que le ménage a retirées.';

-- Name: COLUMN total.tache; Type: COMMENT; Schema: jobs

COMMENT ON COLUMN jobs.total.tache IS 'Nom de la tâche, celui de sa route.';

-- Name: COLUMN total.issue; Type: COMMENT; Schema: jobs

COMMENT ON COLUMN jobs.total.issue IS 'succeeded : réussie ; retried : échouée, elle sera reprise ; failed : échouée pour de bon.';

-- Name: COLUMN total.nombre; Type: COMMENT; Schema: jobs

COMMENT ON COLUMN jobs.total.nombre IS 'Nombre de tentatives.';

-- Name: categorie_produit; Type: TABLE; Schema: market

CREATE TABLE market.categorie_produit (
    id_categorie_produit bigint NOT NULL,
    libelle core.libelle NOT NULL,
    actif boolean DEFAULT true NOT NULL
);

-- Name: TABLE categorie_produit; Type: COMMENT; Schema: market

COMMENT ON TABLE market.categorie_produit IS 'Catégorie de produits ; désactivée, elle sort des listes.';

-- Name: COLUMN categorie_produit.actif; Type: COMMENT; Schema: market

COMMENT ON COLUMN market.categorie_produit.actif IS 'Une catégorie inactive sort des listes ; ses produits la gardent.';

-- Name: categorie_produit_id_categorie_produit_seq; Type: SEQUENCE; Schema: market

ALTER TABLE market.categorie_produit ALTER COLUMN id_categorie_produit ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME market.categorie_produit_id_categorie_produit_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

-- Name: fournisseur; Type: TABLE; Schema: market

CREATE TABLE market.fournisseur (
    id_fournisseur bigint NOT NULL,
    nom core.libelle NOT NULL,
    contact core.libelle,
    telephone core.telephone,
    email core.email,
    adresse core.texte,
    actif boolean DEFAULT true NOT NULL
);

-- Name: TABLE fournisseur; Type: COMMENT; Schema: market

COMMENT ON TABLE market.fournisseur IS 'Fournisseur ; désactivé, il sort des listes.';

-- Name: COLUMN fournisseur.contact; Type: COMMENT; Schema: market

COMMENT ON COLUMN market.fournisseur.contact IS 'Personne à joindre.';

-- Name: COLUMN fournisseur.adresse; Type: COMMENT; Schema: market

COMMENT ON COLUMN market.fournisseur.adresse IS 'Adresse où l''on commande, texte libre.';

-- Name: COLUMN fournisseur.actif; Type: COMMENT; Schema: market

COMMENT ON COLUMN market.fournisseur.actif IS 'Un fournisseur inactif sort des listes ; ses produits le gardent.';

-- Name: fournisseur_id_fournisseur_seq; Type: SEQUENCE; Schema: market

ALTER TABLE market.fournisseur ALTER COLUMN id_fournisseur ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME market.fournisseur_id_fournisseur_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

-- Name: mouvement_stock; Type: TABLE; Schema: market

CREATE TABLE market.mouvement_stock (
    id_mouvement bigint NOT NULL,
    id_produit bigint NOT NULL,
    date timestamp with time zone DEFAULT now() NOT NULL,
    type market.type_mouvement NOT NULL,
    quantite market.quantite_signee NOT NULL,
    delta numeric(12,2) GENERATED ALWAYS AS (
CASE type
    WHEN 'SORTIE'::market.type_mouvement THEN (- (quantite)::numeric)
    ELSE (quantite)::numeric
END) STORED NOT NULL,
    stock_resultant market.stock NOT NULL,
    motif core.texte,
    document_ref core.libelle,
    id_vente bigint,
    id_utilisateur bigint,
    CONSTRAINT quantite_du_mouvement CHECK ((((quantite)::numeric > (0)::numeric) OR ((type = 'AJUSTEMENT'::market.type_mouvement) AND ((quantite)::numeric <> (0)::numeric))))
);

-- Name: TABLE mouvement_stock; Type: COMMENT; Schema: market

COMMENT ON TABLE market.mouvement_stock IS 'Entrée, sortie ou ajustement du stock d''un produit. Ne change jamais ; une erreur se corrige par un autre mouvement.';

-- Name: COLUMN mouvement_stock.date; Type: COMMENT; Schema: market

COMMENT ON COLUMN market.mouvement_stock.date IS 'Instant du mouvement, écrit par la base.';

-- Name: COLUMN mouvement_stock.type; Type: COMMENT; Schema: market

COMMENT ON COLUMN market.mouvement_stock.type IS 'ENTREE ajoute, SORTIE retire, AJUSTEMENT fait l''un ou l''autre selon son signe.';

-- Name: COLUMN mouvement_stock.quantite; Type: COMMENT; Schema: market

COMMENT ON COLUMN market.mouvement_stock.quantite IS 'Positive ; signée pour un AJUSTEMENT.';

-- Name: COLUMN mouvement_stock.delta; Type: COMMENT; Schema: market

COMMENT ON COLUMN market.mouvement_stock.delta IS 'Ce que le mouvement ajoute au stock.';

-- Name: COLUMN mouvement_stock.stock_resultant; Type: COMMENT; Schema: market

COMMENT ON COLUMN market.mouvement_stock.stock_resultant IS 'Stock du produit après ce mouvement, posé par un déclencheur.';

-- Name: COLUMN mouvement_stock.motif; Type: COMMENT; Schema: market

COMMENT ON COLUMN market.mouvement_stock.motif IS 'Pourquoi, en clair.';

-- Name: COLUMN mouvement_stock.document_ref; Type: COMMENT; Schema: market

COMMENT ON COLUMN market.mouvement_stock.document_ref IS 'Pièce qui justifie le mouvement, par exemple un bon de livraison.';

-- Name: COLUMN mouvement_stock.id_vente; Type: COMMENT; Schema: market

COMMENT ON COLUMN market.mouvement_stock.id_vente IS 'Vente qui fait sortir le produit, ou dont l''annulation le fait rentrer.';

-- Name: COLUMN mouvement_stock.id_utilisateur; Type: COMMENT; Schema: market

COMMENT ON COLUMN market.mouvement_stock.id_utilisateur IS 'Auteur : l''utilisateur de la requête, écrit par la base ; null hors de l''API.';

-- Name: CONSTRAINT quantite_du_mouvement ON mouvement_stock; Type: COMMENT; Schema: market

COMMENT ON CONSTRAINT quantite_du_mouvement ON market.mouvement_stock IS 'La quantité doit être plus grande que zéro, ou différente de zéro pour un AJUSTEMENT.';

-- Name: mouvement_stock_id_mouvement_seq; Type: SEQUENCE; Schema: market

ALTER TABLE market.mouvement_stock ALTER COLUMN id_mouvement ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME market.mouvement_stock_id_mouvement_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

-- Name: produit; Type: TABLE; Schema: market

CREATE TABLE market.produit (
    id_produit bigint NOT NULL,
    reference text NOT NULL,
    nom core.libelle NOT NULL,
    id_categorie_produit bigint,
    prix_achat core.montant NOT NULL,
    prix_vente core.montant NOT NULL,
    quantite_stock market.stock DEFAULT 0 NOT NULL,
    seuil_alerte market.stock DEFAULT 0 NOT NULL,
    id_fournisseur bigint,
    date_entree date,
    actif boolean DEFAULT true NOT NULL,
    image_url core.cle_objet
)
WITH (fillfactor='85');

-- Name: TABLE produit; Type: COMMENT; Schema: market

COMMENT ON TABLE market.produit IS 'Produit de la boutique.';

-- Name: COLUMN produit.reference; Type: COMMENT; Schema: market

COMMENT ON COLUMN market.produit.reference IS 'Référence <ORG>-REF-<NNN>, donnée par la base.';

-- Name: COLUMN produit.prix_achat; Type: COMMENT; Schema: market

COMMENT ON COLUMN market.produit.prix_achat IS 'Prix d''une unité chez le fournisseur, pour la marge et la valeur du stock.';

-- Name: COLUMN produit.prix_vente; Type: COMMENT; Schema: market

COMMENT ON COLUMN market.produit.prix_vente IS 'Prix d''une unité au client.';

-- Name: COLUMN produit.quantite_stock; Type: COMMENT; Schema: market

COMMENT ON COLUMN market.produit.quantite_stock IS 'Somme des mouvements, tenue par des déclencheurs ; personne d''autre ne l''écrit.';

-- Name: COLUMN produit.seuil_alerte; Type: COMMENT; Schema: market

COMMENT ON COLUMN market.produit.seuil_alerte IS 'Le produit est en alerte quand son stock est strictement sous ce seuil.';

-- Name: COLUMN produit.date_entree; Type: COMMENT; Schema: market

COMMENT ON COLUMN market.produit.date_entree IS 'Jour d''entrée au catalogue.';

-- Name: COLUMN produit.actif; Type: COMMENT; Schema: market

COMMENT ON COLUMN market.produit.actif IS 'Un produit inactif ne se vend plus.';

-- Name: COLUMN produit.image_url; Type: COMMENT; Schema: market

COMMENT ON COLUMN market.produit.image_url IS 'Clé de la photo déposée.';

-- Name: produit_id_produit_seq; Type: SEQUENCE; Schema: market

ALTER TABLE market.produit ALTER COLUMN id_produit ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME market.produit_id_produit_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

-- Name: vente; Type: TABLE; Schema: market

CREATE TABLE market.vente (
    id_vente bigint NOT NULL,
    date timestamp with time zone DEFAULT now() NOT NULL,
    id_client bigint,
    remise core.montant DEFAULT 0 NOT NULL,
    total core.somme DEFAULT 0 NOT NULL,
    statut market.statut_vente DEFAULT 'EN_COURS'::market.statut_vente NOT NULL,
    id_utilisateur bigint,
    CONSTRAINT vente_total_positif CHECK (((total)::numeric >= (0)::numeric))
)
WITH (fillfactor='85');

-- Name: TABLE vente; Type: COMMENT; Schema: market

COMMENT ON TABLE market.vente IS 'Vente au comptoir : payée quand elle est faite, annulée en entier ou pas du tout.';

-- Name: COLUMN vente.date; Type: COMMENT; Schema: market

COMMENT ON COLUMN market.vente.date IS 'Instant de la vente, écrit par la base.';

-- Name: COLUMN vente.id_client; Type: COMMENT; Schema: market

COMMENT ON COLUMN market.vente.id_client IS 'Null pour un client de passage.';

-- Name: COLUMN vente.remise; Type: COMMENT; Schema: market

COMMENT ON COLUMN market.vente.remise IS 'Remise accordée, ramenée à la somme des lignes si elle la dépasse.';

-- Name: COLUMN vente.total; Type: COMMENT; Schema: market

COMMENT ON COLUMN market.vente.total IS 'Somme des lignes moins la remise, tenue par un déclencheur.';

-- Name: COLUMN vente.statut; Type: COMMENT; Schema: market

COMMENT ON COLUMN market.vente.statut IS 'PAYEE dès qu''elle est faite, puis ANNULEE si elle est défaite.';

-- Name: COLUMN vente.id_utilisateur; Type: COMMENT; Schema: market

COMMENT ON COLUMN market.vente.id_utilisateur IS 'Auteur : l''utilisateur de la requête, écrit par la base ; null hors de l''API.';

-- Name: CONSTRAINT vente_total_positif ON vente; Type: COMMENT; Schema: market

COMMENT ON CONSTRAINT vente_total_positif ON market.vente IS 'Le total d''une vente ne peut pas être négatif.';

-- Name: vente_id_vente_seq; Type: SEQUENCE; Schema: market

ALTER TABLE market.vente ALTER COLUMN id_vente ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME market.vente_id_vente_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

-- Name: vente_ligne; Type: TABLE; Schema: market

CREATE TABLE market.vente_ligne (
    id_ligne bigint NOT NULL,
    id_vente bigint NOT NULL,
    id_produit bigint NOT NULL,
    quantite core.quantite NOT NULL,
    prix_unitaire core.montant NOT NULL,
    prix_achat core.montant NOT NULL,
    total_ligne numeric(14,2) GENERATED ALWAYS AS (round(((quantite)::numeric * (prix_unitaire)::numeric), 2)) STORED NOT NULL
);

-- Name: TABLE vente_ligne; Type: COMMENT; Schema: market

COMMENT ON TABLE market.vente_ligne IS 'Ligne d''une vente, écrite juste avant elle : sa clé étrangère se vérifie à la fin de la transaction.';

-- Name: COLUMN vente_ligne.quantite; Type: COMMENT; Schema: market

COMMENT ON COLUMN market.vente_ligne.quantite IS 'Quantité vendue, deux décimales.';

-- Name: COLUMN vente_ligne.prix_unitaire; Type: COMMENT; Schema: market

COMMENT ON COLUMN market.vente_ligne.prix_unitaire IS 'Prix de vente du produit au moment de la vente.';

-- Name: COLUMN vente_ligne.prix_achat; Type: COMMENT; Schema: market

COMMENT ON COLUMN market.vente_ligne.prix_achat IS 'Prix d''achat du produit au moment de la vente, pour la marge.';

-- Name: COLUMN vente_ligne.total_ligne; Type: COMMENT; Schema: market

COMMENT ON COLUMN market.vente_ligne.total_ligne IS 'quantite × prix_unitaire, arrondi à deux décimales.';

-- Name: vente_ligne_id_ligne_seq; Type: SEQUENCE; Schema: market

ALTER TABLE market.vente_ligne ALTER COLUMN id_ligne ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME market.vente_ligne_id_ligne_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

-- Name: lecture; Type: TABLE; Schema: notification

CREATE TABLE notification.lecture (
    id_notification bigint NOT NULL,
    id_utilisateur bigint NOT NULL,
    date timestamp with time zone DEFAULT now() NOT NULL
);

-- Name: TABLE lecture; Type: COMMENT; Schema: notification

COMMENT ON TABLE notification.lecture IS 'Qui a lu quelle notification.';

-- Name: COLUMN lecture.id_utilisateur; Type: COMMENT; Schema: notification

COMMENT ON COLUMN notification.lecture.id_utilisateur IS 'Utilisateur qui l''a lue.';

-- Name: COLUMN lecture.date; Type: COMMENT; Schema: notification

COMMENT ON COLUMN notification.lecture.date IS 'Première lecture.';

-- Name: notification; Type: TABLE; Schema: notification

CREATE TABLE notification.notification (
    id_notification bigint NOT NULL,
    evenement text NOT NULL,
    priorite notification.priorite DEFAULT 'MEDIUM'::notification.priorite NOT NULL,
    titre core.libelle NOT NULL,
    corps core.texte NOT NULL,
    donnees jsonb DEFAULT '{}'::jsonb NOT NULL,
    permission auth.code_permission,
    id_caisse bigint,
    id_activite bigint,
    id_utilisateur bigint,
    date timestamp with time zone DEFAULT now() NOT NULL,
    stricte boolean DEFAULT false NOT NULL,
    CONSTRAINT evenement_mal_forme CHECK ((evenement ~ '^[a-z_]+(\.[a-z_]+)+$'::text))
);

-- Name: TABLE notification; Type: COMMENT; Schema: notification

COMMENT ON TABLE notification.notification IS 'Notification ; ses colonnes permission, caisse, activité et utilisateur disent qui la reçoit.';

-- Name: COLUMN notification.evenement; Type: COMMENT; Schema: notification

COMMENT ON COLUMN notification.notification.evenement IS 'Nom de l''événement, par exemple finances.tirage.ecart.';

-- Name: COLUMN notification.priorite; Type: COMMENT; Schema: notification

COMMENT ON COLUMN notification.notification.priorite IS 'LOW, MEDIUM, HIGH ou CRITICAL : à quel point elle presse.';

-- Name: COLUMN notification.titre; Type: COMMENT; Schema: notification

COMMENT ON COLUMN notification.notification.titre IS 'Ce qui s''affiche d''abord.';

-- Name: COLUMN notification.corps; Type: COMMENT; Schema: notification

COMMENT ON COLUMN notification.notification.corps IS 'Une phrase pour l''utilisateur.';

-- Name: COLUMN notification.donnees; Type: COMMENT; Schema: notification

COMMENT ON COLUMN notification.notification.donnees IS 'Ce dont il s''agit, par ses identifiants.';

-- Name: COLUMN notification.permission; Type: COMMENT; Schema: notification

COMMENT ON COLUMN notification.notification.permission IS 'Permission que le destinataire doit avoir, null pour tous.';

-- Name: COLUMN notification.id_caisse; Type: COMMENT; Schema: notification

COMMENT ON COLUMN notification.notification.id_caisse IS 'Réservée à cette caisse et aux utilisateurs sans caisse.';

-- Name: COLUMN notification.id_activite; Type: COMMENT; Schema: notification

COMMENT ON COLUMN notification.notification.id_activite IS 'Réservée à cette activité et aux utilisateurs sans limite d''activité.';

-- Name: COLUMN notification.id_utilisateur; Type: COMMENT; Schema: notification

COMMENT ON COLUMN notification.notification.id_utilisateur IS 'Adressée à cet utilisateur seul.';

-- Name: COLUMN notification.date; Type: COMMENT; Schema: notification

COMMENT ON COLUMN notification.notification.date IS 'Instant où elle est écrite ; les listes vont de la plus récente à la plus ancienne.';

-- Name: COLUMN notification.stricte; Type: COMMENT; Schema: notification

COMMENT ON COLUMN notification.notification.stricte IS 'Vrai si, sans caisse ou sans activité, elle n''est que pour ceux que ni caisse ni activité ne limitent.';

-- Name: CONSTRAINT evenement_mal_forme ON notification; Type: COMMENT; Schema: notification

COMMENT ON CONSTRAINT evenement_mal_forme ON notification.notification IS 'Un événement s''écrit domaine.sujet[.fait].';

-- Name: notification_id_notification_seq; Type: SEQUENCE; Schema: notification

ALTER TABLE notification.notification ALTER COLUMN id_notification ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME notification.notification_id_notification_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

-- Name: commande; Type: TABLE; Schema: pressing

CREATE TABLE pressing.commande (
    id_commande bigint NOT NULL,
    numero_commande text NOT NULL,
    id_client bigint NOT NULL,
    date_depot timestamp with time zone DEFAULT now() NOT NULL,
    date_retrait_prevue date,
    date_retrait_reelle timestamp with time zone,
    montant_total core.somme NOT NULL,
    statut pressing.statut_commande DEFAULT 'DEPOSE'::pressing.statut_commande NOT NULL,
    id_utilisateur bigint,
    CONSTRAINT commande_pressing_total_positif CHECK (((montant_total)::numeric >= (0)::numeric)),
    CONSTRAINT retrait_date CHECK (((statut = 'RETIRE'::pressing.statut_commande) = (date_retrait_reelle IS NOT NULL)))
);

-- Name: TABLE commande; Type: COMMENT; Schema: pressing

COMMENT ON TABLE pressing.commande IS 'Commande de pressing ; ce qui en est payé est sur sa facture.';

-- Name: COLUMN commande.numero_commande; Type: COMMENT; Schema: pressing

COMMENT ON COLUMN pressing.commande.numero_commande IS 'Numéro CPR-<AAAA>-<NNNN>, sans trou, donné à la dépose.';

-- Name: COLUMN commande.date_depot; Type: COMMENT; Schema: pressing

COMMENT ON COLUMN pressing.commande.date_depot IS 'Instant où le client a laissé son linge.';

-- Name: COLUMN commande.date_retrait_prevue; Type: COMMENT; Schema: pressing

COMMENT ON COLUMN pressing.commande.date_retrait_prevue IS 'Jour promis au client.';

-- Name: COLUMN commande.date_retrait_reelle; Type: COMMENT; Schema: pressing

COMMENT ON COLUMN pressing.commande.date_retrait_reelle IS 'Moment où le client a repris son linge.';

-- Name: COLUMN commande.montant_total; Type: COMMENT; Schema: pressing

COMMENT ON COLUMN pressing.commande.montant_total IS 'Somme des lignes, tenue par un déclencheur.';

-- Name: COLUMN commande.statut; Type: COMMENT; Schema: pressing

COMMENT ON COLUMN pressing.commande.statut IS 'DEPOSE, EN_TRAITEMENT, PRET, RETIRE, ou ANNULEE.';

-- Name: COLUMN commande.id_utilisateur; Type: COMMENT; Schema: pressing

COMMENT ON COLUMN pressing.commande.id_utilisateur IS 'Qui a reçu le linge.';

-- Name: CONSTRAINT commande_pressing_total_positif ON commande; Type: COMMENT; Schema: pressing

COMMENT ON CONSTRAINT commande_pressing_total_positif ON pressing.commande IS 'Le total d''une commande ne peut pas être négatif.';

-- Name: CONSTRAINT retrait_date ON commande; Type: COMMENT; Schema: pressing

COMMENT ON CONSTRAINT retrait_date ON pressing.commande IS 'Une commande retirée, et elle seule, porte la date de son retrait.';

-- Name: commande_id_commande_seq; Type: SEQUENCE; Schema: pressing

ALTER TABLE pressing.commande ALTER COLUMN id_commande ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME pressing.commande_id_commande_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

-- Name: commande_ligne; Type: TABLE; Schema: pressing

CREATE TABLE pressing.commande_ligne (
    id_ligne bigint NOT NULL,
    id_commande bigint NOT NULL,
    type_vetement core.libelle NOT NULL,
    quantite core.nombre NOT NULL,
    prestation core.libelle NOT NULL,
    tarif core.montant NOT NULL,
    total numeric(14,2) GENERATED ALWAYS AS (round(((quantite)::numeric * (tarif)::numeric), 2)) STORED NOT NULL
);

-- Name: TABLE commande_ligne; Type: COMMENT; Schema: pressing

COMMENT ON TABLE pressing.commande_ligne IS 'Linge déposé, écrit juste avant sa commande : sa clé étrangère se vérifie à la fin de la transaction.';

-- Name: COLUMN commande_ligne.type_vetement; Type: COMMENT; Schema: pressing

COMMENT ON COLUMN pressing.commande_ligne.type_vetement IS 'Par exemple « Chemise ».';

-- Name: COLUMN commande_ligne.quantite; Type: COMMENT; Schema: pressing

COMMENT ON COLUMN pressing.commande_ligne.quantite IS 'Nombre de pièces.';

-- Name: COLUMN commande_ligne.prestation; Type: COMMENT; Schema: pressing

COMMENT ON COLUMN pressing.commande_ligne.prestation IS 'Ce qui est fait du linge, par exemple « Lavage et repassage ».';

-- Name: COLUMN commande_ligne.tarif; Type: COMMENT; Schema: pressing

COMMENT ON COLUMN pressing.commande_ligne.tarif IS 'Prix d''une pièce.';

-- Name: COLUMN commande_ligne.total; Type: COMMENT; Schema: pressing

COMMENT ON COLUMN pressing.commande_ligne.total IS 'quantite × tarif, arrondi à deux décimales.';

-- Name: commande_ligne_id_ligne_seq; Type: SEQUENCE; Schema: pressing

ALTER TABLE pressing.commande_ligne ALTER COLUMN id_ligne ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME pressing.commande_ligne_id_ligne_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

-- Name: abonnement; Type: TABLE; Schema: residence

CREATE TABLE residence.abonnement (
    id_abonnement bigint NOT NULL,
    id_client bigint NOT NULL,
    id_logement bigint,
    id_categorie_abonnement bigint,
    service core.libelle NOT NULL,
    type residence.type_abonnement NOT NULL,
    montant core.montant NOT NULL,
    date_debut date NOT NULL,
    date_fin date,
    statut residence.statut_abonnement DEFAULT 'ACTIF'::residence.statut_abonnement NOT NULL,
    id_facture bigint NOT NULL,
    date_creation timestamp with time zone DEFAULT now() NOT NULL,
    CONSTRAINT abonnement_dates_ordonnees CHECK ((date_fin >= date_debut))
);

-- Name: TABLE abonnement; Type: COMMENT; Schema: residence

COMMENT ON TABLE residence.abonnement IS 'Abonnement d''un client à un service ; ce qui en est payé est dit par sa facture.';

-- Name: COLUMN abonnement.id_logement; Type: COMMENT; Schema: residence

COMMENT ON COLUMN residence.abonnement.id_logement IS 'Logement servi, null s''il n''y en a pas.';

-- Name: COLUMN abonnement.service; Type: COMMENT; Schema: residence

COMMENT ON COLUMN residence.abonnement.service IS 'Ce à quoi le client s''abonne, par exemple « Internet ».';

-- Name: COLUMN abonnement.type; Type: COMMENT; Schema: residence

COMMENT ON COLUMN residence.abonnement.type IS 'Rythme : MENSUEL, ANNUEL, ou PERIODIQUE, d''une date à une autre.';

-- Name: COLUMN abonnement.montant; Type: COMMENT; Schema: residence

COMMENT ON COLUMN residence.abonnement.montant IS 'Montant facturé à la souscription, en une fois.';

-- Name: COLUMN abonnement.date_debut; Type: COMMENT; Schema: residence

COMMENT ON COLUMN residence.abonnement.date_debut IS 'Premier jour couvert.';

-- Name: COLUMN abonnement.date_fin; Type: COMMENT; Schema: residence

COMMENT ON COLUMN residence.abonnement.date_fin IS 'Dernier jour, null sans terme.';

-- Name: COLUMN abonnement.statut; Type: COMMENT; Schema: residence

COMMENT ON COLUMN residence.abonnement.statut IS 'ACTIF, SUSPENDU, RESILIE, ou EXPIRE après le dernier jour.';

-- Name: COLUMN abonnement.id_facture; Type: COMMENT; Schema: residence

COMMENT ON COLUMN residence.abonnement.id_facture IS 'Facture de la dernière période facturée ; une autre la remplace quand le montant ou le client change avant tout paiement.';

-- Name: COLUMN abonnement.date_creation; Type: COMMENT; Schema: residence

COMMENT ON COLUMN residence.abonnement.date_creation IS 'Instant de l''enregistrement, écrit par la base.';

-- Name: CONSTRAINT abonnement_dates_ordonnees ON abonnement; Type: COMMENT; Schema: residence

COMMENT ON CONSTRAINT abonnement_dates_ordonnees ON residence.abonnement IS 'Un abonnement ne finit pas avant d''avoir commencé.';

-- Name: abonnement_id_abonnement_seq; Type: SEQUENCE; Schema: residence

ALTER TABLE residence.abonnement ALTER COLUMN id_abonnement ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME residence.abonnement_id_abonnement_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

-- Name: abonnement_periode; Type: TABLE; Schema: residence

CREATE TABLE residence.abonnement_periode (
    id_abonnement bigint NOT NULL,
    date_debut date NOT NULL,
    date_fin date,
    id_facture bigint,
    CONSTRAINT abonnement_periode_datee CHECK ((date_fin >= date_debut))
);

-- Name: TABLE abonnement_periode; Type: COMMENT; Schema: residence

COMMENT ON TABLE residence.abonnement_periode IS 'Périodes d''un abonnement qui ont commencé, une ligne chacune, écrite quand elle est facturée : mois ou années comptés de son premier jour, la durée entière d''un PERIODIQUE.';

-- Name: COLUMN abonnement_periode.date_debut; Type: COMMENT; Schema: residence

COMMENT ON COLUMN residence.abonnement_periode.date_debut IS 'Premier jour de la période.';

-- Name: COLUMN abonnement_periode.date_fin; Type: COMMENT; Schema: residence

COMMENT ON COLUMN residence.abonnement_periode.date_fin IS 'Dernier jour de la période ; null d''un PERIODIQUE sans fin.';

-- Name: COLUMN abonnement_periode.id_facture; Type: COMMENT; Schema: residence

COMMENT ON COLUMN residence.abonnement_periode.id_facture IS 'Sa facture, émise par la tâche de nuit ou avec l''abonnement ; null d''une période passée pendant une suspension, ou avant que les abonnements se facturent à chaque période.';

-- Name: CONSTRAINT abonnement_periode_datee ON abonnement_periode; Type: COMMENT; Schema: residence

COMMENT ON CONSTRAINT abonnement_periode_datee ON residence.abonnement_periode IS 'Une période finit après son début.';

-- Name: batiment; Type: TABLE; Schema: residence

CREATE TABLE residence.batiment (
    id_batiment bigint NOT NULL,
    code residence.code_batiment NOT NULL,
    nom core.libelle NOT NULL,
    adresse core.texte,
    actif boolean DEFAULT true NOT NULL,
    dernier_rang integer DEFAULT 0 NOT NULL
);

-- Name: TABLE batiment; Type: COMMENT; Schema: residence

COMMENT ON TABLE residence.batiment IS 'Bâtiment.';

-- Name: COLUMN batiment.code; Type: COMMENT; Schema: residence

COMMENT ON COLUMN residence.batiment.code IS 'Fin du numéro de ses logements, par exemple B dans GSG-CH01-B.';

-- Name: COLUMN batiment.adresse; Type: COMMENT; Schema: residence

COMMENT ON COLUMN residence.batiment.adresse IS 'Adresse des logements du bâtiment.';

-- Name: COLUMN batiment.actif; Type: COMMENT; Schema: residence

COMMENT ON COLUMN residence.batiment.actif IS 'Un bâtiment inactif garde ses logements et leurs contrats.';

-- Name: COLUMN batiment.dernier_rang; Type: COMMENT; Schema: residence

COMMENT ON COLUMN residence.batiment.dernier_rang IS 'Rang du dernier logement numéroté, tenu par un déclencheur.';

-- Name: batiment_id_batiment_seq; Type: SEQUENCE; Schema: residence

ALTER TABLE residence.batiment ALTER COLUMN id_batiment ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME residence.batiment_id_batiment_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

-- Name: categorie_charge; Type: TABLE; Schema: residence

CREATE TABLE residence.categorie_charge (
    id_categorie_charge bigint NOT NULL,
    libelle core.libelle NOT NULL,
    actif boolean DEFAULT true NOT NULL
);

-- Name: TABLE categorie_charge; Type: COMMENT; Schema: residence

COMMENT ON TABLE residence.categorie_charge IS 'Catégorie de charge refacturée (eau, électricité…) ; elle se désactive, elle ne se supprime pas.';

-- Name: COLUMN categorie_charge.actif; Type: COMMENT; Schema: residence

COMMENT ON COLUMN residence.categorie_charge.actif IS 'Une catégorie inactive ne se facture plus ; ses charges restent.';

-- Name: categorie_charge_id_categorie_charge_seq; Type: SEQUENCE; Schema: residence

ALTER TABLE residence.categorie_charge ALTER COLUMN id_categorie_charge ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME residence.categorie_charge_id_categorie_charge_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

-- Name: caution; Type: TABLE; Schema: residence

CREATE TABLE residence.caution (
    id_caution bigint NOT NULL,
    id_contrat bigint NOT NULL,
    montant core.montant_du_reglement NOT NULL,
    date_versement date,
    payee boolean GENERATED ALWAYS AS ((date_versement IS NOT NULL)) STORED NOT NULL,
    date_restitution date,
    montant_restitue core.montant,
    retenue core.montant,
    motif_retenue core.texte,
    statut residence.statut_caution GENERATED ALWAYS AS (
CASE
    WHEN (date_restitution IS NULL) THEN 'EN_COURS'::residence.statut_caution
    WHEN ((montant_restitue)::numeric > (0)::numeric) THEN 'RESTITUEE'::residence.statut_caution
    ELSE 'RETENUE'::residence.statut_caution
END) STORED NOT NULL,
    CONSTRAINT caution_equilibree CHECK ((((montant_restitue)::numeric + (retenue)::numeric) = (montant)::numeric)),
    CONSTRAINT caution_restitution_entiere CHECK ((((date_restitution IS NULL) = (montant_restitue IS NULL)) AND ((date_restitution IS NULL) = (retenue IS NULL))))
);

-- Name: TABLE caution; Type: COMMENT; Schema: residence

COMMENT ON TABLE residence.caution IS 'Caution d''un contrat.';

-- Name: COLUMN caution.montant; Type: COMMENT; Schema: residence

COMMENT ON COLUMN residence.caution.montant IS 'Montant de la caution ; une fois versée, ce qui l''a été.';

-- Name: COLUMN caution.date_versement; Type: COMMENT; Schema: residence

COMMENT ON COLUMN residence.caution.date_versement IS 'Null tant qu''elle n''est pas versée.';

-- Name: COLUMN caution.payee; Type: COMMENT; Schema: residence

COMMENT ON COLUMN residence.caution.payee IS 'Versée, par un encaissement ou sur déclaration.';

-- Name: COLUMN caution.date_restitution; Type: COMMENT; Schema: residence

COMMENT ON COLUMN residence.caution.date_restitution IS 'Null tant qu''elle n''est ni rendue ni retenue.';

-- Name: COLUMN caution.montant_restitue; Type: COMMENT; Schema: residence

COMMENT ON COLUMN residence.caution.montant_restitue IS 'Montant moins la retenue, null avant la restitution.';

-- Name: COLUMN caution.retenue; Type: COMMENT; Schema: residence

COMMENT ON COLUMN residence.caution.retenue IS 'Part gardée par l''entreprise, null avant la restitution.';

-- Name: COLUMN caution.motif_retenue; Type: COMMENT; Schema: residence

COMMENT ON COLUMN residence.caution.motif_retenue IS 'Pourquoi une part est gardée, null si tout est rendu.';

-- Name: COLUMN caution.statut; Type: COMMENT; Schema: residence

COMMENT ON COLUMN residence.caution.statut IS 'EN_COURS, puis RESTITUEE si quelque chose a été rendu, RETENUE si tout a été retenu.';

-- Name: CONSTRAINT caution_equilibree ON caution; Type: COMMENT; Schema: residence

COMMENT ON CONSTRAINT caution_equilibree ON residence.caution IS 'Le montant restitué et la retenue font le montant de la caution.';

-- Name: CONSTRAINT caution_restitution_entiere ON caution; Type: COMMENT; Schema: residence

COMMENT ON CONSTRAINT caution_restitution_entiere ON residence.caution IS 'Une restitution a sa date, son montant et sa retenue.';

-- Name: caution_evenement; Type: TABLE; Schema: residence

CREATE TABLE residence.caution_evenement (
    id_evenement bigint NOT NULL,
    id_caution bigint NOT NULL,
    evenement residence.evenement_caution NOT NULL,
    date timestamp with time zone DEFAULT now() NOT NULL,
    montant core.montant,
    motif core.texte,
    id_paiement bigint,
    id_utilisateur bigint
);

-- Name: TABLE caution_evenement; Type: COMMENT; Schema: residence

COMMENT ON TABLE residence.caution_evenement IS 'Histoire d''une caution, une ligne par fait.';

-- Name: COLUMN caution_evenement.evenement; Type: COMMENT; Schema: residence

COMMENT ON COLUMN residence.caution_evenement.evenement IS 'DECLARATION, VERSEMENT et RESTITUTION sont déclarés ; ENCAISSEMENT et REMBOURSEMENT passent par un paiement.';

-- Name: COLUMN caution_evenement.date; Type: COMMENT; Schema: residence

COMMENT ON COLUMN residence.caution_evenement.date IS 'Instant du fait.';

-- Name: COLUMN caution_evenement.montant; Type: COMMENT; Schema: residence

COMMENT ON COLUMN residence.caution_evenement.montant IS 'Somme en jeu, deux décimales.';

-- Name: COLUMN caution_evenement.motif; Type: COMMENT; Schema: residence

COMMENT ON COLUMN residence.caution_evenement.motif IS 'Explication, texte libre.';

-- Name: COLUMN caution_evenement.id_paiement; Type: COMMENT; Schema: residence

COMMENT ON COLUMN residence.caution_evenement.id_paiement IS 'Paiement d''un ENCAISSEMENT ou d''un REMBOURSEMENT, null pour ce qui est déclaré.';

-- Name: COLUMN caution_evenement.id_utilisateur; Type: COMMENT; Schema: residence

COMMENT ON COLUMN residence.caution_evenement.id_utilisateur IS 'Auteur : l''utilisateur de la requête, écrit par la base ; null hors de l''API.';

-- Name: caution_evenement_id_evenement_seq; Type: SEQUENCE; Schema: residence

ALTER TABLE residence.caution_evenement ALTER COLUMN id_evenement ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME residence.caution_evenement_id_evenement_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

-- Name: caution_id_caution_seq; Type: SEQUENCE; Schema: residence

ALTER TABLE residence.caution ALTER COLUMN id_caution ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME residence.caution_id_caution_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

-- Name: charge_facturee; Type: TABLE; Schema: residence

CREATE TABLE residence.charge_facturee (
    id_charge bigint NOT NULL,
    id_logement bigint NOT NULL,
    id_categorie_charge bigint NOT NULL,
    id_client bigint,
    periode core.periode NOT NULL,
    compteur_numero core.libelle,
    lecture_debut residence.releve,
    lecture_fin residence.releve,
    consommation residence.releve,
    montant core.montant NOT NULL,
    id_utilisateur bigint,
    date_creation timestamp with time zone DEFAULT now() NOT NULL,
    CONSTRAINT charge_sans_montant CHECK (((montant)::numeric > (0)::numeric)),
    CONSTRAINT releves_ordonnes CHECK (((lecture_fin)::numeric >= (lecture_debut)::numeric))
);

-- Name: TABLE charge_facturee; Type: COMMENT; Schema: residence

COMMENT ON TABLE residence.charge_facturee IS 'Charge d''un logement occupé, refacturée à qui l''occupe ; ce qui en est payé est dit par sa facture.';

-- Name: COLUMN charge_facturee.id_client; Type: COMMENT; Schema: residence

COMMENT ON COLUMN residence.charge_facturee.id_client IS 'Client qui occupait le logement : celui du bail actif, sinon celui du séjour en cours.';

-- Name: COLUMN charge_facturee.periode; Type: COMMENT; Schema: residence

COMMENT ON COLUMN residence.charge_facturee.periode IS 'Mois consommé, AAAA-MM.';

-- Name: COLUMN charge_facturee.compteur_numero; Type: COMMENT; Schema: residence

COMMENT ON COLUMN residence.charge_facturee.compteur_numero IS 'Numéro du compteur relevé.';

-- Name: COLUMN charge_facturee.lecture_debut; Type: COMMENT; Schema: residence

COMMENT ON COLUMN residence.charge_facturee.lecture_debut IS 'Relevé du compteur au début de la période.';

-- Name: COLUMN charge_facturee.lecture_fin; Type: COMMENT; Schema: residence

COMMENT ON COLUMN residence.charge_facturee.lecture_fin IS 'Relevé du compteur à la fin de la période.';

-- Name: COLUMN charge_facturee.consommation; Type: COMMENT; Schema: residence

COMMENT ON COLUMN residence.charge_facturee.consommation IS 'lecture_fin − lecture_debut, tenue par un déclencheur ; celle déclarée quand un relevé manque.';

-- Name: COLUMN charge_facturee.montant; Type: COMMENT; Schema: residence

COMMENT ON COLUMN residence.charge_facturee.montant IS 'Montant refacturé, saisi : il ne se déduit pas de la consommation.';

-- Name: COLUMN charge_facturee.id_utilisateur; Type: COMMENT; Schema: residence

COMMENT ON COLUMN residence.charge_facturee.id_utilisateur IS 'Auteur : l''utilisateur de la requête, écrit par la base ; null hors de l''API.';

-- Name: COLUMN charge_facturee.date_creation; Type: COMMENT; Schema: residence

COMMENT ON COLUMN residence.charge_facturee.date_creation IS 'Instant de l''enregistrement, écrit par la base.';

-- Name: CONSTRAINT charge_sans_montant ON charge_facturee; Type: COMMENT; Schema: residence

COMMENT ON CONSTRAINT charge_sans_montant ON residence.charge_facturee IS 'Le montant d''une charge doit être plus grand que zéro.';

-- Name: CONSTRAINT releves_ordonnes ON charge_facturee; Type: COMMENT; Schema: residence

COMMENT ON CONSTRAINT releves_ordonnes ON residence.charge_facturee IS 'Le relevé de fin ne peut pas être inférieur à celui de début.';

-- Name: charge_facturee_id_charge_seq; Type: SEQUENCE; Schema: residence

ALTER TABLE residence.charge_facturee ALTER COLUMN id_charge ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME residence.charge_facturee_id_charge_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

-- Name: contrat_location; Type: TABLE; Schema: residence

CREATE TABLE residence.contrat_location (
    id_contrat bigint NOT NULL,
    numero_contrat text NOT NULL,
    id_client bigint NOT NULL,
    id_logement bigint NOT NULL,
    date_debut date NOT NULL,
    date_fin_prevue date,
    duree_mois residence.duree_mois,
    type_location residence.type_location NOT NULL,
    loyer_initial core.montant_du_reglement NOT NULL,
    periodicite core.libelle,
    statut residence.statut_contrat DEFAULT 'EN_ATTENTE'::residence.statut_contrat NOT NULL,
    date_signature date,
    date_resiliation date,
    motif_resiliation core.texte,
    date_creation timestamp with time zone DEFAULT now() NOT NULL,
    id_utilisateur bigint,
    preavis boolean DEFAULT false NOT NULL,
    CONSTRAINT contrat_resilie_date CHECK (((statut = 'RESILIE'::residence.statut_contrat) = (date_resiliation IS NOT NULL))),
    CONSTRAINT debut_contrat_plausible CHECK (((date_debut >= '2000-01-01'::date) AND (date_debut <= '2100-01-01'::date))),
    CONSTRAINT fin_contrat_apres_debut CHECK ((date_fin_prevue >= date_debut)),
    CONSTRAINT fin_contrat_plausible CHECK (((date_fin_prevue - date_debut) <= 18300)),
    CONSTRAINT preavis_d_un_contrat_resilie CHECK (((NOT preavis) OR (statut = 'RESILIE'::residence.statut_contrat))),
    CONSTRAINT resiliation_apres_debut CHECK ((date_resiliation >= date_debut)),
    CONSTRAINT signature_avant_debut CHECK ((date_signature <= date_debut))
);

-- Name: TABLE contrat_location; Type: COMMENT; Schema: residence

COMMENT ON TABLE residence.contrat_location IS 'Contrat de location d''un logement à un client.';

-- Name: COLUMN contrat_location.numero_contrat; Type: COMMENT; Schema: residence

COMMENT ON COLUMN residence.contrat_location.numero_contrat IS 'Numéro CON-<AAAA>-<NNN>, sans trou, donné par la base.';

-- Name: COLUMN contrat_location.date_debut; Type: COMMENT; Schema: residence

COMMENT ON COLUMN residence.contrat_location.date_debut IS 'Premier jour de location.';

-- Name: COLUMN contrat_location.date_fin_prevue; Type: COMMENT; Schema: residence

COMMENT ON COLUMN residence.contrat_location.date_fin_prevue IS 'Dernier jour du contrat, null sans terme.';

-- Name: COLUMN contrat_location.duree_mois; Type: COMMENT; Schema: residence

COMMENT ON COLUMN residence.contrat_location.duree_mois IS 'Durée en mois ; donne la fin prévue qui manque.';

-- Name: COLUMN contrat_location.type_location; Type: COMMENT; Schema: residence

COMMENT ON COLUMN residence.contrat_location.type_location IS 'MENSUEL : une échéance par mois. ANNUEL : une par année civile.';

-- Name: COLUMN contrat_location.loyer_initial; Type: COMMENT; Schema: residence

COMMENT ON COLUMN residence.contrat_location.loyer_initial IS 'Loyer à la signature, du mois ou de l''année selon type_location ; residence.revision_loyer dit la suite.';

-- Name: COLUMN contrat_location.periodicite; Type: COMMENT; Schema: residence

COMMENT ON COLUMN residence.contrat_location.periodicite IS 'Texte libre imprimé sur le contrat ; type_location s''il n''est pas donné.';

-- Name: COLUMN contrat_location.statut; Type: COMMENT; Schema: residence

COMMENT ON COLUMN residence.contrat_location.statut IS 'EN_ATTENTE jusqu''à l''activation, ACTIF, puis RESILIE avant le terme ou TERMINE au terme.';

-- Name: COLUMN contrat_location.date_signature; Type: COMMENT; Schema: residence

COMMENT ON COLUMN residence.contrat_location.date_signature IS 'Jour où le contrat a été signé, null s''il ne l''est pas.';

-- Name: COLUMN contrat_location.date_resiliation; Type: COMMENT; Schema: residence

COMMENT ON COLUMN residence.contrat_location.date_resiliation IS 'Dernier jour dû d''un contrat résilié ; d''un contrat annulé avant d''être en vigueur, celui de son début.';

-- Name: COLUMN contrat_location.motif_resiliation; Type: COMMENT; Schema: residence

COMMENT ON COLUMN residence.contrat_location.motif_resiliation IS 'Pourquoi il a pris fin avant son terme, null sinon.';

-- Name: COLUMN contrat_location.date_creation; Type: COMMENT; Schema: residence

COMMENT ON COLUMN residence.contrat_location.date_creation IS 'Instant de l''enregistrement, écrit par la base.';

-- Name: COLUMN contrat_location.id_utilisateur; Type: COMMENT; Schema: residence

COMMENT ON COLUMN residence.contrat_location.id_utilisateur IS 'Auteur : l''utilisateur de la requête, écrit par la base ; null hors de l''API.';

-- Name: COLUMN contrat_location.preavis; Type: COMMENT; Schema: residence

COMMENT ON COLUMN residence.contrat_location.preavis IS 'Résilié pour un jour à venir : le logement est tenu jusque-là ; la tâche de nuit l''efface quand ce jour est passé.';

-- Name: CONSTRAINT contrat_resilie_date ON contrat_location; Type: COMMENT; Schema: residence

COMMENT ON CONSTRAINT contrat_resilie_date ON residence.contrat_location IS 'Un contrat résilié, et lui seul, a une date de résiliation.';

-- Name: CONSTRAINT debut_contrat_plausible ON contrat_location; Type: COMMENT; Schema: residence

COMMENT ON CONSTRAINT debut_contrat_plausible ON residence.contrat_location IS 'La date de début n''est pas plausible.';

-- Name: CONSTRAINT fin_contrat_apres_debut ON contrat_location; Type: COMMENT; Schema: residence

COMMENT ON CONSTRAINT fin_contrat_apres_debut ON residence.contrat_location IS 'Le contrat ne peut pas finir avant son début.';

-- Name: CONSTRAINT fin_contrat_plausible ON contrat_location; Type: COMMENT; Schema: residence

COMMENT ON CONSTRAINT fin_contrat_plausible ON residence.contrat_location IS 'Un contrat dure cinquante ans au plus.';

-- Name: CONSTRAINT preavis_d_un_contrat_resilie ON contrat_location; Type: COMMENT; Schema: residence

COMMENT ON CONSTRAINT preavis_d_un_contrat_resilie ON residence.contrat_location IS 'Un préavis court sur un contrat résilié.';

-- Name: CONSTRAINT resiliation_apres_debut ON contrat_location; Type: COMMENT; Schema: residence

COMMENT ON CONSTRAINT resiliation_apres_debut ON residence.contrat_location IS 'La résiliation ne peut pas précéder le début du contrat.';

-- Name: CONSTRAINT signature_avant_debut ON contrat_location; Type: COMMENT; Schema: residence

COMMENT ON CONSTRAINT signature_avant_debut ON residence.contrat_location IS 'La signature ne peut pas suivre le début du contrat.';

-- Name: contrat_location_id_contrat_seq; Type: SEQUENCE; Schema: residence

ALTER TABLE residence.contrat_location ALTER COLUMN id_contrat ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME residence.contrat_location_id_contrat_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

-- Name: echeance; Type: TABLE; Schema: residence

CREATE TABLE residence.echeance (
    id_echeance bigint NOT NULL,
    id_contrat bigint NOT NULL,
    date_echeance date NOT NULL,
    annee smallint GENERATED ALWAYS AS (EXTRACT(year FROM date_echeance)) STORED NOT NULL,
    mois smallint GENERATED ALWAYS AS (EXTRACT(month FROM date_echeance)) STORED NOT NULL,
    date_fin date NOT NULL,
    montant core.montant NOT NULL,
    montant_paye core.montant DEFAULT 0 NOT NULL,
    id_paiement bigint,
    annulee boolean DEFAULT false NOT NULL,
    montant_du numeric(14,2),
    CONSTRAINT echeance_annulee_impayee CHECK (((NOT annulee) OR ((montant_paye)::numeric = (0)::numeric))),
    CONSTRAINT echeance_datee CHECK ((date_fin >= date_echeance)),
    CONSTRAINT echeance_due_positive CHECK ((montant_du >= (0)::numeric)),
    CONSTRAINT echeance_surpayee CHECK (((montant_paye)::numeric <= (montant)::numeric))
);

-- Name: TABLE echeance; Type: COMMENT; Schema: residence

COMMENT ON TABLE residence.echeance IS 'Loyer d''un mois, ou d''une année civile, d''un contrat. Son état se déduit de ses montants et du jour.';

-- Name: COLUMN echeance.date_echeance; Type: COMMENT; Schema: residence

COMMENT ON COLUMN residence.echeance.date_echeance IS 'Premier jour couvert, où le loyer est dû.';

-- Name: COLUMN echeance.annee; Type: COMMENT; Schema: residence

COMMENT ON COLUMN residence.echeance.annee IS 'Année de date_echeance.';

-- Name: COLUMN echeance.mois; Type: COMMENT; Schema: residence

COMMENT ON COLUMN residence.echeance.mois IS 'Mois de date_echeance, de 1 à 12.';

-- Name: COLUMN echeance.date_fin; Type: COMMENT; Schema: residence

COMMENT ON COLUMN residence.echeance.date_fin IS 'Dernier jour couvert ; d''une échéance que la résiliation écourte, celui de la résiliation.';

-- Name: COLUMN echeance.montant; Type: COMMENT; Schema: residence

COMMENT ON COLUMN residence.echeance.montant IS 'Loyer, au prorata des jours pour un mois ou une année incomplets.';

-- Name: COLUMN echeance.montant_paye; Type: COMMENT; Schema: residence

COMMENT ON COLUMN residence.echeance.montant_paye IS 'Payé par la facture de l''échéance, tenu par un déclencheur.';

-- Name: COLUMN echeance.id_paiement; Type: COMMENT; Schema: residence

COMMENT ON COLUMN residence.echeance.id_paiement IS 'Dernier paiement, tenu par un déclencheur.';

-- Name: COLUMN echeance.annulee; Type: COMMENT; Schema: residence

COMMENT ON COLUMN residence.echeance.annulee IS 'Plus rien n''en est dû et rien n''en est payé, tenu par un déclencheur.';

-- Name: COLUMN echeance.montant_du; Type: COMMENT; Schema: residence

COMMENT ON COLUMN residence.echeance.montant_du IS 'Ce qui reste dû de l''échéance d''un contrat résilié ou annulé, écrit par l''opération ; null tant qu''elle est due entière. Payé au-delà : à rembourser.';

-- Name: CONSTRAINT echeance_annulee_impayee ON echeance; Type: COMMENT; Schema: residence

COMMENT ON CONSTRAINT echeance_annulee_impayee ON residence.echeance IS 'Une échéance payée ne s''annule pas.';

-- Name: CONSTRAINT echeance_datee ON echeance; Type: COMMENT; Schema: residence

COMMENT ON CONSTRAINT echeance_datee ON residence.echeance IS 'Une échéance finit après son début.';

-- Name: CONSTRAINT echeance_due_positive ON echeance; Type: COMMENT; Schema: residence

COMMENT ON CONSTRAINT echeance_due_positive ON residence.echeance IS 'Ce qui est dû d''une échéance est zéro ou plus.';

-- Name: CONSTRAINT echeance_surpayee ON echeance; Type: COMMENT; Schema: residence

COMMENT ON CONSTRAINT echeance_surpayee ON residence.echeance IS 'Le paiement dépasse le reste à payer de l''échéance.';

-- Name: echeance_id_echeance_seq; Type: SEQUENCE; Schema: residence

ALTER TABLE residence.echeance ALTER COLUMN id_echeance ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME residence.echeance_id_echeance_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

-- Name: etat_des_lieux; Type: TABLE; Schema: residence

CREATE TABLE residence.etat_des_lieux (
    id_photo bigint NOT NULL,
    id_contrat bigint NOT NULL,
    type residence.type_etat_des_lieux NOT NULL,
    piece core.libelle,
    cle_objet core.cle_objet NOT NULL,
    commentaire core.texte,
    id_utilisateur bigint,
    date_ajout timestamp with time zone DEFAULT now() NOT NULL,
    CONSTRAINT photo_d_une_autre_categorie CHECK (((cle_objet)::text ~ '^etat-lieux/'::text)),
    CONSTRAINT piece_trop_longue CHECK ((char_length((piece)::text) <= 100))
);

-- Name: TABLE etat_des_lieux; Type: COMMENT; Schema: residence

COMMENT ON TABLE residence.etat_des_lieux IS 'Photo d''un état des lieux, d''entrée ou de sortie.';

-- Name: COLUMN etat_des_lieux.type; Type: COMMENT; Schema: residence

COMMENT ON COLUMN residence.etat_des_lieux.type IS 'ENTREE ou SORTIE.';

-- Name: COLUMN etat_des_lieux.piece; Type: COMMENT; Schema: residence

COMMENT ON COLUMN residence.etat_des_lieux.piece IS 'Pièce ou endroit photographié.';

-- Name: COLUMN etat_des_lieux.cle_objet; Type: COMMENT; Schema: residence

COMMENT ON COLUMN residence.etat_des_lieux.cle_objet IS 'Clé du fichier déposé, catégorie etat-lieux.';

-- Name: COLUMN etat_des_lieux.commentaire; Type: COMMENT; Schema: residence

COMMENT ON COLUMN residence.etat_des_lieux.commentaire IS 'Ce que montre la photo, texte libre.';

-- Name: COLUMN etat_des_lieux.id_utilisateur; Type: COMMENT; Schema: residence

COMMENT ON COLUMN residence.etat_des_lieux.id_utilisateur IS 'Qui a ajouté la photo.';

-- Name: COLUMN etat_des_lieux.date_ajout; Type: COMMENT; Schema: residence

COMMENT ON COLUMN residence.etat_des_lieux.date_ajout IS 'Instant du dépôt de la photo, écrit par la base.';

-- Name: CONSTRAINT photo_d_une_autre_categorie ON etat_des_lieux; Type: COMMENT; Schema: residence

COMMENT ON CONSTRAINT photo_d_une_autre_categorie ON residence.etat_des_lieux IS 'La photo doit avoir été déposée dans la catégorie etat-lieux.';

-- Name: CONSTRAINT piece_trop_longue ON etat_des_lieux; Type: COMMENT; Schema: residence

COMMENT ON CONSTRAINT piece_trop_longue ON residence.etat_des_lieux IS 'Le nom de la pièce compte 100 caractères au plus.';

-- Name: etat_des_lieux_id_photo_seq; Type: SEQUENCE; Schema: residence

ALTER TABLE residence.etat_des_lieux ALTER COLUMN id_photo ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME residence.etat_des_lieux_id_photo_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

-- Name: logement; Type: TABLE; Schema: residence

CREATE TABLE residence.logement (
    id_logement bigint NOT NULL,
    numero core.libelle NOT NULL,
    nom core.libelle,
    type residence.type_logement NOT NULL,
    tarif core.montant NOT NULL,
    equipements core.texte,
    statut residence.statut_logement DEFAULT 'DISPONIBLE'::residence.statut_logement NOT NULL,
    etat core.texte,
    id_batiment bigint NOT NULL
);

-- Name: TABLE logement; Type: COMMENT; Schema: residence

COMMENT ON TABLE residence.logement IS 'Logement à louer.';

-- Name: COLUMN logement.numero; Type: COMMENT; Schema: residence

COMMENT ON COLUMN residence.logement.numero IS 'Numéro donné par la base, <ORG>-<TYPE><NN>-<CODE DU BÂTIMENT> (GSG-CH01-B), ou saisi à la création ; il ne change jamais.';

-- Name: COLUMN logement.nom; Type: COMMENT; Schema: residence

COMMENT ON COLUMN residence.logement.nom IS 'Nom d''usage, facultatif.';

-- Name: COLUMN logement.type; Type: COMMENT; Schema: residence

COMMENT ON COLUMN residence.logement.type IS 'CHAMBRE, STUDIO, APPARTEMENT ou MEUBLE.';

-- Name: COLUMN logement.tarif; Type: COMMENT; Schema: residence

COMMENT ON COLUMN residence.logement.tarif IS 'Loyer ou prix indicatif.';

-- Name: COLUMN logement.equipements; Type: COMMENT; Schema: residence

COMMENT ON COLUMN residence.logement.equipements IS 'Ce qui s''y trouve, en texte libre.';

-- Name: COLUMN logement.statut; Type: COMMENT; Schema: residence

COMMENT ON COLUMN residence.logement.statut IS 'Disponibilité ; les contrats et les séjours la changent, ou quelqu''un, par les passages de core.transition.';

-- Name: COLUMN logement.etat; Type: COMMENT; Schema: residence

COMMENT ON COLUMN residence.logement.etat IS 'État constaté, en texte libre.';

-- Name: logement_id_logement_seq; Type: SEQUENCE; Schema: residence

ALTER TABLE residence.logement ALTER COLUMN id_logement ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME residence.logement_id_logement_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

-- Name: occupation; Type: TABLE; Schema: residence

CREATE TABLE residence.occupation (
    id_occupation bigint NOT NULL,
    id_logement bigint NOT NULL,
    periode tstzrange NOT NULL,
    id_contrat bigint,
    id_sejour bigint,
    CONSTRAINT occupation_non_vide CHECK ((NOT isempty(periode))),
    CONSTRAINT occupation_un_titre CHECK ((num_nonnulls(id_contrat, id_sejour) = 1))
);

-- Name: TABLE occupation; Type: COMMENT; Schema: residence

COMMENT ON TABLE residence.occupation IS 'Qui tient un logement, et quand : une ligne par contrat et par séjour qui le tient ou l''a tenu, écrite par leurs déclencheurs.';

-- Name: COLUMN occupation.periode; Type: COMMENT; Schema: residence

COMMENT ON COLUMN residence.occupation.periode IS 'Du premier instant au dernier, exclu ; sans fin pour un contrat sans terme.';

-- Name: COLUMN occupation.id_contrat; Type: COMMENT; Schema: residence

COMMENT ON COLUMN residence.occupation.id_contrat IS 'Contrat qui tient le logement, null pour un séjour.';

-- Name: COLUMN occupation.id_sejour; Type: COMMENT; Schema: residence

COMMENT ON COLUMN residence.occupation.id_sejour IS 'Séjour qui tient le logement, null pour un contrat.';

-- Name: CONSTRAINT occupation_non_vide ON occupation; Type: COMMENT; Schema: residence

COMMENT ON CONSTRAINT occupation_non_vide ON residence.occupation IS 'Une occupation a une durée.';

-- Name: CONSTRAINT occupation_un_titre ON occupation; Type: COMMENT; Schema: residence

COMMENT ON CONSTRAINT occupation_un_titre ON residence.occupation IS 'Une occupation vient d''un contrat ou d''un séjour.';

-- Name: occupation_id_occupation_seq; Type: SEQUENCE; Schema: residence

ALTER TABLE residence.occupation ALTER COLUMN id_occupation ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME residence.occupation_id_occupation_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

-- Name: revision_loyer; Type: TABLE; Schema: residence

CREATE TABLE residence.revision_loyer (
    id_revision bigint NOT NULL,
    id_contrat bigint NOT NULL,
    ancien_montant core.montant NOT NULL,
    nouveau_montant core.montant_du_reglement NOT NULL,
    date_effet date NOT NULL,
    motif core.texte,
    date_creation timestamp with time zone DEFAULT now() NOT NULL,
    id_utilisateur bigint
);

-- Name: TABLE revision_loyer; Type: COMMENT; Schema: residence

COMMENT ON TABLE residence.revision_loyer IS 'Loyer d''un contrat à partir d''une date ; à date égale la dernière ligne vaut.';

-- Name: COLUMN revision_loyer.ancien_montant; Type: COMMENT; Schema: residence

COMMENT ON COLUMN residence.revision_loyer.ancien_montant IS 'Loyer d''avant la révision.';

-- Name: COLUMN revision_loyer.nouveau_montant; Type: COMMENT; Schema: residence

COMMENT ON COLUMN residence.revision_loyer.nouveau_montant IS 'Loyer à partir de date_effet.';

-- Name: COLUMN revision_loyer.date_effet; Type: COMMENT; Schema: residence

COMMENT ON COLUMN residence.revision_loyer.date_effet IS 'Premier jour du nouveau loyer ; les échéances impayées de ce jour ou d''après le prennent.';

-- Name: COLUMN revision_loyer.motif; Type: COMMENT; Schema: residence

COMMENT ON COLUMN residence.revision_loyer.motif IS 'Pourquoi le loyer change, texte libre.';

-- Name: COLUMN revision_loyer.date_creation; Type: COMMENT; Schema: residence

COMMENT ON COLUMN residence.revision_loyer.date_creation IS 'Instant de l''enregistrement, écrit par la base.';

-- Name: COLUMN revision_loyer.id_utilisateur; Type: COMMENT; Schema: residence

COMMENT ON COLUMN residence.revision_loyer.id_utilisateur IS 'Auteur : l''utilisateur de la requête, écrit par la base ; null hors de l''API.';

-- Name: revision_loyer_id_revision_seq; Type: SEQUENCE; Schema: residence

ALTER TABLE residence.revision_loyer ALTER COLUMN id_revision ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME residence.revision_loyer_id_revision_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

-- Name: sejour_court; Type: TABLE; Schema: residence

CREATE TABLE residence.sejour_court (
    id_sejour bigint NOT NULL,
    type_prestation residence.type_prestation_sejour NOT NULL,
    id_client bigint,
    id_logement bigint NOT NULL,
    date_heure_arrivee timestamp with time zone NOT NULL,
    date_heure_depart_prevue timestamp with time zone NOT NULL,
    date_heure_depart_reelle timestamp with time zone,
    duree core.libelle,
    tarif core.montant NOT NULL,
    montant_total core.somme NOT NULL,
    id_moyen_paiement bigint,
    statut residence.statut_sejour DEFAULT 'EN_COURS'::residence.statut_sejour NOT NULL,
    id_utilisateur bigint,
    date_creation timestamp with time zone DEFAULT now() NOT NULL,
    CONSTRAINT depart_prevu_ordonne CHECK ((date_heure_depart_prevue > date_heure_arrivee)),
    CONSTRAINT depart_reel_ordonne CHECK ((date_heure_depart_reelle >= date_heure_arrivee)),
    CONSTRAINT sejour_total_positif CHECK (((montant_total)::numeric >= (0)::numeric))
)
WITH (fillfactor='85');

-- Name: TABLE sejour_court; Type: COMMENT; Schema: residence

COMMENT ON TABLE residence.sejour_court IS 'Court séjour. Soldé, il est TERMINE même si le client est encore là : le logement reste tenu jusqu''au départ prévu, ou jusqu''au départ réel s''il vient plus tôt.';

-- Name: COLUMN sejour_court.type_prestation; Type: COMMENT; Schema: residence

COMMENT ON COLUMN residence.sejour_court.type_prestation IS 'NUITEE, une nuit ou plus, ou SIESTE, arrivée et départ le même jour.';

-- Name: COLUMN sejour_court.id_client; Type: COMMENT; Schema: residence

COMMENT ON COLUMN residence.sejour_court.id_client IS 'Null pour un client de passage qui n''est pas enregistré.';

-- Name: COLUMN sejour_court.date_heure_arrivee; Type: COMMENT; Schema: residence

COMMENT ON COLUMN residence.sejour_court.date_heure_arrivee IS 'Instant de l''arrivée.';

-- Name: COLUMN sejour_court.date_heure_depart_prevue; Type: COMMENT; Schema: residence

COMMENT ON COLUMN residence.sejour_court.date_heure_depart_prevue IS 'Sans précision : le lendemain à 12 h pour une nuitée, la fin du jour pour une sieste.';

-- Name: COLUMN sejour_court.date_heure_depart_reelle; Type: COMMENT; Schema: residence

COMMENT ON COLUMN residence.sejour_court.date_heure_depart_reelle IS 'Le client est parti : le logement est libéré.';

-- Name: COLUMN sejour_court.duree; Type: COMMENT; Schema: residence

COMMENT ON COLUMN residence.sejour_court.duree IS 'Durée en toutes lettres, pour l''affichage.';

-- Name: COLUMN sejour_court.tarif; Type: COMMENT; Schema: residence

COMMENT ON COLUMN residence.sejour_court.tarif IS 'Prix d''une nuit, ou de la sieste.';

-- Name: COLUMN sejour_court.montant_total; Type: COMMENT; Schema: residence

COMMENT ON COLUMN residence.sejour_court.montant_total IS 'tarif × nuits prévues pour une nuitée, tarif pour une sieste ; tenu par un déclencheur.';

-- Name: COLUMN sejour_court.id_moyen_paiement; Type: COMMENT; Schema: residence

COMMENT ON COLUMN residence.sejour_court.id_moyen_paiement IS 'Moyen du dernier paiement, ou celui annoncé.';

-- Name: COLUMN sejour_court.statut; Type: COMMENT; Schema: residence

COMMENT ON COLUMN residence.sejour_court.statut IS 'EN_COURS, TERMINE une fois soldé ou clos au départ, ou ANNULE.';

-- Name: COLUMN sejour_court.id_utilisateur; Type: COMMENT; Schema: residence

COMMENT ON COLUMN residence.sejour_court.id_utilisateur IS 'Auteur : l''utilisateur de la requête, écrit par la base ; null hors de l''API.';

-- Name: COLUMN sejour_court.date_creation; Type: COMMENT; Schema: residence

COMMENT ON COLUMN residence.sejour_court.date_creation IS 'Instant de l''enregistrement, écrit par la base.';

-- Name: CONSTRAINT depart_prevu_ordonne ON sejour_court; Type: COMMENT; Schema: residence

COMMENT ON CONSTRAINT depart_prevu_ordonne ON residence.sejour_court IS 'Le départ prévu doit suivre l''arrivée.';

-- Name: CONSTRAINT depart_reel_ordonne ON sejour_court; Type: COMMENT; Schema: residence

COMMENT ON CONSTRAINT depart_reel_ordonne ON residence.sejour_court IS 'Le départ ne peut pas précéder l''arrivée.';

-- Name: CONSTRAINT sejour_total_positif ON sejour_court; Type: COMMENT; Schema: residence

COMMENT ON CONSTRAINT sejour_total_positif ON residence.sejour_court IS 'Le total d''un séjour ne peut pas être négatif.';

-- Name: sejour_court_id_sejour_seq; Type: SEQUENCE; Schema: residence

ALTER TABLE residence.sejour_court ALTER COLUMN id_sejour ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME residence.sejour_court_id_sejour_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

-- Name: categorie_plat; Type: TABLE; Schema: restaurant

CREATE TABLE restaurant.categorie_plat (
    id_categorie_plat bigint NOT NULL,
    libelle core.libelle NOT NULL
);

-- Name: TABLE categorie_plat; Type: COMMENT; Schema: restaurant

COMMENT ON TABLE restaurant.categorie_plat IS 'Catégorie de plats.';

-- Name: categorie_plat_id_categorie_plat_seq; Type: SEQUENCE; Schema: restaurant

ALTER TABLE restaurant.categorie_plat ALTER COLUMN id_categorie_plat ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME restaurant.categorie_plat_id_categorie_plat_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

-- Name: commande; Type: TABLE; Schema: restaurant

CREATE TABLE restaurant.commande (
    id_commande bigint NOT NULL,
    date timestamp with time zone DEFAULT now() NOT NULL,
    id_client bigint,
    type restaurant.type_commande NOT NULL,
    total core.somme DEFAULT 0 NOT NULL,
    statut restaurant.statut_commande DEFAULT 'EN_COURS'::restaurant.statut_commande NOT NULL,
    id_utilisateur bigint,
    CONSTRAINT commande_restaurant_total_positif CHECK (((total)::numeric >= (0)::numeric))
)
WITH (fillfactor='85');

-- Name: TABLE commande; Type: COMMENT; Schema: restaurant

COMMENT ON TABLE restaurant.commande IS 'Commande du restaurant, payée en entier quand elle est passée.';

-- Name: COLUMN commande.date; Type: COMMENT; Schema: restaurant

COMMENT ON COLUMN restaurant.commande.date IS 'Instant de la commande, écrit par la base.';

-- Name: COLUMN commande.id_client; Type: COMMENT; Schema: restaurant

COMMENT ON COLUMN restaurant.commande.id_client IS 'Null pour un client de passage.';

-- Name: COLUMN commande.type; Type: COMMENT; Schema: restaurant

COMMENT ON COLUMN restaurant.commande.type IS 'SUR_PLACE, A_EMPORTER ou LIVRAISON.';

-- Name: COLUMN commande.total; Type: COMMENT; Schema: restaurant

COMMENT ON COLUMN restaurant.commande.total IS 'Somme des lignes, tenue par un déclencheur.';

-- Name: COLUMN commande.statut; Type: COMMENT; Schema: restaurant

COMMENT ON COLUMN restaurant.commande.statut IS 'Avancement en cuisine et en salle ; l''argent, lui, est reçu à la commande.';

-- Name: COLUMN commande.id_utilisateur; Type: COMMENT; Schema: restaurant

COMMENT ON COLUMN restaurant.commande.id_utilisateur IS 'Auteur : l''utilisateur de la requête, écrit par la base ; null hors de l''API.';

-- Name: CONSTRAINT commande_restaurant_total_positif ON commande; Type: COMMENT; Schema: restaurant

COMMENT ON CONSTRAINT commande_restaurant_total_positif ON restaurant.commande IS 'Le total d''une commande ne peut pas être négatif.';

-- Name: commande_id_commande_seq; Type: SEQUENCE; Schema: restaurant

ALTER TABLE restaurant.commande ALTER COLUMN id_commande ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME restaurant.commande_id_commande_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

-- Name: commande_ligne; Type: TABLE; Schema: restaurant

CREATE TABLE restaurant.commande_ligne (
    id_ligne bigint NOT NULL,
    id_commande bigint NOT NULL,
    id_plat bigint NOT NULL,
    quantite core.nombre NOT NULL,
    prix_unitaire core.montant NOT NULL,
    total numeric(14,2) GENERATED ALWAYS AS (round(((quantite)::numeric * (prix_unitaire)::numeric), 2)) STORED NOT NULL
);

-- Name: TABLE commande_ligne; Type: COMMENT; Schema: restaurant

COMMENT ON TABLE restaurant.commande_ligne IS 'Ligne d''une commande, écrite juste avant elle : sa clé étrangère se vérifie à la fin de la transaction.';

-- Name: COLUMN commande_ligne.quantite; Type: COMMENT; Schema: restaurant

COMMENT ON COLUMN restaurant.commande_ligne.quantite IS 'Portions commandées, deux décimales.';

-- Name: COLUMN commande_ligne.prix_unitaire; Type: COMMENT; Schema: restaurant

COMMENT ON COLUMN restaurant.commande_ligne.prix_unitaire IS 'Prix du plat au moment de la commande.';

-- Name: COLUMN commande_ligne.total; Type: COMMENT; Schema: restaurant

COMMENT ON COLUMN restaurant.commande_ligne.total IS 'quantite × prix_unitaire, arrondi à deux décimales.';

-- Name: commande_ligne_id_ligne_seq; Type: SEQUENCE; Schema: restaurant

ALTER TABLE restaurant.commande_ligne ALTER COLUMN id_ligne ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME restaurant.commande_ligne_id_ligne_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

-- Name: plat; Type: TABLE; Schema: restaurant

CREATE TABLE restaurant.plat (
    id_plat bigint NOT NULL,
    nom core.libelle NOT NULL,
    id_categorie_plat bigint,
    prix core.montant NOT NULL,
    disponible boolean DEFAULT true NOT NULL,
    description core.texte,
    image_url core.cle_objet
);

-- Name: TABLE plat; Type: COMMENT; Schema: restaurant

COMMENT ON TABLE restaurant.plat IS 'Plat de la carte.';

-- Name: COLUMN plat.prix; Type: COMMENT; Schema: restaurant

COMMENT ON COLUMN restaurant.plat.prix IS 'Prix à la carte ; les commandes passées gardent le leur.';

-- Name: COLUMN plat.disponible; Type: COMMENT; Schema: restaurant

COMMENT ON COLUMN restaurant.plat.disponible IS 'Un plat indisponible reste à la carte et ne se commande pas.';

-- Name: COLUMN plat.description; Type: COMMENT; Schema: restaurant

COMMENT ON COLUMN restaurant.plat.description IS 'Ce que le client en lit sur la carte.';

-- Name: COLUMN plat.image_url; Type: COMMENT; Schema: restaurant

COMMENT ON COLUMN restaurant.plat.image_url IS 'Clé de la photo déposée.';

-- Name: plat_id_plat_seq; Type: SEQUENCE; Schema: restaurant

ALTER TABLE restaurant.plat ALTER COLUMN id_plat ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME restaurant.plat_id_plat_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

-- Name: element_salaire; Type: TABLE; Schema: rh

CREATE TABLE rh.element_salaire (
    id_element bigint NOT NULL,
    id_paie bigint NOT NULL,
    type rh.type_element NOT NULL,
    libelle core.libelle NOT NULL,
    montant core.montant_signe NOT NULL,
    CONSTRAINT element_montant CHECK (
CASE
    WHEN (type = ANY (ARRAY['AVANCE'::rh.type_element, 'RETENUE'::rh.type_element])) THEN ((montant)::numeric < (0)::numeric)
    WHEN (type = 'AUTRE'::rh.type_element) THEN ((montant)::numeric <> (0)::numeric)
    ELSE ((montant)::numeric > (0)::numeric)
END)
);

-- Name: TABLE element_salaire; Type: COMMENT; Schema: rh

COMMENT ON TABLE rh.element_salaire IS 'Ce qui s''ajoute à un salaire ou s''en déduit.';

-- Name: COLUMN element_salaire.type; Type: COMMENT; Schema: rh

COMMENT ON COLUMN rh.element_salaire.type IS 'PRIME et HEURE_SUP s''ajoutent, AVANCE et RETENUE se déduisent, AUTRE fait l''un ou l''autre selon son signe.';

-- Name: COLUMN element_salaire.libelle; Type: COMMENT; Schema: rh

COMMENT ON COLUMN rh.element_salaire.libelle IS 'Raison de la somme, telle que le bulletin l''imprime.';

-- Name: COLUMN element_salaire.montant; Type: COMMENT; Schema: rh

COMMENT ON COLUMN rh.element_salaire.montant IS 'Signé : une avance et une retenue sont négatives.';

-- Name: CONSTRAINT element_montant ON element_salaire; Type: COMMENT; Schema: rh

COMMENT ON CONSTRAINT element_montant ON rh.element_salaire IS 'Le montant d''un élément n''est pas nul ; une prime et des heures supplémentaires sont positives.';

-- Name: element_salaire_id_element_seq; Type: SEQUENCE; Schema: rh

ALTER TABLE rh.element_salaire ALTER COLUMN id_element ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME rh.element_salaire_id_element_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

-- Name: employe; Type: TABLE; Schema: rh

CREATE TABLE rh.employe (
    id_employe bigint NOT NULL,
    code text NOT NULL,
    nom core.libelle NOT NULL,
    prenom core.libelle NOT NULL,
    telephone core.telephone,
    fonction rh.fonction NOT NULL,
    id_service bigint,
    date_embauche date NOT NULL,
    type_contrat rh.type_contrat NOT NULL,
    salaire_base core.montant NOT NULL,
    statut rh.statut_employe DEFAULT 'ACTIF'::rh.statut_employe NOT NULL,
    autres_infos core.texte,
    id_utilisateur bigint,
    date_sortie date,
    CONSTRAINT sortie_avant_embauche CHECK ((date_sortie >= date_embauche))
);

-- Name: TABLE employe; Type: COMMENT; Schema: rh

COMMENT ON TABLE rh.employe IS 'Employé ; jamais effacé, il devient INACTIF.';

-- Name: COLUMN employe.code; Type: COMMENT; Schema: rh

COMMENT ON COLUMN rh.employe.code IS 'Code <ORG>-EMP-<NNN>, donné par la base.';

-- Name: COLUMN employe.fonction; Type: COMMENT; Schema: rh

COMMENT ON COLUMN rh.employe.fonction IS 'Métier de l''employé dans l''entreprise.';

-- Name: COLUMN employe.id_service; Type: COMMENT; Schema: rh

COMMENT ON COLUMN rh.employe.id_service IS 'Service présent, null s''il n''en a pas.';

-- Name: COLUMN employe.date_embauche; Type: COMMENT; Schema: rh

COMMENT ON COLUMN rh.employe.date_embauche IS 'Premier jour de travail, payé.';

-- Name: COLUMN employe.type_contrat; Type: COMMENT; Schema: rh

COMMENT ON COLUMN rh.employe.type_contrat IS 'Nature de son contrat de travail.';

-- Name: COLUMN employe.salaire_base; Type: COMMENT; Schema: rh

COMMENT ON COLUMN rh.employe.salaire_base IS 'Salaire mensuel de base.';

-- Name: COLUMN employe.statut; Type: COMMENT; Schema: rh

COMMENT ON COLUMN rh.employe.statut IS 'Seul un employé ACTIF pointe et reçoit les bulletins du mois.';

-- Name: COLUMN employe.autres_infos; Type: COMMENT; Schema: rh

COMMENT ON COLUMN rh.employe.autres_infos IS 'Note libre.';

-- Name: COLUMN employe.id_utilisateur; Type: COMMENT; Schema: rh

COMMENT ON COLUMN rh.employe.id_utilisateur IS 'Son compte, null s''il n''en a pas ; lié par l''administration des comptes.';

-- Name: COLUMN employe.date_sortie; Type: COMMENT; Schema: rh

COMMENT ON COLUMN rh.employe.date_sortie IS 'Dernier jour de travail, payé ; null tant qu''on ne le connaît pas.';

-- Name: CONSTRAINT sortie_avant_embauche ON employe; Type: COMMENT; Schema: rh

COMMENT ON CONSTRAINT sortie_avant_embauche ON rh.employe IS 'La sortie d''un employé ne vient pas avant son embauche.';

-- Name: employe_id_employe_seq; Type: SEQUENCE; Schema: rh

ALTER TABLE rh.employe ALTER COLUMN id_employe ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME rh.employe_id_employe_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

-- Name: paie; Type: TABLE; Schema: rh

CREATE TABLE rh.paie (
    id_paie bigint NOT NULL,
    id_employe bigint NOT NULL,
    periode core.periode NOT NULL,
    salaire_base core.montant NOT NULL,
    salaire_repris core.montant NOT NULL,
    total_elements core.somme DEFAULT 0 NOT NULL,
    total_retenues core.somme DEFAULT 0 NOT NULL,
    statut rh.statut_paie DEFAULT 'CALCULEE'::rh.statut_paie NOT NULL,
    id_paiement bigint,
    montant_a_payer core.somme GENERATED ALWAYS AS ((((salaire_base)::numeric + (total_elements)::numeric) - (total_retenues)::numeric)) STORED NOT NULL,
    CONSTRAINT paie_payee_sans_paiement CHECK (((statut <> 'PAYEE'::rh.statut_paie) OR (id_paiement IS NOT NULL) OR ((montant_a_payer)::numeric = (0)::numeric))),
    CONSTRAINT paiement_de_paie_payee CHECK (((id_paiement IS NULL) OR (statut = 'PAYEE'::rh.statut_paie)))
);

-- Name: TABLE paie; Type: COMMENT; Schema: rh

COMMENT ON TABLE rh.paie IS 'Bulletin de paie, un par employé et par mois, hors bulletins annulés.';

-- Name: COLUMN paie.periode; Type: COMMENT; Schema: rh

COMMENT ON COLUMN rh.paie.periode IS 'Mois payé, AAAA-MM.';

-- Name: COLUMN paie.salaire_base; Type: COMMENT; Schema: rh

COMMENT ON COLUMN rh.paie.salaire_base IS 'Salaire mensuel de base du bulletin.';

-- Name: COLUMN paie.salaire_repris; Type: COMMENT; Schema: rh

COMMENT ON COLUMN rh.paie.salaire_repris IS 'Salaire de l''employé pour ce mois, au prorata de ses jours, que le bulletin a vu en dernier ; s''il change, recalculer le reprend.';

-- Name: COLUMN paie.total_elements; Type: COMMENT; Schema: rh

COMMENT ON COLUMN rh.paie.total_elements IS 'Somme des éléments qui s''ajoutent, tenue par un déclencheur.';

-- Name: COLUMN paie.total_retenues; Type: COMMENT; Schema: rh

COMMENT ON COLUMN rh.paie.total_retenues IS 'Somme des éléments qui se déduisent, positive, tenue par un déclencheur.';

-- Name: COLUMN paie.statut; Type: COMMENT; Schema: rh

COMMENT ON COLUMN rh.paie.statut IS 'CALCULEE, puis VALIDEE (figé), puis PAYEE ; ou ANNULEE avant le paiement.';

-- Name: COLUMN paie.id_paiement; Type: COMMENT; Schema: rh

COMMENT ON COLUMN rh.paie.id_paiement IS 'Décaissement du net, null si rien n''était à payer.';

-- Name: COLUMN paie.montant_a_payer; Type: COMMENT; Schema: rh

COMMENT ON COLUMN rh.paie.montant_a_payer IS 'Net : salaire_base + total_elements − total_retenues ; jamais négatif.';

-- Name: CONSTRAINT paie_payee_sans_paiement ON paie; Type: COMMENT; Schema: rh

COMMENT ON CONSTRAINT paie_payee_sans_paiement ON rh.paie IS 'Un bulletin payé a son paiement, sauf si son net est nul.';

-- Name: CONSTRAINT paiement_de_paie_payee ON paie; Type: COMMENT; Schema: rh

COMMENT ON CONSTRAINT paiement_de_paie_payee ON rh.paie IS 'Seul un bulletin payé a un paiement.';

-- Name: paie_id_paie_seq; Type: SEQUENCE; Schema: rh

ALTER TABLE rh.paie ALTER COLUMN id_paie ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME rh.paie_id_paie_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

-- Name: pointage; Type: TABLE; Schema: rh

CREATE TABLE rh.pointage (
    id_pointage bigint NOT NULL,
    id_employe bigint NOT NULL,
    date date NOT NULL,
    horloge_arrivee timestamp with time zone DEFAULT now() NOT NULL,
    horloge_depart timestamp with time zone,
    statut rh.statut_pointage DEFAULT 'PRESENT'::rh.statut_pointage NOT NULL,
    heures_sup rh.heures,
    note core.texte,
    heure_arrivee timestamp with time zone GENERATED ALWAYS AS (
CASE
    WHEN (statut = ANY (ARRAY['PRESENT'::rh.statut_pointage, 'RETARD'::rh.statut_pointage])) THEN horloge_arrivee
    ELSE NULL::timestamp with time zone
END) STORED,
    heure_depart timestamp with time zone GENERATED ALWAYS AS (
CASE
    WHEN (statut = ANY (ARRAY['PRESENT'::rh.statut_pointage, 'RETARD'::rh.statut_pointage])) THEN horloge_depart
    ELSE NULL::timestamp with time zone
END) STORED,
    duree_travaillee numeric(8,2) GENERATED ALWAYS AS (
CASE
    WHEN (statut = ANY (ARRAY['PRESENT'::rh.statut_pointage, 'RETARD'::rh.statut_pointage])) THEN round((EXTRACT(epoch FROM (horloge_depart - horloge_arrivee)) / (3600)::numeric), 2)
    ELSE NULL::numeric
END) STORED,
    CONSTRAINT absence_sans_heures_sup CHECK (((heures_sup IS NULL) OR ((heures_sup)::numeric = (0)::numeric) OR (statut = ANY (ARRAY['PRESENT'::rh.statut_pointage, 'RETARD'::rh.statut_pointage])))),
    CONSTRAINT depart_apres_arrivee CHECK ((horloge_depart >= horloge_arrivee)),
    CONSTRAINT depart_trop_tardif CHECK (((horloge_depart - horloge_arrivee) <= '24:00:00'::interval))
);

-- Name: TABLE pointage; Type: COMMENT; Schema: rh

COMMENT ON TABLE rh.pointage IS 'Présence d''un employé, une ligne par jour ; le jour est celui de l''arrivée, même si le départ est le lendemain.';

-- Name: COLUMN pointage.date; Type: COMMENT; Schema: rh

COMMENT ON COLUMN rh.pointage.date IS 'Jour de l''arrivée, même si le départ est le lendemain.';

-- Name: COLUMN pointage.horloge_arrivee; Type: COMMENT; Schema: rh

COMMENT ON COLUMN rh.pointage.horloge_arrivee IS 'Instant de l''arrivée, donné par l''horloge de la base.';

-- Name: COLUMN pointage.horloge_depart; Type: COMMENT; Schema: rh

COMMENT ON COLUMN rh.pointage.horloge_depart IS 'Instant du départ, null tant que la personne est là.';

-- Name: COLUMN pointage.statut; Type: COMMENT; Schema: rh

COMMENT ON COLUMN rh.pointage.statut IS 'PRESENT ou RETARD s''il est venu ; ses heures ne comptent qu''alors.';

-- Name: COLUMN pointage.heures_sup; Type: COMMENT; Schema: rh

COMMENT ON COLUMN rh.pointage.heures_sup IS 'Heures supplémentaires déclarées, deux décimales.';

-- Name: COLUMN pointage.note; Type: COMMENT; Schema: rh

COMMENT ON COLUMN rh.pointage.note IS 'Explication d''un retard ou d''une absence, texte libre.';

-- Name: COLUMN pointage.heure_arrivee; Type: COMMENT; Schema: rh

COMMENT ON COLUMN rh.pointage.heure_arrivee IS 'horloge_arrivee d''une présence, null pour une absence.';

-- Name: COLUMN pointage.heure_depart; Type: COMMENT; Schema: rh

COMMENT ON COLUMN rh.pointage.heure_depart IS 'horloge_depart d''une présence, null pour une absence.';

-- Name: COLUMN pointage.duree_travaillee; Type: COMMENT; Schema: rh

COMMENT ON COLUMN rh.pointage.duree_travaillee IS 'Heures de l''arrivée au départ, null pour une absence.';

-- Name: CONSTRAINT absence_sans_heures_sup ON pointage; Type: COMMENT; Schema: rh

COMMENT ON CONSTRAINT absence_sans_heures_sup ON rh.pointage IS 'Une absence ne compte pas d''heures supplémentaires : retirez-les.';

-- Name: CONSTRAINT depart_apres_arrivee ON pointage; Type: COMMENT; Schema: rh

COMMENT ON CONSTRAINT depart_apres_arrivee ON rh.pointage IS 'Le départ ne peut pas précéder l''arrivée.';

-- Name: CONSTRAINT depart_trop_tardif ON pointage; Type: COMMENT; Schema: rh

COMMENT ON CONSTRAINT depart_trop_tardif ON rh.pointage IS 'Plus de 24 heures séparent l''arrivée du départ : corrigez l''heure de départ.';

-- Name: pointage_id_pointage_seq; Type: SEQUENCE; Schema: rh

ALTER TABLE rh.pointage ALTER COLUMN id_pointage ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME rh.pointage_id_pointage_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

-- Name: service; Type: TABLE; Schema: rh

CREATE TABLE rh.service (
    id_service bigint NOT NULL,
    libelle core.libelle NOT NULL
);

-- Name: TABLE service; Type: COMMENT; Schema: rh

COMMENT ON TABLE rh.service IS 'Service de l''entreprise.';

-- Name: service_id_service_seq; Type: SEQUENCE; Schema: rh

ALTER TABLE rh.service ALTER COLUMN id_service ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME rh.service_id_service_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

-- Name: reservation; Type: TABLE; Schema: salle_fete

CREATE TABLE salle_fete.reservation (
    id_reservation bigint NOT NULL,
    id_client bigint,
    date_evenement date NOT NULL,
    heure_debut time without time zone NOT NULL,
    duree core.nombre NOT NULL,
    type_manifestation core.libelle NOT NULL,
    tarif core.montant NOT NULL,
    acompte_convenu core.montant,
    observations core.texte,
    statut salle_fete.statut_reservation DEFAULT 'RESERVEE'::salle_fete.statut_reservation NOT NULL,
    motif_annulation core.texte,
    date_creation timestamp with time zone DEFAULT now() NOT NULL,
    id_utilisateur bigint,
    creneau tsrange GENERATED ALWAYS AS (tsrange((date_evenement + heure_debut), ((date_evenement + heure_debut) + (((((duree)::numeric * (3600)::numeric))::integer)::double precision * '00:00:01'::interval)))) STORED NOT NULL,
    CONSTRAINT acompte_superieur_au_tarif CHECK (((acompte_convenu)::numeric <= (tarif)::numeric)),
    CONSTRAINT reservation_jamais_disponible CHECK ((statut <> 'DISPONIBLE'::salle_fete.statut_reservation)),
    CONSTRAINT reservation_sans_tarif CHECK (((tarif)::numeric > (0)::numeric)),
    CONSTRAINT reservation_trop_longue CHECK (((duree)::numeric <= (168)::numeric))
);

-- Name: TABLE reservation; Type: COMMENT; Schema: salle_fete

COMMENT ON TABLE salle_fete.reservation IS 'Réservation de la salle ; ce qui en est payé est sur sa facture.';

-- Name: COLUMN reservation.id_client; Type: COMMENT; Schema: salle_fete

COMMENT ON COLUMN salle_fete.reservation.id_client IS 'Null tant que personne n''est nommé.';

-- Name: COLUMN reservation.date_evenement; Type: COMMENT; Schema: salle_fete

COMMENT ON COLUMN salle_fete.reservation.date_evenement IS 'Jour où la location commence, au fuseau de l''organisation.';

-- Name: COLUMN reservation.heure_debut; Type: COMMENT; Schema: salle_fete

COMMENT ON COLUMN salle_fete.reservation.heure_debut IS 'Heure locale, au fuseau de l''organisation.';

-- Name: COLUMN reservation.duree; Type: COMMENT; Schema: salle_fete

COMMENT ON COLUMN salle_fete.reservation.duree IS 'Heures, à partir de heure_debut ; la fin peut tomber le lendemain.';

-- Name: COLUMN reservation.type_manifestation; Type: COMMENT; Schema: salle_fete

COMMENT ON COLUMN salle_fete.reservation.type_manifestation IS 'Par exemple « Mariage ».';

-- Name: COLUMN reservation.tarif; Type: COMMENT; Schema: salle_fete

COMMENT ON COLUMN salle_fete.reservation.tarif IS 'Prix de la location entière.';

-- Name: COLUMN reservation.acompte_convenu; Type: COMMENT; Schema: salle_fete

COMMENT ON COLUMN salle_fete.reservation.acompte_convenu IS 'Acompte sur lequel on s''est entendu ; la confirmation seule encaisse.';

-- Name: COLUMN reservation.observations; Type: COMMENT; Schema: salle_fete

COMMENT ON COLUMN salle_fete.reservation.observations IS 'Demandes du client, texte libre.';

-- Name: COLUMN reservation.statut; Type: COMMENT; Schema: salle_fete

COMMENT ON COLUMN salle_fete.reservation.statut IS 'RESERVEE, CONFIRMEE, REALISEE quand l''événement a eu lieu et que le solde est payé, ou ANNULEE.';

-- Name: COLUMN reservation.motif_annulation; Type: COMMENT; Schema: salle_fete

COMMENT ON COLUMN salle_fete.reservation.motif_annulation IS 'Pourquoi elle est annulée, null sinon.';

-- Name: COLUMN reservation.date_creation; Type: COMMENT; Schema: salle_fete

COMMENT ON COLUMN salle_fete.reservation.date_creation IS 'Instant de l''enregistrement, écrit par la base.';

-- Name: COLUMN reservation.id_utilisateur; Type: COMMENT; Schema: salle_fete

COMMENT ON COLUMN salle_fete.reservation.id_utilisateur IS 'Auteur : l''utilisateur de la requête, écrit par la base ; null hors de l''API.';

-- Name: COLUMN reservation.creneau; Type: COMMENT; Schema: salle_fete

COMMENT ON COLUMN salle_fete.reservation.creneau IS 'Temps occupé, heure locale, sans l''instant de fin.';

-- Name: CONSTRAINT acompte_superieur_au_tarif ON reservation; Type: COMMENT; Schema: salle_fete

COMMENT ON CONSTRAINT acompte_superieur_au_tarif ON salle_fete.reservation IS 'L''acompte convenu dépasse le tarif.';

-- Name: CONSTRAINT reservation_jamais_disponible ON reservation; Type: COMMENT; Schema: salle_fete

COMMENT ON CONSTRAINT reservation_jamais_disponible ON salle_fete.reservation IS 'Une réservation n''est jamais DISPONIBLE.';

-- Name: CONSTRAINT reservation_sans_tarif ON reservation; Type: COMMENT; Schema: salle_fete

COMMENT ON CONSTRAINT reservation_sans_tarif ON salle_fete.reservation IS 'Le tarif doit être plus grand que zéro.';

-- Name: CONSTRAINT reservation_trop_longue ON reservation; Type: COMMENT; Schema: salle_fete

COMMENT ON CONSTRAINT reservation_trop_longue ON salle_fete.reservation IS 'Une réservation dure 168 heures au plus, soit une semaine.';

-- Name: reservation_id_reservation_seq; Type: SEQUENCE; Schema: salle_fete

ALTER TABLE salle_fete.reservation ALTER COLUMN id_reservation ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME salle_fete.reservation_id_reservation_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

-- Name: photo; Type: TABLE; Schema: signalement

CREATE TABLE signalement.photo (
    id_photo bigint NOT NULL,
    id_signalement bigint NOT NULL,
    cle_objet core.cle_objet NOT NULL,
    id_utilisateur bigint,
    date_ajout timestamp with time zone DEFAULT now() NOT NULL
);

-- Name: TABLE photo; Type: COMMENT; Schema: signalement

COMMENT ON TABLE signalement.photo IS 'Photo d''un signalement : la clé d''un fichier déposé.';

-- Name: COLUMN photo.cle_objet; Type: COMMENT; Schema: signalement

COMMENT ON COLUMN signalement.photo.cle_objet IS 'Clé du fichier déposé.';

-- Name: COLUMN photo.id_utilisateur; Type: COMMENT; Schema: signalement

COMMENT ON COLUMN signalement.photo.id_utilisateur IS 'Qui l''a jointe.';

-- Name: COLUMN photo.date_ajout; Type: COMMENT; Schema: signalement

COMMENT ON COLUMN signalement.photo.date_ajout IS 'Instant du dépôt de la photo, écrit par la base.';

-- Name: photo_id_photo_seq; Type: SEQUENCE; Schema: signalement

ALTER TABLE signalement.photo ALTER COLUMN id_photo ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME signalement.photo_id_photo_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

-- Name: signalement; Type: TABLE; Schema: signalement

CREATE TABLE signalement.signalement (
    id_signalement bigint NOT NULL,
    titre core.libelle NOT NULL,
    description signalement.recit NOT NULL,
    id_activite bigint,
    type_signalement core.code,
    statut signalement.statut_signalement DEFAULT 'OUVERT'::signalement.statut_signalement NOT NULL,
    id_utilisateur_declarant bigint,
    id_utilisateur_traitant bigint,
    note_resolution signalement.recit,
    date_signalement timestamp with time zone DEFAULT now() NOT NULL,
    date_resolution timestamp with time zone,
    CONSTRAINT signalement_clos_avec_note CHECK ((((statut = ANY (ARRAY['RESOLU'::signalement.statut_signalement, 'REJETE'::signalement.statut_signalement])) = (date_resolution IS NOT NULL)) AND ((statut = ANY (ARRAY['RESOLU'::signalement.statut_signalement, 'REJETE'::signalement.statut_signalement])) = (note_resolution IS NOT NULL))))
);

-- Name: TABLE signalement; Type: COMMENT; Schema: signalement

COMMENT ON TABLE signalement.signalement IS 'Incident signalé par un utilisateur, jusqu''à sa résolution ou son rejet.';

-- Name: COLUMN signalement.titre; Type: COMMENT; Schema: signalement

COMMENT ON COLUMN signalement.signalement.titre IS 'L''incident en quelques mots.';

-- Name: COLUMN signalement.description; Type: COMMENT; Schema: signalement

COMMENT ON COLUMN signalement.signalement.description IS 'Le récit de qui le signale.';

-- Name: COLUMN signalement.id_activite; Type: COMMENT; Schema: signalement

COMMENT ON COLUMN signalement.signalement.id_activite IS 'Activité concernée, null pour un signalement général.';

-- Name: COLUMN signalement.type_signalement; Type: COMMENT; Schema: signalement

COMMENT ON COLUMN signalement.signalement.type_signalement IS 'Domaine concerné, par exemple PRESSING ; déduit de l''activité.';

-- Name: COLUMN signalement.statut; Type: COMMENT; Schema: signalement

COMMENT ON COLUMN signalement.signalement.statut IS 'OUVERT, EN_COURS une fois pris en charge, puis RESOLU ou REJETE avec une note.';

-- Name: COLUMN signalement.id_utilisateur_declarant; Type: COMMENT; Schema: signalement

COMMENT ON COLUMN signalement.signalement.id_utilisateur_declarant IS 'Qui l''a signalé, null hors de l''API.';

-- Name: COLUMN signalement.id_utilisateur_traitant; Type: COMMENT; Schema: signalement

COMMENT ON COLUMN signalement.signalement.id_utilisateur_traitant IS 'Qui l''a pris en charge, puis qui l''a clos.';

-- Name: COLUMN signalement.note_resolution; Type: COMMENT; Schema: signalement

COMMENT ON COLUMN signalement.signalement.note_resolution IS 'Ce qui a été fait, ou pourquoi il est rejeté ; null tant qu''il n''est pas clos.';

-- Name: COLUMN signalement.date_signalement; Type: COMMENT; Schema: signalement

COMMENT ON COLUMN signalement.signalement.date_signalement IS 'Instant du signalement, écrit par la base.';

-- Name: COLUMN signalement.date_resolution; Type: COMMENT; Schema: signalement

COMMENT ON COLUMN signalement.signalement.date_resolution IS 'Instant où il a été clos, null avant.';

-- Name: CONSTRAINT signalement_clos_avec_note ON signalement; Type: COMMENT; Schema: signalement

COMMENT ON CONSTRAINT signalement_clos_avec_note ON signalement.signalement IS 'Un signalement clos, et lui seul, porte une note et une date de résolution.';

-- Name: signalement_id_signalement_seq; Type: SEQUENCE; Schema: signalement

ALTER TABLE signalement.signalement ALTER COLUMN id_signalement ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME signalement.signalement_id_signalement_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

-- Name: categorie_abonnement categorie_abonnement_existante; Type: CONSTRAINT; Schema: abonnement

ALTER TABLE ONLY abonnement.categorie_abonnement
    ADD CONSTRAINT categorie_abonnement_existante UNIQUE (libelle);

-- Name: CONSTRAINT categorie_abonnement_existante ON categorie_abonnement; Type: COMMENT; Schema: abonnement

COMMENT ON CONSTRAINT categorie_abonnement_existante ON abonnement.categorie_abonnement IS 'Cette catégorie d''abonnement existe déjà.';

-- Name: categorie_abonnement categorie_abonnement_pkey; Type: CONSTRAINT; Schema: abonnement

ALTER TABLE ONLY abonnement.categorie_abonnement
    ADD CONSTRAINT categorie_abonnement_pkey PRIMARY KEY (id_categorie_abonnement);

-- Name: journal journal_pkey; Type: CONSTRAINT; Schema: audit

ALTER TABLE ONLY audit.journal
    ADD CONSTRAINT journal_pkey PRIMARY KEY (id_trace);

-- Name: sceau sceau_pkey; Type: CONSTRAINT; Schema: audit

ALTER TABLE ONLY audit.sceau
    ADD CONSTRAINT sceau_pkey PRIMARY KEY (rang);

-- Name: sceau sceau_unique; Type: CONSTRAINT; Schema: audit

ALTER TABLE ONLY audit.sceau
    ADD CONSTRAINT sceau_unique UNIQUE (registre, au_id);

-- Name: CONSTRAINT sceau_unique ON sceau; Type: COMMENT; Schema: audit

COMMENT ON CONSTRAINT sceau_unique ON audit.sceau IS 'Ces entrées sont déjà scellées.';

-- Name: utilisateur client_deja_lie; Type: CONSTRAINT; Schema: auth

ALTER TABLE ONLY auth.utilisateur
    ADD CONSTRAINT client_deja_lie UNIQUE (id_client);

-- Name: CONSTRAINT client_deja_lie ON utilisateur; Type: COMMENT; Schema: auth

COMMENT ON CONSTRAINT client_deja_lie ON auth.utilisateur IS 'Ce client a déjà un compte.';

-- Name: connexion connexion_pkey; Type: CONSTRAINT; Schema: auth

ALTER TABLE ONLY auth.connexion
    ADD CONSTRAINT connexion_pkey PRIMARY KEY (id_connexion);

-- Name: depot depot_pkey; Type: CONSTRAINT; Schema: auth

ALTER TABLE ONLY auth.depot
    ADD CONSTRAINT depot_pkey PRIMARY KEY (categorie);

-- Name: jeton_rafraichissement jeton_rafraichissement_pkey; Type: CONSTRAINT; Schema: auth

ALTER TABLE ONLY auth.jeton_rafraichissement
    ADD CONSTRAINT jeton_rafraichissement_pkey PRIMARY KEY (hash);

-- Name: jeton_reinitialisation jeton_reinitialisation_pkey; Type: CONSTRAINT; Schema: auth

ALTER TABLE ONLY auth.jeton_reinitialisation
    ADD CONSTRAINT jeton_reinitialisation_pkey PRIMARY KEY (hash);

-- Name: role_permission permission_deja_accordee; Type: CONSTRAINT; Schema: auth

ALTER TABLE ONLY auth.role_permission
    ADD CONSTRAINT permission_deja_accordee PRIMARY KEY (id_role, id_permission);

-- Name: CONSTRAINT permission_deja_accordee ON role_permission; Type: COMMENT; Schema: auth

COMMENT ON CONSTRAINT permission_deja_accordee ON auth.role_permission IS 'Ce rôle a déjà cette permission.';

-- Name: permission permission_existante; Type: CONSTRAINT; Schema: auth

ALTER TABLE ONLY auth.permission
    ADD CONSTRAINT permission_existante UNIQUE (code);

-- Name: CONSTRAINT permission_existante ON permission; Type: COMMENT; Schema: auth

COMMENT ON CONSTRAINT permission_existante ON auth.permission IS 'Cette permission existe déjà.';

-- Name: permission permission_pkey; Type: CONSTRAINT; Schema: auth

ALTER TABLE ONLY auth.permission
    ADD CONSTRAINT permission_pkey PRIMARY KEY (id_permission);

-- Name: role role_existant; Type: CONSTRAINT; Schema: auth

ALTER TABLE ONLY auth.role
    ADD CONSTRAINT role_existant UNIQUE (code);

-- Name: CONSTRAINT role_existant ON role; Type: COMMENT; Schema: auth

COMMENT ON CONSTRAINT role_existant ON auth.role IS 'Un rôle porte déjà ce code.';

-- Name: role role_pkey; Type: CONSTRAINT; Schema: auth

ALTER TABLE ONLY auth.role
    ADD CONSTRAINT role_pkey PRIMARY KEY (id_role);

-- Name: secret secret_pkey; Type: CONSTRAINT; Schema: auth

ALTER TABLE ONLY auth.secret
    ADD CONSTRAINT secret_pkey PRIMARY KEY (id_utilisateur);

-- Name: utilisateur utilisateur_pkey; Type: CONSTRAINT; Schema: auth

ALTER TABLE ONLY auth.utilisateur
    ADD CONSTRAINT utilisateur_pkey PRIMARY KEY (id_utilisateur);

-- Name: client client_pkey; Type: CONSTRAINT; Schema: client

ALTER TABLE ONLY client.client
    ADD CONSTRAINT client_pkey PRIMARY KEY (id_client);

-- Name: client code_client_existant; Type: CONSTRAINT; Schema: client

ALTER TABLE ONLY client.client
    ADD CONSTRAINT code_client_existant UNIQUE (code);

-- Name: CONSTRAINT code_client_existant ON client; Type: COMMENT; Schema: client

COMMENT ON CONSTRAINT code_client_existant ON client.client IS 'Un client porte déjà ce code.';

-- Name: contact_urgence contact_urgence_pkey; Type: CONSTRAINT; Schema: client

ALTER TABLE ONLY client.contact_urgence
    ADD CONSTRAINT contact_urgence_pkey PRIMARY KEY (id_contact);

-- Name: piece_identite piece_identite_existante; Type: CONSTRAINT; Schema: client

ALTER TABLE ONLY client.piece_identite
    ADD CONSTRAINT piece_identite_existante UNIQUE (type_piece, numero);

-- Name: CONSTRAINT piece_identite_existante ON piece_identite; Type: COMMENT; Schema: client

COMMENT ON CONSTRAINT piece_identite_existante ON client.piece_identite IS 'Cette pièce d''identité est déjà enregistrée.';

-- Name: piece_identite piece_identite_pkey; Type: CONSTRAINT; Schema: client

ALTER TABLE ONLY client.piece_identite
    ADD CONSTRAINT piece_identite_pkey PRIMARY KEY (id_piece);

-- Name: activite activite_existante; Type: CONSTRAINT; Schema: core

ALTER TABLE ONLY core.activite
    ADD CONSTRAINT activite_existante UNIQUE (code);

-- Name: CONSTRAINT activite_existante ON activite; Type: COMMENT; Schema: core

COMMENT ON CONSTRAINT activite_existante ON core.activite IS 'Une activité porte déjà ce code.';

-- Name: activite activite_pkey; Type: CONSTRAINT; Schema: core

ALTER TABLE ONLY core.activite
    ADD CONSTRAINT activite_pkey PRIMARY KEY (id_activite);

-- Name: compteur compteur_pkey; Type: CONSTRAINT; Schema: core

ALTER TABLE ONLY core.compteur
    ADD CONSTRAINT compteur_pkey PRIMARY KEY (type, annee);

-- Name: empreinte empreinte_pkey; Type: CONSTRAINT; Schema: core

ALTER TABLE ONLY core.empreinte
    ADD CONSTRAINT empreinte_pkey PRIMARY KEY (genre, nom);

-- Name: idempotence idempotence_pkey; Type: CONSTRAINT; Schema: core

ALTER TABLE ONLY core.idempotence
    ADD CONSTRAINT idempotence_pkey PRIMARY KEY (id_utilisateur, cle);

-- Name: parametre parametre_existant; Type: CONSTRAINT; Schema: core

ALTER TABLE ONLY core.parametre
    ADD CONSTRAINT parametre_existant UNIQUE (cle);

-- Name: CONSTRAINT parametre_existant ON parametre; Type: COMMENT; Schema: core

COMMENT ON CONSTRAINT parametre_existant ON core.parametre IS 'Un paramètre porte déjà cette clé.';

-- Name: parametre parametre_pkey; Type: CONSTRAINT; Schema: core

ALTER TABLE ONLY core.parametre
    ADD CONSTRAINT parametre_pkey PRIMARY KEY (id_parametre);

-- Name: secret_documents secret_documents_pkey; Type: CONSTRAINT; Schema: core

ALTER TABLE ONLY core.secret_documents
    ADD CONSTRAINT secret_documents_pkey PRIMARY KEY (seul);

-- Name: facture_ligne facture_ligne_pkey; Type: CONSTRAINT; Schema: facturation

ALTER TABLE ONLY facturation.facture_ligne
    ADD CONSTRAINT facture_ligne_pkey PRIMARY KEY (id_ligne);

-- Name: facture facture_pkey; Type: CONSTRAINT; Schema: facturation

ALTER TABLE ONLY facturation.facture
    ADD CONSTRAINT facture_pkey PRIMARY KEY (id_facture);

-- Name: facture numero_facture_existant; Type: CONSTRAINT; Schema: facturation

ALTER TABLE ONLY facturation.facture
    ADD CONSTRAINT numero_facture_existant UNIQUE (numero);

-- Name: CONSTRAINT numero_facture_existant ON facture; Type: COMMENT; Schema: facturation

COMMENT ON CONSTRAINT numero_facture_existant ON facturation.facture IS 'Une facture porte déjà ce numéro.';

-- Name: prestation prestation_pkey; Type: CONSTRAINT; Schema: facturation

ALTER TABLE ONLY facturation.prestation
    ADD CONSTRAINT prestation_pkey PRIMARY KEY (id_prestation);

-- Name: affectation_caisse affectation_caisse_pkey; Type: CONSTRAINT; Schema: finances

ALTER TABLE ONLY finances.affectation_caisse
    ADD CONSTRAINT affectation_caisse_pkey PRIMARY KEY (id_utilisateur);

-- Name: application_paiement application_paiement_pkey; Type: CONSTRAINT; Schema: finances

ALTER TABLE ONLY finances.application_paiement
    ADD CONSTRAINT application_paiement_pkey PRIMARY KEY (id_application);

-- Name: caisse caisse_existante; Type: CONSTRAINT; Schema: finances

ALTER TABLE ONLY finances.caisse
    ADD CONSTRAINT caisse_existante UNIQUE (libelle);

-- Name: CONSTRAINT caisse_existante ON caisse; Type: COMMENT; Schema: finances

COMMENT ON CONSTRAINT caisse_existante ON finances.caisse IS 'Une caisse porte déjà ce libellé.';

-- Name: caisse caisse_pkey; Type: CONSTRAINT; Schema: finances

ALTER TABLE ONLY finances.caisse
    ADD CONSTRAINT caisse_pkey PRIMARY KEY (id_caisse);

-- Name: categorie_depense categorie_depense_existante; Type: CONSTRAINT; Schema: finances

ALTER TABLE ONLY finances.categorie_depense
    ADD CONSTRAINT categorie_depense_existante UNIQUE (libelle);

-- Name: CONSTRAINT categorie_depense_existante ON categorie_depense; Type: COMMENT; Schema: finances

COMMENT ON CONSTRAINT categorie_depense_existante ON finances.categorie_depense IS 'Cette catégorie existe déjà.';

-- Name: categorie_depense categorie_depense_pkey; Type: CONSTRAINT; Schema: finances

ALTER TABLE ONLY finances.categorie_depense
    ADD CONSTRAINT categorie_depense_pkey PRIMARY KEY (id_categorie_depense);

-- Name: depense depense_pkey; Type: CONSTRAINT; Schema: finances

ALTER TABLE ONLY finances.depense
    ADD CONSTRAINT depense_pkey PRIMARY KEY (id_depense);

-- Name: moyen_paiement moyen_paiement_existant; Type: CONSTRAINT; Schema: finances

ALTER TABLE ONLY finances.moyen_paiement
    ADD CONSTRAINT moyen_paiement_existant UNIQUE (libelle);

-- Name: CONSTRAINT moyen_paiement_existant ON moyen_paiement; Type: COMMENT; Schema: finances

COMMENT ON CONSTRAINT moyen_paiement_existant ON finances.moyen_paiement IS 'Ce moyen de paiement existe déjà.';

-- Name: moyen_paiement moyen_paiement_pkey; Type: CONSTRAINT; Schema: finances

ALTER TABLE ONLY finances.moyen_paiement
    ADD CONSTRAINT moyen_paiement_pkey PRIMARY KEY (id_moyen);

-- Name: paiement paiement_pkey; Type: CONSTRAINT; Schema: finances

ALTER TABLE ONLY finances.paiement
    ADD CONSTRAINT paiement_pkey PRIMARY KEY (id_paiement);

-- Name: periode_caisse periode_caisse_pkey; Type: CONSTRAINT; Schema: finances

ALTER TABLE ONLY finances.periode_caisse
    ADD CONSTRAINT periode_caisse_pkey PRIMARY KEY (id_periode);

-- Name: resume_etat resume_etat_pkey; Type: CONSTRAINT; Schema: finances

ALTER TABLE ONLY finances.resume_etat
    ADD CONSTRAINT resume_etat_pkey PRIMARY KEY (seul);

-- Name: resume_paiement resume_unique; Type: CONSTRAINT; Schema: finances

ALTER TABLE ONLY finances.resume_paiement
    ADD CONSTRAINT resume_unique UNIQUE NULLS NOT DISTINCT (jour, id_activite, id_caisse, id_utilisateur);

-- Name: CONSTRAINT resume_unique ON resume_paiement; Type: COMMENT; Schema: finances

COMMENT ON CONSTRAINT resume_unique ON finances.resume_paiement IS 'Ce jour est déjà résumé.';

-- Name: tirage tirage_deja_fait; Type: CONSTRAINT; Schema: finances

ALTER TABLE ONLY finances.tirage
    ADD CONSTRAINT tirage_deja_fait UNIQUE (id_caisse, date);

-- Name: CONSTRAINT tirage_deja_fait ON tirage; Type: COMMENT; Schema: finances

COMMENT ON CONSTRAINT tirage_deja_fait ON finances.tirage IS 'Le tirage de cette caisse est déjà fait pour ce jour.';

-- Name: tirage tirage_pkey; Type: CONSTRAINT; Schema: finances

ALTER TABLE ONLY finances.tirage
    ADD CONSTRAINT tirage_pkey PRIMARY KEY (id_tirage);

-- Name: horloge horloge_pkey; Type: CONSTRAINT; Schema: jobs

ALTER TABLE ONLY jobs.horloge
    ADD CONSTRAINT horloge_pkey PRIMARY KEY (tache);

-- Name: planification planification_pkey; Type: CONSTRAINT; Schema: jobs

ALTER TABLE ONLY jobs.planification
    ADD CONSTRAINT planification_pkey PRIMARY KEY (id_planification);

-- Name: restauration restauration_pkey; Type: CONSTRAINT; Schema: jobs

ALTER TABLE ONLY jobs.restauration
    ADD CONSTRAINT restauration_pkey PRIMARY KEY (id_restauration);

-- Name: sauvegarde sauvegarde_chemin_existant; Type: CONSTRAINT; Schema: jobs

ALTER TABLE ONLY jobs.sauvegarde
    ADD CONSTRAINT sauvegarde_chemin_existant UNIQUE (chemin);

-- Name: CONSTRAINT sauvegarde_chemin_existant ON sauvegarde; Type: COMMENT; Schema: jobs

COMMENT ON CONSTRAINT sauvegarde_chemin_existant ON jobs.sauvegarde IS 'Une sauvegarde porte déjà ce chemin.';

-- Name: sauvegarde sauvegarde_pkey; Type: CONSTRAINT; Schema: jobs

ALTER TABLE ONLY jobs.sauvegarde
    ADD CONSTRAINT sauvegarde_pkey PRIMARY KEY (id_sauvegarde);

-- Name: total total_pkey; Type: CONSTRAINT; Schema: jobs

ALTER TABLE ONLY jobs.total
    ADD CONSTRAINT total_pkey PRIMARY KEY (tache, issue);

-- Name: categorie_produit categorie_produit_existante; Type: CONSTRAINT; Schema: market

ALTER TABLE ONLY market.categorie_produit
    ADD CONSTRAINT categorie_produit_existante UNIQUE (libelle);

-- Name: CONSTRAINT categorie_produit_existante ON categorie_produit; Type: COMMENT; Schema: market

COMMENT ON CONSTRAINT categorie_produit_existante ON market.categorie_produit IS 'Une catégorie, active ou non, porte déjà ce libellé.';

-- Name: categorie_produit categorie_produit_pkey; Type: CONSTRAINT; Schema: market

ALTER TABLE ONLY market.categorie_produit
    ADD CONSTRAINT categorie_produit_pkey PRIMARY KEY (id_categorie_produit);

-- Name: fournisseur fournisseur_pkey; Type: CONSTRAINT; Schema: market

ALTER TABLE ONLY market.fournisseur
    ADD CONSTRAINT fournisseur_pkey PRIMARY KEY (id_fournisseur);

-- Name: mouvement_stock mouvement_stock_pkey; Type: CONSTRAINT; Schema: market

ALTER TABLE ONLY market.mouvement_stock
    ADD CONSTRAINT mouvement_stock_pkey PRIMARY KEY (id_mouvement);

-- Name: produit produit_pkey; Type: CONSTRAINT; Schema: market

ALTER TABLE ONLY market.produit
    ADD CONSTRAINT produit_pkey PRIMARY KEY (id_produit);

-- Name: produit reference_produit_existante; Type: CONSTRAINT; Schema: market

ALTER TABLE ONLY market.produit
    ADD CONSTRAINT reference_produit_existante UNIQUE (reference);

-- Name: CONSTRAINT reference_produit_existante ON produit; Type: COMMENT; Schema: market

COMMENT ON CONSTRAINT reference_produit_existante ON market.produit IS 'Un produit porte déjà cette référence.';

-- Name: vente_ligne vente_ligne_pkey; Type: CONSTRAINT; Schema: market

ALTER TABLE ONLY market.vente_ligne
    ADD CONSTRAINT vente_ligne_pkey PRIMARY KEY (id_ligne);

-- Name: vente vente_pkey; Type: CONSTRAINT; Schema: market

ALTER TABLE ONLY market.vente
    ADD CONSTRAINT vente_pkey PRIMARY KEY (id_vente);

-- Name: lecture lecture_pkey; Type: CONSTRAINT; Schema: notification

ALTER TABLE ONLY notification.lecture
    ADD CONSTRAINT lecture_pkey PRIMARY KEY (id_utilisateur, id_notification);

-- Name: notification notification_pkey; Type: CONSTRAINT; Schema: notification

ALTER TABLE ONLY notification.notification
    ADD CONSTRAINT notification_pkey PRIMARY KEY (id_notification);

-- Name: commande_ligne commande_ligne_pressing_pkey; Type: CONSTRAINT; Schema: pressing

ALTER TABLE ONLY pressing.commande_ligne
    ADD CONSTRAINT commande_ligne_pressing_pkey PRIMARY KEY (id_ligne);

-- Name: commande commande_pressing_pkey; Type: CONSTRAINT; Schema: pressing

ALTER TABLE ONLY pressing.commande
    ADD CONSTRAINT commande_pressing_pkey PRIMARY KEY (id_commande);

-- Name: commande numero_pressing_existant; Type: CONSTRAINT; Schema: pressing

ALTER TABLE ONLY pressing.commande
    ADD CONSTRAINT numero_pressing_existant UNIQUE (numero_commande);

-- Name: CONSTRAINT numero_pressing_existant ON commande; Type: COMMENT; Schema: pressing

COMMENT ON CONSTRAINT numero_pressing_existant ON pressing.commande IS 'Une commande porte déjà ce numéro.';

-- Name: abonnement_periode abonnement_periode_pkey; Type: CONSTRAINT; Schema: residence

ALTER TABLE ONLY residence.abonnement_periode
    ADD CONSTRAINT abonnement_periode_pkey PRIMARY KEY (id_abonnement, date_debut);

-- Name: CONSTRAINT abonnement_periode_pkey ON abonnement_periode; Type: COMMENT; Schema: residence

COMMENT ON CONSTRAINT abonnement_periode_pkey ON residence.abonnement_periode IS 'Cette période est déjà facturée.';

-- Name: abonnement abonnement_pkey; Type: CONSTRAINT; Schema: residence

ALTER TABLE ONLY residence.abonnement
    ADD CONSTRAINT abonnement_pkey PRIMARY KEY (id_abonnement);

-- Name: batiment batiment_pkey; Type: CONSTRAINT; Schema: residence

ALTER TABLE ONLY residence.batiment
    ADD CONSTRAINT batiment_pkey PRIMARY KEY (id_batiment);

-- Name: categorie_charge categorie_charge_existante; Type: CONSTRAINT; Schema: residence

ALTER TABLE ONLY residence.categorie_charge
    ADD CONSTRAINT categorie_charge_existante UNIQUE (libelle);

-- Name: CONSTRAINT categorie_charge_existante ON categorie_charge; Type: COMMENT; Schema: residence

COMMENT ON CONSTRAINT categorie_charge_existante ON residence.categorie_charge IS 'Cette catégorie de charge existe déjà.';

-- Name: categorie_charge categorie_charge_pkey; Type: CONSTRAINT; Schema: residence

ALTER TABLE ONLY residence.categorie_charge
    ADD CONSTRAINT categorie_charge_pkey PRIMARY KEY (id_categorie_charge);

-- Name: caution caution_deja_declaree; Type: CONSTRAINT; Schema: residence

ALTER TABLE ONLY residence.caution
    ADD CONSTRAINT caution_deja_declaree UNIQUE (id_contrat);

-- Name: CONSTRAINT caution_deja_declaree ON caution; Type: COMMENT; Schema: residence

COMMENT ON CONSTRAINT caution_deja_declaree ON residence.caution IS 'Ce contrat a déjà une caution.';

-- Name: caution_evenement caution_evenement_pkey; Type: CONSTRAINT; Schema: residence

ALTER TABLE ONLY residence.caution_evenement
    ADD CONSTRAINT caution_evenement_pkey PRIMARY KEY (id_evenement);

-- Name: caution caution_pkey; Type: CONSTRAINT; Schema: residence

ALTER TABLE ONLY residence.caution
    ADD CONSTRAINT caution_pkey PRIMARY KEY (id_caution);

-- Name: caution caution_restituee_apres_versement; Type: CHECK CONSTRAINT; Schema: residence

ALTER TABLE residence.caution
    ADD CONSTRAINT caution_restituee_apres_versement CHECK (((date_restitution IS NULL) OR COALESCE((date_restitution >= date_versement), false))) NOT VALID;

-- Name: CONSTRAINT caution_restituee_apres_versement ON caution; Type: COMMENT; Schema: residence

COMMENT ON CONSTRAINT caution_restituee_apres_versement ON residence.caution IS 'Une caution ne se restitue pas avant le jour où elle a été versée.';

-- Name: charge_facturee charge_facturee_pkey; Type: CONSTRAINT; Schema: residence

ALTER TABLE ONLY residence.charge_facturee
    ADD CONSTRAINT charge_facturee_pkey PRIMARY KEY (id_charge);

-- Name: batiment code_batiment_existant; Type: CONSTRAINT; Schema: residence

ALTER TABLE ONLY residence.batiment
    ADD CONSTRAINT code_batiment_existant UNIQUE (code);

-- Name: CONSTRAINT code_batiment_existant ON batiment; Type: COMMENT; Schema: residence

COMMENT ON CONSTRAINT code_batiment_existant ON residence.batiment IS 'Un bâtiment porte déjà ce code.';

-- Name: contrat_location contrat_location_pkey; Type: CONSTRAINT; Schema: residence

ALTER TABLE ONLY residence.contrat_location
    ADD CONSTRAINT contrat_location_pkey PRIMARY KEY (id_contrat);

-- Name: echeance echeance_existante; Type: CONSTRAINT; Schema: residence

ALTER TABLE ONLY residence.echeance
    ADD CONSTRAINT echeance_existante UNIQUE (id_contrat, annee, mois);

-- Name: CONSTRAINT echeance_existante ON echeance; Type: COMMENT; Schema: residence

COMMENT ON CONSTRAINT echeance_existante ON residence.echeance IS 'Ce contrat a déjà une échéance pour ce mois.';

-- Name: echeance echeance_pkey; Type: CONSTRAINT; Schema: residence

ALTER TABLE ONLY residence.echeance
    ADD CONSTRAINT echeance_pkey PRIMARY KEY (id_echeance);

-- Name: etat_des_lieux etat_des_lieux_pkey; Type: CONSTRAINT; Schema: residence

ALTER TABLE ONLY residence.etat_des_lieux
    ADD CONSTRAINT etat_des_lieux_pkey PRIMARY KEY (id_photo);

-- Name: occupation logement_deja_occupe; Type: CONSTRAINT; Schema: residence

ALTER TABLE ONLY residence.occupation
    ADD CONSTRAINT logement_deja_occupe EXCLUDE USING gist (id_logement WITH =, periode WITH &&);

-- Name: CONSTRAINT logement_deja_occupe ON occupation; Type: COMMENT; Schema: residence

COMMENT ON CONSTRAINT logement_deja_occupe ON residence.occupation IS 'Ce logement est déjà pris pendant cette période.';

-- Name: logement logement_pkey; Type: CONSTRAINT; Schema: residence

ALTER TABLE ONLY residence.logement
    ADD CONSTRAINT logement_pkey PRIMARY KEY (id_logement);

-- Name: contrat_location numero_contrat_existant; Type: CONSTRAINT; Schema: residence

ALTER TABLE ONLY residence.contrat_location
    ADD CONSTRAINT numero_contrat_existant UNIQUE (numero_contrat);

-- Name: CONSTRAINT numero_contrat_existant ON contrat_location; Type: COMMENT; Schema: residence

COMMENT ON CONSTRAINT numero_contrat_existant ON residence.contrat_location IS 'Un contrat porte déjà ce numéro.';

-- Name: logement numero_logement_existant; Type: CONSTRAINT; Schema: residence

ALTER TABLE ONLY residence.logement
    ADD CONSTRAINT numero_logement_existant UNIQUE (numero);

-- Name: CONSTRAINT numero_logement_existant ON logement; Type: COMMENT; Schema: residence

COMMENT ON CONSTRAINT numero_logement_existant ON residence.logement IS 'Un logement porte déjà ce numéro.';

-- Name: occupation occupation_contrat_unique; Type: CONSTRAINT; Schema: residence

ALTER TABLE ONLY residence.occupation
    ADD CONSTRAINT occupation_contrat_unique UNIQUE (id_contrat);

-- Name: CONSTRAINT occupation_contrat_unique ON occupation; Type: COMMENT; Schema: residence

COMMENT ON CONSTRAINT occupation_contrat_unique ON residence.occupation IS 'Ce contrat occupe déjà un logement.';

-- Name: occupation occupation_pkey; Type: CONSTRAINT; Schema: residence

ALTER TABLE ONLY residence.occupation
    ADD CONSTRAINT occupation_pkey PRIMARY KEY (id_occupation);

-- Name: occupation occupation_sejour_unique; Type: CONSTRAINT; Schema: residence

ALTER TABLE ONLY residence.occupation
    ADD CONSTRAINT occupation_sejour_unique UNIQUE (id_sejour);

-- Name: CONSTRAINT occupation_sejour_unique ON occupation; Type: COMMENT; Schema: residence

COMMENT ON CONSTRAINT occupation_sejour_unique ON residence.occupation IS 'Ce séjour occupe déjà un logement.';

-- Name: contrat_location resiliation_plausible; Type: CHECK CONSTRAINT; Schema: residence

ALTER TABLE residence.contrat_location
    ADD CONSTRAINT resiliation_plausible CHECK (((date_resiliation - date_debut) <= 36600)) NOT VALID;

-- Name: CONSTRAINT resiliation_plausible ON contrat_location; Type: COMMENT; Schema: residence

COMMENT ON CONSTRAINT resiliation_plausible ON residence.contrat_location IS 'Un contrat se résilie au plus tard cent ans après son début.';

-- Name: revision_loyer revision_loyer_pkey; Type: CONSTRAINT; Schema: residence

ALTER TABLE ONLY residence.revision_loyer
    ADD CONSTRAINT revision_loyer_pkey PRIMARY KEY (id_revision);

-- Name: sejour_court sejour_court_pkey; Type: CONSTRAINT; Schema: residence

ALTER TABLE ONLY residence.sejour_court
    ADD CONSTRAINT sejour_court_pkey PRIMARY KEY (id_sejour);

-- Name: categorie_plat categorie_plat_existante; Type: CONSTRAINT; Schema: restaurant

ALTER TABLE ONLY restaurant.categorie_plat
    ADD CONSTRAINT categorie_plat_existante UNIQUE (libelle);

-- Name: CONSTRAINT categorie_plat_existante ON categorie_plat; Type: COMMENT; Schema: restaurant

COMMENT ON CONSTRAINT categorie_plat_existante ON restaurant.categorie_plat IS 'Une catégorie de plats porte déjà ce libellé.';

-- Name: categorie_plat categorie_plat_pkey; Type: CONSTRAINT; Schema: restaurant

ALTER TABLE ONLY restaurant.categorie_plat
    ADD CONSTRAINT categorie_plat_pkey PRIMARY KEY (id_categorie_plat);

-- Name: commande_ligne commande_ligne_restaurant_pkey; Type: CONSTRAINT; Schema: restaurant

ALTER TABLE ONLY restaurant.commande_ligne
    ADD CONSTRAINT commande_ligne_restaurant_pkey PRIMARY KEY (id_ligne);

-- Name: commande commande_restaurant_pkey; Type: CONSTRAINT; Schema: restaurant

ALTER TABLE ONLY restaurant.commande
    ADD CONSTRAINT commande_restaurant_pkey PRIMARY KEY (id_commande);

-- Name: plat plat_pkey; Type: CONSTRAINT; Schema: restaurant

ALTER TABLE ONLY restaurant.plat
    ADD CONSTRAINT plat_pkey PRIMARY KEY (id_plat);

-- Name: employe code_employe_existant; Type: CONSTRAINT; Schema: rh

ALTER TABLE ONLY rh.employe
    ADD CONSTRAINT code_employe_existant UNIQUE (code);

-- Name: CONSTRAINT code_employe_existant ON employe; Type: COMMENT; Schema: rh

COMMENT ON CONSTRAINT code_employe_existant ON rh.employe IS 'Un employé porte déjà ce code.';

-- Name: employe compte_deja_lie; Type: CONSTRAINT; Schema: rh

ALTER TABLE ONLY rh.employe
    ADD CONSTRAINT compte_deja_lie UNIQUE (id_utilisateur);

-- Name: CONSTRAINT compte_deja_lie ON employe; Type: COMMENT; Schema: rh

COMMENT ON CONSTRAINT compte_deja_lie ON rh.employe IS 'Ce compte est celui d''un autre employé.';

-- Name: element_salaire element_salaire_pkey; Type: CONSTRAINT; Schema: rh

ALTER TABLE ONLY rh.element_salaire
    ADD CONSTRAINT element_salaire_pkey PRIMARY KEY (id_element);

-- Name: employe employe_pkey; Type: CONSTRAINT; Schema: rh

ALTER TABLE ONLY rh.employe
    ADD CONSTRAINT employe_pkey PRIMARY KEY (id_employe);

-- Name: paie paie_deja_payee; Type: CONSTRAINT; Schema: rh

ALTER TABLE ONLY rh.paie
    ADD CONSTRAINT paie_deja_payee UNIQUE (id_paiement);

-- Name: CONSTRAINT paie_deja_payee ON paie; Type: COMMENT; Schema: rh

COMMENT ON CONSTRAINT paie_deja_payee ON rh.paie IS 'Ce paiement est celui d''un autre bulletin.';

-- Name: paie paie_pkey; Type: CONSTRAINT; Schema: rh

ALTER TABLE ONLY rh.paie
    ADD CONSTRAINT paie_pkey PRIMARY KEY (id_paie);

-- Name: pointage pointage_existant; Type: CONSTRAINT; Schema: rh

ALTER TABLE ONLY rh.pointage
    ADD CONSTRAINT pointage_existant UNIQUE (id_employe, date);

-- Name: CONSTRAINT pointage_existant ON pointage; Type: COMMENT; Schema: rh

COMMENT ON CONSTRAINT pointage_existant ON rh.pointage IS 'Cet employé a déjà un pointage ce jour-là.';

-- Name: pointage pointage_pkey; Type: CONSTRAINT; Schema: rh

ALTER TABLE ONLY rh.pointage
    ADD CONSTRAINT pointage_pkey PRIMARY KEY (id_pointage);

-- Name: service service_existant; Type: CONSTRAINT; Schema: rh

ALTER TABLE ONLY rh.service
    ADD CONSTRAINT service_existant UNIQUE (libelle);

-- Name: CONSTRAINT service_existant ON service; Type: COMMENT; Schema: rh

COMMENT ON CONSTRAINT service_existant ON rh.service IS 'Un service porte déjà ce libellé.';

-- Name: service service_pkey; Type: CONSTRAINT; Schema: rh

ALTER TABLE ONLY rh.service
    ADD CONSTRAINT service_pkey PRIMARY KEY (id_service);

-- Name: reservation creneau_deja_reserve; Type: CONSTRAINT; Schema: salle_fete

ALTER TABLE ONLY salle_fete.reservation
    ADD CONSTRAINT creneau_deja_reserve EXCLUDE USING gist (creneau WITH &&) WHERE ((statut = ANY (ARRAY['RESERVEE'::salle_fete.statut_reservation, 'CONFIRMEE'::salle_fete.statut_reservation, 'REALISEE'::salle_fete.statut_reservation])));

-- Name: CONSTRAINT creneau_deja_reserve ON reservation; Type: COMMENT; Schema: salle_fete

COMMENT ON CONSTRAINT creneau_deja_reserve ON salle_fete.reservation IS 'La salle est déjà réservée à ce moment.';

-- Name: reservation reservation_pkey; Type: CONSTRAINT; Schema: salle_fete

ALTER TABLE ONLY salle_fete.reservation
    ADD CONSTRAINT reservation_pkey PRIMARY KEY (id_reservation);

-- Name: photo photo_deja_ajoutee; Type: CONSTRAINT; Schema: signalement

ALTER TABLE ONLY signalement.photo
    ADD CONSTRAINT photo_deja_ajoutee UNIQUE (id_signalement, cle_objet);

-- Name: CONSTRAINT photo_deja_ajoutee ON photo; Type: COMMENT; Schema: signalement

COMMENT ON CONSTRAINT photo_deja_ajoutee ON signalement.photo IS 'Cette photo est déjà jointe à ce signalement.';

-- Name: photo photo_signalement_pkey; Type: CONSTRAINT; Schema: signalement

ALTER TABLE ONLY signalement.photo
    ADD CONSTRAINT photo_signalement_pkey PRIMARY KEY (id_photo);

-- Name: signalement signalement_pkey; Type: CONSTRAINT; Schema: signalement

ALTER TABLE ONLY signalement.signalement
    ADD CONSTRAINT signalement_pkey PRIMARY KEY (id_signalement);

-- Name: journal_adresse_ip; Type: INDEX; Schema: audit

CREATE INDEX journal_adresse_ip ON audit.journal USING btree (host(adresse_ip), date_heure DESC, id_trace DESC);

-- Name: journal_date_heure; Type: INDEX; Schema: audit

CREATE INDEX journal_date_heure ON audit.journal USING btree (date_heure DESC, id_trace DESC);

-- Name: journal_entite; Type: INDEX; Schema: audit

CREATE INDEX journal_entite ON audit.journal USING btree (entite, entite_id, id_trace DESC);

-- Name: journal_id_utilisateur; Type: INDEX; Schema: audit

CREATE INDEX journal_id_utilisateur ON audit.journal USING btree (id_utilisateur, id_trace DESC);

-- Name: journal_module; Type: INDEX; Schema: audit

CREATE INDEX journal_module ON audit.journal USING btree (module, date_heure DESC, id_trace DESC);

-- Name: journal_suppression; Type: INDEX; Schema: audit

CREATE INDEX journal_suppression ON audit.journal USING btree (date_heure DESC, id_trace DESC) WHERE (operation = 'DELETE'::audit.operation);

-- Name: connexion_id_utilisateur; Type: INDEX; Schema: auth

CREATE INDEX connexion_id_utilisateur ON auth.connexion USING btree (id_utilisateur, date DESC);

-- Name: connexion_reussie; Type: INDEX; Schema: auth

CREATE INDEX connexion_reussie ON auth.connexion USING btree (id_utilisateur, date DESC) WHERE succes;

-- Name: depot_id_activite; Type: INDEX; Schema: auth

CREATE INDEX depot_id_activite ON auth.depot USING btree (id_activite);

-- Name: jeton_rafraichissement_date_expiration; Type: INDEX; Schema: auth

CREATE INDEX jeton_rafraichissement_date_expiration ON auth.jeton_rafraichissement USING btree (date_expiration);

-- Name: jeton_rafraichissement_famille; Type: INDEX; Schema: auth

CREATE INDEX jeton_rafraichissement_famille ON auth.jeton_rafraichissement USING btree (famille);

-- Name: jeton_rafraichissement_id_utilisateur; Type: INDEX; Schema: auth

CREATE INDEX jeton_rafraichissement_id_utilisateur ON auth.jeton_rafraichissement USING btree (id_utilisateur);

-- Name: jeton_rafraichissement_replaced_by_hash; Type: INDEX; Schema: auth

CREATE INDEX jeton_rafraichissement_replaced_by_hash ON auth.jeton_rafraichissement USING btree (replaced_by_hash);

-- Name: jeton_reinitialisation_id_utilisateur; Type: INDEX; Schema: auth

CREATE INDEX jeton_reinitialisation_id_utilisateur ON auth.jeton_reinitialisation USING btree (id_utilisateur);

-- Name: login_existant; Type: INDEX; Schema: auth

CREATE UNIQUE INDEX login_existant ON auth.utilisateur USING btree (lower((login)::text));

-- Name: INDEX login_existant; Type: COMMENT; Schema: auth

COMMENT ON INDEX auth.login_existant IS 'Ce login existe déjà.';

-- Name: role_permission_id_permission; Type: INDEX; Schema: auth

CREATE INDEX role_permission_id_permission ON auth.role_permission USING btree (id_permission);

-- Name: utilisateur_email; Type: INDEX; Schema: auth

CREATE INDEX utilisateur_email ON auth.utilisateur USING btree (lower((email)::text));

-- Name: utilisateur_id_activite_scope; Type: INDEX; Schema: auth

CREATE INDEX utilisateur_id_activite_scope ON auth.utilisateur USING btree (id_activite_scope);

-- Name: utilisateur_id_role; Type: INDEX; Schema: auth

CREATE INDEX utilisateur_id_role ON auth.utilisateur USING btree (id_role);

-- Name: client_date_enregistrement; Type: INDEX; Schema: client

CREATE INDEX client_date_enregistrement ON client.client USING btree (date_enregistrement DESC, id_client DESC);

-- Name: client_type_client; Type: INDEX; Schema: client

CREATE INDEX client_type_client ON client.client USING btree (type_client, id_client);

-- Name: contact_urgence_id_client; Type: INDEX; Schema: client

CREATE INDEX contact_urgence_id_client ON client.contact_urgence USING btree (id_client);

-- Name: piece_identite_id_client; Type: INDEX; Schema: client

CREATE INDEX piece_identite_id_client ON client.piece_identite USING btree (id_client);

-- Name: idempotence_date_creation; Type: INDEX; Schema: core

CREATE INDEX idempotence_date_creation ON core.idempotence USING btree (date_creation);

-- Name: facture_a_payer; Type: INDEX; Schema: facturation

CREATE INDEX facture_a_payer ON facturation.facture USING btree (date DESC, id_facture DESC) WHERE (statut = ANY (ARRAY['IMPAYEE'::facturation.statut_facture, 'PARTIELLE'::facturation.statut_facture]));

-- Name: facture_date; Type: INDEX; Schema: facturation

CREATE INDEX facture_date ON facturation.facture USING btree (date DESC, id_facture DESC);

-- Name: facture_id_activite; Type: INDEX; Schema: facturation

CREATE INDEX facture_id_activite ON facturation.facture USING btree (id_activite, date DESC, id_facture DESC);

-- Name: facture_id_client; Type: INDEX; Schema: facturation

CREATE INDEX facture_id_client ON facturation.facture USING btree (id_client);

-- Name: facture_id_utilisateur; Type: INDEX; Schema: facturation

CREATE INDEX facture_id_utilisateur ON facturation.facture USING btree (id_utilisateur);

-- Name: facture_jour; Type: INDEX; Schema: facturation

CREATE INDEX facture_jour ON facturation.facture USING btree (jour);

-- Name: facture_jour_activite; Type: INDEX; Schema: facturation

CREATE INDEX facture_jour_activite ON facturation.facture USING btree (jour, id_activite) INCLUDE (montant_total) WHERE (NOT annulee);

-- Name: facture_ligne_id_facture; Type: INDEX; Schema: facturation

CREATE INDEX facture_ligne_id_facture ON facturation.facture_ligne USING btree (id_facture);

-- Name: facture_source; Type: INDEX; Schema: facturation

CREATE INDEX facture_source ON facturation.facture USING btree (source_type, source_id);

-- Name: facture_unique_par_source; Type: INDEX; Schema: facturation

CREATE UNIQUE INDEX facture_unique_par_source ON facturation.facture USING btree (source_type, source_id) WHERE ((source_type <> ALL (ARRAY['PRESTATION'::facturation.source_type, 'AUTRE'::facturation.source_type])) AND (NOT annulee));

-- Name: INDEX facture_unique_par_source; Type: COMMENT; Schema: facturation

COMMENT ON INDEX facturation.facture_unique_par_source IS 'Cette opération a déjà sa facture.';

-- Name: prestation_id_activite; Type: INDEX; Schema: facturation

CREATE INDEX prestation_id_activite ON facturation.prestation USING btree (id_activite);

-- Name: prestation_libelle; Type: INDEX; Schema: facturation

CREATE INDEX prestation_libelle ON facturation.prestation USING btree (libelle, id_prestation);

-- Name: affectation_caisse_id_caisse; Type: INDEX; Schema: finances

CREATE INDEX affectation_caisse_id_caisse ON finances.affectation_caisse USING btree (id_caisse);

-- Name: application_paiement_id_facture; Type: INDEX; Schema: finances

CREATE INDEX application_paiement_id_facture ON finances.application_paiement USING btree (id_facture) INCLUDE (montant);

-- Name: application_paiement_id_paiement; Type: INDEX; Schema: finances

CREATE INDEX application_paiement_id_paiement ON finances.application_paiement USING btree (id_paiement);

-- Name: caisse_deja_ouverte; Type: INDEX; Schema: finances

CREATE UNIQUE INDEX caisse_deja_ouverte ON finances.periode_caisse USING btree (id_caisse) WHERE (fermeture IS NULL);

-- Name: INDEX caisse_deja_ouverte; Type: COMMENT; Schema: finances

COMMENT ON INDEX finances.caisse_deja_ouverte IS 'Cette caisse est déjà ouverte.';

-- Name: caisse_id_activite; Type: INDEX; Schema: finances

CREATE INDEX caisse_id_activite ON finances.caisse USING btree (id_activite);

-- Name: depense_date; Type: INDEX; Schema: finances

CREATE INDEX depense_date ON finances.depense USING btree (date DESC, id_depense DESC);

-- Name: depense_id_activite; Type: INDEX; Schema: finances

CREATE INDEX depense_id_activite ON finances.depense USING btree (id_activite, date DESC, id_depense DESC);

-- Name: depense_id_caisse; Type: INDEX; Schema: finances

CREATE INDEX depense_id_caisse ON finances.depense USING btree (id_caisse, jour) INCLUDE (montant) WHERE (date_annulation IS NULL);

-- Name: depense_id_categorie_depense; Type: INDEX; Schema: finances

CREATE INDEX depense_id_categorie_depense ON finances.depense USING btree (id_categorie_depense, date DESC, id_depense DESC);

-- Name: depense_id_periode; Type: INDEX; Schema: finances

CREATE INDEX depense_id_periode ON finances.depense USING btree (id_periode);

-- Name: depense_id_utilisateur; Type: INDEX; Schema: finances

CREATE INDEX depense_id_utilisateur ON finances.depense USING btree (id_utilisateur);

-- Name: depense_jour; Type: INDEX; Schema: finances

CREATE INDEX depense_jour ON finances.depense USING btree (jour, id_activite) INCLUDE (montant) WHERE (date_annulation IS NULL);

-- Name: paiement_date; Type: INDEX; Schema: finances

CREATE INDEX paiement_date ON finances.paiement USING btree (date DESC, id_paiement DESC);

-- Name: paiement_deja_annule; Type: INDEX; Schema: finances

CREATE UNIQUE INDEX paiement_deja_annule ON finances.paiement USING btree (id_paiement_origine) WHERE annulation;

-- Name: INDEX paiement_deja_annule; Type: COMMENT; Schema: finances

COMMENT ON INDEX finances.paiement_deja_annule IS 'Ce paiement est déjà annulé.';

-- Name: paiement_id_activite; Type: INDEX; Schema: finances

CREATE INDEX paiement_id_activite ON finances.paiement USING btree (id_activite, date DESC, id_paiement DESC);

-- Name: paiement_id_caisse; Type: INDEX; Schema: finances

CREATE INDEX paiement_id_caisse ON finances.paiement USING btree (id_caisse, jour, type) INCLUDE (montant);

-- Name: paiement_id_caisse_date; Type: INDEX; Schema: finances

CREATE INDEX paiement_id_caisse_date ON finances.paiement USING btree (id_caisse, date DESC, id_paiement DESC);

-- Name: paiement_id_client; Type: INDEX; Schema: finances

CREATE INDEX paiement_id_client ON finances.paiement USING btree (id_client) WHERE (id_client IS NOT NULL);

-- Name: paiement_id_moyen; Type: INDEX; Schema: finances

CREATE INDEX paiement_id_moyen ON finances.paiement USING btree (id_moyen, date DESC, id_paiement DESC);

-- Name: paiement_id_paiement_origine; Type: INDEX; Schema: finances

CREATE INDEX paiement_id_paiement_origine ON finances.paiement USING btree (id_paiement_origine) WHERE (id_paiement_origine IS NOT NULL);

-- Name: paiement_id_periode; Type: INDEX; Schema: finances

CREATE INDEX paiement_id_periode ON finances.paiement USING btree (id_periode);

-- Name: paiement_id_utilisateur; Type: INDEX; Schema: finances

CREATE INDEX paiement_id_utilisateur ON finances.paiement USING btree (id_utilisateur, jour);

-- Name: paiement_jour; Type: INDEX; Schema: finances

CREATE INDEX paiement_jour ON finances.paiement USING btree (jour, id_activite, type) INCLUDE (montant);

-- Name: periode_caisse_id_caisse; Type: INDEX; Schema: finances

CREATE INDEX periode_caisse_id_caisse ON finances.periode_caisse USING btree (id_caisse, ouverture DESC);

-- Name: periode_caisse_id_utilisateur_fermeture; Type: INDEX; Schema: finances

CREATE INDEX periode_caisse_id_utilisateur_fermeture ON finances.periode_caisse USING btree (id_utilisateur_fermeture);

-- Name: periode_caisse_id_utilisateur_ouverture; Type: INDEX; Schema: finances

CREATE INDEX periode_caisse_id_utilisateur_ouverture ON finances.periode_caisse USING btree (id_utilisateur_ouverture);

-- Name: resume_paiement_id_activite; Type: INDEX; Schema: finances

CREATE INDEX resume_paiement_id_activite ON finances.resume_paiement USING btree (id_activite, jour);

-- Name: resume_paiement_id_caisse; Type: INDEX; Schema: finances

CREATE INDEX resume_paiement_id_caisse ON finances.resume_paiement USING btree (id_caisse, jour);

-- Name: resume_paiement_id_utilisateur; Type: INDEX; Schema: finances

CREATE INDEX resume_paiement_id_utilisateur ON finances.resume_paiement USING btree (id_utilisateur, jour);

-- Name: tirage_date; Type: INDEX; Schema: finances

CREATE INDEX tirage_date ON finances.tirage USING btree (date DESC, id_tirage DESC);

-- Name: tirage_id_utilisateur; Type: INDEX; Schema: finances

CREATE INDEX tirage_id_utilisateur ON finances.tirage USING btree (id_utilisateur);

-- Name: restauration_id_sauvegarde; Type: INDEX; Schema: jobs

CREATE INDEX restauration_id_sauvegarde ON jobs.restauration USING btree (id_sauvegarde, id_restauration);

-- Name: restauration_une_en_cours; Type: INDEX; Schema: jobs

CREATE UNIQUE INDEX restauration_une_en_cours ON jobs.restauration USING btree (statut) WHERE (statut = 'EN_COURS'::jobs.statut_sauvegarde);

-- Name: INDEX restauration_une_en_cours; Type: COMMENT; Schema: jobs

COMMENT ON INDEX jobs.restauration_une_en_cours IS 'Une restauration est déjà en cours.';

-- Name: sauvegarde_une_en_cours; Type: INDEX; Schema: jobs

CREATE UNIQUE INDEX sauvegarde_une_en_cours ON jobs.sauvegarde USING btree (statut) WHERE (statut = 'EN_COURS'::jobs.statut_sauvegarde);

-- Name: INDEX sauvegarde_une_en_cours; Type: COMMENT; Schema: jobs

COMMENT ON INDEX jobs.sauvegarde_une_en_cours IS 'Une sauvegarde est déjà en cours.';

-- Name: sauvegarde_une_par_echeance; Type: INDEX; Schema: jobs

CREATE UNIQUE INDEX sauvegarde_une_par_echeance ON jobs.sauvegarde USING btree (echeance) WHERE (statut <> 'ERREUR'::jobs.statut_sauvegarde);

-- Name: INDEX sauvegarde_une_par_echeance; Type: COMMENT; Schema: jobs

COMMENT ON INDEX jobs.sauvegarde_une_par_echeance IS 'Cette échéance a déjà sa sauvegarde.';

-- Name: fournisseur_nom; Type: INDEX; Schema: market

CREATE INDEX fournisseur_nom ON market.fournisseur USING btree (nom, id_fournisseur);

-- Name: mouvement_stock_date; Type: INDEX; Schema: market

CREATE INDEX mouvement_stock_date ON market.mouvement_stock USING btree (date DESC, id_mouvement DESC);

-- Name: mouvement_stock_id_produit; Type: INDEX; Schema: market

CREATE INDEX mouvement_stock_id_produit ON market.mouvement_stock USING btree (id_produit) INCLUDE (delta);

-- Name: mouvement_stock_id_utilisateur; Type: INDEX; Schema: market

CREATE INDEX mouvement_stock_id_utilisateur ON market.mouvement_stock USING btree (id_utilisateur);

-- Name: mouvement_stock_id_vente; Type: INDEX; Schema: market

CREATE INDEX mouvement_stock_id_vente ON market.mouvement_stock USING btree (id_vente) WHERE (id_vente IS NOT NULL);

-- Name: produit_id_categorie_produit; Type: INDEX; Schema: market

CREATE INDEX produit_id_categorie_produit ON market.produit USING btree (id_categorie_produit);

-- Name: produit_id_fournisseur; Type: INDEX; Schema: market

CREATE INDEX produit_id_fournisseur ON market.produit USING btree (id_fournisseur);

-- Name: produit_nom; Type: INDEX; Schema: market

CREATE INDEX produit_nom ON market.produit USING btree (nom, id_produit);

-- Name: vente_date; Type: INDEX; Schema: market

CREATE INDEX vente_date ON market.vente USING btree (date DESC, id_vente DESC);

-- Name: vente_id_client; Type: INDEX; Schema: market

CREATE INDEX vente_id_client ON market.vente USING btree (id_client);

-- Name: vente_id_utilisateur; Type: INDEX; Schema: market

CREATE INDEX vente_id_utilisateur ON market.vente USING btree (id_utilisateur, date DESC, id_vente DESC);

-- Name: vente_ligne_id_produit; Type: INDEX; Schema: market

CREATE INDEX vente_ligne_id_produit ON market.vente_ligne USING btree (id_produit);

-- Name: vente_ligne_id_vente; Type: INDEX; Schema: market

CREATE INDEX vente_ligne_id_vente ON market.vente_ligne USING btree (id_vente);

-- Name: lecture_id_notification; Type: INDEX; Schema: notification

CREATE INDEX lecture_id_notification ON notification.lecture USING btree (id_notification);

-- Name: notification_date; Type: INDEX; Schema: notification

CREATE INDEX notification_date ON notification.notification USING btree (date DESC, id_notification DESC);

-- Name: notification_id_activite; Type: INDEX; Schema: notification

CREATE INDEX notification_id_activite ON notification.notification USING btree (id_activite);

-- Name: notification_id_caisse; Type: INDEX; Schema: notification

CREATE INDEX notification_id_caisse ON notification.notification USING btree (id_caisse);

-- Name: notification_id_utilisateur; Type: INDEX; Schema: notification

CREATE INDEX notification_id_utilisateur ON notification.notification USING btree (id_utilisateur);

-- Name: commande_date_depot; Type: INDEX; Schema: pressing

CREATE INDEX commande_date_depot ON pressing.commande USING btree (date_depot DESC, id_commande DESC);

-- Name: commande_id_client; Type: INDEX; Schema: pressing

CREATE INDEX commande_id_client ON pressing.commande USING btree (id_client, date_depot DESC, id_commande DESC);

-- Name: commande_id_utilisateur; Type: INDEX; Schema: pressing

CREATE INDEX commande_id_utilisateur ON pressing.commande USING btree (id_utilisateur);

-- Name: commande_ligne_id_commande; Type: INDEX; Schema: pressing

CREATE INDEX commande_ligne_id_commande ON pressing.commande_ligne USING btree (id_commande);

-- Name: commande_statut; Type: INDEX; Schema: pressing

CREATE INDEX commande_statut ON pressing.commande USING btree (statut, date_depot DESC, id_commande DESC);

-- Name: abonnement_date_debut; Type: INDEX; Schema: residence

CREATE INDEX abonnement_date_debut ON residence.abonnement USING btree (date_debut DESC, id_abonnement DESC);

-- Name: abonnement_id_categorie_abonnement; Type: INDEX; Schema: residence

CREATE INDEX abonnement_id_categorie_abonnement ON residence.abonnement USING btree (id_categorie_abonnement);

-- Name: abonnement_id_client; Type: INDEX; Schema: residence

CREATE INDEX abonnement_id_client ON residence.abonnement USING btree (id_client);

-- Name: abonnement_id_facture; Type: INDEX; Schema: residence

CREATE INDEX abonnement_id_facture ON residence.abonnement USING btree (id_facture);

-- Name: abonnement_id_logement; Type: INDEX; Schema: residence

CREATE INDEX abonnement_id_logement ON residence.abonnement USING btree (id_logement);

-- Name: abonnement_periode_id_facture; Type: INDEX; Schema: residence

CREATE INDEX abonnement_periode_id_facture ON residence.abonnement_periode USING btree (id_facture);

-- Name: caution_evenement_id_caution; Type: INDEX; Schema: residence

CREATE INDEX caution_evenement_id_caution ON residence.caution_evenement USING btree (id_caution, id_evenement);

-- Name: caution_evenement_id_paiement; Type: INDEX; Schema: residence

CREATE INDEX caution_evenement_id_paiement ON residence.caution_evenement USING btree (id_paiement);

-- Name: caution_evenement_id_utilisateur; Type: INDEX; Schema: residence

CREATE INDEX caution_evenement_id_utilisateur ON residence.caution_evenement USING btree (id_utilisateur);

-- Name: charge_facturee_id_categorie_charge; Type: INDEX; Schema: residence

CREATE INDEX charge_facturee_id_categorie_charge ON residence.charge_facturee USING btree (id_categorie_charge, periode DESC, id_charge DESC);

-- Name: charge_facturee_id_client; Type: INDEX; Schema: residence

CREATE INDEX charge_facturee_id_client ON residence.charge_facturee USING btree (id_client);

-- Name: charge_facturee_id_logement; Type: INDEX; Schema: residence

CREATE INDEX charge_facturee_id_logement ON residence.charge_facturee USING btree (id_logement, periode DESC, id_charge DESC);

-- Name: charge_facturee_id_utilisateur; Type: INDEX; Schema: residence

CREATE INDEX charge_facturee_id_utilisateur ON residence.charge_facturee USING btree (id_utilisateur);

-- Name: charge_facturee_periode; Type: INDEX; Schema: residence

CREATE INDEX charge_facturee_periode ON residence.charge_facturee USING btree (periode DESC, id_charge DESC);

-- Name: contrat_location_a_terminer; Type: INDEX; Schema: residence

CREATE INDEX contrat_location_a_terminer ON residence.contrat_location USING btree (date_fin_prevue) WHERE (statut = 'ACTIF'::residence.statut_contrat);

-- Name: contrat_location_id_client; Type: INDEX; Schema: residence

CREATE INDEX contrat_location_id_client ON residence.contrat_location USING btree (id_client);

-- Name: contrat_location_id_logement; Type: INDEX; Schema: residence

CREATE INDEX contrat_location_id_logement ON residence.contrat_location USING btree (id_logement);

-- Name: contrat_location_id_utilisateur; Type: INDEX; Schema: residence

CREATE INDEX contrat_location_id_utilisateur ON residence.contrat_location USING btree (id_utilisateur);

-- Name: contrat_location_preavis; Type: INDEX; Schema: residence

CREATE INDEX contrat_location_preavis ON residence.contrat_location USING btree (date_resiliation) WHERE preavis;

-- Name: contrat_location_sans_fin; Type: INDEX; Schema: residence

CREATE INDEX contrat_location_sans_fin ON residence.contrat_location USING btree (id_contrat) WHERE ((statut = 'ACTIF'::residence.statut_contrat) AND (date_fin_prevue IS NULL));

-- Name: contrat_location_statut; Type: INDEX; Schema: residence

CREATE INDEX contrat_location_statut ON residence.contrat_location USING btree (statut, id_contrat);

-- Name: echeance_a_payer; Type: INDEX; Schema: residence

CREATE INDEX echeance_a_payer ON residence.echeance USING btree (date_echeance, id_echeance) WHERE (((montant_paye)::numeric < (montant)::numeric) AND (NOT annulee));

-- Name: echeance_date; Type: INDEX; Schema: residence

CREATE INDEX echeance_date ON residence.echeance USING btree (date_echeance DESC, id_echeance DESC) WHERE (NOT annulee);

-- Name: echeance_id_paiement; Type: INDEX; Schema: residence

CREATE INDEX echeance_id_paiement ON residence.echeance USING btree (id_paiement) WHERE (id_paiement IS NOT NULL);

-- Name: echeance_suivi; Type: INDEX; Schema: residence

CREATE INDEX echeance_suivi ON residence.echeance USING btree ((((montant_paye)::numeric >= (montant)::numeric)), (
CASE
    WHEN ((montant_paye)::numeric < (montant)::numeric) THEN (date_echeance - '2000-01-01'::date)
    ELSE ('2000-01-01'::date - date_echeance)
END), id_echeance) WHERE (NOT annulee);

-- Name: etat_des_lieux_id_contrat; Type: INDEX; Schema: residence

CREATE INDEX etat_des_lieux_id_contrat ON residence.etat_des_lieux USING btree (id_contrat, type, id_photo);

-- Name: etat_des_lieux_id_utilisateur; Type: INDEX; Schema: residence

CREATE INDEX etat_des_lieux_id_utilisateur ON residence.etat_des_lieux USING btree (id_utilisateur);

-- Name: logement_id_batiment; Type: INDEX; Schema: residence

CREATE INDEX logement_id_batiment ON residence.logement USING btree (id_batiment, statut);

-- Name: occupation_id_logement; Type: INDEX; Schema: residence

CREATE INDEX occupation_id_logement ON residence.occupation USING btree (id_logement);

-- Name: revision_loyer_id_contrat; Type: INDEX; Schema: residence

CREATE INDEX revision_loyer_id_contrat ON residence.revision_loyer USING btree (id_contrat, date_effet DESC, id_revision DESC);

-- Name: revision_loyer_id_utilisateur; Type: INDEX; Schema: residence

CREATE INDEX revision_loyer_id_utilisateur ON residence.revision_loyer USING btree (id_utilisateur);

-- Name: sejour_court_date_heure_arrivee; Type: INDEX; Schema: residence

CREATE INDEX sejour_court_date_heure_arrivee ON residence.sejour_court USING btree (date_heure_arrivee DESC, id_sejour DESC);

-- Name: sejour_court_id_client; Type: INDEX; Schema: residence

CREATE INDEX sejour_court_id_client ON residence.sejour_court USING btree (id_client, date_heure_arrivee DESC);

-- Name: sejour_court_id_logement; Type: INDEX; Schema: residence

CREATE INDEX sejour_court_id_logement ON residence.sejour_court USING btree (id_logement, date_heure_arrivee DESC);

-- Name: sejour_court_id_moyen_paiement; Type: INDEX; Schema: residence

CREATE INDEX sejour_court_id_moyen_paiement ON residence.sejour_court USING btree (id_moyen_paiement);

-- Name: sejour_court_id_utilisateur; Type: INDEX; Schema: residence

CREATE INDEX sejour_court_id_utilisateur ON residence.sejour_court USING btree (id_utilisateur);

-- Name: commande_ligne_restaurant_id_commande; Type: INDEX; Schema: restaurant

CREATE INDEX commande_ligne_restaurant_id_commande ON restaurant.commande_ligne USING btree (id_commande);

-- Name: commande_ligne_restaurant_id_plat; Type: INDEX; Schema: restaurant

CREATE INDEX commande_ligne_restaurant_id_plat ON restaurant.commande_ligne USING btree (id_plat);

-- Name: commande_restaurant_a_suivre; Type: INDEX; Schema: restaurant

CREATE INDEX commande_restaurant_a_suivre ON restaurant.commande USING btree (date DESC, id_commande DESC) WHERE (statut = ANY (ARRAY['EN_COURS'::restaurant.statut_commande, 'EN_PREPARATION'::restaurant.statut_commande, 'SERVIE'::restaurant.statut_commande]));

-- Name: commande_restaurant_date; Type: INDEX; Schema: restaurant

CREATE INDEX commande_restaurant_date ON restaurant.commande USING btree (date DESC, id_commande DESC);

-- Name: commande_restaurant_id_client; Type: INDEX; Schema: restaurant

CREATE INDEX commande_restaurant_id_client ON restaurant.commande USING btree (id_client);

-- Name: commande_restaurant_id_utilisateur; Type: INDEX; Schema: restaurant

CREATE INDEX commande_restaurant_id_utilisateur ON restaurant.commande USING btree (id_utilisateur);

-- Name: plat_id_categorie_plat; Type: INDEX; Schema: restaurant

CREATE INDEX plat_id_categorie_plat ON restaurant.plat USING btree (id_categorie_plat);

-- Name: plat_nom; Type: INDEX; Schema: restaurant

CREATE INDEX plat_nom ON restaurant.plat USING btree (nom, id_plat);

-- Name: element_salaire_id_paie; Type: INDEX; Schema: rh

CREATE INDEX element_salaire_id_paie ON rh.element_salaire USING btree (id_paie, id_element);

-- Name: employe_id_service; Type: INDEX; Schema: rh

CREATE INDEX employe_id_service ON rh.employe USING btree (id_service);

-- Name: employe_nom; Type: INDEX; Schema: rh

CREATE INDEX employe_nom ON rh.employe USING btree (nom, prenom, id_employe);

-- Name: paie_existante; Type: INDEX; Schema: rh

CREATE UNIQUE INDEX paie_existante ON rh.paie USING btree (id_employe, periode) WHERE (statut <> 'ANNULEE'::rh.statut_paie);

-- Name: INDEX paie_existante; Type: COMMENT; Schema: rh

COMMENT ON INDEX rh.paie_existante IS 'Cet employé a déjà un bulletin pour ce mois.';

-- Name: paie_id_employe; Type: INDEX; Schema: rh

CREATE INDEX paie_id_employe ON rh.paie USING btree (id_employe, periode);

-- Name: paie_periode; Type: INDEX; Schema: rh

CREATE INDEX paie_periode ON rh.paie USING btree (periode DESC, id_paie DESC);

-- Name: pointage_date; Type: INDEX; Schema: rh

CREATE INDEX pointage_date ON rh.pointage USING btree (date DESC, id_pointage DESC);

-- Name: pointage_deja_ouvert; Type: INDEX; Schema: rh

CREATE UNIQUE INDEX pointage_deja_ouvert ON rh.pointage USING btree (id_employe) WHERE ((horloge_depart IS NULL) AND (statut = ANY (ARRAY['PRESENT'::rh.statut_pointage, 'RETARD'::rh.statut_pointage])));

-- Name: INDEX pointage_deja_ouvert; Type: COMMENT; Schema: rh

COMMENT ON INDEX rh.pointage_deja_ouvert IS 'Cet employé a une arrivée sans départ : pointez d''abord ce départ.';

-- Name: reservation_date_evenement; Type: INDEX; Schema: salle_fete

CREATE INDEX reservation_date_evenement ON salle_fete.reservation USING btree (date_evenement DESC, heure_debut DESC, id_reservation DESC);

-- Name: reservation_id_client; Type: INDEX; Schema: salle_fete

CREATE INDEX reservation_id_client ON salle_fete.reservation USING btree (id_client);

-- Name: reservation_id_utilisateur; Type: INDEX; Schema: salle_fete

CREATE INDEX reservation_id_utilisateur ON salle_fete.reservation USING btree (id_utilisateur);

-- Name: photo_id_utilisateur; Type: INDEX; Schema: signalement

CREATE INDEX photo_id_utilisateur ON signalement.photo USING btree (id_utilisateur);

-- Name: signalement_date; Type: INDEX; Schema: signalement

CREATE INDEX signalement_date ON signalement.signalement USING btree (date_signalement DESC, id_signalement DESC);

-- Name: signalement_id_activite; Type: INDEX; Schema: signalement

CREATE INDEX signalement_id_activite ON signalement.signalement USING btree (id_activite, date_signalement DESC, id_signalement DESC);

-- Name: signalement_id_utilisateur_declarant; Type: INDEX; Schema: signalement

CREATE INDEX signalement_id_utilisateur_declarant ON signalement.signalement USING btree (id_utilisateur_declarant);

-- Name: signalement_id_utilisateur_traitant; Type: INDEX; Schema: signalement

CREATE INDEX signalement_id_utilisateur_traitant ON signalement.signalement USING btree (id_utilisateur_traitant);

-- Name: signalement_statut; Type: INDEX; Schema: signalement

CREATE INDEX signalement_statut ON signalement.signalement USING btree (statut, date_signalement DESC, id_signalement DESC);

-- Name: connexion connexion_utilisateur_inconnu; Type: FK CONSTRAINT; Schema: auth

ALTER TABLE ONLY auth.connexion
    ADD CONSTRAINT connexion_utilisateur_inconnu FOREIGN KEY (id_utilisateur) REFERENCES auth.utilisateur(id_utilisateur) ON DELETE CASCADE;

-- Name: depot depot_activite_inconnue; Type: FK CONSTRAINT; Schema: auth

ALTER TABLE ONLY auth.depot
    ADD CONSTRAINT depot_activite_inconnue FOREIGN KEY (id_activite) REFERENCES core.activite(id_activite);

-- Name: CONSTRAINT depot_activite_inconnue ON depot; Type: COMMENT; Schema: auth

COMMENT ON CONSTRAINT depot_activite_inconnue ON auth.depot IS 'Cette activité n''existe pas.';

-- Name: jeton_rafraichissement jeton_successeur_inconnu; Type: FK CONSTRAINT; Schema: auth

ALTER TABLE ONLY auth.jeton_rafraichissement
    ADD CONSTRAINT jeton_successeur_inconnu FOREIGN KEY (replaced_by_hash) REFERENCES auth.jeton_rafraichissement(hash) ON DELETE SET NULL DEFERRABLE INITIALLY DEFERRED;

-- Name: jeton_rafraichissement jeton_utilisateur_inconnu; Type: FK CONSTRAINT; Schema: auth

ALTER TABLE ONLY auth.jeton_rafraichissement
    ADD CONSTRAINT jeton_utilisateur_inconnu FOREIGN KEY (id_utilisateur) REFERENCES auth.utilisateur(id_utilisateur) ON DELETE CASCADE;

-- Name: role_permission permission_inconnue; Type: FK CONSTRAINT; Schema: auth

ALTER TABLE ONLY auth.role_permission
    ADD CONSTRAINT permission_inconnue FOREIGN KEY (id_permission) REFERENCES auth.permission(id_permission);

-- Name: CONSTRAINT permission_inconnue ON role_permission; Type: COMMENT; Schema: auth

COMMENT ON CONSTRAINT permission_inconnue ON auth.role_permission IS 'Cette permission n''existe pas.';

-- Name: jeton_reinitialisation reinitialisation_utilisateur_inconnu; Type: FK CONSTRAINT; Schema: auth

ALTER TABLE ONLY auth.jeton_reinitialisation
    ADD CONSTRAINT reinitialisation_utilisateur_inconnu FOREIGN KEY (id_utilisateur) REFERENCES auth.utilisateur(id_utilisateur) ON DELETE CASCADE;

-- Name: role_permission role_inconnu; Type: FK CONSTRAINT; Schema: auth

ALTER TABLE ONLY auth.role_permission
    ADD CONSTRAINT role_inconnu FOREIGN KEY (id_role) REFERENCES auth.role(id_role);

-- Name: CONSTRAINT role_inconnu ON role_permission; Type: COMMENT; Schema: auth

COMMENT ON CONSTRAINT role_inconnu ON auth.role_permission IS 'Ce rôle n''existe pas.';

-- Name: secret secret_utilisateur_inconnu; Type: FK CONSTRAINT; Schema: auth

ALTER TABLE ONLY auth.secret
    ADD CONSTRAINT secret_utilisateur_inconnu FOREIGN KEY (id_utilisateur) REFERENCES auth.utilisateur(id_utilisateur) ON DELETE CASCADE;

-- Name: utilisateur utilisateur_activite_inconnue; Type: FK CONSTRAINT; Schema: auth

ALTER TABLE ONLY auth.utilisateur
    ADD CONSTRAINT utilisateur_activite_inconnue FOREIGN KEY (id_activite_scope) REFERENCES core.activite(id_activite);

-- Name: CONSTRAINT utilisateur_activite_inconnue ON utilisateur; Type: COMMENT; Schema: auth

COMMENT ON CONSTRAINT utilisateur_activite_inconnue ON auth.utilisateur IS 'Cette activité n''existe pas.';

-- Name: utilisateur utilisateur_client_inconnu; Type: FK CONSTRAINT; Schema: auth

ALTER TABLE ONLY auth.utilisateur
    ADD CONSTRAINT utilisateur_client_inconnu FOREIGN KEY (id_client) REFERENCES client.client(id_client);

-- Name: CONSTRAINT utilisateur_client_inconnu ON utilisateur; Type: COMMENT; Schema: auth

COMMENT ON CONSTRAINT utilisateur_client_inconnu ON auth.utilisateur IS 'Ce client n''existe pas.';

-- Name: utilisateur utilisateur_role_inconnu; Type: FK CONSTRAINT; Schema: auth

ALTER TABLE ONLY auth.utilisateur
    ADD CONSTRAINT utilisateur_role_inconnu FOREIGN KEY (id_role) REFERENCES auth.role(id_role);

-- Name: CONSTRAINT utilisateur_role_inconnu ON utilisateur; Type: COMMENT; Schema: auth

COMMENT ON CONSTRAINT utilisateur_role_inconnu ON auth.utilisateur IS 'Ce rôle n''existe pas ou a encore des utilisateurs.';

-- Name: contact_urgence contact_client_inconnu; Type: FK CONSTRAINT; Schema: client

ALTER TABLE ONLY client.contact_urgence
    ADD CONSTRAINT contact_client_inconnu FOREIGN KEY (id_client) REFERENCES client.client(id_client);

-- Name: CONSTRAINT contact_client_inconnu ON contact_urgence; Type: COMMENT; Schema: client

COMMENT ON CONSTRAINT contact_client_inconnu ON client.contact_urgence IS 'Ce client n''existe pas.';

-- Name: piece_identite piece_client_inconnu; Type: FK CONSTRAINT; Schema: client

ALTER TABLE ONLY client.piece_identite
    ADD CONSTRAINT piece_client_inconnu FOREIGN KEY (id_client) REFERENCES client.client(id_client);

-- Name: CONSTRAINT piece_client_inconnu ON piece_identite; Type: COMMENT; Schema: client

COMMENT ON CONSTRAINT piece_client_inconnu ON client.piece_identite IS 'Ce client n''existe pas.';

-- Name: facture facture_activite_inconnue; Type: FK CONSTRAINT; Schema: facturation

ALTER TABLE ONLY facturation.facture
    ADD CONSTRAINT facture_activite_inconnue FOREIGN KEY (id_activite) REFERENCES core.activite(id_activite);

-- Name: CONSTRAINT facture_activite_inconnue ON facture; Type: COMMENT; Schema: facturation

COMMENT ON CONSTRAINT facture_activite_inconnue ON facturation.facture IS 'Cette activité n''existe pas.';

-- Name: facture facture_client_inconnu; Type: FK CONSTRAINT; Schema: facturation

ALTER TABLE ONLY facturation.facture
    ADD CONSTRAINT facture_client_inconnu FOREIGN KEY (id_client) REFERENCES client.client(id_client);

-- Name: CONSTRAINT facture_client_inconnu ON facture; Type: COMMENT; Schema: facturation

COMMENT ON CONSTRAINT facture_client_inconnu ON facturation.facture IS 'Ce client n''existe pas.';

-- Name: facture facture_utilisateur_inconnu; Type: FK CONSTRAINT; Schema: facturation

ALTER TABLE ONLY facturation.facture
    ADD CONSTRAINT facture_utilisateur_inconnu FOREIGN KEY (id_utilisateur) REFERENCES auth.utilisateur(id_utilisateur);

-- Name: facture_ligne ligne_facture_inconnue; Type: FK CONSTRAINT; Schema: facturation

ALTER TABLE ONLY facturation.facture_ligne
    ADD CONSTRAINT ligne_facture_inconnue FOREIGN KEY (id_facture) REFERENCES facturation.facture(id_facture) DEFERRABLE INITIALLY DEFERRED;

-- Name: CONSTRAINT ligne_facture_inconnue ON facture_ligne; Type: COMMENT; Schema: facturation

COMMENT ON CONSTRAINT ligne_facture_inconnue ON facturation.facture_ligne IS 'Cette facture n''existe pas.';

-- Name: prestation prestation_activite_inconnue; Type: FK CONSTRAINT; Schema: facturation

ALTER TABLE ONLY facturation.prestation
    ADD CONSTRAINT prestation_activite_inconnue FOREIGN KEY (id_activite) REFERENCES core.activite(id_activite);

-- Name: CONSTRAINT prestation_activite_inconnue ON prestation; Type: COMMENT; Schema: facturation

COMMENT ON CONSTRAINT prestation_activite_inconnue ON facturation.prestation IS 'Cette activité n''existe pas.';

-- Name: affectation_caisse affectation_caisse_inconnue; Type: FK CONSTRAINT; Schema: finances

ALTER TABLE ONLY finances.affectation_caisse
    ADD CONSTRAINT affectation_caisse_inconnue FOREIGN KEY (id_caisse) REFERENCES finances.caisse(id_caisse);

-- Name: CONSTRAINT affectation_caisse_inconnue ON affectation_caisse; Type: COMMENT; Schema: finances

COMMENT ON CONSTRAINT affectation_caisse_inconnue ON finances.affectation_caisse IS 'Cette caisse n''existe pas.';

-- Name: affectation_caisse affectation_utilisateur_inconnu; Type: FK CONSTRAINT; Schema: finances

ALTER TABLE ONLY finances.affectation_caisse
    ADD CONSTRAINT affectation_utilisateur_inconnu FOREIGN KEY (id_utilisateur) REFERENCES auth.utilisateur(id_utilisateur) ON DELETE CASCADE;

-- Name: application_paiement application_facture_inconnue; Type: FK CONSTRAINT; Schema: finances

ALTER TABLE ONLY finances.application_paiement
    ADD CONSTRAINT application_facture_inconnue FOREIGN KEY (id_facture) REFERENCES facturation.facture(id_facture) DEFERRABLE INITIALLY DEFERRED;

-- Name: CONSTRAINT application_facture_inconnue ON application_paiement; Type: COMMENT; Schema: finances

COMMENT ON CONSTRAINT application_facture_inconnue ON finances.application_paiement IS 'Cette facture n''existe pas.';

-- Name: application_paiement application_paiement_inconnu; Type: FK CONSTRAINT; Schema: finances

ALTER TABLE ONLY finances.application_paiement
    ADD CONSTRAINT application_paiement_inconnu FOREIGN KEY (id_paiement) REFERENCES finances.paiement(id_paiement);

-- Name: CONSTRAINT application_paiement_inconnu ON application_paiement; Type: COMMENT; Schema: finances

COMMENT ON CONSTRAINT application_paiement_inconnu ON finances.application_paiement IS 'Ce paiement n''existe pas.';

-- Name: caisse caisse_activite_inconnue; Type: FK CONSTRAINT; Schema: finances

ALTER TABLE ONLY finances.caisse
    ADD CONSTRAINT caisse_activite_inconnue FOREIGN KEY (id_activite) REFERENCES core.activite(id_activite);

-- Name: CONSTRAINT caisse_activite_inconnue ON caisse; Type: COMMENT; Schema: finances

COMMENT ON CONSTRAINT caisse_activite_inconnue ON finances.caisse IS 'Cette activité n''existe pas.';

-- Name: depense depense_activite_inconnue; Type: FK CONSTRAINT; Schema: finances

ALTER TABLE ONLY finances.depense
    ADD CONSTRAINT depense_activite_inconnue FOREIGN KEY (id_activite) REFERENCES core.activite(id_activite);

-- Name: CONSTRAINT depense_activite_inconnue ON depense; Type: COMMENT; Schema: finances

COMMENT ON CONSTRAINT depense_activite_inconnue ON finances.depense IS 'Cette activité n''existe pas.';

-- Name: depense depense_caisse_inconnue; Type: FK CONSTRAINT; Schema: finances

ALTER TABLE ONLY finances.depense
    ADD CONSTRAINT depense_caisse_inconnue FOREIGN KEY (id_caisse) REFERENCES finances.caisse(id_caisse);

-- Name: CONSTRAINT depense_caisse_inconnue ON depense; Type: COMMENT; Schema: finances

COMMENT ON CONSTRAINT depense_caisse_inconnue ON finances.depense IS 'Cette caisse n''existe pas.';

-- Name: depense depense_categorie_inconnue; Type: FK CONSTRAINT; Schema: finances

ALTER TABLE ONLY finances.depense
    ADD CONSTRAINT depense_categorie_inconnue FOREIGN KEY (id_categorie_depense) REFERENCES finances.categorie_depense(id_categorie_depense);

-- Name: CONSTRAINT depense_categorie_inconnue ON depense; Type: COMMENT; Schema: finances

COMMENT ON CONSTRAINT depense_categorie_inconnue ON finances.depense IS 'Cette catégorie de dépense n''existe pas ou a encore des dépenses.';

-- Name: depense depense_periode_inconnue; Type: FK CONSTRAINT; Schema: finances

ALTER TABLE ONLY finances.depense
    ADD CONSTRAINT depense_periode_inconnue FOREIGN KEY (id_periode) REFERENCES finances.periode_caisse(id_periode);

-- Name: CONSTRAINT depense_periode_inconnue ON depense; Type: COMMENT; Schema: finances

COMMENT ON CONSTRAINT depense_periode_inconnue ON finances.depense IS 'Cette période de caisse n''existe pas.';

-- Name: depense depense_utilisateur_inconnu; Type: FK CONSTRAINT; Schema: finances

ALTER TABLE ONLY finances.depense
    ADD CONSTRAINT depense_utilisateur_inconnu FOREIGN KEY (id_utilisateur) REFERENCES auth.utilisateur(id_utilisateur);

-- Name: periode_caisse fermeture_utilisateur_inconnu; Type: FK CONSTRAINT; Schema: finances

ALTER TABLE ONLY finances.periode_caisse
    ADD CONSTRAINT fermeture_utilisateur_inconnu FOREIGN KEY (id_utilisateur_fermeture) REFERENCES auth.utilisateur(id_utilisateur);

-- Name: periode_caisse ouverture_utilisateur_inconnu; Type: FK CONSTRAINT; Schema: finances

ALTER TABLE ONLY finances.periode_caisse
    ADD CONSTRAINT ouverture_utilisateur_inconnu FOREIGN KEY (id_utilisateur_ouverture) REFERENCES auth.utilisateur(id_utilisateur);

-- Name: paiement paiement_activite_inconnue; Type: FK CONSTRAINT; Schema: finances

ALTER TABLE ONLY finances.paiement
    ADD CONSTRAINT paiement_activite_inconnue FOREIGN KEY (id_activite) REFERENCES core.activite(id_activite);

-- Name: CONSTRAINT paiement_activite_inconnue ON paiement; Type: COMMENT; Schema: finances

COMMENT ON CONSTRAINT paiement_activite_inconnue ON finances.paiement IS 'Cette activité n''existe pas.';

-- Name: paiement paiement_caisse_inconnue; Type: FK CONSTRAINT; Schema: finances

ALTER TABLE ONLY finances.paiement
    ADD CONSTRAINT paiement_caisse_inconnue FOREIGN KEY (id_caisse) REFERENCES finances.caisse(id_caisse);

-- Name: CONSTRAINT paiement_caisse_inconnue ON paiement; Type: COMMENT; Schema: finances

COMMENT ON CONSTRAINT paiement_caisse_inconnue ON finances.paiement IS 'Cette caisse n''existe pas.';

-- Name: paiement paiement_client_inconnu; Type: FK CONSTRAINT; Schema: finances

ALTER TABLE ONLY finances.paiement
    ADD CONSTRAINT paiement_client_inconnu FOREIGN KEY (id_client) REFERENCES client.client(id_client);

-- Name: CONSTRAINT paiement_client_inconnu ON paiement; Type: COMMENT; Schema: finances

COMMENT ON CONSTRAINT paiement_client_inconnu ON finances.paiement IS 'Ce client n''existe pas.';

-- Name: paiement paiement_moyen_inconnu; Type: FK CONSTRAINT; Schema: finances

ALTER TABLE ONLY finances.paiement
    ADD CONSTRAINT paiement_moyen_inconnu FOREIGN KEY (id_moyen) REFERENCES finances.moyen_paiement(id_moyen);

-- Name: CONSTRAINT paiement_moyen_inconnu ON paiement; Type: COMMENT; Schema: finances

COMMENT ON CONSTRAINT paiement_moyen_inconnu ON finances.paiement IS 'Ce moyen de paiement n''existe pas.';

-- Name: paiement paiement_origine_inconnu; Type: FK CONSTRAINT; Schema: finances

ALTER TABLE ONLY finances.paiement
    ADD CONSTRAINT paiement_origine_inconnu FOREIGN KEY (id_paiement_origine) REFERENCES finances.paiement(id_paiement);

-- Name: CONSTRAINT paiement_origine_inconnu ON paiement; Type: COMMENT; Schema: finances

COMMENT ON CONSTRAINT paiement_origine_inconnu ON finances.paiement IS 'Le paiement à annuler n''existe pas.';

-- Name: paiement paiement_periode_inconnue; Type: FK CONSTRAINT; Schema: finances

ALTER TABLE ONLY finances.paiement
    ADD CONSTRAINT paiement_periode_inconnue FOREIGN KEY (id_periode) REFERENCES finances.periode_caisse(id_periode);

-- Name: CONSTRAINT paiement_periode_inconnue ON paiement; Type: COMMENT; Schema: finances

COMMENT ON CONSTRAINT paiement_periode_inconnue ON finances.paiement IS 'Cette période de caisse n''existe pas.';

-- Name: paiement paiement_utilisateur_inconnu; Type: FK CONSTRAINT; Schema: finances

ALTER TABLE ONLY finances.paiement
    ADD CONSTRAINT paiement_utilisateur_inconnu FOREIGN KEY (id_utilisateur) REFERENCES auth.utilisateur(id_utilisateur);

-- Name: periode_caisse periode_caisse_inconnue; Type: FK CONSTRAINT; Schema: finances

ALTER TABLE ONLY finances.periode_caisse
    ADD CONSTRAINT periode_caisse_inconnue FOREIGN KEY (id_caisse) REFERENCES finances.caisse(id_caisse);

-- Name: CONSTRAINT periode_caisse_inconnue ON periode_caisse; Type: COMMENT; Schema: finances

COMMENT ON CONSTRAINT periode_caisse_inconnue ON finances.periode_caisse IS 'Cette caisse n''existe pas.';

-- Name: resume_paiement resume_activite_inconnue; Type: FK CONSTRAINT; Schema: finances

ALTER TABLE ONLY finances.resume_paiement
    ADD CONSTRAINT resume_activite_inconnue FOREIGN KEY (id_activite) REFERENCES core.activite(id_activite);

-- Name: CONSTRAINT resume_activite_inconnue ON resume_paiement; Type: COMMENT; Schema: finances

COMMENT ON CONSTRAINT resume_activite_inconnue ON finances.resume_paiement IS 'Cette activité n''existe pas.';

-- Name: resume_paiement resume_caisse_inconnue; Type: FK CONSTRAINT; Schema: finances

ALTER TABLE ONLY finances.resume_paiement
    ADD CONSTRAINT resume_caisse_inconnue FOREIGN KEY (id_caisse) REFERENCES finances.caisse(id_caisse);

-- Name: CONSTRAINT resume_caisse_inconnue ON resume_paiement; Type: COMMENT; Schema: finances

COMMENT ON CONSTRAINT resume_caisse_inconnue ON finances.resume_paiement IS 'Cette caisse n''existe pas.';

-- Name: resume_paiement resume_utilisateur_inconnu; Type: FK CONSTRAINT; Schema: finances

ALTER TABLE ONLY finances.resume_paiement
    ADD CONSTRAINT resume_utilisateur_inconnu FOREIGN KEY (id_utilisateur) REFERENCES auth.utilisateur(id_utilisateur);

-- Name: CONSTRAINT resume_utilisateur_inconnu ON resume_paiement; Type: COMMENT; Schema: finances

COMMENT ON CONSTRAINT resume_utilisateur_inconnu ON finances.resume_paiement IS 'Cet utilisateur n''existe pas.';

-- Name: tirage tirage_caisse_inconnue; Type: FK CONSTRAINT; Schema: finances

ALTER TABLE ONLY finances.tirage
    ADD CONSTRAINT tirage_caisse_inconnue FOREIGN KEY (id_caisse) REFERENCES finances.caisse(id_caisse);

-- Name: CONSTRAINT tirage_caisse_inconnue ON tirage; Type: COMMENT; Schema: finances

COMMENT ON CONSTRAINT tirage_caisse_inconnue ON finances.tirage IS 'Cette caisse n''existe pas.';

-- Name: tirage tirage_utilisateur_inconnu; Type: FK CONSTRAINT; Schema: finances

ALTER TABLE ONLY finances.tirage
    ADD CONSTRAINT tirage_utilisateur_inconnu FOREIGN KEY (id_utilisateur) REFERENCES auth.utilisateur(id_utilisateur);

-- Name: restauration restauration_sauvegarde_inconnue; Type: FK CONSTRAINT; Schema: jobs

ALTER TABLE ONLY jobs.restauration
    ADD CONSTRAINT restauration_sauvegarde_inconnue FOREIGN KEY (id_sauvegarde) REFERENCES jobs.sauvegarde(id_sauvegarde);

-- Name: CONSTRAINT restauration_sauvegarde_inconnue ON restauration; Type: COMMENT; Schema: jobs

COMMENT ON CONSTRAINT restauration_sauvegarde_inconnue ON jobs.restauration IS 'Cette sauvegarde n''existe pas.';

-- Name: vente_ligne ligne_vente_inconnue; Type: FK CONSTRAINT; Schema: market

ALTER TABLE ONLY market.vente_ligne
    ADD CONSTRAINT ligne_vente_inconnue FOREIGN KEY (id_vente) REFERENCES market.vente(id_vente) DEFERRABLE INITIALLY DEFERRED;

-- Name: CONSTRAINT ligne_vente_inconnue ON vente_ligne; Type: COMMENT; Schema: market

COMMENT ON CONSTRAINT ligne_vente_inconnue ON market.vente_ligne IS 'Cette vente n''existe pas.';

-- Name: mouvement_stock mouvement_produit_inconnu; Type: FK CONSTRAINT; Schema: market

ALTER TABLE ONLY market.mouvement_stock
    ADD CONSTRAINT mouvement_produit_inconnu FOREIGN KEY (id_produit) REFERENCES market.produit(id_produit);

-- Name: CONSTRAINT mouvement_produit_inconnu ON mouvement_stock; Type: COMMENT; Schema: market

COMMENT ON CONSTRAINT mouvement_produit_inconnu ON market.mouvement_stock IS 'Ce produit n''existe pas.';

-- Name: mouvement_stock mouvement_utilisateur_inconnu; Type: FK CONSTRAINT; Schema: market

ALTER TABLE ONLY market.mouvement_stock
    ADD CONSTRAINT mouvement_utilisateur_inconnu FOREIGN KEY (id_utilisateur) REFERENCES auth.utilisateur(id_utilisateur);

-- Name: mouvement_stock mouvement_vente_inconnue; Type: FK CONSTRAINT; Schema: market

ALTER TABLE ONLY market.mouvement_stock
    ADD CONSTRAINT mouvement_vente_inconnue FOREIGN KEY (id_vente) REFERENCES market.vente(id_vente);

-- Name: CONSTRAINT mouvement_vente_inconnue ON mouvement_stock; Type: COMMENT; Schema: market

COMMENT ON CONSTRAINT mouvement_vente_inconnue ON market.mouvement_stock IS 'Cette vente n''existe pas.';

-- Name: produit produit_categorie_inconnue; Type: FK CONSTRAINT; Schema: market

ALTER TABLE ONLY market.produit
    ADD CONSTRAINT produit_categorie_inconnue FOREIGN KEY (id_categorie_produit) REFERENCES market.categorie_produit(id_categorie_produit);

-- Name: CONSTRAINT produit_categorie_inconnue ON produit; Type: COMMENT; Schema: market

COMMENT ON CONSTRAINT produit_categorie_inconnue ON market.produit IS 'Cette catégorie de produits n''existe pas.';

-- Name: produit produit_fournisseur_inconnu; Type: FK CONSTRAINT; Schema: market

ALTER TABLE ONLY market.produit
    ADD CONSTRAINT produit_fournisseur_inconnu FOREIGN KEY (id_fournisseur) REFERENCES market.fournisseur(id_fournisseur);

-- Name: CONSTRAINT produit_fournisseur_inconnu ON produit; Type: COMMENT; Schema: market

COMMENT ON CONSTRAINT produit_fournisseur_inconnu ON market.produit IS 'Ce fournisseur n''existe pas.';

-- Name: vente vente_client_inconnu; Type: FK CONSTRAINT; Schema: market

ALTER TABLE ONLY market.vente
    ADD CONSTRAINT vente_client_inconnu FOREIGN KEY (id_client) REFERENCES client.client(id_client);

-- Name: CONSTRAINT vente_client_inconnu ON vente; Type: COMMENT; Schema: market

COMMENT ON CONSTRAINT vente_client_inconnu ON market.vente IS 'Ce client n''existe pas.';

-- Name: vente_ligne vente_produit_inconnu; Type: FK CONSTRAINT; Schema: market

ALTER TABLE ONLY market.vente_ligne
    ADD CONSTRAINT vente_produit_inconnu FOREIGN KEY (id_produit) REFERENCES market.produit(id_produit);

-- Name: CONSTRAINT vente_produit_inconnu ON vente_ligne; Type: COMMENT; Schema: market

COMMENT ON CONSTRAINT vente_produit_inconnu ON market.vente_ligne IS 'Ce produit n''existe pas.';

-- Name: vente vente_utilisateur_inconnu; Type: FK CONSTRAINT; Schema: market

ALTER TABLE ONLY market.vente
    ADD CONSTRAINT vente_utilisateur_inconnu FOREIGN KEY (id_utilisateur) REFERENCES auth.utilisateur(id_utilisateur);

-- Name: lecture lecture_notification_inconnue; Type: FK CONSTRAINT; Schema: notification

ALTER TABLE ONLY notification.lecture
    ADD CONSTRAINT lecture_notification_inconnue FOREIGN KEY (id_notification) REFERENCES notification.notification(id_notification) ON DELETE CASCADE;

-- Name: lecture lecture_utilisateur_inconnu; Type: FK CONSTRAINT; Schema: notification

ALTER TABLE ONLY notification.lecture
    ADD CONSTRAINT lecture_utilisateur_inconnu FOREIGN KEY (id_utilisateur) REFERENCES auth.utilisateur(id_utilisateur) ON DELETE CASCADE;

-- Name: notification notification_activite_inconnue; Type: FK CONSTRAINT; Schema: notification

ALTER TABLE ONLY notification.notification
    ADD CONSTRAINT notification_activite_inconnue FOREIGN KEY (id_activite) REFERENCES core.activite(id_activite);

-- Name: CONSTRAINT notification_activite_inconnue ON notification; Type: COMMENT; Schema: notification

COMMENT ON CONSTRAINT notification_activite_inconnue ON notification.notification IS 'Cette activité n''existe pas.';

-- Name: notification notification_caisse_inconnue; Type: FK CONSTRAINT; Schema: notification

ALTER TABLE ONLY notification.notification
    ADD CONSTRAINT notification_caisse_inconnue FOREIGN KEY (id_caisse) REFERENCES finances.caisse(id_caisse);

-- Name: CONSTRAINT notification_caisse_inconnue ON notification; Type: COMMENT; Schema: notification

COMMENT ON CONSTRAINT notification_caisse_inconnue ON notification.notification IS 'Cette caisse n''existe pas.';

-- Name: notification notification_utilisateur_inconnu; Type: FK CONSTRAINT; Schema: notification

ALTER TABLE ONLY notification.notification
    ADD CONSTRAINT notification_utilisateur_inconnu FOREIGN KEY (id_utilisateur) REFERENCES auth.utilisateur(id_utilisateur);

-- Name: commande_ligne ligne_pressing_inconnue; Type: FK CONSTRAINT; Schema: pressing

ALTER TABLE ONLY pressing.commande_ligne
    ADD CONSTRAINT ligne_pressing_inconnue FOREIGN KEY (id_commande) REFERENCES pressing.commande(id_commande) DEFERRABLE INITIALLY DEFERRED;

-- Name: CONSTRAINT ligne_pressing_inconnue ON commande_ligne; Type: COMMENT; Schema: pressing

COMMENT ON CONSTRAINT ligne_pressing_inconnue ON pressing.commande_ligne IS 'Cette commande n''existe pas.';

-- Name: commande pressing_client_inconnu; Type: FK CONSTRAINT; Schema: pressing

ALTER TABLE ONLY pressing.commande
    ADD CONSTRAINT pressing_client_inconnu FOREIGN KEY (id_client) REFERENCES client.client(id_client);

-- Name: CONSTRAINT pressing_client_inconnu ON commande; Type: COMMENT; Schema: pressing

COMMENT ON CONSTRAINT pressing_client_inconnu ON pressing.commande IS 'Ce client n''existe pas.';

-- Name: commande pressing_utilisateur_inconnu; Type: FK CONSTRAINT; Schema: pressing

ALTER TABLE ONLY pressing.commande
    ADD CONSTRAINT pressing_utilisateur_inconnu FOREIGN KEY (id_utilisateur) REFERENCES auth.utilisateur(id_utilisateur);

-- Name: abonnement abonnement_categorie_inconnue; Type: FK CONSTRAINT; Schema: residence

ALTER TABLE ONLY residence.abonnement
    ADD CONSTRAINT abonnement_categorie_inconnue FOREIGN KEY (id_categorie_abonnement) REFERENCES abonnement.categorie_abonnement(id_categorie_abonnement);

-- Name: CONSTRAINT abonnement_categorie_inconnue ON abonnement; Type: COMMENT; Schema: residence

COMMENT ON CONSTRAINT abonnement_categorie_inconnue ON residence.abonnement IS 'Cette catégorie d''abonnement n''existe pas.';

-- Name: abonnement abonnement_client_inconnu; Type: FK CONSTRAINT; Schema: residence

ALTER TABLE ONLY residence.abonnement
    ADD CONSTRAINT abonnement_client_inconnu FOREIGN KEY (id_client) REFERENCES client.client(id_client);

-- Name: CONSTRAINT abonnement_client_inconnu ON abonnement; Type: COMMENT; Schema: residence

COMMENT ON CONSTRAINT abonnement_client_inconnu ON residence.abonnement IS 'Ce client n''existe pas.';

-- Name: abonnement abonnement_facture_inconnue; Type: FK CONSTRAINT; Schema: residence

ALTER TABLE ONLY residence.abonnement
    ADD CONSTRAINT abonnement_facture_inconnue FOREIGN KEY (id_facture) REFERENCES facturation.facture(id_facture);

-- Name: CONSTRAINT abonnement_facture_inconnue ON abonnement; Type: COMMENT; Schema: residence

COMMENT ON CONSTRAINT abonnement_facture_inconnue ON residence.abonnement IS 'Cette facture n''existe pas.';

-- Name: abonnement abonnement_logement_inconnu; Type: FK CONSTRAINT; Schema: residence

ALTER TABLE ONLY residence.abonnement
    ADD CONSTRAINT abonnement_logement_inconnu FOREIGN KEY (id_logement) REFERENCES residence.logement(id_logement);

-- Name: CONSTRAINT abonnement_logement_inconnu ON abonnement; Type: COMMENT; Schema: residence

COMMENT ON CONSTRAINT abonnement_logement_inconnu ON residence.abonnement IS 'Ce logement n''existe pas.';

-- Name: caution caution_contrat_inconnu; Type: FK CONSTRAINT; Schema: residence

ALTER TABLE ONLY residence.caution
    ADD CONSTRAINT caution_contrat_inconnu FOREIGN KEY (id_contrat) REFERENCES residence.contrat_location(id_contrat);

-- Name: CONSTRAINT caution_contrat_inconnu ON caution; Type: COMMENT; Schema: residence

COMMENT ON CONSTRAINT caution_contrat_inconnu ON residence.caution IS 'Ce contrat n''existe pas.';

-- Name: charge_facturee charge_categorie_inconnue; Type: FK CONSTRAINT; Schema: residence

ALTER TABLE ONLY residence.charge_facturee
    ADD CONSTRAINT charge_categorie_inconnue FOREIGN KEY (id_categorie_charge) REFERENCES residence.categorie_charge(id_categorie_charge);

-- Name: CONSTRAINT charge_categorie_inconnue ON charge_facturee; Type: COMMENT; Schema: residence

COMMENT ON CONSTRAINT charge_categorie_inconnue ON residence.charge_facturee IS 'Cette catégorie de charge n''existe pas.';

-- Name: charge_facturee charge_client_inconnu; Type: FK CONSTRAINT; Schema: residence

ALTER TABLE ONLY residence.charge_facturee
    ADD CONSTRAINT charge_client_inconnu FOREIGN KEY (id_client) REFERENCES client.client(id_client);

-- Name: CONSTRAINT charge_client_inconnu ON charge_facturee; Type: COMMENT; Schema: residence

COMMENT ON CONSTRAINT charge_client_inconnu ON residence.charge_facturee IS 'Ce client n''existe pas.';

-- Name: charge_facturee charge_logement_inconnu; Type: FK CONSTRAINT; Schema: residence

ALTER TABLE ONLY residence.charge_facturee
    ADD CONSTRAINT charge_logement_inconnu FOREIGN KEY (id_logement) REFERENCES residence.logement(id_logement);

-- Name: CONSTRAINT charge_logement_inconnu ON charge_facturee; Type: COMMENT; Schema: residence

COMMENT ON CONSTRAINT charge_logement_inconnu ON residence.charge_facturee IS 'Ce logement n''existe pas.';

-- Name: charge_facturee charge_utilisateur_inconnu; Type: FK CONSTRAINT; Schema: residence

ALTER TABLE ONLY residence.charge_facturee
    ADD CONSTRAINT charge_utilisateur_inconnu FOREIGN KEY (id_utilisateur) REFERENCES auth.utilisateur(id_utilisateur);

-- Name: contrat_location contrat_client_inconnu; Type: FK CONSTRAINT; Schema: residence

ALTER TABLE ONLY residence.contrat_location
    ADD CONSTRAINT contrat_client_inconnu FOREIGN KEY (id_client) REFERENCES client.client(id_client);

-- Name: CONSTRAINT contrat_client_inconnu ON contrat_location; Type: COMMENT; Schema: residence

COMMENT ON CONSTRAINT contrat_client_inconnu ON residence.contrat_location IS 'Ce client n''existe pas.';

-- Name: contrat_location contrat_logement_inconnu; Type: FK CONSTRAINT; Schema: residence

ALTER TABLE ONLY residence.contrat_location
    ADD CONSTRAINT contrat_logement_inconnu FOREIGN KEY (id_logement) REFERENCES residence.logement(id_logement);

-- Name: CONSTRAINT contrat_logement_inconnu ON contrat_location; Type: COMMENT; Schema: residence

COMMENT ON CONSTRAINT contrat_logement_inconnu ON residence.contrat_location IS 'Ce logement n''existe pas.';

-- Name: contrat_location contrat_utilisateur_inconnu; Type: FK CONSTRAINT; Schema: residence

ALTER TABLE ONLY residence.contrat_location
    ADD CONSTRAINT contrat_utilisateur_inconnu FOREIGN KEY (id_utilisateur) REFERENCES auth.utilisateur(id_utilisateur);

-- Name: echeance echeance_contrat_inconnu; Type: FK CONSTRAINT; Schema: residence

ALTER TABLE ONLY residence.echeance
    ADD CONSTRAINT echeance_contrat_inconnu FOREIGN KEY (id_contrat) REFERENCES residence.contrat_location(id_contrat);

-- Name: CONSTRAINT echeance_contrat_inconnu ON echeance; Type: COMMENT; Schema: residence

COMMENT ON CONSTRAINT echeance_contrat_inconnu ON residence.echeance IS 'Ce contrat n''existe pas.';

-- Name: echeance echeance_paiement_inconnu; Type: FK CONSTRAINT; Schema: residence

ALTER TABLE ONLY residence.echeance
    ADD CONSTRAINT echeance_paiement_inconnu FOREIGN KEY (id_paiement) REFERENCES finances.paiement(id_paiement);

-- Name: CONSTRAINT echeance_paiement_inconnu ON echeance; Type: COMMENT; Schema: residence

COMMENT ON CONSTRAINT echeance_paiement_inconnu ON residence.echeance IS 'Ce paiement n''existe pas.';

-- Name: etat_des_lieux etat_des_lieux_contrat_inconnu; Type: FK CONSTRAINT; Schema: residence

ALTER TABLE ONLY residence.etat_des_lieux
    ADD CONSTRAINT etat_des_lieux_contrat_inconnu FOREIGN KEY (id_contrat) REFERENCES residence.contrat_location(id_contrat);

-- Name: CONSTRAINT etat_des_lieux_contrat_inconnu ON etat_des_lieux; Type: COMMENT; Schema: residence

COMMENT ON CONSTRAINT etat_des_lieux_contrat_inconnu ON residence.etat_des_lieux IS 'Ce contrat n''existe pas.';

-- Name: etat_des_lieux etat_des_lieux_utilisateur_inconnu; Type: FK CONSTRAINT; Schema: residence

ALTER TABLE ONLY residence.etat_des_lieux
    ADD CONSTRAINT etat_des_lieux_utilisateur_inconnu FOREIGN KEY (id_utilisateur) REFERENCES auth.utilisateur(id_utilisateur);

-- Name: caution_evenement evenement_caution_inconnue; Type: FK CONSTRAINT; Schema: residence

ALTER TABLE ONLY residence.caution_evenement
    ADD CONSTRAINT evenement_caution_inconnue FOREIGN KEY (id_caution) REFERENCES residence.caution(id_caution);

-- Name: CONSTRAINT evenement_caution_inconnue ON caution_evenement; Type: COMMENT; Schema: residence

COMMENT ON CONSTRAINT evenement_caution_inconnue ON residence.caution_evenement IS 'Cette caution n''existe pas.';

-- Name: caution_evenement evenement_paiement_inconnu; Type: FK CONSTRAINT; Schema: residence

ALTER TABLE ONLY residence.caution_evenement
    ADD CONSTRAINT evenement_paiement_inconnu FOREIGN KEY (id_paiement) REFERENCES finances.paiement(id_paiement);

-- Name: CONSTRAINT evenement_paiement_inconnu ON caution_evenement; Type: COMMENT; Schema: residence

COMMENT ON CONSTRAINT evenement_paiement_inconnu ON residence.caution_evenement IS 'Ce paiement n''existe pas.';

-- Name: caution_evenement evenement_utilisateur_inconnu; Type: FK CONSTRAINT; Schema: residence

ALTER TABLE ONLY residence.caution_evenement
    ADD CONSTRAINT evenement_utilisateur_inconnu FOREIGN KEY (id_utilisateur) REFERENCES auth.utilisateur(id_utilisateur);

-- Name: logement logement_batiment_inconnu; Type: FK CONSTRAINT; Schema: residence

ALTER TABLE ONLY residence.logement
    ADD CONSTRAINT logement_batiment_inconnu FOREIGN KEY (id_batiment) REFERENCES residence.batiment(id_batiment);

-- Name: CONSTRAINT logement_batiment_inconnu ON logement; Type: COMMENT; Schema: residence

COMMENT ON CONSTRAINT logement_batiment_inconnu ON residence.logement IS 'Ce bâtiment n''existe pas ou a encore des logements.';

-- Name: occupation occupation_contrat_inconnu; Type: FK CONSTRAINT; Schema: residence

ALTER TABLE ONLY residence.occupation
    ADD CONSTRAINT occupation_contrat_inconnu FOREIGN KEY (id_contrat) REFERENCES residence.contrat_location(id_contrat);

-- Name: CONSTRAINT occupation_contrat_inconnu ON occupation; Type: COMMENT; Schema: residence

COMMENT ON CONSTRAINT occupation_contrat_inconnu ON residence.occupation IS 'Ce contrat n''existe pas.';

-- Name: occupation occupation_logement_inconnu; Type: FK CONSTRAINT; Schema: residence

ALTER TABLE ONLY residence.occupation
    ADD CONSTRAINT occupation_logement_inconnu FOREIGN KEY (id_logement) REFERENCES residence.logement(id_logement);

-- Name: CONSTRAINT occupation_logement_inconnu ON occupation; Type: COMMENT; Schema: residence

COMMENT ON CONSTRAINT occupation_logement_inconnu ON residence.occupation IS 'Ce logement n''existe pas.';

-- Name: occupation occupation_sejour_inconnu; Type: FK CONSTRAINT; Schema: residence

ALTER TABLE ONLY residence.occupation
    ADD CONSTRAINT occupation_sejour_inconnu FOREIGN KEY (id_sejour) REFERENCES residence.sejour_court(id_sejour);

-- Name: CONSTRAINT occupation_sejour_inconnu ON occupation; Type: COMMENT; Schema: residence

COMMENT ON CONSTRAINT occupation_sejour_inconnu ON residence.occupation IS 'Ce séjour n''existe pas.';

-- Name: abonnement_periode periode_abonnement_inconnu; Type: FK CONSTRAINT; Schema: residence

ALTER TABLE ONLY residence.abonnement_periode
    ADD CONSTRAINT periode_abonnement_inconnu FOREIGN KEY (id_abonnement) REFERENCES residence.abonnement(id_abonnement);

-- Name: CONSTRAINT periode_abonnement_inconnu ON abonnement_periode; Type: COMMENT; Schema: residence

COMMENT ON CONSTRAINT periode_abonnement_inconnu ON residence.abonnement_periode IS 'Cet abonnement n''existe pas.';

-- Name: abonnement_periode periode_facture_inconnue; Type: FK CONSTRAINT; Schema: residence

ALTER TABLE ONLY residence.abonnement_periode
    ADD CONSTRAINT periode_facture_inconnue FOREIGN KEY (id_facture) REFERENCES facturation.facture(id_facture);

-- Name: CONSTRAINT periode_facture_inconnue ON abonnement_periode; Type: COMMENT; Schema: residence

COMMENT ON CONSTRAINT periode_facture_inconnue ON residence.abonnement_periode IS 'Cette facture n''existe pas.';

-- Name: revision_loyer revision_contrat_inconnu; Type: FK CONSTRAINT; Schema: residence

ALTER TABLE ONLY residence.revision_loyer
    ADD CONSTRAINT revision_contrat_inconnu FOREIGN KEY (id_contrat) REFERENCES residence.contrat_location(id_contrat);

-- Name: CONSTRAINT revision_contrat_inconnu ON revision_loyer; Type: COMMENT; Schema: residence

COMMENT ON CONSTRAINT revision_contrat_inconnu ON residence.revision_loyer IS 'Ce contrat n''existe pas.';

-- Name: revision_loyer revision_utilisateur_inconnu; Type: FK CONSTRAINT; Schema: residence

ALTER TABLE ONLY residence.revision_loyer
    ADD CONSTRAINT revision_utilisateur_inconnu FOREIGN KEY (id_utilisateur) REFERENCES auth.utilisateur(id_utilisateur);

-- Name: sejour_court sejour_client_inconnu; Type: FK CONSTRAINT; Schema: residence

ALTER TABLE ONLY residence.sejour_court
    ADD CONSTRAINT sejour_client_inconnu FOREIGN KEY (id_client) REFERENCES client.client(id_client);

-- Name: CONSTRAINT sejour_client_inconnu ON sejour_court; Type: COMMENT; Schema: residence

COMMENT ON CONSTRAINT sejour_client_inconnu ON residence.sejour_court IS 'Ce client n''existe pas.';

-- Name: sejour_court sejour_logement_inconnu; Type: FK CONSTRAINT; Schema: residence

ALTER TABLE ONLY residence.sejour_court
    ADD CONSTRAINT sejour_logement_inconnu FOREIGN KEY (id_logement) REFERENCES residence.logement(id_logement);

-- Name: CONSTRAINT sejour_logement_inconnu ON sejour_court; Type: COMMENT; Schema: residence

COMMENT ON CONSTRAINT sejour_logement_inconnu ON residence.sejour_court IS 'Ce logement n''existe pas.';

-- Name: sejour_court sejour_moyen_inconnu; Type: FK CONSTRAINT; Schema: residence

ALTER TABLE ONLY residence.sejour_court
    ADD CONSTRAINT sejour_moyen_inconnu FOREIGN KEY (id_moyen_paiement) REFERENCES finances.moyen_paiement(id_moyen);

-- Name: CONSTRAINT sejour_moyen_inconnu ON sejour_court; Type: COMMENT; Schema: residence

COMMENT ON CONSTRAINT sejour_moyen_inconnu ON residence.sejour_court IS 'Ce moyen de paiement n''existe pas.';

-- Name: sejour_court sejour_utilisateur_inconnu; Type: FK CONSTRAINT; Schema: residence

ALTER TABLE ONLY residence.sejour_court
    ADD CONSTRAINT sejour_utilisateur_inconnu FOREIGN KEY (id_utilisateur) REFERENCES auth.utilisateur(id_utilisateur);

-- Name: commande_ligne commande_plat_inconnu; Type: FK CONSTRAINT; Schema: restaurant

ALTER TABLE ONLY restaurant.commande_ligne
    ADD CONSTRAINT commande_plat_inconnu FOREIGN KEY (id_plat) REFERENCES restaurant.plat(id_plat);

-- Name: CONSTRAINT commande_plat_inconnu ON commande_ligne; Type: COMMENT; Schema: restaurant

COMMENT ON CONSTRAINT commande_plat_inconnu ON restaurant.commande_ligne IS 'Ce plat n''existe pas.';

-- Name: commande commande_restaurant_client_inconnu; Type: FK CONSTRAINT; Schema: restaurant

ALTER TABLE ONLY restaurant.commande
    ADD CONSTRAINT commande_restaurant_client_inconnu FOREIGN KEY (id_client) REFERENCES client.client(id_client);

-- Name: CONSTRAINT commande_restaurant_client_inconnu ON commande; Type: COMMENT; Schema: restaurant

COMMENT ON CONSTRAINT commande_restaurant_client_inconnu ON restaurant.commande IS 'Ce client n''existe pas.';

-- Name: commande commande_restaurant_utilisateur_inconnu; Type: FK CONSTRAINT; Schema: restaurant

ALTER TABLE ONLY restaurant.commande
    ADD CONSTRAINT commande_restaurant_utilisateur_inconnu FOREIGN KEY (id_utilisateur) REFERENCES auth.utilisateur(id_utilisateur);

-- Name: commande_ligne ligne_commande_restaurant_inconnue; Type: FK CONSTRAINT; Schema: restaurant

ALTER TABLE ONLY restaurant.commande_ligne
    ADD CONSTRAINT ligne_commande_restaurant_inconnue FOREIGN KEY (id_commande) REFERENCES restaurant.commande(id_commande) DEFERRABLE INITIALLY DEFERRED;

-- Name: CONSTRAINT ligne_commande_restaurant_inconnue ON commande_ligne; Type: COMMENT; Schema: restaurant

COMMENT ON CONSTRAINT ligne_commande_restaurant_inconnue ON restaurant.commande_ligne IS 'Cette commande n''existe pas.';

-- Name: plat plat_categorie_inconnue; Type: FK CONSTRAINT; Schema: restaurant

ALTER TABLE ONLY restaurant.plat
    ADD CONSTRAINT plat_categorie_inconnue FOREIGN KEY (id_categorie_plat) REFERENCES restaurant.categorie_plat(id_categorie_plat);

-- Name: CONSTRAINT plat_categorie_inconnue ON plat; Type: COMMENT; Schema: restaurant

COMMENT ON CONSTRAINT plat_categorie_inconnue ON restaurant.plat IS 'Cette catégorie de plats n''existe pas.';

-- Name: element_salaire element_paie_inconnue; Type: FK CONSTRAINT; Schema: rh

ALTER TABLE ONLY rh.element_salaire
    ADD CONSTRAINT element_paie_inconnue FOREIGN KEY (id_paie) REFERENCES rh.paie(id_paie);

-- Name: CONSTRAINT element_paie_inconnue ON element_salaire; Type: COMMENT; Schema: rh

COMMENT ON CONSTRAINT element_paie_inconnue ON rh.element_salaire IS 'Ce bulletin n''existe pas.';

-- Name: employe employe_service_inconnu; Type: FK CONSTRAINT; Schema: rh

ALTER TABLE ONLY rh.employe
    ADD CONSTRAINT employe_service_inconnu FOREIGN KEY (id_service) REFERENCES rh.service(id_service);

-- Name: CONSTRAINT employe_service_inconnu ON employe; Type: COMMENT; Schema: rh

COMMENT ON CONSTRAINT employe_service_inconnu ON rh.employe IS 'Ce service n''existe pas.';

-- Name: employe employe_utilisateur_inconnu; Type: FK CONSTRAINT; Schema: rh

ALTER TABLE ONLY rh.employe
    ADD CONSTRAINT employe_utilisateur_inconnu FOREIGN KEY (id_utilisateur) REFERENCES auth.utilisateur(id_utilisateur);

-- Name: paie paie_employe_inconnu; Type: FK CONSTRAINT; Schema: rh

ALTER TABLE ONLY rh.paie
    ADD CONSTRAINT paie_employe_inconnu FOREIGN KEY (id_employe) REFERENCES rh.employe(id_employe);

-- Name: CONSTRAINT paie_employe_inconnu ON paie; Type: COMMENT; Schema: rh

COMMENT ON CONSTRAINT paie_employe_inconnu ON rh.paie IS 'Cet employé n''existe pas.';

-- Name: paie paie_paiement_inconnu; Type: FK CONSTRAINT; Schema: rh

ALTER TABLE ONLY rh.paie
    ADD CONSTRAINT paie_paiement_inconnu FOREIGN KEY (id_paiement) REFERENCES finances.paiement(id_paiement);

-- Name: CONSTRAINT paie_paiement_inconnu ON paie; Type: COMMENT; Schema: rh

COMMENT ON CONSTRAINT paie_paiement_inconnu ON rh.paie IS 'Ce paiement n''existe pas.';

-- Name: pointage pointage_employe_inconnu; Type: FK CONSTRAINT; Schema: rh

ALTER TABLE ONLY rh.pointage
    ADD CONSTRAINT pointage_employe_inconnu FOREIGN KEY (id_employe) REFERENCES rh.employe(id_employe);

-- Name: CONSTRAINT pointage_employe_inconnu ON pointage; Type: COMMENT; Schema: rh

COMMENT ON CONSTRAINT pointage_employe_inconnu ON rh.pointage IS 'Cet employé n''existe pas.';

-- Name: reservation reservation_client_inconnu; Type: FK CONSTRAINT; Schema: salle_fete

ALTER TABLE ONLY salle_fete.reservation
    ADD CONSTRAINT reservation_client_inconnu FOREIGN KEY (id_client) REFERENCES client.client(id_client);

-- Name: CONSTRAINT reservation_client_inconnu ON reservation; Type: COMMENT; Schema: salle_fete

COMMENT ON CONSTRAINT reservation_client_inconnu ON salle_fete.reservation IS 'Ce client n''existe pas.';

-- Name: reservation reservation_utilisateur_inconnu; Type: FK CONSTRAINT; Schema: salle_fete

ALTER TABLE ONLY salle_fete.reservation
    ADD CONSTRAINT reservation_utilisateur_inconnu FOREIGN KEY (id_utilisateur) REFERENCES auth.utilisateur(id_utilisateur);

-- Name: signalement declarant_utilisateur_inconnu; Type: FK CONSTRAINT; Schema: signalement

ALTER TABLE ONLY signalement.signalement
    ADD CONSTRAINT declarant_utilisateur_inconnu FOREIGN KEY (id_utilisateur_declarant) REFERENCES auth.utilisateur(id_utilisateur);

-- Name: photo photo_signalement_inconnu; Type: FK CONSTRAINT; Schema: signalement

ALTER TABLE ONLY signalement.photo
    ADD CONSTRAINT photo_signalement_inconnu FOREIGN KEY (id_signalement) REFERENCES signalement.signalement(id_signalement);

-- Name: CONSTRAINT photo_signalement_inconnu ON photo; Type: COMMENT; Schema: signalement

COMMENT ON CONSTRAINT photo_signalement_inconnu ON signalement.photo IS 'Ce signalement n''existe pas.';

-- Name: photo photo_utilisateur_inconnu; Type: FK CONSTRAINT; Schema: signalement

ALTER TABLE ONLY signalement.photo
    ADD CONSTRAINT photo_utilisateur_inconnu FOREIGN KEY (id_utilisateur) REFERENCES auth.utilisateur(id_utilisateur);

-- Name: signalement signalement_activite_inconnue; Type: FK CONSTRAINT; Schema: signalement

ALTER TABLE ONLY signalement.signalement
    ADD CONSTRAINT signalement_activite_inconnue FOREIGN KEY (id_activite) REFERENCES core.activite(id_activite);

-- Name: CONSTRAINT signalement_activite_inconnue ON signalement; Type: COMMENT; Schema: signalement

COMMENT ON CONSTRAINT signalement_activite_inconnue ON signalement.signalement IS 'Cette activité n''existe pas.';

-- Name: signalement traitant_utilisateur_inconnu; Type: FK CONSTRAINT; Schema: signalement

ALTER TABLE ONLY signalement.signalement
    ADD CONSTRAINT traitant_utilisateur_inconnu FOREIGN KEY (id_utilisateur_traitant) REFERENCES auth.utilisateur(id_utilisateur);

-- Name: client; Type: ROW SECURITY; Schema: client

ALTER TABLE client.client ENABLE ROW LEVEL SECURITY;

-- Name: facture; Type: ROW SECURITY; Schema: facturation

ALTER TABLE facturation.facture ENABLE ROW LEVEL SECURITY;

-- Name: facture_ligne; Type: ROW SECURITY; Schema: facturation

ALTER TABLE facturation.facture_ligne ENABLE ROW LEVEL SECURITY;

-- Name: application_paiement; Type: ROW SECURITY; Schema: finances

ALTER TABLE finances.application_paiement ENABLE ROW LEVEL SECURITY;

-- Name: paiement; Type: ROW SECURITY; Schema: finances

ALTER TABLE finances.paiement ENABLE ROW LEVEL SECURITY;

-- Name: caution; Type: ROW SECURITY; Schema: residence

ALTER TABLE residence.caution ENABLE ROW LEVEL SECURITY;

-- Name: caution_evenement; Type: ROW SECURITY; Schema: residence

ALTER TABLE residence.caution_evenement ENABLE ROW LEVEL SECURITY;

-- Name: contrat_location; Type: ROW SECURITY; Schema: residence

ALTER TABLE residence.contrat_location ENABLE ROW LEVEL SECURITY;

-- Name: echeance; Type: ROW SECURITY; Schema: residence

ALTER TABLE residence.echeance ENABLE ROW LEVEL SECURITY;

-- Name: etat_des_lieux; Type: ROW SECURITY; Schema: residence

ALTER TABLE residence.etat_des_lieux ENABLE ROW LEVEL SECURITY;

-- Name: revision_loyer; Type: ROW SECURITY; Schema: residence

ALTER TABLE residence.revision_loyer ENABLE ROW LEVEL SECURITY;
