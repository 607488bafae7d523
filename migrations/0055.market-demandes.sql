-- Requests from the portal: sales of the shop.
-- The new label of an enum cannot be used before the commit (docs/decisions/0054-demandes.md). Plain types: a column of a
-- domain with a rule would rewrite the table. The parameters of the operations have the domains.
-- depends: 0054.residence-demandes

alter type market.statut_vente add value 'EN_ATTENTE' before 'EN_COURS';
comment on type market.statut_vente is
  'État d''une vente. EN_ATTENTE : demandée dans l''espace client, elle ne sort aucun stock. EN_COURS : acceptée, à encaisser.';
alter table market.vente
  add column origine core.origine not null default 'COMPTOIR',
  add column note text,
  add column motif_annulation text;
comment on table market.vente is
  'Vente : payée quand elle est faite au comptoir ; demandée dans l''espace client, acceptée puis encaissée. Annulée en entier ou pas du tout.';
comment on column market.vente.origine is 'PORTAIL : demandée par le client dans son espace.';
comment on column market.vente.note is 'Ce que le client ajoute à sa demande.';
comment on column market.vente.motif_annulation is 'Pourquoi la vente est annulée, ou la demande refusée ; le client le voit.';

-- The portal reads these tables: sql/politiques.sql names the rows that it sees.
alter table market.vente enable row level security;
alter table market.vente_ligne enable row level security;
