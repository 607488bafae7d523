"""Builders of this slice: suppliers, bills, receptions, and what is owed."""

import itertools
from decimal import Decimal

from tests import builders

_numbers = itertools.count(1)


def fournisseur(db, nom="Grossiste"):
    return db.call("market.fournisseur_creer", nom=nom)["id_fournisseur"]


def article(produit, quantite=1, prix=100, **fields):
    return {"id_produit": produit, "quantite": str(quantite), "prix_unitaire": str(prix)} | fields


def charge(db, montant=100, libelle="Eau", **fields):
    category = builders.categorie_depense(db, libelle) if "id_categorie_depense" not in fields else None
    return {"id_categorie_depense": category, "libelle": libelle, "montant": str(montant)} | fields


def saisir(db, *lignes, **fields):
    """The answer to the entry of a bill with these lines."""
    fields = {"numero_fournisseur": f"F-{next(_numbers)}", "date": str(db.today())} | fields
    if "id_fournisseur" not in fields:
        fields["id_fournisseur"] = fournisseur(db)
    return db.call("achat.facture_creer", lignes=list(lignes), **fields)


def facture(db, *lignes, **fields):
    """The key of a valid bill."""
    return db.call("achat.facture_valider", id_achat=saisir(db, *lignes, **fields)["id_achat"])["id_achat"]


def payer(db, achat, montant, **fields):
    return db.call("achat.facture_payer", id_achat=achat, montant=str(montant),
                   **{"id_moyen": builders.moyen(db)} | fields)  # fmt: skip


def crediter(db, achat, *lignes, **fields):
    return db.call("achat.facture_crediter", id_achat=achat, lignes=list(lignes) or None, **fields)


def recevoir(db, produit, quantite=10, cout=100, **fields):
    """The key of a reception of one product."""
    line = {"id_produit": produit, "quantite": str(quantite), "cout_unitaire": str(cout)}
    return db.call("achat.reception_creer", lignes=[line], **fields)["id_reception"]


def dettes(db, **fields):
    return db.rows("achat.dette_lister", **fields)


def stock(db, produit):
    """The quantity of a product in stock and its value, as whole numbers."""
    query = "select quantite_stock, valeur_stock from market.produit where id_produit = %s"
    return tuple(int(value) for value in db.all(query, [produit])[0].values())


def soldes(db, *cas):
    """The balance of the accounts of these cases, at the debit."""
    query = "select coalesce(sum(coalesce(debit, -credit)), 0)::integer from compta._derivee_vue where cas::text = %s"
    return tuple(db.one(query, [name]) for name in cas)


def taxer(db, taux=18, code="TVA"):
    first = str(db.today().replace(year=2020))
    db.call("core.taxe_creer", code=code, libelle=code, taux=str(taux), nature="TAUX", du=first)
    return code


def part(db, achat, montant=None):
    return {"id_achat": achat, "montant": None if montant is None else str(Decimal(montant))}
