"""Laundry paid by prepaid subscriptions: the preview, the deposit, the pickup, corrections and cancellation."""

from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests import builders
from tests.conftest import ok, refusal, refused, values_of
from tests.examples import EXAMPLES

SHIRT = {"type_vetement": "Chemise", "quantite": 3, "prestation": "Lavage", "tarif": "500.50"}
SUIT = {"type_vetement": "Costume", "quantite": 1, "prestation": "Nettoyage à sec", "tarif": "3000"}
SHEET = {"type_vetement": "Drap", "quantite": 7, "prestation": "Lavage", "poids_kg": "4.385"}


class Counter:
    """A client with a subscription for the service « Lavage », in pieces or in kilograms."""

    def __init__(self, db, http, quota="5", unite="PIECE", **offer):
        self.db, self.user = db, http.as_admin()
        self.mode = "POIDS" if unite == "KG" else "UNITAIRE"
        service = self.user.post("/pressing/catalogue/prestations", json={"libelle": "Lavage"}).json()
        self.service = service["id_prestation"]
        db.call("pressing.tarif_kg_creer", prix_kg="1550")
        self.client = builders.client(db)
        self.offer = {"activite": "PRESSING", "unite": unite, "quota": quota, "id_prestation": self.service} | offer
        self.subscription = builders.souscription(db, id_client=self.client, offre=self.offer)

    def balance(self):
        return str(self.db.call("abonnement.souscription_detail", id_souscription=self.subscription)["solde"])

    def deposit(self, *lines, **fields):
        body = {"id_client": str(self.client), "mode_tarification": self.mode, "lignes": [*lines]} | fields
        return self.user.post("/pressing/commandes", json=body)

    def order(self, *lines, **fields):
        """The order of an accepted deposit."""
        return ok(self.deposit(*lines, **fields), 201)["commande"]

    def preview(self, *lines):
        body = {"id_client": str(self.client), "mode_tarification": self.mode, "lignes": [*lines]}
        return self.user.post("/pressing/commandes/apercu-abonnement", json=body)

    def pick_up(self, order, **body):
        """Hand over an order; the till takes an amount in cash."""
        path = f"/pressing/commandes/{order['id_commande']}"
        for step in ("traitement", "pret"):
            self.user.post(f"{path}/{step}")
        if body.get("solde", "0") != "0":
            body["id_moyen"] = str(builders.moyen(self.db))
        return self.user.post(f"{path}/retirer", json=body)


def test_the_preview_of_pieces_shows_what_subscriptions_pay(db, http):
    counter = Counter(db, http, quota="2")
    preview = ok(counter.preview(SHIRT, SUIT))
    assert list(preview) == ["unite", "abonnements", "lignes", "total_brut", "total_du", "excedent"]
    assert preview["lignes"] == [
        {
            "type_vetement": "Chemise", "prestation": "Lavage", "quantite": 3, "couvert": 2, "excedent": 1,
            "abonnement_applicable": True, "prix_unitaire": "500.50", "montant_brut": "1501.50",
            "montant_du": "500.50",
        },
        {
            "type_vetement": "Costume", "prestation": "Nettoyage à sec", "quantite": 1, "couvert": 0,
            "excedent": 0, "abonnement_applicable": False, "prix_unitaire": "3000.00",
            "montant_brut": "3000.00", "montant_du": "3000.00",
        },
    ]  # fmt: skip
    assert values_of(preview, "unite total_brut total_du excedent") == ("PIECE", "4501.50", "3500.50", True)
    assert [row["id_souscription"] for row in preview["abonnements"]] == [str(counter.subscription)]
    assert counter.balance() == "2"


def test_the_preview_of_kilograms_counts_three_decimals(db, http):
    preview = Counter(db, http, quota="3.5", unite="KG").preview(SHEET).json()
    [line] = preview["lignes"]
    # 4.385 − 3.5 kg at 1550 is 1371.75, and the franc has no cents.
    assert values_of(line, "quantite couvert excedent montant_du") == (4.385, 3.5, 0.885, "1372.00")
    assert (preview["unite"], preview["abonnements"][0]["solde"]) == ("KG", "3.500")


def test_a_preview_of_invalid_lines_is_refused(db, http):
    counter = Counter(db, http)
    assert refusal(counter.preview()) == (400, "COMMANDE_SANS_LIGNE")
    for line in (SHEET, SHIRT | {"tarif": None}):
        assert refusal(counter.preview(line)) == (400, "LIGNE_SELON_LE_MODE")


def test_a_deposit_draws_units_and_the_client_owes_only_the_rest(db, http):
    counter = Counter(db, http)
    answer = ok(counter.deposit(SHIRT, SUIT), 201)
    order = answer["commande"]
    assert (order["montant_total"], order["montant_couvert"], order["reste_a_payer"], answer["facture"]) == (
        "4501.50", "1501.50", "3000.00", None,
    )  # fmt: skip
    assert [line["couvert"] for line in order["lignes"]] == ["3.00", "0.00"]
    detail = counter.user.get(f"/abonnement/souscriptions/{counter.subscription}").json()
    [movement] = detail["mouvements"]
    assert (movement["quantite"], movement["id_commande_pressing"], movement["numero_commande_pressing"]) == (
        "-3", order["id_commande"], order["numero_commande"],
    )  # fmt: skip
    assert (detail["prestation_libelle"], detail["solde"]) == ("Lavage", "2")
    preview = counter.user.get(f"/pressing/commandes/{order['id_commande']}/apercu-abonnement").json()
    assert (preview["total_du"], preview["lignes"][0]["couvert"], preview["excedent"]) == ("3000.00", 3, False)
    assert refusal(counter.pick_up(order, solde="2999")) == (409, "SOLDE_INCOMPLET")
    paid = ok(counter.pick_up(order, solde="3000"))
    assert (paid["facture"]["montant_total"], paid["commande"]["reste_a_payer"]) == ("3000.00", "0.00")
    invoice = counter.user.get(f"/facturation/factures/{paid['facture']['id_facture']}").json()
    assert [line["libelle"] for line in invoice["lignes"]] == ["Costume : Nettoyage à sec"]
    assert db.all("select * from jobs._controler()") == []


@pytest.mark.parametrize("body", [{}, {"solde": "0"}])
def test_an_order_that_subscriptions_pay_is_picked_up_without_payment(db, http, body):
    counter = Counter(db, http)
    order = counter.order(SHIRT)
    assert (order["reste_a_payer"], order["id_facture"]) == ("0.00", None)
    assert refusal(counter.pick_up(order, solde="1")) == (409, "SURPAIEMENT")
    answer = ok(counter.pick_up(order, **body))
    assert (answer["commande"]["statut"], answer["facture"]) == ("RETIRE", None)
    assert "Abonnement" in counter.user.get(f"/pressing/commandes/{order['id_commande']}/recu").text
    assert db.all("select * from facturation.facture where source_type = 'COMMANDE_PRESSING'") == []


def test_a_deposit_beyond_the_quota_is_refused_until_the_excess_is_accepted(db, http):
    counter = Counter(db, http, quota="3.5", unite="KG")
    beyond = counter.deposit(SHEET)
    assert refusal(beyond) == (409, "ABONNEMENT_EXCEDENT")
    assert beyond.json()["details"] == {"excedent": "0.885", "unite": "KG"}
    assert counter.balance() == "3.500"
    too_much = {"montant": "1372.01", "id_moyen": str(builders.moyen(db))}
    assert counter.deposit(SHEET, accepter_excedent=True, paiement=too_much).json()["code"] == "SURPAIEMENT"
    answer = ok(counter.deposit(SHEET, accepter_excedent=True, paiement=too_much | {"montant": "1372"}), 201)
    assert (answer["facture"]["statut"], answer["facture"]["montant_total"]) == ("PAYEE", "1372.00")
    assert (answer["commande"]["reste_a_payer"], counter.balance()) == ("0.00", "0.000")
    invoice = counter.user.get(f"/facturation/factures/{answer['facture']['id_facture']}").json()
    assert "0,885 kg" in invoice["lignes"][0]["libelle"]


@pytest.mark.parametrize(("offer", "line", "fields", "covered", "balance"), [
    ({"unite": "KG"}, {}, {"mode_tarification": "UNITAIRE"}, "0.00", "5.000"),
    ({}, {"prestation": "lavage"}, {}, "0.00", "5"),
    ({}, {"prestation": "Lavage "}, {}, "0.00", "5"),
    ({}, {"prestation": "Lavage et repassage"}, {}, "0.00", "5"),
    ({}, {}, {"utiliser_abonnement": False}, "0.00", "5"),
    ({"max_par_jour": "2"}, {}, {"accepter_excedent": True}, "1001.00", "3"),
])  # fmt: skip
def test_unit_label_request_and_limit_of_a_day_decide_what_is_covered(db, http, offer, line, fields, covered, balance):
    counter = Counter(db, http, **offer)
    order = counter.order(SHIRT | line, **fields)
    left = Decimal("1501.50") - Decimal(covered)
    assert (order["montant_couvert"], order["reste_a_payer"], counter.balance()) == (covered, str(left), balance)


def test_a_cancelled_order_gives_back_exactly_what_it_took(db, http):
    counter = Counter(db, http)
    answer = counter.user.post(f"/pressing/commandes/{counter.order(SHIRT)['id_commande']}/annuler")
    assert (answer.status_code, answer.json()["reste_a_payer"], counter.balance()) == (200, "0.00", "5")
    assert db.all("select * from jobs._controler()") == []


def test_an_order_that_drew_units_keeps_its_lines_and_its_client(db, http):
    counter = Counter(db, http)
    path = f"/pressing/commandes/{counter.order(SHIRT)['id_commande']}"
    for change in ({"lignes": [SHIRT | {"quantite": 4}]}, {"id_client": str(builders.client(db))}):
        assert refusal(counter.user.patch(path, json=change)) == (409, "COMMANDE_COUVERTE")
    same = counter.user.patch(path, json={"lignes": [SHIRT], "date_retrait_prevue": "2030-01-31"})
    assert (same.status_code, same.json()["date_retrait_prevue"]) == (200, "2030-01-31")
    for statement in (
        "update pressing.commande_ligne set couvert = 0",
        "update pressing.commande_ligne set quantite = 9",
        "delete from pressing.commande_ligne",
    ):
        with refused("COMMANDE_COUVERTE", 409):
            db.execute(statement)
    assert counter.balance() == "2"


def test_an_offer_of_the_laundry_names_a_service_of_its_catalogue(db, http):
    counter = Counter(db, http)
    row = db.call("abonnement.offre_detail", id_offre=builders.offre(db, **counter.offer))
    assert (row["prestation_libelle"], str(row["id_prestation"])) == ("Lavage", counter.service)
    with refused("offre_prestation_inconnue", 422):
        builders.offre(db, **counter.offer | {"id_prestation": 987654})
    with refused("offre_couverture", 400):
        builders.offre(db, **counter.offer | {"id_prestation": None})


@EXAMPLES
@given(
    unite=st.sampled_from(["PIECE", "KG"]),
    quota=st.decimals(min_value="0.01", max_value="12", places=2),
    amounts=st.lists(st.decimals(min_value="0.01", max_value="9", places=2), min_size=1, max_size=3),
)
def test_the_covered_amount_and_the_rest_make_the_total(db, http, unite, quota, amounts):
    with db.connection.transaction(force_rollback=True):
        counter = Counter(db, http, quota=str(quota), unite=unite)
        key = "poids_kg" if unite == "KG" else "quantite"
        line = SHEET if unite == "KG" else SHIRT
        order = counter.order(*[line | {key: str(amount)} for amount in amounts], accepter_excedent=True)
        covered, rest = Decimal(order["montant_couvert"]), Decimal(order["reste_a_payer"])
        assert covered + rest == Decimal(order["montant_total"])
        drawn = sum(Decimal(row["couvert"]) for row in order["lignes"])
        assert drawn == min(quota, sum(amounts)) == quota - Decimal(counter.balance())
        invoice = counter.pick_up(order, solde=str(rest)).json()["facture"]
        assert Decimal(invoice["montant_total"] if invoice else 0) == rest
        assert (invoice is None) == (drawn == sum(amounts))
        assert db.all("select * from jobs._controler()") == []
