-- Payments added up by day: what a summary over years reads instead of the payments themselves.
-- depends: 0024.core-documents

create table finances.resume_etat (
  seul boolean not null default true constraint resume_etat_pkey primary key,
  jusqu_a bigint not null default 0,
  constraint resume_etat_seul check (seul)
);
comment on table finances.resume_etat is 'Jusqu''où les paiements sont résumés, une ligne ; les suivants se lisent un à un.';
comment on column finances.resume_etat.jusqu_a is 'Tout paiement de cet identifiant ou d''un plus petit est dans finances.resume_paiement.';
comment on constraint resume_etat_seul on finances.resume_etat is 'Il n''y a qu''un état.';

create table finances.resume_paiement (
  jour date not null,
  id_activite bigint constraint resume_activite_inconnue references core.activite,
  id_caisse bigint constraint resume_caisse_inconnue references finances.caisse,
  encaissements core.montant_signe not null,
  decaissements core.montant_signe not null,
  nombre bigint not null,
  constraint resume_unique unique nulls not distinct (jour, id_activite, id_caisse)
);
create index resume_paiement_id_activite on finances.resume_paiement (id_activite, jour);
create index resume_paiement_id_caisse on finances.resume_paiement (id_caisse, jour);
comment on table finances.resume_paiement is 'Paiements résumés par jour, activité et caisse ; la tâche « resumer-paiements » les y ajoute, chacun une fois.';
comment on column finances.resume_paiement.jour is 'Date de gestion des paiements.';
comment on column finances.resume_paiement.nombre is 'Nombre de paiements, dans les deux sens.';
comment on constraint resume_activite_inconnue on finances.resume_paiement is 'Cette activité n''existe pas.';
comment on constraint resume_caisse_inconnue on finances.resume_paiement is 'Cette caisse n''existe pas.';
comment on constraint resume_unique on finances.resume_paiement is 'Ce jour est déjà résumé.';

-- What there is already is summed up at once; nobody writes meanwhile.
lock table finances.paiement in share mode;
insert into finances.resume_paiement (jour, id_activite, id_caisse, encaissements, decaissements, nombre)
select p.jour, p.id_activite, p.id_caisse, coalesce(sum(p.montant) filter (where p.type = 'ENCAISSEMENT'), 0),
       coalesce(sum(p.montant) filter (where p.type = 'DECAISSEMENT'), 0), count(*)
  from finances.paiement p
 group by p.jour, p.id_activite, p.id_caisse;
insert into finances.resume_etat (jusqu_a) select coalesce(max(p.id_paiement), 0) from finances.paiement p;
