-- What clients owe, added up by day, so that no report reads each invoice and each rent that is due. The first run of
-- the job adds up what there is; until then a report reads each of them.
-- depends: 0088.finances-facture-du-paiement

create table finances.resume_impaye (
  loyer boolean not null,
  jour date not null,
  id_activite bigint constraint resume_impaye_activite_inconnue references core.activite,
  entame boolean not null,
  nombre bigint not null,
  reste core.somme not null,
  constraint resume_impaye_unique unique nulls not distinct (id_activite, loyer, jour, entame)
);
-- The table has no primary key: PostgreSQL replicates its changes by the whole row.
alter table finances.resume_impaye replica identity full;
comment on table finances.resume_impaye is
  'Ce qui reste dû, résumé par jour et activité à une entrée du journal (core.resume_etat) ; la tâche « resumer-impayes » le refait.';
comment on column finances.resume_impaye.loyer is 'Vrai des échéances de loyer, à venir comprises ; faux des factures, sans celles des loyers et des séjours.';
comment on column finances.resume_impaye.jour is 'Date de gestion des factures, ou date des échéances.';
comment on column finances.resume_impaye.id_activite is 'Activité des factures, null pour celles qui n''en ont pas et pour les loyers.';
comment on column finances.resume_impaye.entame is 'Vrai des échéances payées en partie.';
comment on column finances.resume_impaye.nombre is 'Nombre de factures ou d''échéances.';
comment on column finances.resume_impaye.reste is 'Somme de ce qui en reste dû.';
comment on constraint resume_impaye_activite_inconnue on finances.resume_impaye is 'Cette activité n''existe pas.';
comment on constraint resume_impaye_unique on finances.resume_impaye is 'Ce jour est déjà résumé.';
insert into core.resume_etat (entite, jusqu_a) values ('finances.impaye', 0);
