-- Expenses added up by day too, so that no summary reads them one by one.
-- depends: 0045.facturation-resume

create table finances.resume_depense (
  jour date not null,
  id_activite bigint constraint resume_depense_activite_inconnue references core.activite,
  id_caisse bigint constraint resume_depense_caisse_inconnue references finances.caisse,
  montant core.somme not null,
  constraint resume_depense_unique unique nulls not distinct (jour, id_activite, id_caisse)
);
create index resume_depense_id_activite on finances.resume_depense (id_activite, jour);
create index resume_depense_id_caisse on finances.resume_depense (id_caisse, jour);
comment on table finances.resume_depense is
  'Dépenses résumées par jour, activité et caisse, sans les supprimées ; la tâche « resumer-depenses » les y ajoute, chacune une fois.';
comment on column finances.resume_depense.jour is 'Date de gestion des dépenses.';
comment on column finances.resume_depense.id_activite is 'Activité des dépenses, null pour celles qui n''en ont pas.';
comment on column finances.resume_depense.id_caisse is 'Caisse des dépenses, null pour celles hors caisse.';
comment on column finances.resume_depense.montant is 'Somme des dépenses.';
comment on constraint resume_depense_activite_inconnue on finances.resume_depense is 'Cette activité n''existe pas.';
comment on constraint resume_depense_caisse_inconnue on finances.resume_depense is 'Cette caisse n''existe pas.';
comment on constraint resume_depense_unique on finances.resume_depense is 'Ce jour est déjà résumé.';

-- What there is already is summed up at once; nobody writes meanwhile.
lock table finances.depense in share mode;
insert into finances.resume_depense (jour, id_activite, id_caisse, montant)
select d.jour, d.id_activite, d.id_caisse, sum(d.montant) from finances.depense d where d.date_annulation is null
 group by d.jour, d.id_activite, d.id_caisse;
insert into core.resume_etat (entite, jusqu_a)
select 'finances.depense', coalesce(max(d.id_depense), 0) from finances.depense d;
