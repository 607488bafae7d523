"""Money that leaves: an account without a till names the till that it comes from; a till-bound account uses its own."""

from typing import Any

import pytest

from tests import builders
from tests.conftest import Db, refused


def salary(db: Db, till: int | None) -> int:
    slip = builders.paie(db)
    db.call("rh.paie_valider", id_paie=slip)
    return db.call("rh.paie_payer", id_paie=slip, id_moyen=builders.moyen(db), id_caisse=till)["id_paiement"]


def rent(db: Db, till: int | None) -> int:
    lease, moyen = builders.contrat(db, montant_loyer="31000"), builders.moyen(db)
    db.call("residence.contrat_encaisser_loyer_lot", id_contrat=lease, montant="62000", id_moyen=moyen)
    db.call("residence.contrat_resilier", id_contrat=lease, date_resiliation="2026-01-10")
    db.call("residence.contrat_rembourser", id_contrat=lease, id_moyen=moyen, id_caisse=till)
    return db.one("select max(id_paiement) from finances.paiement")


def deposit(db: Db, till: int | None) -> int:
    lease, moyen = builders.contrat(db), builders.moyen(db)
    db.call("residence.caution_creer", id_contrat=lease, montant="5000")
    db.call("residence.caution_encaisser", id_contrat=lease, id_moyen=moyen)
    db.call("residence.caution_rembourser", id_contrat=lease, id_moyen=moyen, id_caisse=till)
    return db.one("select max(id_paiement) from finances.paiement")


def restitution(db: Db, till: int | None) -> int:
    lease, moyen = builders.contrat(db), builders.moyen(db)
    db.call("residence.caution_creer", id_contrat=lease, montant="5000")
    db.call("residence.caution_encaisser", id_contrat=lease, id_moyen=moyen)
    db.call("residence.caution_restituer", id_contrat=lease, id_caisse=till)
    return db.one("select max(id_paiement) from finances.paiement")


def excess(db: Db, till: int | None) -> int:
    lease, moyen = builders.contrat(db, montant_loyer="31000"), builders.moyen(db)
    paid = db.call("residence.contrat_encaisser_loyer_lot", id_contrat=lease, montant="62000", id_moyen=moyen)
    db.call("residence.contrat_resilier", id_contrat=lease, date_resiliation="2026-01-10")
    call: dict[str, Any] = {"id_paiement": paid["id_paiement"], "id_caisse": till}
    return db.call("finances.paiement_rembourser", **call)["id_paiement"]


def credit_note(db: Db, till: int | None) -> int:
    moyen = builders.moyen(db)
    invoice = builders.facture(db, "1000")
    db.call("finances.paiement_creer", montant="1000", id_moyen=moyen, id_facture=invoice)
    line = db.one("select id_ligne from facturation.facture_ligne where id_facture = %s", [invoice])
    answer = db.call(
        "facturation.avoir_creer",
        id_facture=invoice,
        lignes=[{"id_ligne": line, "montant": "400"}],
        motif="Geste",
        remboursement={"id_moyen": moyen, "id_caisse": till},
    )
    return answer["id_paiement"]


WAYS_OUT = [salary, rent, deposit, restitution, excess, credit_note]


def trade(way: Any) -> str:
    return "LOCATION_RESIDENTIEL" if way in (rent, deposit, restitution, excess) else "PRESSING"


def till_of(db: Db, payment: int) -> int | None:
    return db.one("select id_caisse from finances.paiement where id_paiement = %s and type = 'DECAISSEMENT'", [payment])


@pytest.fixture
def boss(db: Db) -> None:
    db.acting(builders.utilisateur(db, role="ADMINISTRATEUR"))


@pytest.mark.usefixtures("boss")
@pytest.mark.parametrize("way", WAYS_OUT)
def test_an_account_without_a_till_names_the_till_that_pays(db: Db, way: Any) -> None:
    activity = trade(way)
    if way is credit_note:
        code = "select a.code from facturation.facture f join core.activite a using (id_activite) where id_facture = %s"
        activity = db.one(code, [builders.facture(db)])
    till = builders.caisse(db, activite_code=activity)
    assert till_of(db, way(db, till)) == till
    assert db.one("select finances._caisse_solde(%s, 'infinity')", [till]) < 0
    assert db.all("select * from jobs._controler()") == []


@pytest.mark.usefixtures("boss")
@pytest.mark.parametrize("way", WAYS_OUT)
def test_without_a_named_till_no_till_pays(db: Db, way: Any) -> None:
    assert till_of(db, way(db, None)) is None


@pytest.mark.usefixtures("boss")
def test_a_closed_till_pays_no_salary(db: Db) -> None:
    with refused("PERIODE_CAISSE_FERMEE", 409):
        salary(db, builders.caisse(db, ouverte=False))


def test_an_account_bound_to_a_till_pays_from_it_whatever_it_names(db: Db) -> None:
    own, other = (builders.caisse(db, activite_code="LOCATION_RESIDENTIEL") for _ in range(2))
    db.acting(builders.utilisateur(db, role="ADMINISTRATEUR", caisse=own))
    assert till_of(db, rent(db, other)) == own
