-- A webhook made with an API key keeps the permissions, the till and the activity of the key.
-- depends: 0072.audit-journal-client
-- squawk-ignore-file constraint-missing-not-valid -- the new columns are empty, so each scan only reads
-- squawk-ignore-file require-concurrent-index-creation -- the table has a row for each webhook

alter table evenement.webhook add column id_cle bigint, add column id_caisse bigint, add column permissions text[];
alter table evenement.webhook add constraint webhook_cle_inconnue foreign key (id_cle) references auth.cle not valid;
alter table evenement.webhook validate constraint webhook_cle_inconnue;
alter table evenement.webhook add constraint webhook_caisse_inconnue foreign key (id_caisse) references finances.caisse not valid;
alter table evenement.webhook validate constraint webhook_caisse_inconnue;
create index webhook_id_cle on evenement.webhook (id_cle);
create index webhook_id_caisse on evenement.webhook (id_caisse);
comment on column evenement.webhook.id_cle is 'Clé d''API qui l''a fait, null d''une personne ou d''une clé supprimée.';
comment on column evenement.webhook.id_caisse is 'Caisse de la clé qui l''a fait, null sans limite de plus.';
comment on column evenement.webhook.permissions is 'Permissions de la clé qui l''a fait, null sans limite de plus ; celles que le compte n''a plus ne valent pas.';
comment on constraint webhook_cle_inconnue on evenement.webhook is 'Cette clé n''existe pas.';
comment on constraint webhook_caisse_inconnue on evenement.webhook is 'Cette caisse n''existe pas.';
