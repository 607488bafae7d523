"""Compares the ledger with the documents of money, by other sums than the ledger uses."""

from tests.conftest import Db

# One sentence for each error. `l` is the ledger of all days, `d` what the documents give.
_WRONG = """
with l as materialized (select * from compta.ecriture_vue),
     -- The cases of the lines. A frozen line has lost its case, and its document has not.
     c as materialized (select type, id_ligne, cas from compta._derivee_vue)
select format('%s %s : débit %s, crédit %s', type, id_document, sum(debit), sum(credit)) from l
 group by type, id_document having sum(coalesce(debit, 0)) <> sum(coalesce(credit, 0))
union all
select format('le %s : débit %s, crédit %s', date, sum(debit), sum(credit)) from l
 group by date having sum(coalesce(debit, 0)) <> sum(coalesce(credit, 0))
union all
select format('%s %s a plusieurs jours ou pièces', type, id_document) from l
 group by type, id_document having count(distinct date) > 1 or count(distinct piece) > 1
union all
select format('la ligne %s %s n''est pas au débit ou au crédit', type, id_ligne) from l
 where num_nonnulls(debit, credit) <> 1 or coalesce(debit, credit) <= 0
union all
select format('la ligne %s %s est figée et tirée autrement', coalesce(l.type, c.type), coalesce(l.id_ligne, c.id_ligne))
  from l full join compta._derivee_vue c
    on (l.type, l.id_ligne, l.date, l.piece, coalesce(l.debit, -l.credit))
     = (c.type, c.id_ligne, c.date, c.piece, coalesce(c.debit, -c.credit))
 where l.type is null or c.type is null
union all
-- Turnover: every report adds up facturation.facture_jour_vue.
select format('ventes le %s, activité %s : %s au livre, %s aux rapports', jour, id_activite, l.n, d.n)
  from (select l.date as jour, coalesce(l.id_activite, 0) as id_activite,
               (sum(coalesce(l.credit, -l.debit)) filter (where l.type = 'FACTURE'),
                -sum(coalesce(l.credit, -l.debit)) filter (where l.type = 'AVOIR'))::text as n
          from l join c using (type, id_ligne) where c.cas in ('VENTES', 'TAXES') group by 1, 2) l
  full join (select v.jour, coalesce(v.id_activite, 0) as id_activite,
                    (nullif(v.montant_factures, 0), nullif(v.montant_avoirs, 0))::text as n
               from facturation.facture_jour_vue v where v.montant_factures <> 0 or v.montant_avoirs <> 0) d
       using (jour, id_activite)
 where l.n is distinct from d.n
union all
-- Money: every report adds up finances.mouvement_jour_vue.
select format('argent le %s, activité %s, caisse %s : %s au livre, %s aux rapports', jour, id_activite, id_caisse,
              l.n, d.n)
  from (select l.date as jour, coalesce(l.id_activite, 0) as id_activite, coalesce(l.id_caisse, 0) as id_caisse,
               (coalesce(sum(l.debit) filter (where l.type = 'PAIEMENT'), 0.00),
                coalesce(sum(l.credit) filter (where l.type = 'PAIEMENT'), 0.00),
                coalesce(sum(coalesce(l.credit, -l.debit)) filter (where l.type in ('DEPENSE', 'PAIEMENT_ACHAT')),
                         0.00))::text as n
          from l join c using (type, id_ligne)
         where l.id_ligne % 100 = case when l.type = 'PAIEMENT' then 1
                                       when l.type in ('DEPENSE', 'PAIEMENT_ACHAT') then 2 end
           and c.cas <> 'CREDIT_CLIENT'
         group by 1, 2, 3) l
  full join (select v.jour, coalesce(v.id_activite, 0) as id_activite, coalesce(v.id_caisse, 0) as id_caisse,
                    (sum(v.encaissements)::core.somme, sum(v.decaissements)::core.somme,
                     sum(v.depenses)::core.somme)::text as n
               from finances.mouvement_jour_vue v group by 1, 2, 3
             having (sum(v.encaissements), sum(v.decaissements), sum(v.depenses)) <> (0, 0, 0)) d
       using (jour, id_activite, id_caisse)
 where l.n is distinct from d.n and (d.n is not null or l.n <> '(0.00,0.00,0.00)')
union all
select format('%s : solde %s au livre, %s ailleurs', cas, coalesce(l.solde, 0), d.solde)
  from (select c.cas::text, sum(coalesce(l.debit, -l.credit)) as solde
          from l join c using (type, id_ligne) group by 1) l
 right join (
   -- What clients owe, less what they paid beyond it or applied to nothing. « reste » is never negative, and 0 for a
   -- cancelled invoice: the columns that it comes from say all.
   select 'CLIENTS' as cas,
          (select coalesce(sum(f.montant_total - f.montant_avoirs - f.montant_paye + f.montant_credit), 0)
             from facturation.facture f where not (f.annulee and f.montant_avoirs < f.montant_total))
        - (select coalesce(sum(case p.type when 'ENCAISSEMENT' then p.montant else -p.montant end
                  - (select coalesce(sum(a.montant), 0) from finances.imputation_vue a
                      where a.id_paiement = p.id_paiement)), 0)
             from finances.paiement p
            where not exists (select from residence.caution_evenement h where h.id_paiement = p.id_paiement)
              and not exists (select from rh.paie s where s.id_paiement = p.id_paiement)) as solde
   union all
   select 'CREDIT_CLIENT', -(select coalesce(sum(m.montant), 0) from finances.mouvement_credit m)
   union all
   select 'CAUTIONS', -(select coalesce(sum(k.montant), 0) from residence.caution k
                         where k.payee and k.date_restitution is null and residence._caution_encaissee(k.id_caution))
   union all
   select 'STOCK', (select sum(p.valeur_stock) from market.produit p)
   union all
   select 'FOURNISSEURS', -(select coalesce(sum(f.reste), 0) from achat.facture f where f.jour is not null)
   union all
   select 'RECEPTIONS', -(select coalesce(sum(r.montant - r.montant_facture), 0)
                            from achat.reception_ligne r join achat.reception e using (id_reception)
                           where e.id_reception_origine is null and not exists (
                             select from achat.reception o where o.id_reception_origine = e.id_reception))
   union all
   select 'TAXES_DEDUCTIBLES',
          (select coalesce(sum(t.montant), 0) from achat.taxe_deduite_vue t)
   union all
   select 'TAXES_EN_ATTENTE',
          (select coalesce(sum(f.montant_taxe - coalesce((select sum(a.montant_taxe) from achat.avoir a
                                                           where a.id_achat = f.id_achat), 0)), 0)
             from achat.facture f where f.jour is not null and f.deduction <> 'AUCUNE')
        - (select coalesce(sum(t.montant), 0) from achat.taxe_deduite_vue t)
   union all
   select 'PERSONNEL', -(select coalesce(sum(s.montant_a_payer), 0) from rh.paie s where s.statut = 'VALIDEE')) d
       using (cas)
 where coalesce(l.solde, 0) <> d.solde
union all
-- The lines of a till, whichever account its methods have.
select format('caisse %s : %s au livre, %s attendus', k.id_caisse, l.solde,
              tresorerie._caisse_solde(k.id_caisse, 'infinity'))
  from finances.caisse k
 cross join lateral (select coalesce(sum(coalesce(l.debit, -l.credit)), 0) as solde from l join c using (type, id_ligne)
                      where l.id_caisse = k.id_caisse and c.cas = 'CAISSES') l
 where l.solde <> tresorerie._caisse_solde(k.id_caisse, 'infinity')
union all
select format('le numéro %s n''est pas à sa place', e.numero)
  from (select e.numero, row_number() over (order by e.date, e.type, e.id_ligne) as place from compta.ecriture e) e
 where e.numero <> e.place
union all
select format('le mois %s a changé', p.periode) from compta.periode p where not compta._periode_intacte(p.periode)
union all
select format('les places ne sont pas celles des écritures le %s', date)
  from (select date, count(distinct (type, id_document)) as n from l group by date) l
  full join (select date, count(distinct (type, id_document)) as m from compta._repere_vue group by date) r using (date)
 where n is distinct from m
"""


def wrong(db: Db) -> list[str]:
    """Each error of the ledger as a sentence."""
    return [next(iter(row.values())) for row in db.all(_WRONG)]
