-- Généré par « comptoir generer » : les tables que font migrations/. Ne pas modifier.

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

-- Name: notification; Type: SCHEMA; Schema: -

CREATE SCHEMA notification;

-- Name: SCHEMA notification; Type: COMMENT; Schema: -

COMMENT ON SCHEMA notification IS 'Notifications adressées aux utilisateurs.';

-- Name: operation; Type: TYPE; Schema: audit

CREATE TYPE audit.operation AS ENUM (
    'INSERT',
    'UPDATE',
    'DELETE'
);

-- Name: TYPE operation; Type: COMMENT; Schema: audit

COMMENT ON TYPE audit.operation IS 'Nature d''une écriture.';

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

COMMENT ON DOMAIN auth.mot_de_passe IS 'Mot de passe, 8 caractères au moins et 72 octets au plus, gardé haché par bcrypt au coût 10. L''API le hache avant l''appel.';

-- Name: CONSTRAINT mot_de_passe_non_hache ON DOMAIN mot_de_passe; Type: COMMENT; Schema: auth

COMMENT ON CONSTRAINT mot_de_passe_non_hache ON DOMAIN auth.mot_de_passe IS 'Le mot de passe doit être haché par bcrypt, coût 10.';

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

COMMENT ON CONSTRAINT limite_maximale ON DOMAIN core.limite IS 'La limite est 1000 au plus.';

-- Name: CONSTRAINT limite_minimale ON DOMAIN limite; Type: COMMENT; Schema: core

COMMENT ON CONSTRAINT limite_minimale ON DOMAIN core.limite IS 'La limite est 1 au moins.';

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

-- Name: priorite; Type: TYPE; Schema: notification

CREATE TYPE notification.priorite AS ENUM (
    'LOW',
    'MEDIUM',
    'HIGH',
    'CRITICAL'
);

-- Name: TYPE priorite; Type: COMMENT; Schema: notification

COMMENT ON TYPE notification.priorite IS 'Priorité d''une notification.';

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

-- Name: COLUMN journal.id_utilisateur; Type: COMMENT; Schema: audit

COMMENT ON COLUMN audit.journal.id_utilisateur IS 'Auteur, null pour le système. Sans clé étrangère : une trace survit à tout.';

-- Name: COLUMN journal.module; Type: COMMENT; Schema: audit

COMMENT ON COLUMN audit.journal.module IS 'Schéma de la table écrite.';

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

-- Name: jeton_rafraichissement; Type: TABLE; Schema: auth

CREATE TABLE auth.jeton_rafraichissement (
    hash text NOT NULL,
    id_utilisateur bigint NOT NULL,
    famille uuid NOT NULL,
    replaced_by_hash text,
    date_creation timestamp with time zone DEFAULT now() NOT NULL,
    date_expiration timestamp with time zone NOT NULL,
    date_revocation timestamp with time zone,
    adresse_ip inet
);

-- Name: TABLE jeton_rafraichissement; Type: COMMENT; Schema: auth

COMMENT ON TABLE auth.jeton_rafraichissement IS 'Jetons de rafraîchissement, par leur SHA-256 ; une famille naît d''une connexion.';

-- Name: COLUMN jeton_rafraichissement.replaced_by_hash; Type: COMMENT; Schema: auth

COMMENT ON COLUMN auth.jeton_rafraichissement.replaced_by_hash IS 'Successeur dans la famille.';

-- Name: COLUMN jeton_rafraichissement.date_revocation; Type: COMMENT; Schema: auth

COMMENT ON COLUMN auth.jeton_rafraichissement.date_revocation IS 'Usage ou révocation ; un jeton présenté après elle révoque toute la famille.';

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

-- Name: permission; Type: TABLE; Schema: auth

CREATE TABLE auth.permission (
    id_permission bigint NOT NULL,
    code auth.code_permission NOT NULL,
    libelle core.libelle NOT NULL
);

-- Name: TABLE permission; Type: COMMENT; Schema: auth

COMMENT ON TABLE auth.permission IS 'Catalogue des permissions.';

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
    dernier_connexion timestamp with time zone
);

-- Name: TABLE utilisateur; Type: COMMENT; Schema: auth

COMMENT ON TABLE auth.utilisateur IS 'Compte d''une personne ; son mot de passe est à part, dans auth.secret.';

-- Name: COLUMN utilisateur.id_activite_scope; Type: COMMENT; Schema: auth

COMMENT ON COLUMN auth.utilisateur.id_activite_scope IS 'Activité à laquelle le compte est limité, null sans limite.';

-- Name: COLUMN utilisateur.id_client; Type: COMMENT; Schema: auth

COMMENT ON COLUMN auth.utilisateur.id_client IS 'Client dont c''est l''espace, null pour le personnel.';

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

-- Name: COLUMN client.photo; Type: COMMENT; Schema: client

COMMENT ON COLUMN client.client.photo IS 'Clé de la photo déposée.';

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

-- Name: CONSTRAINT piece_dates_ordonnees ON piece_identite; Type: COMMENT; Schema: client

COMMENT ON CONSTRAINT piece_dates_ordonnees ON client.piece_identite IS 'La pièce expire après sa délivrance.';

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

-- Name: COLUMN compteur.annee; Type: COMMENT; Schema: core

COMMENT ON COLUMN core.compteur.annee IS 'Année de la série, 0 pour une série sans année.';

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

-- Name: COLUMN idempotence.empreinte; Type: COMMENT; Schema: core

COMMENT ON COLUMN core.idempotence.empreinte IS 'SHA-256 de la méthode, du chemin et du corps : une autre requête sous la même clé est refusée.';

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

-- Name: facture; Type: TABLE; Schema: facturation

CREATE TABLE facturation.facture (
    id_facture bigint NOT NULL,
    numero text NOT NULL,
    date timestamp with time zone DEFAULT now() NOT NULL,
    jour date NOT NULL,
    id_client bigint,
    id_activite bigint,
    id_utilisateur bigint,
    libelle core.libelle,
    remise core.montant DEFAULT 0 NOT NULL,
    montant_total core.montant DEFAULT 0 NOT NULL,
    montant_paye core.montant DEFAULT 0 NOT NULL,
    reste numeric(14,2) GENERATED ALWAYS AS (((montant_total)::numeric - (montant_paye)::numeric)) STORED NOT NULL,
    statut facturation.statut_facture GENERATED ALWAYS AS (
CASE
    WHEN annulee THEN 'ANNULEE'::facturation.statut_facture
    WHEN ((montant_paye)::numeric >= (montant_total)::numeric) THEN 'PAYEE'::facturation.statut_facture
    WHEN ((montant_paye)::numeric > (0)::numeric) THEN 'PARTIELLE'::facturation.statut_facture
    ELSE 'IMPAYEE'::facturation.statut_facture
END) STORED NOT NULL,
    annulee boolean DEFAULT false NOT NULL,
    source_type facturation.source_type NOT NULL,
    source_id bigint,
    CONSTRAINT facture_annulee_remboursee CHECK (((NOT annulee) OR ((montant_paye)::numeric = (0)::numeric))),
    CONSTRAINT surpaiement CHECK (((montant_paye)::numeric <= (montant_total)::numeric))
)
WITH (fillfactor='85');

-- Name: TABLE facture; Type: COMMENT; Schema: facturation

COMMENT ON TABLE facturation.facture IS 'Facture ; montant_total vient des lignes moins la remise, montant_paye des applications de paiement.';

-- Name: COLUMN facture.numero; Type: COMMENT; Schema: facturation

COMMENT ON COLUMN facturation.facture.numero IS 'Numéro <ORG>-FAC-<AAAA>-<NNN>, sans trou, donné à l''émission.';

-- Name: COLUMN facture.jour; Type: COMMENT; Schema: facturation

COMMENT ON COLUMN facturation.facture.jour IS 'Date de gestion de la facture.';

-- Name: COLUMN facture.montant_total; Type: COMMENT; Schema: facturation

COMMENT ON COLUMN facturation.facture.montant_total IS 'Somme des lignes moins la remise, tenue par un déclencheur.';

-- Name: COLUMN facture.montant_paye; Type: COMMENT; Schema: facturation

COMMENT ON COLUMN facturation.facture.montant_paye IS 'Somme des applications de paiement, tenue par un déclencheur.';

-- Name: COLUMN facture.reste; Type: COMMENT; Schema: facturation

COMMENT ON COLUMN facturation.facture.reste IS 'Reste à payer : montant_total − montant_paye.';

-- Name: COLUMN facture.statut; Type: COMMENT; Schema: facturation

COMMENT ON COLUMN facturation.facture.statut IS 'Déduit des montants ; ANNULEE par l''annulation de sa source.';

-- Name: COLUMN facture.source_id; Type: COMMENT; Schema: facturation

COMMENT ON COLUMN facturation.facture.source_id IS 'Identifiant de la vente, de la commande, du séjour… payé par cette facture.';

-- Name: CONSTRAINT facture_annulee_remboursee ON facture; Type: COMMENT; Schema: facturation

COMMENT ON CONSTRAINT facture_annulee_remboursee ON facturation.facture IS 'Une facture annulée ne garde aucun paiement : remboursez-la d''abord.';

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

-- Name: COLUMN depense.jour; Type: COMMENT; Schema: finances

COMMENT ON COLUMN finances.depense.jour IS 'Date de gestion de la dépense.';

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
    CONSTRAINT periode_avec_caisse CHECK (((id_caisse IS NULL) = (id_periode IS NULL)))
);

-- Name: TABLE paiement; Type: COMMENT; Schema: finances

COMMENT ON TABLE finances.paiement IS 'Argent reçu ou rendu. Le montant ne change jamais ; une erreur se corrige par un paiement contraire.';

-- Name: COLUMN paiement.jour; Type: COMMENT; Schema: finances

COMMENT ON COLUMN finances.paiement.jour IS 'Date de gestion du paiement.';

-- Name: COLUMN paiement.id_periode; Type: COMMENT; Schema: finances

COMMENT ON COLUMN finances.paiement.id_periode IS 'Période ouverte de la caisse au moment du paiement, posée par un déclencheur.';

-- Name: COLUMN paiement.id_paiement_origine; Type: COMMENT; Schema: finances

COMMENT ON COLUMN finances.paiement.id_paiement_origine IS 'Paiement que celui-ci rend, en tout ou en partie.';

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

-- Name: COLUMN periode_caisse.fond_initial; Type: COMMENT; Schema: finances

COMMENT ON COLUMN finances.periode_caisse.fond_initial IS 'Argent en caisse à l''ouverture, hors montant attendu.';

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

-- Name: tirage; Type: TABLE; Schema: finances

CREATE TABLE finances.tirage (
    id_tirage bigint NOT NULL,
    id_caisse bigint NOT NULL,
    date date NOT NULL,
    montant_compte core.montant NOT NULL,
    montant_attendu core.montant_signe NOT NULL,
    ecart core.montant_signe GENERATED ALWAYS AS (((montant_compte)::numeric - (montant_attendu)::numeric)) STORED NOT NULL,
    note core.texte,
    id_utilisateur bigint,
    date_creation timestamp with time zone DEFAULT now() NOT NULL
);

-- Name: TABLE tirage; Type: COMMENT; Schema: finances

COMMENT ON TABLE finances.tirage IS 'Comptage d''une caisse en fin de journée, un par caisse et par jour.';

-- Name: COLUMN tirage.montant_attendu; Type: COMMENT; Schema: finances

COMMENT ON COLUMN finances.tirage.montant_attendu IS 'Encaissements − décaissements − dépenses de la caisse et du jour.';

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

-- Name: lecture; Type: TABLE; Schema: notification

CREATE TABLE notification.lecture (
    id_notification bigint NOT NULL,
    id_utilisateur bigint NOT NULL,
    date timestamp with time zone DEFAULT now() NOT NULL
);

-- Name: TABLE lecture; Type: COMMENT; Schema: notification

COMMENT ON TABLE notification.lecture IS 'Qui a lu quelle notification.';

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
    CONSTRAINT evenement_mal_forme CHECK ((evenement ~ '^[a-z_]+(\.[a-z_]+)+$'::text))
);

-- Name: TABLE notification; Type: COMMENT; Schema: notification

COMMENT ON TABLE notification.notification IS 'Notification ; ses colonnes permission, caisse, activité et utilisateur disent qui la reçoit.';

-- Name: COLUMN notification.evenement; Type: COMMENT; Schema: notification

COMMENT ON COLUMN notification.notification.evenement IS 'Nom de l''événement, par exemple finances.tirage.ecart.';

-- Name: COLUMN notification.permission; Type: COMMENT; Schema: notification

COMMENT ON COLUMN notification.notification.permission IS 'Permission que le destinataire doit avoir, null pour tous.';

-- Name: COLUMN notification.id_caisse; Type: COMMENT; Schema: notification

COMMENT ON COLUMN notification.notification.id_caisse IS 'Réservée à cette caisse et aux utilisateurs sans caisse.';

-- Name: COLUMN notification.id_activite; Type: COMMENT; Schema: notification

COMMENT ON COLUMN notification.notification.id_activite IS 'Réservée à cette activité et aux utilisateurs sans limite d''activité.';

-- Name: COLUMN notification.id_utilisateur; Type: COMMENT; Schema: notification

COMMENT ON COLUMN notification.notification.id_utilisateur IS 'Adressée à cet utilisateur seul.';

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

-- Name: journal journal_pkey; Type: CONSTRAINT; Schema: audit

ALTER TABLE ONLY audit.journal
    ADD CONSTRAINT journal_pkey PRIMARY KEY (id_trace);

-- Name: utilisateur client_deja_lie; Type: CONSTRAINT; Schema: auth

ALTER TABLE ONLY auth.utilisateur
    ADD CONSTRAINT client_deja_lie UNIQUE (id_client);

-- Name: CONSTRAINT client_deja_lie ON utilisateur; Type: COMMENT; Schema: auth

COMMENT ON CONSTRAINT client_deja_lie ON auth.utilisateur IS 'Ce client a déjà un compte.';

-- Name: connexion connexion_pkey; Type: CONSTRAINT; Schema: auth

ALTER TABLE ONLY auth.connexion
    ADD CONSTRAINT connexion_pkey PRIMARY KEY (id_connexion);

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

-- Name: tirage tirage_deja_fait; Type: CONSTRAINT; Schema: finances

ALTER TABLE ONLY finances.tirage
    ADD CONSTRAINT tirage_deja_fait UNIQUE (id_caisse, date);

-- Name: CONSTRAINT tirage_deja_fait ON tirage; Type: COMMENT; Schema: finances

COMMENT ON CONSTRAINT tirage_deja_fait ON finances.tirage IS 'Le tirage de cette caisse est déjà fait pour ce jour.';

-- Name: tirage tirage_pkey; Type: CONSTRAINT; Schema: finances

ALTER TABLE ONLY finances.tirage
    ADD CONSTRAINT tirage_pkey PRIMARY KEY (id_tirage);

-- Name: lecture lecture_pkey; Type: CONSTRAINT; Schema: notification

ALTER TABLE ONLY notification.lecture
    ADD CONSTRAINT lecture_pkey PRIMARY KEY (id_utilisateur, id_notification);

-- Name: notification notification_pkey; Type: CONSTRAINT; Schema: notification

ALTER TABLE ONLY notification.notification
    ADD CONSTRAINT notification_pkey PRIMARY KEY (id_notification);

-- Name: journal_date_heure; Type: INDEX; Schema: audit

CREATE INDEX journal_date_heure ON audit.journal USING btree (date_heure DESC, id_trace DESC);

-- Name: journal_entite; Type: INDEX; Schema: audit

CREATE INDEX journal_entite ON audit.journal USING btree (entite, entite_id, id_trace DESC);

-- Name: journal_id_utilisateur; Type: INDEX; Schema: audit

CREATE INDEX journal_id_utilisateur ON audit.journal USING btree (id_utilisateur, id_trace DESC);

-- Name: connexion_id_utilisateur; Type: INDEX; Schema: auth

CREATE INDEX connexion_id_utilisateur ON auth.connexion USING btree (id_utilisateur, date DESC);

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

-- Name: paiement_id_activite; Type: INDEX; Schema: finances

CREATE INDEX paiement_id_activite ON finances.paiement USING btree (id_activite, date DESC, id_paiement DESC);

-- Name: paiement_id_caisse; Type: INDEX; Schema: finances

CREATE INDEX paiement_id_caisse ON finances.paiement USING btree (id_caisse, jour, type) INCLUDE (montant);

-- Name: paiement_id_caisse_date; Type: INDEX; Schema: finances

CREATE INDEX paiement_id_caisse_date ON finances.paiement USING btree (id_caisse, date DESC, id_paiement DESC);

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

-- Name: tirage_date; Type: INDEX; Schema: finances

CREATE INDEX tirage_date ON finances.tirage USING btree (date DESC, id_tirage DESC);

-- Name: tirage_id_utilisateur; Type: INDEX; Schema: finances

CREATE INDEX tirage_id_utilisateur ON finances.tirage USING btree (id_utilisateur);

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

-- Name: connexion connexion_utilisateur_inconnu; Type: FK CONSTRAINT; Schema: auth

ALTER TABLE ONLY auth.connexion
    ADD CONSTRAINT connexion_utilisateur_inconnu FOREIGN KEY (id_utilisateur) REFERENCES auth.utilisateur(id_utilisateur) ON DELETE CASCADE;

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

-- Name: tirage tirage_caisse_inconnue; Type: FK CONSTRAINT; Schema: finances

ALTER TABLE ONLY finances.tirage
    ADD CONSTRAINT tirage_caisse_inconnue FOREIGN KEY (id_caisse) REFERENCES finances.caisse(id_caisse);

-- Name: CONSTRAINT tirage_caisse_inconnue ON tirage; Type: COMMENT; Schema: finances

COMMENT ON CONSTRAINT tirage_caisse_inconnue ON finances.tirage IS 'Cette caisse n''existe pas.';

-- Name: tirage tirage_utilisateur_inconnu; Type: FK CONSTRAINT; Schema: finances

ALTER TABLE ONLY finances.tirage
    ADD CONSTRAINT tirage_utilisateur_inconnu FOREIGN KEY (id_utilisateur) REFERENCES auth.utilisateur(id_utilisateur);

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
