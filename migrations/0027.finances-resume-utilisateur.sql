-- Sums of payments by who took them too: what each user took in is then read from sums, as all else is.
-- depends: 0026.core-commentaires

-- In the order in which the job takes them.
select from finances.resume_etat for update;
lock table finances.paiement in share mode;

alter table finances.resume_paiement
  add column id_utilisateur bigint constraint resume_utilisateur_inconnu references auth.utilisateur,
  drop constraint resume_unique;
comment on column finances.resume_paiement.id_utilisateur is 'Qui a écrit les paiements, null pour ceux écrits hors de l''API.';
comment on constraint resume_utilisateur_inconnu on finances.resume_paiement is 'Cet utilisateur n''existe pas.';
comment on table finances.resume_paiement is
  'Paiements résumés par jour, activité, caisse et utilisateur ; la tâche « resumer-paiements » les y ajoute, chacun une fois.';

delete from finances.resume_paiement;
insert into finances.resume_paiement (jour, id_activite, id_caisse, id_utilisateur, encaissements, decaissements, nombre)
select p.jour, p.id_activite, p.id_caisse, p.id_utilisateur,
       coalesce(sum(p.montant) filter (where p.type = 'ENCAISSEMENT'), 0),
       coalesce(sum(p.montant) filter (where p.type = 'DECAISSEMENT'), 0), count(*)
  from finances.paiement p
 group by p.jour, p.id_activite, p.id_caisse, p.id_utilisateur;
update finances.resume_etat set jusqu_a = (select coalesce(max(p.id_paiement), 0) from finances.paiement p);

alter table finances.resume_paiement
  add constraint resume_unique unique nulls not distinct (jour, id_activite, id_caisse, id_utilisateur);
comment on constraint resume_unique on finances.resume_paiement is 'Ce jour est déjà résumé.';
create index resume_paiement_id_utilisateur on finances.resume_paiement (id_utilisateur, jour);
