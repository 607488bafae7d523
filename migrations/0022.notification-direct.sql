-- Live notifications: the setting that says which payments are told of, and who may hear of money that has no till.
-- depends: 0019.rapports-schema

alter table notification.notification add column stricte boolean not null default false;
comment on column notification.notification.stricte is
  'Vrai si, sans caisse ou sans activité, elle n''est que pour ceux que ni caisse ni activité ne limitent.';

insert into core.parametre (cle, valeur, description) values
  ('SEUIL_PAIEMENT_IMPORTANT', '1000000', 'Montant à partir duquel un paiement se signale ; 100000 au moins.')
on conflict (cle) do update set valeur = excluded.valeur where parametre.valeur !~ '^[1-9][0-9]{5,11}$';
