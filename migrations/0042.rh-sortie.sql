-- The last day of an employee: the pay of the month is for the days that were due.
-- depends: 0017.rh-personnel 0026.core-commentaires

alter table rh.employe add column date_sortie date;
alter table rh.employe add constraint sortie_avant_embauche check (date_sortie >= date_embauche);
comment on column rh.employe.date_sortie is 'Dernier jour de travail, payé ; null tant qu''on ne le connaît pas.';
comment on constraint sortie_avant_embauche on rh.employe is 'La sortie d''un employé ne vient pas avant son embauche.';
comment on column rh.paie.salaire_repris is 'Salaire de l''employé pour ce mois, au prorata de ses jours, que le bulletin a vu en dernier ; s''il change, recalculer le reprend.';
