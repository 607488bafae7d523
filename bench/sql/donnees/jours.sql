-- For each day, the identifiers of its rows, which follow the dates, and the number of journal entries before it.

create unlogged table brouillon.borne as
with factures as (
  select f.jour, min(f.id_facture) as de, max(f.id_facture) as a, min(f.ligne_de) as ligne_de, max(f.ligne_a) as ligne_a
    from brouillon.facture f group by f.jour
), paiements as (
  select p.jour, min(p.id_paiement) as de, max(p.id_paiement) as a, count(*) filter (where p.rang > 1) as suivants
    from brouillon.paiement p group by p.jour
), remboursements as (
  select r.jour, min(r.id_paiement) as de, max(r.id_paiement) as a, count(distinct r.id_facture) as factures
    from brouillon.remboursement r group by r.jour
), bornes as (
  select j.jour, f.de as facture_de, f.a as facture_a, f.ligne_de, f.ligne_a,
         p.de as paiement_de, p.a as paiement_a, p.suivants,
         r.de as remboursement_de, r.a as remboursement_a, r.factures as annulees
    from brouillon.jour j
    left join factures f using (jour)
    left join paiements p using (jour)
    left join remboursements r using (jour)
), comptes as (
  -- An entry for each row, and one for each change of an invoice by a later payment, a refund or its cancellation.
  select b.*, coalesce(ligne_a - ligne_de + 1, 0) + coalesce(facture_a - facture_de + 1, 0)
              + coalesce(paiement_a - paiement_de + 1, 0) + coalesce(suivants, 0)
              + 2 * coalesce(remboursement_a - remboursement_de + 1, 0) + coalesce(annulees, 0) as traces
    from bornes b
)
select c.*, sum(c.traces) over (order by c.jour) - c.traces as avant from comptes c;
