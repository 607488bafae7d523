"""Credit notes: what of each line may be credited, what goes back, and what the client keeps."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

import psycopg
import pytest

from tests import builders
from tests.conftest import Db, Http, ok, refused

LINES = [
    {"libelle": "Chemise", "quantite": 5, "prix_unitaire": "500"},
    {"libelle": "Costume", "quantite": 1, "prix_unitaire": "2500"},
]


def billed(db: Db, paid: str = "0", lines: list[dict[str, Any]] = LINES, **fields: Any) -> dict[str, Any]:
    """An invoice of these lines, paid in cash, with the ids of its lines."""
    made = builders.facturer(db, montant=paid, lignes=lines, **{"id_client": builders.client(db)} | fields)
    return read(db, made["id_facture"]) | {"paiement": made["id_paiement"]}


def read(db: Db, key: int) -> dict[str, Any]:
    """An invoice with the ids of its lines."""
    lines = db.all("select id_ligne from facturation.facture_ligne where id_facture = %s order by id_ligne", [key])
    client = db.one("select id_client from facturation.facture where id_facture = %s", [key])
    return {"id_facture": key, "id_client": client, "lignes": lines}


def line(invoice: dict[str, Any], place: int, **credited: Any) -> dict[str, Any]:
    return {"id_ligne": invoice["lignes"][place]["id_ligne"], **credited}


def credit(db: Db, invoice: dict[str, Any], *lines: dict[str, Any], **fields: Any) -> dict[str, Any]:
    """Credit lines of an invoice. Return the row of the credit note and the counter-payments."""
    made = db.call(
        "facturation.avoir_creer", id_facture=invoice["id_facture"], lignes=list(lines), motif="rendu", **fields
    )
    [row] = db.all("select * from facturation.avoir order by id_avoir desc limit 1")
    return {"avoir": row, "id_paiement": made["id_paiement"], "paiements": made["paiements"]}


def pay(db: Db, invoice: dict[str, Any], amount: str, method: int | None = None, **fields: Any) -> int:
    """Pay a part of an invoice, in cash if no method is given. Return the payment."""
    fields = {"id_moyen": method or builders.moyen(db), "id_facture": invoice["id_facture"]} | fields
    return builders.payer(db, amount, **fields)


def bounce(db: Db, payment: int) -> None:
    """Cancel a payment, as when its cheque is not paid."""
    db.call("finances.paiement_annuler", id_paiement=payment, motif="chèque sans provision")


def void(db: Db, invoice: dict[str, Any]) -> None:
    db.call("facturation.facture_annuler", id_facture=invoice["id_facture"], motif="erreur")


def cash(db: Db) -> dict[str, Any]:
    """The refund of a credit note in cash."""
    return {"remboursement": {"id_moyen": builders.moyen(db)}}


def state(db: Db, invoice: dict[str, Any]) -> tuple[str, ...]:
    row = db.all(
        "select montant_total, montant_avoirs, montant_paye, reste, statut::text from facturation.facture"
        " where id_facture = %s", [invoice["id_facture"]],
    )[0]  # fmt: skip
    return tuple(str(value) for value in row.values())


def balance(db: Db, client: int) -> Decimal:
    return Decimal(db.call("client.credit_detail", id_client=client)["solde"])


@pytest.fixture
def consistent(db: Db) -> Any:
    yield
    assert [row["c"] for row in db.all("select c from jobs._controler() c")] == []


pytestmark = pytest.mark.usefixtures("consistent")


@pytest.fixture
def credited(db: Db) -> dict[str, Any]:
    """A paid invoice whose second line, half of its amount, became the credit of its client."""
    invoice = billed(db, "5000")
    credit(db, invoice, line(invoice, 1, quantite=1))
    return invoice


def spend(db: Db, invoice: dict[str, Any], amount: str, **fields: Any) -> int:
    """Pay a part of an invoice by the credit of its client."""
    return pay(db, invoice, amount, builders.moyen(db, "Crédit client"), **fields)


def test_one_shirt_of_five_is_credited_and_repaid_in_cash(http: Http, db: Db) -> None:
    invoice = billed(db, "5000")
    admin = http.as_admin()
    sent = {"lignes": [line(invoice, 0, quantite=1)], "motif": "Chemise tachée", **cash(db)}
    made = ok(admin.post(f"/facturation/factures/{invoice['id_facture']}/avoirs", json=sent), 201)
    assert made["avoir"]["numero"].endswith("-AVO-" + made["avoir"]["date"][:4] + "-001")
    assert made["avoir"]["montant_total"] == "500.00" and made["avoir"]["rembourse"] is True
    [credited] = made["avoir"]["lignes"]
    assert (credited["libelle"], credited["quantite"], credited["montant"]) == ("Chemise", 1, "500.00")
    amounts = [made["facture"][name] for name in ("montant_total", "montant_avoirs", "montant_paye", "reste")]
    assert (amounts, made["facture"]["statut"]) == (["5000.00", "500.00", "4500.00", "0.00"], "PAYEE")
    repaid = admin.get(f"/finances/paiements/{made['id_paiement']}").json()
    expected = {"type": "DECAISSEMENT", "montant": "500.00", "id_paiement_origine": str(invoice["paiement"])}
    assert expected.items() <= repaid.items()
    assert made["paiements"] == [made["id_paiement"]]
    assert admin.get(f"/facturation/avoirs/{made['avoir']['id_avoir']}").json() == made["avoir"]
    assert [row["numero"] for row in admin.get("/facturation/avoirs").json()] == [made["avoir"]["numero"]]


def test_an_unpaid_invoice_owes_what_is_not_credited(db: Db) -> None:
    invoice, whole = billed(db), billed(db)
    made = credit(db, invoice, line(invoice, 1, quantite=1))
    assert made["id_paiement"] is None and made["avoir"]["montant_excedent"] == Decimal(0)
    assert state(db, invoice) == ("5000.00", "2500.00", "0.00", "2500.00", "IMPAYEE")
    with refused("SURPAIEMENT", 409):
        pay(db, invoice, "2501")
    pay(db, invoice, "2500")
    assert state(db, invoice) == ("5000.00", "2500.00", "2500.00", "0.00", "PAYEE")
    credit(db, whole, line(whole, 0, quantite=5), line(whole, 1, montant="2500"))
    assert state(db, whole) == ("5000.00", "5000.00", "0.00", "0.00", "PAYEE")


def test_the_excess_is_the_credit_of_the_client_and_pays_a_later_invoice(
    http: Http, db: Db, credited: dict[str, Any]
) -> None:
    client = credited["id_client"]
    assert state(db, credited) == ("5000.00", "2500.00", "5000.00", "0.00", "PAYEE")
    assert balance(db, client) == 2500
    later = billed(db, lines=[{"libelle": "Rideau", "quantite": 1, "prix_unitaire": "4000"}], id_client=client)
    with refused("CREDIT_INSUFFISANT", 409):
        spend(db, later, "2501")
    cashier = http.as_user(builders.utilisateur(db, caisse=builders.caisse(db)))
    method = str(builders.moyen(db, "Crédit client"))
    body = {"montant": "1500", "id_moyen": method, "id_facture": str(later["id_facture"])}
    answer = ok(cashier.post("/finances/paiements", json=body), 201)
    assert answer["id_caisse"] is None and answer["facture"]["montant_paye"] == "1500.00"
    ledger = http.as_admin().get(f"/client/clients/{client}/credit").json()
    assert ledger["solde"] == "1000.00"
    assert [(row["montant"], row["id_facture"], row["id_avoir"] is None) for row in ledger["mouvements"]] == [
        ("-1500.00", str(later["id_facture"]), True),
        ("2500.00", str(credited["id_facture"]), False),
    ]


def test_a_payment_from_the_credit_is_no_money_received(db: Db, credited: dict[str, Any]) -> None:
    later = billed(db, lines=LINES[1:], id_client=credited["id_client"])
    paid = spend(db, later, "2500")
    received = "select sum(encaissements)::text from finances.mouvement_jour_vue"
    assert db.one(received) == "5000.00"
    db.one("select jobs.resumer_paiements()")
    assert db.one(received) == "5000.00"
    assert db.one("select sum(montant)::text from finances.application_jour_vue") == "5000.00"
    bounce(db, paid)
    assert balance(db, credited["id_client"]) == 2500 and db.one(received) == "5000.00"
    assert state(db, later)[2:] == ("0.00", "2500.00", "IMPAYEE")


def test_a_cancelled_invoice_gives_the_credit_back_that_paid_it(db: Db, credited: dict[str, Any]) -> None:
    later = billed(db, lines=LINES[1:], id_client=credited["id_client"])
    spend(db, later, "2000")
    pay(db, later, "500")
    void(db, later)
    assert balance(db, credited["id_client"]) == 2500
    query = "select montant_total::integer as m from facturation.avoir where annulation and id_facture = %s"
    assert db.all(query, [later["id_facture"]]) == [{"m": 2500}]


def test_cancelling_keeps_the_credit_that_the_client_already_has(db: Db) -> None:
    invoice = billed(db, "5000")
    credit(db, invoice, line(invoice, 0, quantite=2))
    void(db, invoice)
    assert state(db, invoice) == ("5000.00", "5000.00", "1000.00", "0.00", "ANNULEE")
    assert balance(db, invoice["id_client"]) == 1000
    assert db.one("select sum(montant)::text from finances.paiement where type = 'DECAISSEMENT'") == "4000.00"
    assert db.one("select array_agg(montant_total::integer order by id_avoir) from facturation.avoir") == [1000, 4000]


def test_a_payment_behind_a_credit_is_cancelled_unless_the_credit_is_used(db: Db, credited: dict[str, Any]) -> None:
    use = spend(db, billed(db, lines=LINES[1:], id_client=credited["id_client"]), "100")
    with refused("CREDIT_INSUFFISANT", 409):
        bounce(db, credited["paiement"])
    bounce(db, use)
    bounce(db, credited["paiement"])
    assert state(db, credited) == ("5000.00", "2500.00", "0.00", "2500.00", "IMPAYEE")
    assert balance(db, credited["id_client"]) == 0


def test_part_of_the_money_behind_a_credit_takes_that_part_back(db: Db) -> None:
    invoice = billed(db, "3000")
    part = pay(db, invoice, "2000")
    credit(db, invoice, line(invoice, 1, quantite=1))
    bounce(db, part)
    assert state(db, invoice) == ("5000.00", "2500.00", "3000.00", "0.00", "PAYEE")
    assert balance(db, invoice["id_client"]) == 500


def test_refunds_take_the_last_payment_first(db: Db) -> None:
    invoice = billed(db, "3000")
    last = pay(db, invoice, "2000", builders.moyen(db, "Mobile Money"))
    made = credit(db, invoice, line(invoice, 1, quantite=1), **cash(db))
    query = "select id_paiement_origine as o, montant::text as m from finances.paiement where id_paiement = any (%s)"
    given = db.all(f"{query} order by 1", [made["paiements"]])
    assert given == [{"o": invoice["paiement"], "m": "500.00"}, {"o": last, "m": "2000.00"}]
    assert made["id_paiement"] == max(made["paiements"])


def test_the_shares_of_a_discount_make_the_total(db: Db) -> None:
    lines = [{"libelle": str(n), "quantite": 1, "prix_unitaire": "1000"} for n in range(3)]
    invoice = billed(db, "2000", lines=lines, remise="1000")
    query = "select montant::text as m from facturation._lignes_creditables(%s) order by id_ligne"
    shares = db.all(query, [invoice["id_facture"]])
    assert [row["m"].rstrip("0").rstrip(".") for row in shares] == ["667", "667", "666"]
    for place in range(3):
        credit(db, invoice, line(invoice, place, quantite=1))
    assert state(db, invoice) == ("2000.00", "2000.00", "2000.00", "0.00", "PAYEE")
    assert balance(db, invoice["id_client"]) == 2000


def test_units_credited_one_by_one_add_up_to_their_line(db: Db) -> None:
    invoice = billed(db, lines=[{"libelle": "Lot", "quantite": 3, "prix_unitaire": "333.33"}], remise="0.01")
    credited = [credit(db, invoice, line(invoice, 0, quantite=1))["avoir"]["montant_total"] for _ in range(3)]
    assert sum(credited) == Decimal("999.98") and credited[:2] == [333, 334]
    with refused("AVOIR_EXCESSIF", 409):
        credit(db, invoice, line(invoice, 0, quantite="1"))


def test_a_credit_of_nothing_or_beyond_its_line_is_refused(http: Http, db: Db) -> None:
    invoice, admin = billed(db, "5000"), http.as_admin()
    for part, code in (
        ({"quantite": 6}, "AVOIR_EXCESSIF"),
        ({"montant": "2500.01"}, "AVOIR_EXCESSIF"),
        ({}, "QUANTITE_OU_MONTANT"),
        ({"quantite": 1, "montant": "500"}, "QUANTITE_OU_MONTANT"),
        ({"quantite": 1, "retour_stock": True}, "RETOUR_STOCK_IMPOSSIBLE"),
        ({"quantite": 0}, "VALIDATION_ERROR"),
        ({"montant": "0"}, "VALIDATION_ERROR"),
        ({"montant": "-5"}, "VALIDATION_ERROR"),
        ({"quantite": -1}, "VALIDATION_ERROR"),
    ):
        body = {"lignes": [line(invoice, 0, **part)], "motif": "rien"}
        answer = admin.post(f"/facturation/factures/{invoice['id_facture']}/avoirs", json=body)
        expected = (409 if code == "AVOIR_EXCESSIF" else 400, code)
        assert (answer.status_code, answer.json()["code"]) == expected, (part, answer.text)
    assert db.one("select count(*) from facturation.avoir") == 0


def test_a_credit_note_names_lines_of_its_invoice_once(db: Db) -> None:
    invoice, other = billed(db), billed(db)
    for lines, rule, status in (
        ([line(invoice, 0, quantite=1), line(invoice, 0, montant="5")], "LIGNE_AVOIR_REPETEE", 409),
        ([line(other, 0, quantite=1)], "LIGNE_D_UNE_AUTRE_FACTURE", 400),
        ([], "AVOIR_SANS_LIGNE", 400),
    ):
        with refused(rule, status):
            credit(db, invoice, *lines)
    void(db, invoice)
    with refused("FACTURE_ANNULEE", 409):
        credit(db, invoice, line(invoice, 0, quantite=1))


def test_amounts_and_quantities_of_a_line_are_bounded_together(db: Db) -> None:
    invoice = billed(db)
    credit(db, invoice, line(invoice, 0, montant="2400"))
    with refused("AVOIR_EXCESSIF", 409):
        credit(db, invoice, line(invoice, 0, quantite=1))
    credit(db, invoice, line(invoice, 0, montant="100"))


def test_an_invoice_without_a_client_repays_its_excess(db: Db) -> None:
    invoice = billed(db, "5000", id_client=None)
    with refused("REMBOURSEMENT_REQUIS", 400):
        credit(db, invoice, line(invoice, 0, quantite=1))
    credit(db, invoice, line(invoice, 0, quantite=1), **cash(db))
    assert state(db, invoice) == ("5000.00", "500.00", "4500.00", "0.00", "PAYEE")


def test_the_credit_pays_only_the_invoice_of_a_client_and_never_afterwards(db: Db) -> None:
    method = builders.moyen(db, "Crédit client")
    with refused("CREDIT_SANS_CLIENT", 400):
        builders.paiement(db, "10", id_moyen=method)
    with refused("CREDIT_SANS_CLIENT", 400):
        pay(db, billed(db, id_client=None), "10", method)
    paid = billed(db, "100")["paiement"]
    with refused("MOYEN_CREDIT_FIGE", 409):
        db.execute("update finances.paiement set id_moyen = %s where id_paiement = %s", [method, paid])


def test_sold_products_come_back_to_the_stock_once(db: Db) -> None:
    product = builders.produit(db, stock="10", prix="750")
    other = builders.produit(db, stock="10", prix="100")
    db.call(
        "market.vente_creer", id_client=builders.client(db),
        paiement={"montant": "2450", "id_moyen": builders.moyen(db)},
        lignes=[{"id_produit": other, "quantite": 2}, {"id_produit": product, "quantite": 3}],
    )  # fmt: skip
    invoice = read(db, db.one("select id_facture from facturation.facture"))
    stock = f"select quantite_stock::integer from market.produit where id_produit = {product}"
    assert db.one(stock) == 7
    credit(db, invoice, line(invoice, 1, quantite=1, retour_stock=True), **cash(db))
    assert db.one(stock) == 8
    credit(db, invoice, line(invoice, 1, quantite=1), **cash(db))
    assert db.one(stock) == 8
    with refused("RETOUR_STOCK_IMPOSSIBLE", 400):
        credit(db, invoice, line(invoice, 1, montant="100", retour_stock=True))
    db.call("market.vente_annuler", id_vente=db.one("select id_vente from market.vente"))
    assert db.one(stock) == 10
    assert db.one("select quantite_stock::integer from market.produit where id_produit = %s", [other]) == 10
    assert state(db, invoice)[4] == "ANNULEE"


def test_issued_credit_notes_and_the_ledger_never_change(db: Db) -> None:
    invoice, other = billed(db, "5000"), billed(db)
    credit(db, invoice, line(invoice, 0, quantite=1))
    for statement in (
        "update facturation.avoir set motif = 'x'",
        "delete from facturation.avoir_ligne",
        "insert into facturation.avoir_ligne (id_avoir, id_ligne, montant)"
        " select id_avoir, id_ligne + 1, 1 from facturation.avoir_ligne",
        "update finances.mouvement_credit set montant = 1",
    ):
        with pytest.raises(psycopg.Error) as error, db.connection.transaction():
            db.execute(statement)
        assert error.value.sqlstate == "HT409"
    with refused("ANNULATION_SANS_AVOIR", 409):
        db.execute("update facturation.facture set annulee = true where id_facture = %s", [other["id_facture"]])
    sums = "montant_avoirs = 0, montant_credit = 0"
    db.execute(f"update facturation.facture set {sums} where id_facture = %s", [invoice["id_facture"]])
    written = "select montant_avoirs, montant_credit from facturation.facture where id_facture = %s"
    assert db.one(written, [invoice["id_facture"]]) == {"montant_avoirs": 500, "montant_credit": 500}


def test_reports_count_credit_notes_gross_and_net(http: Http, db: Db) -> None:
    invoice = billed(db, "5000")
    credit(db, invoice, line(invoice, 0, quantite=1))
    admin = http.as_admin()
    for path in ("/finances/tableau-de-bord", "/dashboard/tableau-de-bord"):
        total = admin.get(path).json()[-1]
        sums = [total[name] for name in ("montant_factures", "montant_brut", "montant_avoirs")]
        assert sums == ["4500.00", "5000.00", "500.00"], path
    finances = admin.get("/dashboard").json()["finances"]
    assert (finances["chiffre_affaires_global_mois"], finances["avoirs_mois"]) == ("4500.00", "500.00")


def test_a_payment_of_a_cancelled_sale_is_cancelled_with_its_credit(db: Db) -> None:
    """The cheque bounces after a part of it became credit and the sale was cancelled."""
    client, product = builders.client(db), builders.produit(db, stock="10", prix="50")
    sale = db.call(
        "market.vente_creer", id_client=client, lignes=[{"id_produit": product, "quantite": "2"}],
        paiement={"montant": "100", "id_moyen": builders.moyen(db, "Chèque")},
    )  # fmt: skip
    source = db.one("select id_facture, source_id from facturation.facture where source_type = 'VENTE'")
    invoice = read(db, source["id_facture"])
    credit(db, invoice, line(invoice, 0, montant="40"))
    with refused("ANNULATION_PAR_SA_SOURCE", 409):
        bounce(db, sale["id_paiement"])
    db.call("market.vente_annuler", id_vente=source["source_id"], motif="rendue")
    assert balance(db, client) == 40
    bounce(db, sale["id_paiement"])
    assert balance(db, client) == 0


def test_a_user_sees_the_movements_of_his_activity_and_the_whole_balance(
    db: Db, http: Http, credited: dict[str, Any]
) -> None:
    path = f"/client/clients/{credited['id_client']}/credit"
    bound = builders.utilisateur(db, role="RESPONSABLE_MAGASIN", activite=builders.activite(db, "VENTE_MARCHANDISES"))
    seen, whole = http.as_user(bound).get(path).json(), http.as_admin().get(path).json()
    assert (seen["solde"], seen["mouvements"]) == ("2500.00", [])
    assert whole["solde"] == "2500.00" and len(whole["mouvements"]) == 1


def test_a_quantity_that_rounds_to_nothing_says_so(db: Db) -> None:
    invoice = billed(db, lines=[{"libelle": "Bouton", "quantite": 5, "prix_unitaire": "0.50"}])
    credit(db, invoice, line(invoice, 0, quantite="1"))
    with refused("AVOIR_NUL", 400):
        credit(db, invoice, line(invoice, 0, quantite="0.2"))
    with refused("AVOIR_EXCESSIF", 409):
        credit(db, invoice, line(invoice, 0, quantite="4.1"))
    credit(db, invoice, line(invoice, 0, quantite="4"))
    assert state(db, invoice)[1] == "2.50"
    with refused("AVOIR_EXCESSIF", 409):
        credit(db, invoice, line(invoice, 0, quantite="0.1"))


def test_credit_is_not_spent_before_the_day_it_exists(db: Db, credited: dict[str, Any]) -> None:
    later = billed(db, lines=LINES[1:], id_client=credited["id_client"])
    yesterday = db.one("select now() - interval '1 day'")
    with refused("CREDIT_INSUFFISANT", 409) as refusal:
        spend(db, later, "100", date=yesterday)
    assert '"solde": "0"' in refusal["details"]
    use = spend(db, later, "100")
    with refused("CREDIT_INSUFFISANT", 409):
        db.call("finances.paiement_modifier", id_paiement=use, champs={"date": yesterday.isoformat()})
    assert balance(db, credited["id_client"]) == 2400
