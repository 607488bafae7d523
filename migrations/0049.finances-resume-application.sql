-- What payments settle, added up by day and kind of source: the rents received in a month.
-- depends: 0045.facturation-resume

create table finances.resume_application (
  jour date not null,
  source_type facturation.source_type not null,
  montant core.somme not null,
  constraint resume_application_pkey primary key (source_type, jour)
);
comment on table finances.resume_application is
  'Applications de paiement résumées par jour du paiement et source de la facture ; la tâche « resumer-applications » les y ajoute, chacune une fois.';
comment on column finances.resume_application.jour is 'Date de gestion des paiements.';
comment on column finances.resume_application.source_type is 'Source des factures réglées.';
comment on column finances.resume_application.montant is 'Somme de ce qu''ils ont réglé, remboursements déduits.';
comment on constraint resume_application_pkey on finances.resume_application is 'Ce jour est déjà résumé.';

-- What there is already is summed up at once; nobody writes meanwhile.
lock table finances.paiement, finances.application_paiement in share mode;
insert into finances.resume_application (jour, source_type, montant)
select p.jour, f.source_type, sum(a.montant)
  from finances.application_paiement a
  join finances.paiement p on p.id_paiement = a.id_paiement
  join facturation.facture f on f.id_facture = a.id_facture
 group by p.jour, f.source_type;
insert into core.resume_etat (entite, jusqu_a)
select 'finances.application_paiement', coalesce(max(a.id_application), 0) from finances.application_paiement a;
