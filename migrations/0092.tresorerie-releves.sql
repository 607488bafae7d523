-- Statements of the accounts outside the tills, and what matches their lines.
-- depends: 0091.tresorerie-demandes-avis
-- squawk-ignore-file prefer-bigint-over-int -- lines of one file, 100 000 at most

create type tresorerie.format_releve as enum ('CAMT_053', 'MT940', 'OFX', 'FEUILLE');
comment on type tresorerie.format_releve is 'Forme d''un relevé ; FEUILLE : un classeur .xlsx ou un texte .csv.';
create type tresorerie.regle_rapprochement as enum ('TRANSACTION', 'REFERENCE', 'MONTANT', 'MAIN', 'CONSTAT');
comment on type tresorerie.regle_rapprochement is
  'TRANSACTION : le relevé a la référence du paiement ou du virement. REFERENCE : son libellé a un de nos numéros. MONTANT : le seul de ce montant à trois jours près. MAIN : par un utilisateur. CONSTAT : fait d''après la ligne.';
create type tresorerie.part_virement as enum ('MONTANT', 'FRAIS');
comment on type tresorerie.part_virement is 'Un virement et ses frais, qu''une banque peut écrire en deux lignes.';

create table tresorerie.releve (
  id_releve bigint generated always as identity constraint releve_pkey primary key,
  id_compte bigint not null constraint releve_compte_inconnu references tresorerie.compte,
  fichier text not null constraint releve_nom_de_fichier check (char_length(fichier) <= 200),
  empreinte text not null,
  format tresorerie.format_releve not null,
  du date,
  au date,
  lignes integer not null,
  prouve boolean not null,
  id_utilisateur bigint constraint releve_utilisateur_inconnu references auth.utilisateur,
  date_creation timestamptz not null default now(),
  constraint releve_unique unique (id_compte, empreinte)
);
create index releve_id_utilisateur on tresorerie.releve (id_utilisateur);
comment on table tresorerie.releve is 'Relevé d''un compte, reçu en un fichier.';
comment on column tresorerie.releve.fichier is 'Nom du fichier envoyé.';
comment on column tresorerie.releve.format is 'Forme du fichier.';
comment on column tresorerie.releve.date_creation is 'Moment de l''envoi.';
comment on column tresorerie.releve.empreinte is 'SHA-256 du fichier : le même, renvoyé, se reconnaît.';
comment on column tresorerie.releve.du is 'Jour de sa première ligne, null s''il n''en a pas.';
comment on column tresorerie.releve.au is 'Jour de sa dernière ligne, null s''il n''en a pas.';
comment on column tresorerie.releve.lignes is 'Lignes du fichier, celles qu''un autre relevé avait déjà comprises.';
comment on column tresorerie.releve.prouve is 'Vrai si ses soldes prouvent la somme de ses lignes.';
comment on column tresorerie.releve.id_utilisateur is 'Qui l''a envoyé, null hors de l''API.';
comment on constraint releve_compte_inconnu on tresorerie.releve is 'Ce compte n''existe pas.';
comment on constraint releve_utilisateur_inconnu on tresorerie.releve is 'Cet utilisateur n''existe pas.';
comment on constraint releve_nom_de_fichier on tresorerie.releve is 'Le nom du fichier compte 200 caractères au plus.';
comment on constraint releve_unique on tresorerie.releve is 'Ce relevé est déjà là.';

-- The lines are what the bank wrote, and the file has them, so the journal leaves them out.
create table tresorerie.ligne (
  id_ligne bigint generated always as identity constraint ligne_de_releve_pkey primary key,
  id_compte bigint not null constraint ligne_de_releve_compte_inconnu references tresorerie.compte,
  id_releve bigint not null constraint ligne_de_releve_releve_inconnu references tresorerie.releve,
  jour date not null,
  rang integer not null,
  libelle text not null,
  reference text,
  identifiant text,
  montant core.somme not null constraint ligne_de_releve_non_nulle check (montant <> 0),
  solde core.somme,
  empreinte text not null,
  occurrence integer not null,
  constraint ligne_de_releve_unique unique (id_compte, empreinte, occurrence)
);
create index ligne_de_releve_jour on tresorerie.ligne (id_compte, jour, rang, id_ligne);
create index ligne_de_releve_id_releve on tresorerie.ligne (id_releve);
comment on table tresorerie.ligne is 'Ligne d''un relevé, telle que la banque ou l''opérateur l''écrit, une fois quel que soit le nombre de relevés qui l''ont.';
comment on column tresorerie.ligne.id_releve is 'Relevé qui l''a apportée.';
comment on column tresorerie.ligne.jour is 'Jour où la banque l''a comptée.';
comment on column tresorerie.ligne.rang is 'Rang dans son jour ; 0 tant qu''elle n''y a pas sa place.';
comment on column tresorerie.ligne.reference is 'Référence que la banque transmet, null s''il n''y en a pas.';
comment on column tresorerie.ligne.identifiant is 'Identifiant de la banque ou de l''opérateur, null s''il n''en donne pas.';
comment on column tresorerie.ligne.montant is 'Ce qui entre sur le compte ; négatif, ce qui en sort.';
comment on column tresorerie.ligne.solde is 'Solde du compte après cette ligne, null si aucun relevé ne le dit.';
comment on column tresorerie.ligne.empreinte is 'Empreinte du jour, du montant, et de l''identifiant ou du libellé et de la référence.';
comment on column tresorerie.ligne.occurrence is 'Rang parmi les lignes de même empreinte.';
comment on constraint ligne_de_releve_compte_inconnu on tresorerie.ligne is 'Ce compte n''existe pas.';
comment on constraint ligne_de_releve_releve_inconnu on tresorerie.ligne is 'Ce relevé n''existe pas.';
comment on constraint ligne_de_releve_non_nulle on tresorerie.ligne is 'Une ligne de relevé a un montant.';
comment on constraint ligne_de_releve_unique on tresorerie.ligne is 'Cette ligne de relevé est déjà là.';

create table tresorerie.rapprochement (
  id_rapprochement bigint generated always as identity constraint rapprochement_pkey primary key,
  id_ligne bigint not null constraint rapprochement_ligne_inconnue references tresorerie.ligne,
  id_compte bigint not null constraint rapprochement_compte_inconnu references tresorerie.compte,
  id_paiement bigint constraint rapprochement_paiement_inconnu references finances.paiement,
  id_depense bigint constraint rapprochement_depense_inconnue references finances.depense,
  id_virement bigint constraint rapprochement_virement_inconnu references tresorerie.virement,
  part tresorerie.part_virement,
  regle tresorerie.regle_rapprochement not null,
  id_utilisateur bigint constraint rapprochement_utilisateur_inconnu references auth.utilisateur,
  date_creation timestamptz not null default now(),
  constraint rapprochement_d_une_piece check (num_nonnulls(id_paiement, id_depense, id_virement) = 1),
  constraint rapprochement_part check ((part is null) = (id_virement is null))
);
create index rapprochement_id_ligne on tresorerie.rapprochement (id_ligne);
create unique index paiement_deja_rapproche on tresorerie.rapprochement (id_paiement);
create unique index depense_deja_rapprochee on tresorerie.rapprochement (id_depense);
create unique index virement_deja_rapproche on tresorerie.rapprochement (id_virement, id_compte, part);
create index rapprochement_id_compte on tresorerie.rapprochement (id_compte);
create index rapprochement_id_utilisateur on tresorerie.rapprochement (id_utilisateur);
comment on table tresorerie.rapprochement is
  'Ce qui, ici, est une ligne de relevé : des paiements, une dépense ou un virement, du même montant au franc près.';
comment on column tresorerie.rapprochement.id_compte is 'Compte de la ligne.';
comment on column tresorerie.rapprochement.id_paiement is 'Paiement, null d''une autre pièce.';
comment on column tresorerie.rapprochement.id_depense is 'Dépense, null d''une autre pièce.';
comment on column tresorerie.rapprochement.id_virement is 'Virement, null d''une autre pièce.';
comment on column tresorerie.rapprochement.part is 'Ce qui du virement est la ligne, null d''une autre pièce.';
comment on column tresorerie.rapprochement.regle is 'Pourquoi.';
comment on column tresorerie.rapprochement.date_creation is 'Moment du rapprochement.';
comment on column tresorerie.rapprochement.id_utilisateur is 'Qui l''a fait, ou a envoyé le relevé ; null hors de l''API.';
comment on index tresorerie.paiement_deja_rapproche is 'Ce paiement est déjà une ligne d''un relevé.';
comment on index tresorerie.depense_deja_rapprochee is 'Cette dépense est déjà une ligne d''un relevé.';
comment on index tresorerie.virement_deja_rapproche is 'Ce virement est déjà une ligne d''un relevé de ce compte.';
comment on constraint rapprochement_ligne_inconnue on tresorerie.rapprochement is 'Cette ligne de relevé n''existe pas.';
comment on constraint rapprochement_compte_inconnu on tresorerie.rapprochement is 'Ce compte n''existe pas.';
comment on constraint rapprochement_paiement_inconnu on tresorerie.rapprochement is 'Ce paiement n''existe pas.';
comment on constraint rapprochement_depense_inconnue on tresorerie.rapprochement is 'Cette dépense n''existe pas.';
comment on constraint rapprochement_virement_inconnu on tresorerie.rapprochement is 'Ce virement n''existe pas.';
comment on constraint rapprochement_utilisateur_inconnu on tresorerie.rapprochement is 'Cet utilisateur n''existe pas.';
comment on constraint rapprochement_d_une_piece on tresorerie.rapprochement is
  'Un rapprochement nomme un paiement, une dépense ou un virement, l''un d''eux.';
comment on constraint rapprochement_part on tresorerie.rapprochement is 'Seul un virement a des parts.';
