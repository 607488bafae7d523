"""The state of a document on its public page after refunds and credit notes, and the address of its QR code."""

import pytest
from msgspec.structs import replace

from app.base.settings import Settings
from app.leaves.organisations.organisation import Organisation, settings_of
from tests import builders
from tests.audit.test_recu_verifiable import BROWSER, address, proof_of, proven, signed
from tests.audit.test_recu_verifiable import keys as public_keys
from tests.audit.test_sceau import pay
from tests.facturation.test_avoir import billed, credit, line, read

RENT = "95000.00"


def shown(http, db, piece, key):
    """The amount, the state, and the amount withdrawn."""
    document = http.get(address(db, piece, key)).json()
    return document["montant"], document["etat"], document["montant_retire"]


def page(http, db, piece, key):
    return http.get(address(db, piece, key), headers=BROWSER).text


def paper(db, instalment):
    """The amount and the day of the printed receipt."""
    document = db.call("residence.echeance_document", id_echeance=instalment)
    return str(document["montant"]), str(document["jour"])


def rent(db, *amounts, **lease):
    """The first instalment of a lease, its payments in these amounts, and its invoice."""
    contract = builders.contrat(db, **lease)
    instalment = db.one("select min(id_echeance) from residence.echeance where id_contrat = %s", [contract])
    made = [again(db, instalment, amount) for amount in amounts]
    query = "select max(id_facture) from facturation.facture where source_type = 'LOCATION' and source_id = %s"
    return int(instalment), made, read(db, db.one(query, [instalment]))


def again(db, instalment, amount):
    call = {"id_echeance": instalment, "montant": amount, "id_moyen": builders.moyen(db)}
    return int(db.call("residence.echeance_encaisser", **call)["id_paiement"])


def laundry(db, paid="4000"):
    """An order of 4000, and its invoice."""
    db.call(
        "pressing.commande_creer", id_client=builders.client(db), date_retrait_prevue="2031-03-04",
        lignes=[{"type_vetement": "Chemise", "quantite": 4, "prestation": "Lavage", "tarif": "1000"}],
        paiement={"montant": paid, "id_moyen": builders.moyen(db)},
    )  # fmt: skip
    [row] = db.all("select id_commande, id_facture from pressing.commande_vue order by id_commande desc limit 1")
    return int(row["id_commande"]), read(db, row["id_facture"])


@pytest.mark.parametrize("repaid", [True, False])
def test_a_credit_note_of_a_paid_rent_leaves_the_amount_of_the_paper(http, db, repaid):
    instalment, _, invoice = rent(db, "50000", "45000")
    assert shown(http, db, "echeance", instalment) == (paper(db, instalment)[0], "VALABLE", "0.00")
    fields = {"remboursement": {"id_moyen": builders.moyen(db)}} if repaid else {}
    credit(db, invoice, line(invoice, 0, montant="20000"), **fields)
    assert shown(http, db, "echeance", instalment) == (RENT, "CREDITE", "20000.00")
    text = page(http, db, "echeance", instalment)
    assert "un avoir en retire une part" in text and "<dt>Avoirs</dt>" in text and "95 000 FCFA" in text
    credit(db, invoice, line(invoice, 0, montant="75000"), **fields)
    assert shown(http, db, "echeance", instalment) == (RENT, "ANNULE", RENT)


def test_a_credit_note_from_before_the_receipt_takes_nothing_from_it(http, db):
    instalment, payments, invoice = rent(db, "50000")
    credit(db, invoice, line(invoice, 0, montant="20000"))
    payments.append(again(db, instalment, "25000"))
    assert paper(db, instalment)[0] == "75000.00"
    assert shown(http, db, "echeance", instalment) == ("75000.00", "VALABLE", "0.00")
    db.call("finances.paiement_annuler", id_paiement=payments[1], motif="saisi deux fois")
    assert shown(http, db, "echeance", instalment) == ("75000.00", "REMBOURSE", "25000.00")
    again(db, instalment, "25000")
    credit(db, invoice, line(invoice, 0, montant="10000"))
    assert shown(http, db, "echeance", instalment) == ("75000.00", "CREDITE", "10000.00")


def test_a_credit_note_beyond_what_is_left_to_pay_shows_the_receipt_after_it(http, db):
    instalment, _, invoice = rent(db, "50000")
    credit(db, invoice, line(invoice, 0, montant="55000"))
    assert paper(db, instalment)[0] == "40000.00"
    assert shown(http, db, "echeance", instalment) == ("40000.00", "VALABLE", "0.00")


def test_a_cancelled_payment_of_a_rent_takes_its_part_from_the_receipt(http, db):
    instalment, (first, second), _ = rent(db, "50000", "45000")
    day = paper(db, instalment)[1]
    db.call("finances.paiement_annuler", id_paiement=second, motif="saisi deux fois")
    assert shown(http, db, "echeance", instalment) == (RENT, "REMBOURSE", "45000.00")
    text = page(http, db, "echeance", instalment)
    assert "une part a été rendue" in text and "<dt>Rendu</dt>" in text
    db.call("finances.paiement_annuler", id_paiement=first, motif="saisi deux fois")
    assert shown(http, db, "echeance", instalment) == (RENT, "ANNULE", RENT)
    assert http.get(address(db, "echeance", instalment)).json()["jour"] == day
    again(db, instalment, "95000")
    assert shown(http, db, "echeance", instalment) == (RENT, "VALABLE", "0.00")


def test_the_page_keeps_the_day_of_the_receipt(http, db):
    instalment, _, _ = rent(db, date_debut="2026-01-01")
    days = ["2026-02-03T10:00:00Z", "2026-02-05T10:00:00Z"]
    moyen = builders.moyen(db)
    made = [
        db.call("residence.echeance_encaisser", id_echeance=instalment, montant=amount, id_moyen=moyen, date=day)
        for amount, day in zip(("50000", "45000"), days, strict=True)
    ]
    assert paper(db, instalment)[1] == "2026-02-05"
    db.call("finances.paiement_annuler", id_paiement=made[1]["id_paiement"], motif="saisi deux fois")
    assert http.get(address(db, "echeance", instalment)).json()["jour"] == "2026-02-05"


def close(db, instalment):
    contract = int(db.one("select id_contrat from residence.echeance where id_echeance = %s", [instalment]))
    db.call("residence.contrat_resilier", id_contrat=contract, date_resiliation="2027-01-10")
    return contract


def test_the_end_of_a_lease_credits_the_receipt_of_a_paid_rent(http, db):
    instalment, _, _ = rent(db, RENT, date_debut="2027-01-01", date_fin_prevue="2027-12-31")
    assert paper(db, instalment)[0] == RENT
    contract = close(db, instalment)
    assert shown(http, db, "echeance", instalment) == (RENT, "CREDITE", "64355.00")
    back = db.call("residence.contrat_rembourser", id_contrat=contract, id_moyen=builders.moyen(db))
    assert str(back["montant_rembourse"]) == "64355.00"
    assert shown(http, db, "echeance", instalment) == (RENT, "CREDITE", "64355.00")


def test_the_end_of_a_lease_leaves_a_receipt_of_the_rent_that_is_left(http, db):
    instalment, _, _ = rent(db, "50000", date_debut="2027-01-01", date_fin_prevue="2027-12-31")
    contract = close(db, instalment)
    receipt = ("30645.00", "VALABLE", "0.00")
    assert (paper(db, instalment)[0], shown(http, db, "echeance", instalment)) == (receipt[0], receipt)
    back = db.call("residence.contrat_rembourser", id_contrat=contract, id_moyen=builders.moyen(db))
    assert str(back["montant_rembourse"]) == "19355.00"
    assert (paper(db, instalment)[0], shown(http, db, "echeance", instalment)) == (receipt[0], receipt)


def test_a_rent_that_is_not_paid_in_full_has_no_valid_receipt(http, db):
    instalment, _, _ = rent(db, "50000")
    assert shown(http, db, "echeance", instalment) == ("50000.00", "ANNULE", "0.00")


def test_credit_notes_of_an_order_show_on_its_receipt(http, db):
    order, invoice = laundry(db)
    assert shown(http, db, "commande", order) == ("4000.00", "VALABLE", "0.00")
    credit(db, invoice, line(invoice, 0, quantite="1"))
    assert shown(http, db, "commande", order) == ("4000.00", "CREDITE", "1000.00")
    text = page(http, db, "commande", order)
    assert "un avoir en retire une part" in text and "<dt>Avoirs</dt>" in text
    credit(db, invoice, line(invoice, 0, quantite="3"))
    assert shown(http, db, "commande", order) == ("4000.00", "ANNULE", "4000.00")


def test_an_order_whose_invoice_is_cancelled_is_owed_again(http, db):
    order, invoice = laundry(db)
    db.call("facturation.facture_annuler", id_facture=invoice["id_facture"], motif="erreur de saisie")
    assert shown(http, db, "commande", order) == ("4000.00", "VALABLE", "0.00")
    db.call("pressing.commande_annuler", id_commande=order)
    assert shown(http, db, "commande", order)[1] == "ANNULE"


def test_a_payment_refunded_in_full_is_void(http, db):
    paid = pay(db, montant="500")
    db.call("finances.paiement_rembourser", id_paiement=paid, montant="200")
    assert shown(http, db, "paiement", paid) == ("500.00", "REMBOURSE", "200.00")
    db.call("finances.paiement_rembourser", id_paiement=paid)
    assert shown(http, db, "paiement", paid) == ("500.00", "ANNULE", "500.00")
    text = page(http, db, "paiement", paid)
    assert "ne vaut plus rien" in text and "une part" not in text


def test_an_invoice_credited_in_full_is_void(http, db):
    invoice = billed(db, paid="5000")
    credit(db, invoice, line(invoice, 0, quantite="5"))
    assert shown(http, db, "facture", invoice["id_facture"]) == ("5000.00", "CREDITE", "2500.00")
    credit(db, invoice, line(invoice, 1, quantite="1"))
    assert shown(http, db, "facture", invoice["id_facture"]) == ("5000.00", "ANNULE", "5000.00")
    text = page(http, db, "facture", invoice["id_facture"])
    assert "ne vaut plus rien" in text and "<dt>Avoirs</dt>" in text and "une part" not in text


def test_the_receipts_of_rents_and_orders_name_the_invoice_of_their_proof(http, db):
    instalment, _, rented = rent(db, "95000")
    order, washed = laundry(db)
    signed(db)
    printed = {
        "echeance": db.one("select ((residence.echeance_document(%s)).echeance).numero_facture", [instalment]),
        "commande": db.call("pressing.commande_recu", id_commande=order)["numero_facture"],
    }
    for piece, key, invoice in (("echeance", instalment, rented), ("commande", order, washed)):
        number = db.one("select numero from facturation.facture where id_facture = %s", [invoice["id_facture"]])
        statement = proven(proof_of(http, db, piece, key), public_keys(http))
        assert (statement["numero"], printed[piece]) == (number, number)


@pytest.mark.parametrize("path", [".org/api", ".org:8443/api/", ".org"])
def test_the_host_of_an_organisation_keeps_the_path_of_the_public_address(path):
    public, own = f"https://exemple{path}", f"https://acme.exemple{path}".removesuffix("/")
    settings = Settings.from_environment({"ANNUAIRE_URL": "postgresql://localhost/annuaire", "PUBLIC_URL": public})
    acme = Organisation(
        id="1", code="acme", database="acme", server="s1", address="localhost:5432", replicas=(), state="ACTIVE",
        version="1", reason=None, hosts=("acme.exemple.org",),
    )  # fmt: skip
    assert settings_of(settings, acme).public_url == own
    assert settings_of(settings, acme).password_link("x").startswith(f"{own}/mot-de-passe")
    assert settings_of(settings, replace(acme, hosts=())).public_url == settings.public_url


def test_a_receipt_of_rent_tells_when_its_last_payment_was_sealed(http, db):
    instalment, _, _ = rent(db, "45000")
    signed(db)
    first = db.one("select max(date) from audit.sceau")
    again(db, instalment, "50000")
    path = address(db, "echeance", instalment)
    assert http.get(path).json()["paiement_scelle_le"] is None
    text = page(http, db, "echeance", instalment)
    assert "Quittance de loyer" in text and "Le paiement n’est pas encore scellé" in text
    signed(db)
    sealed = http.get(path).json()["paiement_scelle_le"]
    assert sealed is not None and sealed > first.isoformat()[:10]
    assert "Le paiement a été scellé le" in page(http, db, "echeance", instalment)
