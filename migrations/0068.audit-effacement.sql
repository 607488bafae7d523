-- The personal data of a client is erased: which entries of the journal lost it, and what is left of them.
-- depends: 0067.audit-arbre

create table audit.effacement (
  id_effacement bigint generated always as identity constraint effacement_pkey primary key,
  id_client bigint not null constraint effacement_client_inconnu references client.client,
  date timestamptz not null default clock_timestamp(),
  id_utilisateur bigint constraint effacement_utilisateur_inconnu references auth.utilisateur,
  motif core.libelle not null,
  ids int8multirange not null,
  empreintes bytea[] not null,
  evenements int8multirange not null
);
create index effacement_id_client on audit.effacement (id_client);
create index effacement_id_utilisateur on audit.effacement (id_utilisateur);
comment on table audit.effacement is 'Effacements des données d''un client. Un mois du journal remis de son archive en ajoute un pour chaque client déjà effacé qu''il nommait.';
comment on column audit.effacement.date is 'Instant de l''effacement.';
comment on column audit.effacement.id_utilisateur is 'Qui a effacé, null hors de l''API.';
comment on column audit.effacement.motif is 'Pourquoi.';
comment on column audit.effacement.ids is 'Entrées du journal d''où ses données ont été retirées.';
comment on column audit.effacement.empreintes is 'Empreinte de chacune de ces entrées telle que l''effacement la laisse, dans l''ordre de leurs identifiants : ce qui y changerait ensuite se voit.';
comment on column audit.effacement.evenements is 'Événements d''où ses données ont été retirées.';
comment on constraint effacement_client_inconnu on audit.effacement is 'Ce client n''existe pas.';

comment on column audit.feuillage.sels is 'Sel de chaque entrée, 16 octets au hasard ; null d''une entrée effacée (audit.effacement), que rien ne relie plus à son empreinte.';

create table compta.jour_efface (
  id_jour_efface bigint generated always as identity constraint jour_efface_pkey primary key,
  date date not null,
  avant bytea not null,
  apres bytea not null,
  constraint jour_efface_empreintes check (octet_length(avant) = 32 and octet_length(apres) = 32)
);
create index jour_efface_date on compta.jour_efface (date, id_jour_efface);
comment on table compta.jour_efface is 'Jours clôturés dont des libellés, qui nommaient un client, ont été effacés.';
comment on column compta.jour_efface.date is 'Jour des écritures.';
comment on column compta.jour_efface.avant is 'Empreinte des écritures du jour avant l''effacement : l''empreinte du mois en est faite.';
comment on column compta.jour_efface.apres is 'Empreinte des écritures du jour après : ce qui y changerait ensuite se voit.';
comment on constraint jour_efface_empreintes on compta.jour_efface is 'Une empreinte a 32 octets.';

insert into core.parametre (cle, valeur, description) values
  ('RETENTION_LEGALE', '10', 'Années, de 1 à 30, pendant lesquelles les données d''un client se gardent après sa dernière opération ; ensuite un administrateur peut les effacer.')
on conflict on constraint parametre_existant do nothing;
