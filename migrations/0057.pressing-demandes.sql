-- Requests from the portal: laundry that a client announces, and brings later.
-- The new label of an enum cannot be used before the commit (docs/decisions/0054-demandes.md). Plain types: a column of a
-- domain with a rule would rewrite the table. The parameters of the operations have the domains.
-- depends: 0053.pressing-quotas 0056.restaurant-demandes

alter type pressing.statut_commande add value 'EN_ATTENTE' before 'DEPOSE';
comment on type pressing.statut_commande is
  'État d''une commande de pressing. EN_ATTENTE : annoncée dans l''espace client, le linge n''est pas là.';
alter table pressing.commande
  -- squawk-ignore ban-drop-not-null -- a constraint below keeps it for all laundry that is there
  alter column date_depot drop not null,
  -- squawk-ignore ban-drop-default -- a trigger writes it, except for a request
  alter column date_depot drop default,
  add column origine core.origine not null default 'COMPTOIR',
  add column date_depot_souhaitee date,
  add column notes text,
  add column motif_annulation text;
-- No order breaks this rule yet: the date could not be null.
alter table pressing.commande
  add constraint linge_sans_depot check (date_depot is not null or statut::text in ('EN_ATTENTE', 'ANNULEE')) not valid;
comment on column pressing.commande.date_depot is 'Moment où le linge a été reçu ; null d''une demande qui n''est pas acceptée.';
comment on column pressing.commande.origine is 'PORTAIL : annoncée par le client dans son espace.';
comment on column pressing.commande.date_depot_souhaitee is 'Jour où le client voudrait déposer son linge.';
comment on column pressing.commande.notes is 'Ce que le client ajoute à sa demande.';
comment on column pressing.commande.motif_annulation is 'Pourquoi la commande est annulée, ou la demande refusée ; le client le voit.';
comment on constraint linge_sans_depot on pressing.commande is 'Du linge reçu a une date de dépose.';

-- The portal reads this table: sql/politiques.sql names the rows that it sees.
alter table pressing.commande_ligne enable row level security;
