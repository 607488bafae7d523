-- A recurring subscription is billed each period: which ones were, and by which invoice. And the follow-up of rents by
-- what is due first.
-- depends: 0030.residence-resiliation

create table residence.abonnement_periode (
  id_abonnement bigint not null constraint periode_abonnement_inconnu references residence.abonnement,
  date_debut date not null,
  date_fin date,
  id_facture bigint constraint periode_facture_inconnue references facturation.facture,
  constraint abonnement_periode_pkey primary key (id_abonnement, date_debut),
  constraint abonnement_periode_datee check (date_fin >= date_debut)
);
create index abonnement_periode_id_facture on residence.abonnement_periode (id_facture);
comment on table residence.abonnement_periode is
  'Périodes d''un abonnement qui ont commencé, une ligne chacune, écrite quand elle est facturée : mois ou années comptés de son premier jour, la durée entière d''un PERIODIQUE.';
comment on column residence.abonnement_periode.date_debut is 'Premier jour de la période.';
comment on column residence.abonnement_periode.date_fin is 'Dernier jour de la période ; null d''un PERIODIQUE sans fin.';
comment on column residence.abonnement_periode.id_facture is
  'Sa facture, émise par la tâche de nuit ou avec l''abonnement ; null d''une période passée pendant une suspension, ou avant que les abonnements se facturent à chaque période.';
comment on constraint periode_abonnement_inconnu on residence.abonnement_periode is 'Cet abonnement n''existe pas.';
comment on constraint periode_facture_inconnue on residence.abonnement_periode is 'Cette facture n''existe pas.';
comment on constraint abonnement_periode_pkey on residence.abonnement_periode is 'Cette période est déjà facturée.';
comment on constraint abonnement_periode_datee on residence.abonnement_periode is 'Une période finit après son début.';
comment on column residence.abonnement.id_facture is
  'Facture de la dernière période facturée ; une autre la remplace quand le montant ou le client change avant tout paiement.';

-- What had begun before is not billed after the fact: nobody asked for it then.
insert into residence.abonnement_periode (id_abonnement, date_debut, date_fin, id_facture)
select a.id_abonnement, (a.date_debut + n * p.pas)::date,
       case a.type when 'PERIODIQUE' then a.date_fin else least((a.date_debut + (n + 1) * p.pas)::date - 1, a.date_fin) end,
       case n when 0 then a.id_facture end
  from residence.abonnement a
 cross join lateral (select case a.type when 'MENSUEL' then interval '1 month' else interval '1 year' end as pas) p
 cross join lateral generate_series(0, case a.type when 'PERIODIQUE' then 0 else 1200 end) as n
 where n = 0 or (a.date_debut + n * p.pas)::date <= least(current_date, a.date_fin);

create index echeance_suivi on residence.echeance (
  (montant_paye >= montant),
  (case when montant_paye < montant then date_echeance - date '2000-01-01' else date '2000-01-01' - date_echeance end),
  id_echeance) where not annulee;
