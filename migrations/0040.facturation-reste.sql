-- A cancelled invoice owes nothing. An invoice is dated when its number is given, not when its transaction began.
-- depends: 0032.finances-comptage 0033.core-sommes

alter table facturation.facture
  drop column reste,
  add column reste core.somme not null generated always as (
    case when annulee then 0 else montant_total - montant_paye end) stored,
  alter column date drop default;
comment on column facturation.facture.reste is 'Reste à payer : montant_total − montant_paye, 0 pour une facture annulée.';
comment on column facturation.facture.date is
  'Instant de l''émission, pris une fois le numéro donné : les dates suivent les numéros. Posé par un déclencheur.';
