-- Categories of subscriptions have a code. A category without one shows the code CAT_<key>.
-- depends: 0078.pressing-index-date

alter table abonnement.categorie_abonnement add column code text;
-- squawk-ignore require-concurrent-index-creation -- the categories of a business are few
create unique index code_categorie_abonnement_existant
  on abonnement.categorie_abonnement (coalesce(code, 'CAT_' || id_categorie_abonnement::text));
comment on column abonnement.categorie_abonnement.code is 'Majuscules, chiffres et tirets bas ; null : CAT_<clé>.';
comment on index abonnement.code_categorie_abonnement_existant is 'Une catégorie d''abonnement a déjà ce code.';
comment on domain abonnement.unites is 'Unités d''un abonnement dans une réponse : trois décimales pour des kilos ; sinon un entier, ou deux décimales.';
