-- Money by day and activity: what every summary adds up. Each source is read through the index that has its sum.

create view finances.mouvement_jour_vue as
select p.jour, p.id_activite,
       coalesce(sum(p.montant) filter (where p.type = 'ENCAISSEMENT'), 0)::core.montant_signe as encaissements,
       coalesce(sum(p.montant) filter (where p.type = 'DECAISSEMENT'), 0)::core.montant_signe as decaissements,
       0::core.montant_signe as depenses
  from finances.paiement p
 where (select core.caisse()) is null
   and ((select core.activite()) is null or p.id_activite = (select core.activite()))
 group by p.jour, p.id_activite
union all
select p.jour, p.id_activite,
       coalesce(sum(p.montant) filter (where p.type = 'ENCAISSEMENT'), 0),
       coalesce(sum(p.montant) filter (where p.type = 'DECAISSEMENT'), 0), 0
  from finances.paiement p
 where p.id_caisse = (select core.caisse())
 group by p.jour, p.id_activite
union all
select d.jour, d.id_activite, 0, 0, sum(d.montant)
  from finances.depense d
 where (select core.caisse()) is null and d.date_annulation is null
   and ((select core.activite()) is null or d.id_activite = (select core.activite()))
 group by d.jour, d.id_activite
union all
select d.jour, d.id_activite, 0, 0, sum(d.montant)
  from finances.depense d
 where d.id_caisse = (select core.caisse()) and d.date_annulation is null
 group by d.jour, d.id_activite;
comment on view finances.mouvement_jour_vue is
  'Encaissements, décaissements et dépenses par jour et par activité ; ceux de sa caisse ou de son activité pour un utilisateur qui en a une.';
comment on column finances.mouvement_jour_vue.id_activite is 'Null pour ce qui n''est rattaché à aucune activité.';
