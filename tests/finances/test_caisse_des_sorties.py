"""Money that leaves: an account without a till names the till that it comes from; a till-bound account uses its own."""

from typing import Any

import pytest

from tests import builders
from tests.conftest import Db, refused


def salary(db: Db, **till: int) -> int:
    slip = builders.paie(db)
    db.call("rh.paie_valider", id_paie=slip)
    return db.call("rh.paie_payer", id_paie=slip, id_moyen=1, **till)["id_paiement"]


def ended_lease(db: Db) -> tuple[int, int]:
    """A lease that ended before its second rent, and the payment of both."""
    lease = builders.contrat(db, montant_loyer="31000")
    paid = db.call("residence.contrat_encaisser_loyer_lot", id_contrat=lease, montant="62000", id_moyen=1)
    db.call("residence.contrat_resilier", id_contrat=lease, date_resiliation="2026-01-10")
    return lease, paid["id_paiement"]


def rent(db: Db, **till: int) -> int:
    db.call("residence.contrat_rembourser", id_contrat=ended_lease(db)[0], id_moyen=1, **till)
    return db.one("select max(id_paiement) from finances.paiement")


def excess(db: Db, **till: int) -> int:
    return db.call("finances.paiement_rembourser", id_paiement=ended_lease(db)[1], **till)["id_paiement"]


def deposit(db: Db, how: str = "rembourser", **fields: int) -> int:
    lease = builders.contrat(db)
    db.call("residence.caution_creer", id_contrat=lease, montant="5000")
    db.call("residence.caution_encaisser", id_contrat=lease, id_moyen=1)
    db.call(f"residence.caution_{how}", id_contrat=lease, **({"id_moyen": 1} if how == "rembourser" else {}), **fields)
    return db.one("select max(id_paiement) from finances.paiement")


def restitution(db: Db, **till: int) -> int:
    return deposit(db, "restituer", **till)


def credit_note(db: Db, **till: int) -> int:
    invoice = builders.facture(db, "1000")
    builders.paiement(db, "1000", id_facture=invoice)
    line = db.one("select id_ligne from facturation.facture_ligne where id_facture = %s", [invoice])
    credited = {"lignes": [{"id_ligne": line, "montant": "400"}], "remboursement": {"id_moyen": 1} | till}
    return db.call("facturation.avoir_creer", id_facture=invoice, motif="Geste", **credited)["id_paiement"]


WAYS_OUT = {
    "PRESSING": [salary, credit_note],
    "LOCATION_RESIDENTIEL": [rent, deposit, restitution, excess],
}


def till_of(db: Db, payment: int) -> int | None:
    return db.one("select id_caisse from finances.paiement where id_paiement = %s and type = 'DECAISSEMENT'", [payment])


@pytest.fixture
def boss(db: Db) -> None:
    db.acting(builders.utilisateur(db, role="ADMINISTRATEUR"))


@pytest.mark.usefixtures("boss")
@pytest.mark.parametrize("activity, way", [(activity, way) for activity, ways in WAYS_OUT.items() for way in ways])
def test_an_account_without_a_till_names_the_till_that_pays_or_none_pays(db: Db, activity: str, way: Any) -> None:
    assert till_of(db, way(db)) is None
    till = builders.caisse(db, activite_code=activity)
    assert till_of(db, way(db, id_caisse=till)) == till
    assert db.one("select finances._caisse_solde(%s, 'infinity')", [till]) < 0
    assert db.all("select * from jobs._controler()") == []


@pytest.mark.usefixtures("boss")
def test_a_closed_till_pays_no_salary(db: Db) -> None:
    with refused("PERIODE_CAISSE_FERMEE", 409):
        salary(db, id_caisse=builders.caisse(db, ouverte=False))


def test_an_account_bound_to_a_till_pays_from_it_whatever_it_names(db: Db) -> None:
    own, other = (builders.caisse(db, activite_code="LOCATION_RESIDENTIEL") for _ in range(2))
    db.acting(builders.utilisateur(db, role="ADMINISTRATEUR", caisse=own))
    assert till_of(db, rent(db, id_caisse=other)) == own
