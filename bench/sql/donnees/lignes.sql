-- The lines of the invoices, and the draft of each invoice with the sum of its lines.
-- Ten invoices have twenty lines and twenty payments: most have one line, one has seven.

insert into facturation.facture_ligne (id_ligne, id_facture, libelle, quantite, prix_unitaire, total)
overriding system value
select l.id_ligne, l.id_facture, p.libelle, q.n, p.prix, q.n * p.prix
  from (select n / 10 * 20 + (array[0, 1, 2, 3, 5, 6, 9, 10, 11, 13])[1 + n % 10] + rang as id_ligne, n + 1 as id_facture,
               -- The first line chooses the activity; the others are of the same activity.
               1 + floor(14 * brouillon.tirage(n, 1))::integer as premiere, rang
          from generate_series(0, brouillon.paiements() / 2 - 1) n,
               generate_series(1, (array[1, 1, 1, 2, 1, 3, 1, 1, 2, 7])[1 + n % 10]) rang) l
  join brouillon.offre o on o.rang = l.premiere
  join brouillon.offre p on p.id_activite = o.id_activite and p.place = (o.place + l.rang - 1) % o.nombre
 cross join lateral (select 1 + floor(4 * brouillon.tirage(l.id_ligne, 2)) as n) q;

create unlogged table brouillon.facture as
with totaux as (
  select l.id_facture, sum(l.total) as total, min(l.id_ligne) as ligne_de, max(l.id_ligne) as ligne_a
    from facturation.facture_ligne l group by l.id_facture
), datees as (
  -- The business grows: the number of invoices of a day grows evenly, from zero. Ids follow the dates.
  select t.*, (brouillon.jours() + 0.4) * sqrt(t.id_facture::double precision * 2 / brouillon.paiements()) as x,
         case when t.id_facture % 50 = 7 then 500 else 0 end as remise,
         brouillon.tirage(t.id_facture, 4) < 0.005 as annulee
    from totaux t
)
select d.id_facture, least(j.debut + (7 + 10 * (d.x - j.rang)) * interval '1 hour', now()) as date, j.jour,
       1 + floor(nombre_clients.n * brouillon.tirage(d.id_facture, 3))::bigint as id_client, o.id_activite, o.libelle,
       d.remise, d.total - d.remise as total,
       -- More of the recent invoices are only part paid.
       round((d.total - d.remise) * case when brouillon.tirage(d.id_facture, 5)
                                              < case when j.rang > brouillon.jours() - 60 then 0.05 else 0.002 end
                                         then 0.5 else 1 end) as du,
       d.annulee, d.ligne_de, d.ligne_a,
       (array[1, 2, 1, 1, 3, 1, 6, 2, 1, 2])[1 + (d.id_facture + d.id_facture / 10) % 10] as versements
  from datees d
  join brouillon.jour j on j.rang = floor(d.x)
  join brouillon.offre o on o.rang = 1 + floor(14 * brouillon.tirage(d.id_facture - 1, 1))::integer,
       (select count(*) as n from client.client c where c.type_client = 'PASSAGE') nombre_clients;
create index on brouillon.facture using brin (id_facture);
analyze brouillon.facture;
