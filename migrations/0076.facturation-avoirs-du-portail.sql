-- A receipt of the portal shows what a credit note has moved to the credit of the client. A client sees only the own rows.
-- depends: 0075.auth-mots-de-passe-longs

alter table facturation.avoir enable row level security;
alter table finances.mouvement_credit enable row level security;
