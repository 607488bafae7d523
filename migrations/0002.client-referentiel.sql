-- The one client file shared by all activities.
-- depends: 0001.core-socle

create schema client;
comment on schema client is 'Référentiel unique des clients, pièces d''identité et contacts d''urgence.';

create type client.type_client as enum ('LOCATAIRE', 'PASSAGE', 'AUTRE');
comment on type client.type_client is 'Nature du client.';
create type client.sexe as enum ('M', 'F', 'AUTRE');
comment on type client.sexe is 'Sexe déclaré.';
create type client.type_piece as enum ('CNI', 'PASSEPORT', 'CARTE_SEJOUR', 'AUTRE');
comment on type client.type_piece is 'Nature d''une pièce d''identité.';

create table client.client (
  id_client bigint generated always as identity constraint client_pkey primary key,
  code text not null constraint code_client_existant unique,
  nom core.libelle not null,
  prenoms core.libelle not null,
  type_client client.type_client not null,
  tel_principal core.telephone not null,
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
  date_enregistrement timestamptz not null default now(),
  constraint naissance_plausible check (date_naissance between date '1900-01-01' and date '2100-01-01')
);
create index client_date_enregistrement on client.client (date_enregistrement desc, id_client desc);
create index client_type_client on client.client (type_client, id_client);
comment on table client.client is 'Client de l''entreprise, commun à toutes les activités.';
comment on column client.client.code is 'Code <ORG>-CL-<NNN>, donné par la base.';
comment on column client.client.photo is 'Clé de la photo déposée.';
comment on constraint code_client_existant on client.client is 'Un client porte déjà ce code.';
comment on constraint naissance_plausible on client.client is 'La date de naissance n''est pas plausible.';

create table client.piece_identite (
  id_piece bigint generated always as identity constraint piece_identite_pkey primary key,
  id_client bigint not null constraint piece_client_inconnu references client.client,
  type_piece client.type_piece not null,
  numero core.libelle not null,
  date_delivrance date,
  date_expiration date,
  autorite_delivrance core.libelle,
  copie_num core.cle_objet,
  copie_num_verso core.cle_objet,
  constraint piece_identite_existante unique (type_piece, numero),
  constraint piece_dates_ordonnees check (date_expiration > date_delivrance)
);
create index piece_identite_id_client on client.piece_identite (id_client);
comment on table client.piece_identite is 'Pièce d''identité d''un client ; les copies sont des clés de fichiers déposés.';
comment on constraint piece_identite_existante on client.piece_identite is 'Cette pièce d''identité est déjà enregistrée.';
comment on constraint piece_dates_ordonnees on client.piece_identite is 'La pièce expire après sa délivrance.';
comment on constraint piece_client_inconnu on client.piece_identite is 'Ce client n''existe pas.';

create table client.contact_urgence (
  id_contact bigint generated always as identity constraint contact_urgence_pkey primary key,
  id_client bigint not null constraint contact_client_inconnu references client.client,
  nom core.libelle not null,
  prenom core.libelle,
  lien core.libelle not null,
  tel_principal core.telephone not null,
  tel_secondaire core.telephone,
  adresse core.texte,
  email core.email
);
create index contact_urgence_id_client on client.contact_urgence (id_client);
comment on table client.contact_urgence is 'Personne à prévenir pour un client.';
comment on column client.contact_urgence.lien is 'Lien avec le client, par exemple MERE.';
comment on constraint contact_client_inconnu on client.contact_urgence is 'Ce client n''existe pas.';
