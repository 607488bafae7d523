-- Invoices added up by day, as payments are. One table says up to which identifier each table is summed.
-- depends: 0042.rh-sortie

create table core.resume_etat (
  entite text constraint resume_etat_pkey primary key,
  jusqu_a bigint not null default 0
);
comment on table core.resume_etat is 'Jusqu''où une table est résumée par jour ; ses lignes suivantes se lisent une à une.';
comment on column core.resume_etat.entite is 'Table résumée, avec son schéma.';
comment on column core.resume_etat.jusqu_a is 'Toute ligne de cet identifiant ou d''un plus petit est dans les sommes.';

insert into core.resume_etat (entite, jusqu_a) select 'finances.paiement', e.jusqu_a from finances.resume_etat e;
-- squawk-ignore ban-drop-table -- only the old code reads it, and the upgrade has dropped that code
drop table finances.resume_etat;

create table facturation.resume_facture (
  jour date not null,
  id_activite bigint constraint resume_facture_activite_inconnue references core.activite,
  nombre bigint not null,
  chiffre_affaires core.somme not null,
  constraint resume_facture_unique unique nulls not distinct (jour, id_activite)
);
create index resume_facture_id_activite on facturation.resume_facture (id_activite, jour);
comment on table facturation.resume_facture is
  'Factures résumées par jour et activité, sans les annulées ; la tâche « resumer-factures » les y ajoute, chacune une fois.';
comment on column facturation.resume_facture.jour is 'Date de gestion des factures.';
comment on column facturation.resume_facture.id_activite is 'Activité des factures, null pour celles qui n''en ont pas.';
comment on column facturation.resume_facture.nombre is 'Nombre de factures.';
comment on column facturation.resume_facture.chiffre_affaires is 'Somme des factures, remises déduites.';
comment on constraint resume_facture_activite_inconnue on facturation.resume_facture is 'Cette activité n''existe pas.';
comment on constraint resume_facture_unique on facturation.resume_facture is 'Ce jour est déjà résumé.';

-- What there is already is summed up at once; nobody writes meanwhile.
lock table facturation.facture in share mode;
insert into facturation.resume_facture (jour, id_activite, nombre, chiffre_affaires)
select f.jour, f.id_activite, count(*), sum(f.montant_total) from facturation.facture f where not f.annulee
 group by f.jour, f.id_activite;
insert into core.resume_etat (entite, jusqu_a)
select 'facturation.facture', coalesce(max(f.id_facture), 0) from facturation.facture f;
