-- The ground that every slice stands on: domains, settings, activities, counters, idempotency, fingerprints.
-- depends:

create schema core;
comment on schema core is 'Socle : paramètres, activités, numérotation, contexte de la requête, refus nommés.';

-- Domains carry the rules of single values. Each check has one simple shape, which the API reads
-- from the catalogue to refuse bad input by the name of its field.

create domain core.montant as numeric(14,2)
  constraint montant_positif check (value >= 0);
comment on domain core.montant is 'Montant en monnaie de l''organisation, deux décimales, zéro ou plus.';
comment on constraint montant_positif on domain core.montant is 'Un montant ne peut pas être négatif.';

create domain core.montant_du_reglement as numeric(14,2)
  constraint montant_strictement_positif check (value > 0);
comment on domain core.montant_du_reglement is 'Montant encaissé ou décaissé, deux décimales, plus grand que zéro.';
comment on constraint montant_strictement_positif on domain core.montant_du_reglement is 'Le montant doit être plus grand que zéro.';

create domain core.montant_signe as numeric(14,2);
comment on domain core.montant_signe is 'Montant signé en monnaie de l''organisation, deux décimales.';

create domain core.quantite as numeric(12,2)
  constraint quantite_positive check (value > 0);
comment on domain core.quantite is 'Quantité, deux décimales, plus grande que zéro ; un texte dans les réponses.';
comment on constraint quantite_positive on domain core.quantite is 'La quantité doit être plus grande que zéro.';

create domain core.nombre as numeric(12,2)
  constraint nombre_positif check (value > 0);
comment on domain core.nombre is 'Nombre plus grand que zéro, deux décimales au plus ; un nombre JSON dans les réponses.';
comment on constraint nombre_positif on domain core.nombre is 'Le nombre doit être plus grand que zéro.';

create domain core.nombre_signe as numeric(16,2);
comment on domain core.nombre_signe is 'Nombre signé, deux décimales au plus ; un nombre JSON dans les réponses.';

create domain core.libelle as text
  constraint libelle_rempli check (value ~ '\S')
  constraint libelle_trop_long check (char_length(value) <= 200);
comment on domain core.libelle is 'Texte d''une ligne, de 1 à 200 caractères.';
comment on constraint libelle_rempli on domain core.libelle is 'Ce texte ne peut pas être vide.';
comment on constraint libelle_trop_long on domain core.libelle is 'Ce texte compte 200 caractères au plus.';

create domain core.texte as text
  constraint texte_trop_long check (char_length(value) <= 5000);
comment on domain core.texte is 'Texte libre, 5 000 caractères au plus.';
comment on constraint texte_trop_long on domain core.texte is 'Ce texte compte 5 000 caractères au plus.';

create domain core.code as text
  constraint code_mal_forme check (value ~ '^[A-Z][A-Z0-9_]{0,49}$');
comment on domain core.code is 'Code technique : majuscules, chiffres et tirets bas, 50 caractères au plus.';
comment on constraint code_mal_forme on domain core.code is 'Un code s''écrit en majuscules, chiffres et tirets bas (exemple : RESPONSABLE_MAGASIN).';

create domain core.cle_parametre as text
  constraint cle_mal_formee check (value ~ '^[A-Za-z][A-Za-z0-9_.-]{0,99}$');
comment on domain core.cle_parametre is 'Clé d''un paramètre : lettres, chiffres, points, tirets, 100 caractères au plus.';
comment on constraint cle_mal_formee on domain core.cle_parametre is 'Une clé commence par une lettre et ne contient que lettres, chiffres, points et tirets.';

create domain core.telephone as text
  constraint telephone_mal_forme check (value ~ '^\+?[0-9][0-9 .()-]{4,24}$');
comment on domain core.telephone is 'Numéro de téléphone : chiffres, espaces, points, tirets, avec ou sans indicatif (+225…).';
comment on constraint telephone_mal_forme on domain core.telephone is 'Le numéro de téléphone n''est pas valable (exemple : +2250700000000).';

create domain core.email as text
  constraint email_mal_forme check (value ~ '^[^@\s<>]{1,64}@[^@\s<>]{1,180}\.[^@\s<>.]{2,63}$');
comment on domain core.email is 'Adresse électronique.';
comment on constraint email_mal_forme on domain core.email is 'L''adresse électronique n''est pas valable (exemple : nom@exemple.ci).';

create domain core.cle_objet as text
  constraint cle_objet_mal_formee check (value ~ '^[a-z]+(-[a-z]+)*/[A-Za-z0-9._-]{1,120}$');
comment on domain core.cle_objet is 'Clé d''un fichier déposé : <categorie>/<nom>.';
comment on constraint cle_objet_mal_formee on domain core.cle_objet is 'La clé du fichier n''est pas valable : déposez le fichier et reprenez la clé rendue.';

create domain core.periode as text
  constraint periode_mal_formee check (value ~ '^[0-9]{4}-(0[1-9]|1[0-2])$');
comment on domain core.periode is 'Mois, AAAA-MM.';
comment on constraint periode_mal_formee on domain core.periode is 'Un mois s''écrit AAAA-MM (exemple : 2026-08).';

create domain core.limite as integer
  constraint limite_minimale check (value >= 1)
  constraint limite_maximale check (value <= 1000);
comment on domain core.limite is 'Nombre de lignes demandées, de 1 à 1000.';
comment on constraint limite_minimale on domain core.limite is 'La limite est 1 au moins.';
comment on constraint limite_maximale on domain core.limite is 'La limite est 1000 au plus.';

create domain core.decalage as integer
  constraint decalage_positif check (value >= 0);
comment on domain core.decalage is 'Nombre de lignes à sauter, 0 ou plus.';
comment on constraint decalage_positif on domain core.decalage is 'Le décalage ne peut pas être négatif.';

create type core.sens as enum ('asc', 'desc');
comment on type core.sens is 'Sens d''un tri.';

create table core.parametre (
  id_parametre bigint generated always as identity constraint parametre_pkey primary key,
  cle core.cle_parametre not null constraint parametre_existant unique,
  valeur core.texte not null,
  description core.texte,
  date_maj timestamptz not null default now()
);
comment on table core.parametre is 'Réglages de l''organisation, clé et valeur.';
comment on column core.parametre.cle is 'Clé unique, par exemple DEVISE_DEFAUT.';
comment on column core.parametre.date_maj is 'Dernière écriture, tenue par un déclencheur.';
comment on constraint parametre_existant on core.parametre is 'Un paramètre porte déjà cette clé.';

create table core.activite (
  id_activite bigint generated always as identity constraint activite_pkey primary key,
  code core.code not null constraint activite_existante unique,
  libelle core.libelle not null,
  actif boolean not null default true
);
comment on table core.activite is 'Les activités de l''entreprise ; chaque facture, caisse et paiement s''y rattache.';
comment on constraint activite_existante on core.activite is 'Une activité porte déjà ce code.';

create table core.compteur (
  type core.code not null,
  annee integer not null,
  valeur bigint not null,
  constraint compteur_pkey primary key (type, annee)
) with (fillfactor = 50);
comment on table core.compteur is 'Dernier numéro donné par série ; une ligne verrouillée le plus tard possible, donc sans trou.';
comment on column core.compteur.annee is 'Année de la série, 0 pour une série sans année.';

create table core.idempotence (
  id_utilisateur bigint not null,
  cle text not null,
  empreinte text not null,
  reponse bytea,
  date_creation timestamptz not null default now(),
  constraint idempotence_pkey primary key (id_utilisateur, cle)
);
create index idempotence_date_creation on core.idempotence (date_creation);
comment on table core.idempotence is 'Première réponse d''une requête portant Idempotency-Key, écrite avec son effet, rejouée ensuite ; gardée sept jours.';
comment on column core.idempotence.empreinte is 'SHA-256 de la méthode, du chemin et du corps : une autre requête sous la même clé est refusée.';

create table core.empreinte (
  genre text not null,
  nom text not null,
  valeur text not null,
  constraint empreinte_pkey primary key (genre, nom)
);
comment on table core.empreinte is 'Ce que la dernière migration a laissé : fichiers chargés et objets créés, pour que « comptoir check » nomme chaque écart.';
comment on column core.empreinte.genre is 'fichier, migration, objet ou table.';

insert into core.parametre (cle, valeur, description) values
  ('CODE_ORGANISATION', 'GSG', 'Préfixe des codes et des numéros de pièces.'),
  ('NOM_ORGANISATION', 'Groupe Services Généraux', 'Nom imprimé sur les documents.'),
  ('DEVISE_DEFAUT', 'FCFA', 'Devise affichée.'),
  ('FUSEAU_HORAIRE', 'Africa/Abidjan', 'Fuseau des dates de gestion.');

insert into core.activite (code, libelle) values
  ('VENTE_MARCHANDISES', 'Vente de marchandises'),
  ('PRESSING', 'Pressing'),
  ('RESTAURATION', 'Restauration'),
  ('SALLE_FETE', 'Salle de fête'),
  ('LOCATION_RESIDENTIEL', 'Location résidentielle'),
  ('LOCATION_COMMERCIAL', 'Location commerciale');
