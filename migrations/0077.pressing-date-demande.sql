-- The moment of a request from the portal: the list of the staff is sorted by it until the laundry comes.
-- depends: 0076.facturation-avoirs-du-portail

alter table pressing.commande add column date_demande timestamptz;
-- The journal knows when a request was made, and gets an entry of this change. A month in the archives does not say it.
with demandes as (
  update pressing.commande c
     set date_demande = coalesce(
           (select min(j.date_heure) from audit.journal j
             where j.entite_id = c.id_commande::text and j.entite = 'commande' and j.module = 'pressing' and j.operation = 'INSERT'),
           least(c.date_depot_souhaitee::timestamptz, now()))
   where c.date_depot is null
  returning c.id_commande, c.montant_total, to_jsonb(c) as apres)
insert into audit.journal (module, operation, entite, entite_id, montant, avant, apres)
select 'pressing', 'UPDATE', 'commande', d.id_commande::text, d.montant_total, d.apres || '{"date_demande": null}', d.apres
  from demandes d;
-- The update above wrote every request, and every other order has laundry.
alter table pressing.commande
  add constraint demande_sans_date check (date_depot is not null or date_demande is not null) not valid;
comment on column pressing.commande.date_demande is 'Moment où le client a annoncé son linge, null d''une commande du comptoir.';
comment on constraint demande_sans_date on pressing.commande is 'Une annonce de linge garde le moment où elle est faite.';
