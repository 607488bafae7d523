"""The state of a document on its public page after refunds and credit notes, and the address of its QR code."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from app.base.settings import Settings
from app.leaves.organisations.organisation import Organisation, settings_of
from tests import builders
from tests.audit.test_recu_verifiable import BROWSER, proven, signed, token
from tests.audit.test_recu_verifiable import keys as public_keys
from tests.audit.test_sceau import pay
from tests.conftest import Db, Http
from tests.facturation.test_avoir import billed, credit, line, read

RENT = "95000.00"


def shown(http: Http, db: Db, piece: str, key: int) -> tuple[str, str, str]:
    """The amount, the state, and the amount withdrawn."""
    answer = http.get(f"/verifier/{token(db, piece, key)}")
    assert answer.status_code == 200, answer.text
    document = answer.json()
    return document["montant"], document["etat"], document["montant_retire"]


def paper(db: Db, instalment: int) -> dict[str, Any]:
    return dict(db.call("residence.echeance_document", id_echeance=instalment))


def rent(db: Db, *amounts: str, **lease: Any) -> tuple[int, list[int], dict[str, Any]]:
    """The first instalment of a lease, its payments in these amounts, and its invoice."""
    contract = builders.contrat(db, **lease)
    instalment = db.one("select min(id_echeance) from residence.echeance where id_contrat = %s", [contract])
    made = [again(db, instalment, amount) for amount in amounts]
    query = "select max(id_facture) from facturation.facture where source_type = 'LOCATION' and source_id = %s"
    return int(instalment), made, read(db, db.one(query, [instalment]))


def again(db: Db, instalment: int, amount: str) -> int:
    call = {"id_echeance": instalment, "montant": amount, "id_moyen": builders.moyen(db)}
    return int(db.call("residence.echeance_encaisser", **call)["id_paiement"])


def laundry(db: Db, paid: str = "4000") -> tuple[int, dict[str, Any]]:
    """An order of 4000, and its invoice."""
    db.call(
        "pressing.commande_creer", id_client=builders.client(db), date_retrait_prevue="2031-03-04",
        lignes=[{"type_vetement": "Chemise", "quantite": 4, "prestation": "Lavage", "tarif": "1000"}],
        paiement={"montant": paid, "id_moyen": builders.moyen(db)},
    )  # fmt: skip
    [row] = db.all("select id_commande, id_facture from pressing.commande_vue order by id_commande desc limit 1")
    return int(row["id_commande"]), read(db, row["id_facture"])


# ---- rent


@pytest.mark.parametrize("repaid", [True, False])
def test_a_credit_note_of_a_paid_rent_leaves_the_amount_of_the_paper(http: Http, db: Db, repaid: bool) -> None:
    instalment, _, invoice = rent(db, "50000", "45000")
    assert shown(http, db, "echeance", instalment) == (str(paper(db, instalment)["montant"]), "VALABLE", "0.00")
    fields = {"remboursement": {"id_moyen": builders.moyen(db)}} if repaid else {}
    credit(db, invoice, line(invoice, 0, montant="20000"), **fields)
    assert shown(http, db, "echeance", instalment) == (RENT, "CREDITE", "20000.00")
    page = http.get(f"/verifier/{token(db, 'echeance', instalment)}", headers=BROWSER).text
    assert "un avoir en retire une part" in page and "<dt>Avoirs</dt>" in page and "95 000 FCFA" in page
    credit(db, invoice, line(invoice, 0, montant="75000"), **fields)
    assert shown(http, db, "echeance", instalment) == (RENT, "ANNULE", RENT)


def test_a_credit_note_from_before_the_receipt_takes_nothing_from_it(http: Http, db: Db) -> None:
    instalment, payments, invoice = rent(db, "50000")
    credit(db, invoice, line(invoice, 0, montant="20000"))
    payments.append(again(db, instalment, "25000"))
    assert str(paper(db, instalment)["montant"]) == "75000.00"
    assert shown(http, db, "echeance", instalment) == ("75000.00", "VALABLE", "0.00")
    db.call("finances.paiement_annuler", id_paiement=payments[1], motif="saisi deux fois")
    assert shown(http, db, "echeance", instalment) == ("75000.00", "REMBOURSE", "25000.00")
    again(db, instalment, "25000")
    credit(db, invoice, line(invoice, 0, montant="10000"))
    assert shown(http, db, "echeance", instalment) == ("75000.00", "CREDITE", "10000.00")


def test_a_credit_note_beyond_what_is_left_to_pay_shows_the_receipt_after_it(http: Http, db: Db) -> None:
    instalment, _, invoice = rent(db, "50000")
    credit(db, invoice, line(invoice, 0, montant="55000"))
    assert str(paper(db, instalment)["montant"]) == "40000.00"
    assert shown(http, db, "echeance", instalment) == ("40000.00", "VALABLE", "0.00")


def test_a_cancelled_payment_of_a_rent_takes_its_part_from_the_receipt(http: Http, db: Db) -> None:
    instalment, (first, second), _ = rent(db, "50000", "45000")
    address = f"/verifier/{token(db, 'echeance', instalment)}"
    day = str(paper(db, instalment)["jour"])
    db.call("finances.paiement_annuler", id_paiement=second, motif="saisi deux fois")
    assert shown(http, db, "echeance", instalment) == (RENT, "REMBOURSE", "45000.00")
    page = http.get(address, headers=BROWSER).text
    assert "une part a été rendue" in page and "<dt>Rendu</dt>" in page
    db.call("finances.paiement_annuler", id_paiement=first, motif="saisi deux fois")
    assert shown(http, db, "echeance", instalment) == (RENT, "ANNULE", RENT)
    assert http.get(address).json()["jour"] == day
    again(db, instalment, "95000")
    assert shown(http, db, "echeance", instalment) == (RENT, "VALABLE", "0.00")


def test_the_page_keeps_the_day_of_the_receipt(http: Http, db: Db) -> None:
    instalment, _, _ = rent(db, date_debut="2026-01-01")
    days = ["2026-02-03T10:00:00Z", "2026-02-05T10:00:00Z"]
    moyen = builders.moyen(db)
    made = [
        db.call("residence.echeance_encaisser", id_echeance=instalment, montant=amount, id_moyen=moyen, date=day)
        for amount, day in zip(("50000", "45000"), days, strict=True)
    ]
    assert str(paper(db, instalment)["jour"]) == "2026-02-05"
    db.call("finances.paiement_annuler", id_paiement=made[1]["id_paiement"], motif="saisi deux fois")
    assert http.get(f"/verifier/{token(db, 'echeance', instalment)}").json()["jour"] == "2026-02-05"


def close(db: Db, instalment: int) -> int:
    contract = int(db.one("select id_contrat from residence.echeance where id_echeance = %s", [instalment]))
    db.call("residence.contrat_resilier", id_contrat=contract, date_resiliation="2027-01-10")
    return contract


def test_the_end_of_a_lease_credits_the_receipt_of_a_paid_rent(http: Http, db: Db) -> None:
    instalment, _, _ = rent(db, RENT, date_debut="2027-01-01", date_fin_prevue="2027-12-31")
    assert str(paper(db, instalment)["montant"]) == RENT
    contract = close(db, instalment)
    assert shown(http, db, "echeance", instalment) == (RENT, "CREDITE", "64355.00")
    back = db.call("residence.contrat_rembourser", id_contrat=contract, id_moyen=builders.moyen(db))
    assert str(back["montant_rembourse"]) == "64355.00"
    assert shown(http, db, "echeance", instalment) == (RENT, "CREDITE", "64355.00")


def test_the_end_of_a_lease_leaves_a_receipt_of_the_rent_that_is_left(http: Http, db: Db) -> None:
    instalment, _, _ = rent(db, "50000", date_debut="2027-01-01", date_fin_prevue="2027-12-31")
    contract = close(db, instalment)
    receipt = ("30645.00", "VALABLE", "0.00")
    assert (str(paper(db, instalment)["montant"]), shown(http, db, "echeance", instalment)) == (receipt[0], receipt)
    back = db.call("residence.contrat_rembourser", id_contrat=contract, id_moyen=builders.moyen(db))
    assert str(back["montant_rembourse"]) == "19355.00"
    assert (str(paper(db, instalment)["montant"]), shown(http, db, "echeance", instalment)) == (receipt[0], receipt)


def test_a_rent_that_is_not_paid_in_full_has_no_valid_receipt(http: Http, db: Db) -> None:
    instalment, _, _ = rent(db, "50000")
    assert shown(http, db, "echeance", instalment) == ("50000.00", "ANNULE", "0.00")


# ---- orders


def test_credit_notes_of_an_order_show_on_its_receipt(http: Http, db: Db) -> None:
    order, invoice = laundry(db)
    assert shown(http, db, "commande", order) == ("4000.00", "VALABLE", "0.00")
    credit(db, invoice, line(invoice, 0, quantite="1"))
    assert shown(http, db, "commande", order) == ("4000.00", "CREDITE", "1000.00")
    page = http.get(f"/verifier/{token(db, 'commande', order)}", headers=BROWSER).text
    assert "un avoir en retire une part" in page and "<dt>Avoirs</dt>" in page
    credit(db, invoice, line(invoice, 0, quantite="3"))
    assert shown(http, db, "commande", order) == ("4000.00", "ANNULE", "4000.00")


def test_an_order_whose_invoice_is_cancelled_is_owed_again(http: Http, db: Db) -> None:
    order, invoice = laundry(db)
    db.call("facturation.facture_annuler", id_facture=invoice["id_facture"], motif="erreur de saisie")
    assert shown(http, db, "commande", order) == ("4000.00", "VALABLE", "0.00")
    db.call("pressing.commande_annuler", id_commande=order)
    assert shown(http, db, "commande", order)[1] == "ANNULE"


# ---- nothing is left


def test_a_payment_refunded_in_full_is_void(http: Http, db: Db) -> None:
    paid = pay(db, montant="500")
    db.call("finances.paiement_rembourser", id_paiement=paid, montant="200")
    assert shown(http, db, "paiement", paid) == ("500.00", "REMBOURSE", "200.00")
    db.call("finances.paiement_rembourser", id_paiement=paid)
    assert shown(http, db, "paiement", paid) == ("500.00", "ANNULE", "500.00")
    page = http.get(f"/verifier/{token(db, 'paiement', paid)}", headers=BROWSER).text
    assert "ne vaut plus rien" in page and "une part" not in page


def test_an_invoice_credited_in_full_is_void(http: Http, db: Db) -> None:
    invoice = billed(db, paid="5000")
    credit(db, invoice, line(invoice, 0, quantite="5"))
    assert shown(http, db, "facture", invoice["id_facture"]) == ("5000.00", "CREDITE", "2500.00")
    credit(db, invoice, line(invoice, 1, quantite="1"))
    assert shown(http, db, "facture", invoice["id_facture"]) == ("5000.00", "ANNULE", "5000.00")
    page = http.get(f"/verifier/{token(db, 'facture', invoice['id_facture'])}", headers=BROWSER).text
    assert "ne vaut plus rien" in page and "<dt>Avoirs</dt>" in page and "une part" not in page


# ---- the invoice of a receipt


def test_the_receipts_of_rents_and_orders_name_the_invoice_of_their_proof(http: Http, db: Db) -> None:
    instalment, _, rented = rent(db, "95000")
    order, washed = laundry(db)
    signed(db)
    printed = {
        "echeance": db.one("select ((residence.echeance_document(%s)).echeance).numero_facture", [instalment]),
        "commande": db.call("pressing.commande_recu", id_commande=order)["numero_facture"],
    }
    for piece, key, invoice in (("echeance", instalment, rented), ("commande", order, washed)):
        number = db.one("select numero from facturation.facture where id_facture = %s", [invoice["id_facture"]])
        statement = proven(http.get(f"/verifier/{token(db, piece, key)}/preuve").json(), public_keys(http))
        assert (statement["numero"], printed[piece]) == (number, number)


# ---- the address


@pytest.mark.parametrize(
    ("public", "address"),
    [
        ("https://exemple.org/api", "https://acme.exemple.org/api"),
        ("https://exemple.org:8443/api/", "https://acme.exemple.org:8443/api"),
        ("https://exemple.org", "https://acme.exemple.org"),
    ],
)
def test_the_host_of_an_organisation_keeps_the_path_of_the_public_address(public: str, address: str) -> None:
    settings = Settings.from_environment({"ANNUAIRE_URL": "postgresql://localhost/annuaire", "PUBLIC_URL": public})
    acme = Organisation(
        id="1", code="acme", database="acme", server="s1", address="localhost:5432", replicas=(), state="ACTIVE",
        version="1", reason=None, hosts=("acme.exemple.org",),
    )  # fmt: skip
    assert settings_of(settings, acme).public_url == address
    assert settings_of(settings, acme).password_link("x").startswith(f"{address}/mot-de-passe")
    assert settings_of(settings, replace(acme, hosts=())).public_url == settings.public_url


# ---- the seal of a payment


def test_a_receipt_of_rent_tells_when_its_last_payment_was_sealed(http: Http, db: Db) -> None:
    instalment, _, _ = rent(db, "45000")
    signed(db)
    first = db.one("select max(date) from audit.sceau")
    again(db, instalment, "50000")
    address = f"/verifier/{token(db, 'echeance', instalment)}"
    assert http.get(address).json()["paiement_scelle_le"] is None
    page = http.get(address, headers=BROWSER).text
    assert "Quittance de loyer" in page and "Le paiement n’est pas encore scellé" in page
    signed(db)
    sealed = http.get(address).json()["paiement_scelle_le"]
    assert sealed is not None and sealed > first.isoformat()[:10]
    assert "Le paiement a été scellé le" in http.get(address, headers=BROWSER).text
