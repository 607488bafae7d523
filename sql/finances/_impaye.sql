-- Everything that is owed, whatever it is owed for. A slice that bills something else adds its branch to the view,
-- and takes the invoices of that something out of the first branch so that nothing is owed twice.

create type finances.type_impaye as enum ('LOYER', 'CHARGE', 'FACTURE', 'SEJOUR');
comment on type finances.type_impaye is 'Ce qui reste dû.';

create view finances.impaye_vue as
select 'FACTURE'::finances.type_impaye as type, f.id_client,
       coalesce(c.nom || ' ' || c.prenoms, 'Client de passage') as client, f.numero as reference,
       f.montant_total as montant_du, f.montant_paye, f.reste, f.jour as date_echeance
  from facturation.facture f
  left join client.client c on c.id_client = f.id_client
 where f.statut in ('IMPAYEE', 'PARTIELLE')
   and case when (select core.activite()) is null then true else f.id_activite = (select core.activite()) end;
comment on view finances.impaye_vue is 'Ce que les clients doivent encore, de l''activité de l''utilisateur s''il n''en voit qu''une.';
comment on column finances.impaye_vue.reference is 'Numéro de la facture ou du contrat, mois d''une charge.';
comment on column finances.impaye_vue.date_echeance is 'Date à laquelle c''est dû ; une facture l''est le jour de son émission.';
