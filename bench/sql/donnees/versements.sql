-- The draft of the payments and of the refunds of cancelled invoices, by date.

create unlogged table brouillon.paiement as
select row_number() over (order by v.date, v.id_facture, v.rang) as id_paiement, v.*,
       (v.date at time zone core.fuseau())::date as jour,
       case when v.rang < v.versements then floor(v.du / v.versements)
            else v.du - floor(v.du / v.versements) * (v.versements - 1) end as montant
  from (select f.id_facture, f.id_activite, f.du, f.versements, f.annulee, f.libelle, rang,
               -- The first payment is immediate, the others follow within forty days and not in the future.
               f.date + case when rang = 1 then 0 else (rang - 1 + brouillon.tirage(f.id_facture, 10 + rang)) / f.versements end
                        * least(interval '40 days', now() - f.date) as date,
               brouillon.tirage(f.id_facture, 20 + rang) < 0.8 as en_caisse,
               1 + floor(2 * brouillon.tirage(f.id_facture, 30 + rang))::bigint as id_moyen
          from brouillon.facture f, generate_series(1, f.versements) rang) v;

create unlogged table brouillon.remboursement as
select (select max(id_paiement) from brouillon.paiement) + row_number() over (order by d.date, p.id_paiement) as id_paiement,
       p.id_paiement as id_origine, p.id_facture, p.id_activite, p.en_caisse, p.id_moyen, p.montant, d.date, d.jour,
       p.du - sum(p.montant) over (partition by p.id_facture order by p.rang) as reste_paye
  from brouillon.paiement p
  join brouillon.paiement d on d.id_facture = p.id_facture and d.rang = d.versements
 where p.annulee;

create index on brouillon.paiement using brin (id_paiement);
create index on brouillon.remboursement using brin (id_paiement);
analyze brouillon.paiement;
analyze brouillon.remboursement;
