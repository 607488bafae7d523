-- What a lease that ends early, or never begins, still owes; and the notice that holds its room until its last day.
-- depends: 0029.core-devise

alter table residence.echeance add column montant_du numeric(14,2);
alter table residence.echeance add constraint echeance_due_positive check (montant_du >= 0) not valid;
alter table residence.echeance validate constraint echeance_due_positive;
comment on column residence.echeance.montant_du is
  'Ce qui reste dû de l''échéance d''un contrat résilié ou annulé, écrit par l''opération ; null tant qu''elle est due entière. Payé au-delà : à rembourser.';
comment on column residence.echeance.date_fin is 'Dernier jour couvert ; d''une échéance que la résiliation écourte, celui de la résiliation.';
comment on column residence.echeance.annulee is 'Plus rien n''en est dû et rien n''en est payé, tenu par un déclencheur.';
comment on constraint echeance_due_positive on residence.echeance is 'Ce qui est dû d''une échéance est zéro ou plus.';

alter table residence.contrat_location add column preavis boolean not null default false;
alter table residence.contrat_location add constraint preavis_d_un_contrat_resilie
  check (not preavis or statut = 'RESILIE') not valid;
alter table residence.contrat_location validate constraint preavis_d_un_contrat_resilie;
create index contrat_location_preavis on residence.contrat_location (date_resiliation) where preavis;
comment on column residence.contrat_location.preavis is
  'Résilié pour un jour à venir : le logement est tenu jusque-là ; la tâche de nuit l''efface quand ce jour est passé.';
comment on constraint preavis_d_un_contrat_resilie on residence.contrat_location is 'Un préavis court sur un contrat résilié.';
comment on column residence.contrat_location.date_resiliation is
  'Dernier jour dû d''un contrat résilié ; d''un contrat annulé avant d''être en vigueur, celui de son début.';

-- Nobody pays a third of a franc: what is not paid at all, and was computed, takes the currency's unit.
update residence.echeance e
   set montant = round(e.montant, d.decimales)
  from residence.contrat_location c,
       (select p.valeur::integer as decimales from core.parametre p where p.cle = 'DEVISE_DECIMALES') d
 where c.id_contrat = e.id_contrat and e.montant_paye = 0 and not e.annulee and e.montant <> round(e.montant, d.decimales)
   and e.montant <> c.loyer_initial
   and not exists (select from residence.revision_loyer r where r.id_contrat = e.id_contrat and r.nouveau_montant = e.montant)
   and not exists (select from facturation.facture f
                    where f.source_type = 'LOCATION' and f.source_id = e.id_echeance and not f.annulee);
