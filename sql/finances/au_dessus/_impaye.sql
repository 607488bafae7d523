-- A slice with another kind of invoice adds a view, and excludes its invoices from the first: none counts twice.

create type finances.type_impaye as enum ('LOYER', 'CHARGE', 'FACTURE', 'SEJOUR');
comment on type finances.type_impaye is 'Ce qui reste dû.';

-- A left join on a key, and columns of the same types: a query that only counts or sums does not read the clients.
create view finances._impaye_facture_vue as
select 'FACTURE'::finances.type_impaye as type, f.id_client,
       coalesce(c.nom || ' ' || c.prenoms, 'Client de passage') as client,
       f.numero as reference, (f.montant_total - f.montant_avoirs + f.montant_credit)::numeric as montant_du,
       f.montant_paye::numeric as montant_paye, f.reste::numeric as reste, f.jour as date_echeance,
       f.id_facture as cle
  from facturation.facture f
  left join client.client c on c.id_client = f.id_client
 where f.statut in ('IMPAYEE', 'PARTIELLE') and f.source_type not in ('LOCATION', 'CHARGE', 'SEJOUR')
   and core._visible(f.id_activite, (select core.activite()));
comment on view finances._impaye_facture_vue is 'Factures qui restent dues, sauf celles que les autres vues lisent chez leur source.';

create view finances._impaye_loyer_vue as
select 'LOYER'::finances.type_impaye as type, l.id_client, l.client, l.numero_contrat as reference,
       l.montant::numeric as montant_du, l.montant_paye::numeric as montant_paye, l.reste::numeric as reste,
       l.date_echeance, l.id_echeance as cle
  from residence.loyer_impaye_vue l;
comment on view finances._impaye_loyer_vue is 'Loyers échus qui restent dus.';

create view finances._impaye_charge_vue as
select 'CHARGE'::finances.type_impaye as type, f.id_client,
       coalesce(c.nom || ' ' || c.prenoms, 'Client de passage') as client, k.periode::text as reference,
       (f.montant_total - f.montant_avoirs + f.montant_credit)::numeric as montant_du,
       f.montant_paye::numeric as montant_paye, f.reste::numeric as reste, f.jour as date_echeance, f.id_facture as cle
  from facturation.facture f
  join residence.charge_facturee k on k.id_charge = f.source_id
  left join client.client c on c.id_client = f.id_client
 where f.statut in ('IMPAYEE', 'PARTIELLE') and f.source_type = 'CHARGE'
   and core._visible(f.id_activite, (select core.activite()));
comment on view finances._impaye_charge_vue is 'Charges qui restent dues.';

create view finances._impaye_sejour_vue as
select 'SEJOUR'::finances.type_impaye as type, s.id_client,
       coalesce(s.client_nom || ' ' || s.client_prenoms, 'Client de passage') as client,
       'Séjour ' || s.numero_logement as reference, (s.montant_paye + s.reste_a_payer)::numeric as montant_du,
       s.montant_paye::numeric as montant_paye, s.reste_a_payer::numeric as reste,
       core.jour(s.date_heure_depart_prevue) as date_echeance, s.id_sejour as cle
  from residence.sejour_court_vue s
 where s.reste_a_payer > 0;
comment on view finances._impaye_sejour_vue is 'Séjours qui restent dus, au jour du départ prévu.';

create view finances._impaye_vue as
select * from finances._impaye_facture_vue
union all
select * from finances._impaye_loyer_vue
union all
select * from finances._impaye_charge_vue
union all
select * from finances._impaye_sejour_vue;
comment on view finances._impaye_vue is 'Ce que les clients doivent encore, avec la clé de chaque ligne parmi celles de son type.';

create view finances.impaye_vue as
select i.type, i.id_client, i.client, i.reference, i.montant_du, i.montant_paye, i.reste, i.date_echeance
  from finances._impaye_vue i;
comment on view finances.impaye_vue is 'Ce que les clients doivent encore, de l''activité de l''utilisateur s''il n''en voit qu''une.';
comment on column finances.impaye_vue.montant_du is 'Ce qui est à payer, avoirs déduits.';
comment on column finances.impaye_vue.reference is 'Numéro de la facture ou du contrat, mois d''une charge, logement d''un séjour.';
comment on column finances.impaye_vue.date_echeance is 'Date à laquelle c''est dû ; une facture l''est le jour de son émission, un séjour celui du départ prévu.';
call core.peut_etre_null('finances.impaye_vue', 'id_client');
call core.jamais_null('finances.impaye_vue', 'client', 'reference', 'montant_du', 'montant_paye', 'reste',
  'date_echeance');
