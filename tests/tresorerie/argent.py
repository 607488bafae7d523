"""Builders of this slice: accounts, tills with money, transfers, and what each holds."""

from tests import builders

SUMMED = "select c.id_compte, c.solde from tresorerie.compte_vue c where c.solde <> 0 order by 1"
RAW = """
    select x.id_compte, sum(x.montant) as solde
      from (select (select c.id_compte from tresorerie.compte c
                     where c.id_moyen = p.id_moyen and coalesce(c.depuis, p.jour) <= p.jour
                       and p.id_activite is not distinct from coalesce(c.id_activite, p.id_activite)
                     order by c.id_activite limit 1) as id_compte,
                   case p.type when 'ENCAISSEMENT' then p.montant else -p.montant end as montant
              from finances.paiement p where p.id_caisse is null and not p.credit
            union all
            select id_compte_vers, montant from tresorerie.virement
            union all
            select id_compte_de, -montant from tresorerie.virement
            union all
            select case when id_virement_origine is null then id_compte_de else id_compte_vers end,
                   case when id_virement_origine is null then -frais else frais end
              from tresorerie.virement
            union all
            select id_compte, -montant from finances.depense where date_annulation is null) x
     where x.id_compte is not null
     group by 1 having sum(x.montant) <> 0 order by 1"""
# The lines of the ledger outside the tills, by the account of a method, where every method has an account.
LEDGER = """
    select compte, sum(coalesce(debit, -credit)) as solde
      from compta.ecriture_vue
     where id_caisse is null and type in ('PAIEMENT', 'VIREMENT', 'DEPENSE') and compte ~ '^5' and compte <> '585'
       and not (type = 'DEPENSE' and id_document in (select id_depense from finances.depense where id_compte is null))
     group by 1 having sum(coalesce(debit, -credit)) <> 0 order by 1"""
BY_METHOD = """
    select coalesce(m.compte, '571') as compte, sum(c.solde) as solde
      from tresorerie.compte_vue c left join compta.compte m on m.cas = 'MOYENS' and m.id_moyen = c.id_moyen
     group by 1 having sum(c.solde) <> 0 order by 1"""


def compte(db, moyen="Mobile Money", **fields):
    """The key of an account that takes the payments of this method."""
    fields = {"libelle": f"Compte {moyen}", "genre": "MOBILE", "id_moyen": builders.moyen(db, moyen)} | fields
    return db.call("tresorerie.compte_creer", **fields)["id_compte"]


def caisse(db, montant="100", **fields):
    """The key of an open till that holds this amount."""
    till = builders.caisse(db, **fields)
    if float(montant):
        builders.payer(db, montant, id_caisse=till)
    return till


def virer(db, de, vers, montant="40", **fields):
    """The answer to a transfer between two places, such as {"id_caisse": 3}."""
    return db.call("tresorerie.virement_creer", de=de, vers=vers, montant=montant, **fields)


def solde(db, compte, au=None):
    return float(db.call("tresorerie.compte_detail", id_compte=compte, au=au)["solde"])


def en_caisse(db, caisse):
    return float(db.one("select tresorerie._caisse_solde(%s, 'infinity')", [caisse]))
