-- Keys of providers, demands for money, notices of providers, and the money that providers say they received.
-- depends: 0090.tresorerie-comptes
-- squawk-ignore-file prefer-bigint-over-int -- the exchanges of one demand or notice

create type tresorerie.unite_montant as enum ('FRANC', 'CENTIEME');
comment on type tresorerie.unite_montant is 'Unité des montants d''un fournisseur : le franc, ou son centième.';
create type tresorerie.statut_demande as enum
  ('CREEE', 'ENVOYEE', 'INCERTAINE', 'PAYEE', 'REFUSEE', 'EXPIREE', 'ANNULEE');
comment on type tresorerie.statut_demande is
  'Où en est une demande d''argent ; INCERTAINE : une réponse s''est perdue, le fournisseur dira ce qu''il en est.';
create type tresorerie.signature_avis as enum ('VALIDE', 'FAUSSE', 'ABSENTE');
comment on type tresorerie.signature_avis is 'Signature d''un avis ; ABSENTE où le fournisseur ne signe pas.';
create type tresorerie.etat_avis as enum ('RECU', 'ECARTE', 'TRAITE');
comment on type tresorerie.etat_avis is
  'Ce qu''un avis est devenu ; RECU : le fournisseur reste à interroger, ECARTE : l''avis n''a réveillé personne.';

create table tresorerie.acces (
  id_compte bigint constraint acces_pkey primary key constraint acces_compte_inconnu references tresorerie.compte,
  fournisseur tresorerie.fournisseur not null,
  secret text not null,
  hash text not null constraint acces_jeton_existant unique,
  unite tresorerie.unite_montant not null default 'FRANC',
  date_modification timestamptz not null default now()
);
comment on table tresorerie.acces is 'Clés d''un compte chez son fournisseur. Aucune opération ne les rend en clair.';
comment on column tresorerie.acces.fournisseur is 'Fournisseur qui a donné ces clés.';
comment on column tresorerie.acces.secret is 'Clés et jeton des avis, chiffrés par une clé que la base n''a pas.';
comment on column tresorerie.acces.hash is 'SHA-256 du jeton de l''adresse des avis.';
comment on column tresorerie.acces.unite is 'Unité des montants que ce fournisseur lit et écrit.';
comment on column tresorerie.acces.date_modification is 'Moment où elles ont été données.';
comment on constraint acces_compte_inconnu on tresorerie.acces is 'Ce compte n''existe pas.';
comment on constraint acces_jeton_existant on tresorerie.acces is 'Ce jeton est déjà celui d''un compte.';

create table tresorerie.demande (
  id_demande bigint generated always as identity constraint demande_pkey primary key,
  reference core.libelle not null constraint demande_reference_existante unique
    default 'D' || upper(left(replace(gen_random_uuid()::text, '-', ''), 24)),
  id_compte bigint not null constraint demande_compte_inconnu references tresorerie.compte,
  montant core.montant_du_reglement not null,
  id_facture bigint constraint demande_facture_inconnue references facturation.facture,
  source_type facturation.source_type,
  source_id bigint,
  id_activite bigint constraint demande_activite_inconnue references core.activite,
  libelle core.libelle not null,
  expire_le timestamptz,
  statut tresorerie.statut_demande not null default 'CREEE',
  identifiant core.libelle,
  url core.texte,
  qr text,
  motif core.texte,
  date timestamptz not null default now(),
  id_utilisateur bigint constraint demande_utilisateur_inconnu references auth.utilisateur,
  constraint demande_d_une_chose check (num_nonnulls(id_facture, source_id) = 1
                                        and (source_id is null) = (source_type is null))
);
create index demande_date on tresorerie.demande (date desc, id_demande desc);
create index demande_id_compte on tresorerie.demande (id_compte);
create index demande_id_facture on tresorerie.demande (id_facture) where id_facture is not null;
create index demande_source on tresorerie.demande (source_type, source_id) where source_id is not null;
create index demande_id_activite on tresorerie.demande (id_activite);
create index demande_id_utilisateur on tresorerie.demande (id_utilisateur);
create index demande_en_cours on tresorerie.demande (id_demande) where statut in ('CREEE', 'ENVOYEE', 'INCERTAINE');
comment on table tresorerie.demande is 'Argent demandé à quelqu''un par le fournisseur d''un compte.';
comment on column tresorerie.demande.reference is
  'La nôtre, qui n''expire pas : le fournisseur y reconnaît une demande répétée.';
comment on column tresorerie.demande.montant is 'Ce qui est demandé.';
comment on column tresorerie.demande.statut is 'Où elle en est.';
comment on column tresorerie.demande.source_type is 'Nature de ce qui n''a pas encore de facture.';
comment on column tresorerie.demande.source_id is 'Ce qui se paie et n''a pas encore de facture : une échéance, une charge.';
comment on column tresorerie.demande.libelle is 'Ce que lit qui paie.';
comment on column tresorerie.demande.expire_le is 'Après ce moment, la demande est EXPIREE.';
comment on column tresorerie.demande.identifiant is 'Numéro de la demande chez le fournisseur.';
comment on column tresorerie.demande.url is 'Page où payer.';
comment on column tresorerie.demande.qr is 'Code à lire pour payer, en SVG.';
comment on column tresorerie.demande.motif is 'Ce que le fournisseur a dit, ou ce qui a manqué.';
comment on column tresorerie.demande.date is 'Moment de la demande.';
comment on column tresorerie.demande.id_utilisateur is 'Qui l''a faite, null hors de l''API.';
comment on constraint demande_reference_existante on tresorerie.demande is 'Cette référence est déjà celle d''une demande.';
comment on constraint demande_compte_inconnu on tresorerie.demande is 'Ce compte n''existe pas.';
comment on constraint demande_facture_inconnue on tresorerie.demande is 'Cette facture n''existe pas.';
comment on constraint demande_activite_inconnue on tresorerie.demande is 'Cette activité n''existe pas.';
comment on constraint demande_utilisateur_inconnu on tresorerie.demande is 'Cet utilisateur n''existe pas.';
comment on constraint demande_d_une_chose on tresorerie.demande is
  'Une demande est pour une facture, une échéance ou une charge, l''une d''elles.';

create table tresorerie.demande_suite (
  id_demande bigint constraint demande_suite_pkey primary key
    constraint demande_suivie_inconnue references tresorerie.demande on delete cascade,
  telephone core.telephone,
  prise uuid,
  prise_le timestamptz,
  essais integer not null default 0,
  essai_le timestamptz
);
comment on table tresorerie.demande_suite is 'Où en est l''échange avec le fournisseur pour une demande ; rien de cela n''est au journal.';
comment on column tresorerie.demande_suite.telephone is 'Numéro à qui demander, null une fois la demande finie.';
comment on column tresorerie.demande_suite.prise is 'Qui parle au fournisseur en ce moment, null : personne.';
comment on column tresorerie.demande_suite.prise_le is 'Moment où il a commencé.';
comment on column tresorerie.demande_suite.essais is 'Échanges avec le fournisseur.';
comment on column tresorerie.demande_suite.essai_le is 'Moment du prochain échange, null : aucun n''est prévu.';
comment on constraint demande_suivie_inconnue on tresorerie.demande_suite is 'Cette demande n''existe pas.';

create table tresorerie.encaissement (
  id_encaissement bigint generated always as identity constraint encaissement_pkey primary key,
  id_compte bigint not null constraint encaissement_compte_inconnu references tresorerie.compte,
  transaction core.libelle not null,
  reference core.libelle,
  montant core.montant_du_reglement not null,
  frais core.montant not null default 0,
  devise core.libelle not null,
  date timestamptz not null,
  id_demande bigint constraint encaissement_demande_inconnue references tresorerie.demande,
  id_paiement bigint constraint encaissement_deja_paye unique
    constraint encaissement_paiement_inconnu references finances.paiement,
  id_depense bigint constraint encaissement_frais_deja_comptes unique
    constraint encaissement_depense_inconnue references finances.depense,
  motif core.texte,
  constraint encaissement_existant unique (id_compte, transaction)
);
create index encaissement_date on tresorerie.encaissement (date desc, id_encaissement desc);
create index encaissement_id_demande on tresorerie.encaissement (id_demande) where id_demande is not null;
create index encaissement_a_affecter on tresorerie.encaissement (id_encaissement) where motif is not null;
comment on table tresorerie.encaissement is
  'Argent qu''un fournisseur dit avoir reçu pour un compte, chaque transaction une fois, et ce qui en a été fait.';
comment on column tresorerie.encaissement.transaction is 'Numéro de la transaction chez le fournisseur.';
comment on column tresorerie.encaissement.reference is 'Référence que le fournisseur a donnée avec elle.';
comment on column tresorerie.encaissement.montant is 'Ce que le payeur a payé.';
comment on column tresorerie.encaissement.frais is 'Ce que le fournisseur retient : une dépense du jour.';
comment on column tresorerie.encaissement.devise is 'Devise du fournisseur.';
comment on column tresorerie.encaissement.date is 'Moment que dit le fournisseur.';
comment on column tresorerie.encaissement.id_demande is 'Demande que cet argent paie, null s''il n''en paie aucune.';
comment on column tresorerie.encaissement.id_paiement is 'Paiement qui le porte aux livres, null s''il n''y est pas encore.';
comment on column tresorerie.encaissement.id_depense is 'Dépense de ses frais.';
comment on column tresorerie.encaissement.motif is 'Pourquoi il ne règle rien, null d''un encaissement qui règle sa demande.';
comment on constraint encaissement_existant on tresorerie.encaissement is 'Cette transaction est déjà connue.';
comment on constraint encaissement_compte_inconnu on tresorerie.encaissement is 'Ce compte n''existe pas.';
comment on constraint encaissement_demande_inconnue on tresorerie.encaissement is 'Cette demande n''existe pas.';
comment on constraint encaissement_paiement_inconnu on tresorerie.encaissement is 'Ce paiement n''existe pas.';
comment on constraint encaissement_depense_inconnue on tresorerie.encaissement is 'Cette dépense n''existe pas.';
comment on constraint encaissement_deja_paye on tresorerie.encaissement is 'Ce paiement est déjà celui d''une transaction.';
comment on constraint encaissement_frais_deja_comptes on tresorerie.encaissement is 'Cette dépense est déjà celle d''une transaction.';

create table tresorerie.avis (
  id_avis bigint generated always as identity constraint avis_pkey primary key,
  id_compte bigint not null constraint avis_compte_inconnu references tresorerie.compte,
  evenement core.libelle not null,
  date timestamptz not null default now(),
  corps bytea,
  entetes jsonb not null,
  signature tresorerie.signature_avis not null,
  reference core.libelle,
  identifiant core.libelle,
  etat tresorerie.etat_avis not null default 'RECU',
  issue core.texte,
  id_encaissement bigint constraint avis_encaissement_inconnu references tresorerie.encaissement,
  prise uuid,
  prise_le timestamptz,
  essais integer not null default 0,
  essai_le timestamptz default now(),
  constraint avis_existant unique (id_compte, evenement)
);
create index avis_date on tresorerie.avis (date desc, id_avis desc);
create index avis_a_traiter on tresorerie.avis (essai_le) where etat = 'RECU';
create index avis_id_encaissement on tresorerie.avis (id_encaissement) where id_encaissement is not null;
comment on table tresorerie.avis is
  'Ce qu''un fournisseur a envoyé, octet pour octet. Un avis réveille seulement : le fait est la réponse du fournisseur à notre question.';
comment on column tresorerie.avis.evenement is 'Numéro de l''événement chez le fournisseur, sinon le SHA-256 du corps.';
comment on column tresorerie.avis.date is 'Moment où il est arrivé.';
comment on column tresorerie.avis.corps is 'Octets reçus ; la tâche « menage » les retire après treize mois.';
comment on column tresorerie.avis.entetes is 'En-têtes qui comptent : type, signature.';
comment on column tresorerie.avis.signature is 'Ce qu''en dit la clé du compte.';
comment on column tresorerie.avis.etat is 'RECU, puis TRAITE ou ECARTE.';
comment on column tresorerie.avis.reference is 'Notre référence, telle que l''avis la donne.';
comment on column tresorerie.avis.identifiant is 'Numéro chez le fournisseur, tel que l''avis le donne.';
comment on column tresorerie.avis.issue is 'Ce qu''il est devenu, en une phrase.';
comment on column tresorerie.avis.id_encaissement is 'Argent que le fournisseur a dit avoir reçu.';
comment on column tresorerie.avis.prise is 'Qui interroge le fournisseur en ce moment, null : personne.';
comment on column tresorerie.avis.prise_le is 'Moment où il a commencé.';
comment on column tresorerie.avis.essais is 'Questions posées au fournisseur.';
comment on column tresorerie.avis.essai_le is 'Moment de la prochaine question, null : aucune n''est prévue.';
comment on constraint avis_existant on tresorerie.avis is 'Cet avis est déjà reçu.';
comment on constraint avis_compte_inconnu on tresorerie.avis is 'Ce compte n''existe pas.';
comment on constraint avis_encaissement_inconnu on tresorerie.avis is 'Cet encaissement n''existe pas.';
