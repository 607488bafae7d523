-- Categories of subscriptions.
-- depends: 0008.jobs-file

create schema abonnement;
comment on schema abonnement is 'Catégories d''abonnements.';

create table abonnement.categorie_abonnement (
  id_categorie_abonnement bigint generated always as identity constraint categorie_abonnement_pkey primary key,
  libelle core.libelle not null constraint categorie_abonnement_existante unique,
  description core.texte,
  actif boolean not null default true
);
comment on table abonnement.categorie_abonnement is 'Catégorie d''abonnement.';
comment on column abonnement.categorie_abonnement.actif is 'Une catégorie inactive ne se choisit plus ; les abonnements qui la portent la gardent.';
comment on constraint categorie_abonnement_existante on abonnement.categorie_abonnement is 'Cette catégorie d''abonnement existe déjà.';
