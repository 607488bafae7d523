"""A lot of operations: each is done once, for ever, or is an exception that stops nothing else."""

import uuid

import pytest

from tests import builders
from tests.conftest import ok, refusal, values_of
from tests.hors_ligne.appareil import count, inscribe, shop, states

PERSON = {"nom": "Exemple", "prenoms": "Awa", "tel_principal": "+2250700000001", "type_client": "PASSAGE"}


def test_a_sale_arrives_with_its_real_answer(device, db):
    product = builders.produit(db, "10", "750")
    made = device.sell(product, "750", "2")
    [answer] = device.send()
    assert values_of(answer, "sequence id etat statut") == ("1", made["id"], "ACCEPTEE", 201)
    assert answer["corps"]["vente"]["total"] == "1500.00" and answer["exception"] is None
    payment = db.one("select * from finances.paiement order by id_paiement desc limit 1")
    assert payment["id_caisse"] == int(device.till)


def test_an_operation_that_is_sent_again_has_the_bytes_of_the_first_time(device, db):
    device.sell(builders.produit(db, "10", "750"), "750")
    first = device.post(*device.queue)
    again = device.post(*device.queue)
    [[before], [after]] = [ok(answer)["operations"] for answer in (first, again)]
    assert (before.pop("etat"), after.pop("etat")) == ("ACCEPTEE", "CONNUE")
    assert first.content.replace(b"ACCEPTEE", b"CONNUE") == again.content and before == after
    assert count(db, "market.vente") == 1


def test_a_known_operation_keeps_its_answer_after_the_row_has_changed(device, db):
    made = device.sell(builders.produit(db, "10", "750"), "750")
    [first] = device.send()
    db.call("market.vente_annuler", id_vente=first["corps"]["vente"]["id_vente"], id_caisse=device.till)
    [again] = device.send(made)
    assert again == first | {"etat": "CONNUE"}


def test_the_same_identity_with_other_bytes_is_refused(device, db):
    made = device.sell(builders.produit(db, "10", "750"), "750")
    device.send()
    changed = made | {"corps": made["corps"] | {"remise": "1"}}
    assert refusal(device.post(changed)) == (409, "IDENTITE_DEJA_PRISE")
    assert refusal(device.post(made | {"sequence": "2"})) == (409, "IDENTITE_DEJA_PRISE")
    reordered = dict(reversed([*made.items()]))
    assert states(device.send(reordered)) == ["CONNUE"]


def test_a_hole_is_refused_with_the_number_expected_and_keeps_what_came_before(device, db):
    product = builders.produit(db, "10", "750")
    first, second, third = (device.sell(product, "750") for _ in range(3))
    answer = device.post(first, third)
    assert refusal(answer) == (409, "SEQUENCE_MANQUANTE")
    assert answer.json()["details"] == {"attendue": "2"}
    assert count(db, "market.vente") == 1
    assert states(device.send(first, second, third)) == ["CONNUE", "ACCEPTEE", "ACCEPTEE"]


def test_a_second_tab_is_refused_by_its_sequence(device, db):
    """Both tabs of one device give the number 1."""
    product = builders.produit(db, "10", "750")
    mine = device.sell(product, "750")
    device.send(mine)
    answer = device.post(mine | {"id": str(uuid.uuid4())})
    assert (*refusal(answer), answer.json()["details"]) == (409, "SEQUENCE_DEJA_PRISE", {"attendue": "2"})
    assert count(db, "market.vente") == 1


def test_an_operation_names_what_an_earlier_one_made(device, db):
    product = builders.produit(db, "10", "750")
    person = device.do("POST", "/client/clients", PERSON)
    sale = device.sell(product, "750")
    sale["corps"]["id_client"] = {"$ref": f"{person['id']}/id_client"}
    cancelled = device.do("POST", f"/market/ventes/{{{sale['id']}/vente/id_vente}}/annuler", {"motif": "Erreur"})
    made, sold, undone = device.send()
    assert states([made, sold, undone]) == ["ACCEPTEE"] * 3
    assert sold["corps"]["vente"]["id_client"] == made["corps"]["id_client"]
    assert undone["corps"]["statut"] == "ANNULEE" and undone["id"] == cancelled["id"]


def test_a_name_reaches_an_earlier_lot(device, db):
    person = device.do("POST", "/client/clients", PERSON)
    device.send(person)
    sale = device.sell(builders.produit(db, "10", "750"), "750")
    sale["corps"]["id_client"] = {"$ref": f"{person['id']}/id_client"}
    assert states(device.send(sale)) == ["ACCEPTEE"]


def test_an_exception_holds_back_only_what_names_it(device, db):
    product, gone = builders.produit(db, "10", "750"), builders.produit(db, "0", "500")
    sale = device.sell(gone, "500")
    device.do("POST", f"/market/ventes/{{{sale['id']}/vente/id_vente}}/annuler", {})
    device.sell(product, "750", refs=[sale["id"]])
    device.sell(product, "750")
    answers = device.send()
    assert states(answers) == ["EXCEPTION", "EXCEPTION", "EXCEPTION", "ACCEPTEE"]
    codes = [answer["exception"]["code"] for answer in answers[:3]]
    assert codes == ["STOCK_INSUFFISANT", "DEPEND_D_UNE_EXCEPTION", "DEPEND_D_UNE_EXCEPTION"]
    assert states(device.send()) == ["EXCEPTION", "EXCEPTION", "EXCEPTION", "CONNUE"]
    assert count(db, "market.vente") == 1


def test_an_exception_keeps_the_whole_operation(device, db):
    made = device.sell(builders.produit(db, "0", "500"), "500")
    [answer] = device.send()
    assert (answer["statut"], answer["corps"]) == (409, None)
    [kept] = ok(device.read("/exceptions"))
    expected = ("STOCK_INSUFFISANT", "OUVERTE", f"{device.prefix}-000001", "500.00")
    assert values_of(kept, "code statut ticket montant") == expected
    assert kept["operation"] == {name: made[name] for name in ("methode", "chemin", "instant", "corps", "ticket")}


@pytest.mark.parametrize(("method", "path", "body"), [
    ("GET", "/market/produits", None),
    ("POST", "/market/produits", {"nom": "Savon"}),
    ("DELETE", "/finances/depenses/1", None),
    ("POST", "/n/existe/pas", {}),
    ("POST", "/auth/cles", {}),
    ("POST", "/finances/caisses/1/fermer", {}),
    ("POST", "/repetition", {"appels": []}),
    ("POST", "", {}),
])  # fmt: skip
def test_an_operation_that_no_till_does_offline_is_an_exception(device, db, method, path, body):
    device.do(method, path, body)
    device.sell(builders.produit(db, "10", "750"), "750")
    refused, sold = device.send()
    assert (refused["etat"], sold["etat"]) == ("EXCEPTION", "ACCEPTEE")
    assert refused["exception"]["code"] == "HORS_LIGNE_IMPOSSIBLE"


@pytest.mark.parametrize(("changed", "code"), [
    ({"corps": {"lignes": "x"}}, "VALIDATION_ERROR"),
    ({"corps": [1]}, "VALIDATION_ERROR"),
    ({"corps": None}, "VALIDATION_ERROR"),
    ({"corps": {"id_client": {"$ref": "0/id_client"}}}, "VALIDATION_ERROR"),
    ({"corps": {"id_client": {"$ref": f"{uuid.UUID(int=7)}/id_client"}}}, "REFERENCE_SANS_VALEUR"),
    ({"refs": [str(uuid.UUID(int=7))]}, "REFERENCE_SANS_VALEUR"),
    ({"refs": ["x"]}, "REFERENCE_INVALIDE"),
    ({"refs": 7}, "REFERENCE_INVALIDE"),
    ({"instant": None}, "INSTANT_INVALIDE"),
    ({"instant": "hier"}, "INSTANT_INVALIDE"),
    ({"instant": "2026-01-01T10:00:00"}, "INSTANT_INVALIDE"),
    ({"ticket": {"numero": "C999999-000001"}}, "TICKET_INVALIDE"),
    ({"ticket": {"numero": "9" * 100_000}}, "TICKET_INVALIDE"),
    ({"ticket": {"numero": "C1-\0"}}, "TICKET_INVALIDE"),
    ({"corps": {"remise": "\0"}}, "VALIDATION_ERROR"),
    ({"corps": dict.fromkeys(map(str, range(2000)), 1)}, "VALIDATION_ERROR"),
    ({"chemin": "/api/v1/\0"}, "HORS_LIGNE_IMPOSSIBLE"),
    ({"chemin": 7}, "HORS_LIGNE_IMPOSSIBLE"),
    ({"methode": {"a": 1}}, "HORS_LIGNE_IMPOSSIBLE"),
    ({"instant": 7}, "INSTANT_INVALIDE"),
    ({"monnaie": "EUR"}, "VALIDATION_ERROR"),
    ({"\0": "EUR"}, "VALIDATION_ERROR"),
    ({"corps": {"\0": 1}}, "VALIDATION_ERROR"),
    ({"chemin": f"/api/v1/market/ventes/{{{'-' * 36}/id}}/annuler"}, "HORS_LIGNE_IMPOSSIBLE"),
])  # fmt: skip
def test_a_malformed_operation_is_an_exception_and_stops_nothing(device, db, changed, code):
    product = builders.produit(db, "10", "750")
    device.sell(product, "750").update(changed)
    device.sell(product, "750")
    refused, sold = device.send()
    assert (refused["etat"], refused["exception"]["code"], sold["etat"]) == ("EXCEPTION", code, "ACCEPTEE")
    assert states(device.send()) == ["EXCEPTION", "CONNUE"]


def test_a_ticket_of_any_shape_stops_nothing(device, db):
    product = builders.produit(db, "10", "750")
    for ticket in (None, 7, [], {"version": "x"}, {"montant": {"a": 1}}, {"version": "-3", "montant": "1e99"}):
        device.sell(product, "750", ticket=ticket)
    assert states(device.send()) == ["ACCEPTEE"] * 6


def test_half_of_a_character_stops_nothing(device, db):
    product = builders.produit(db, "10", "750")
    for name in ("Ama \ud83d", "\ude00 Ama", "Ama \U0001f600"):
        device.do("POST", "/client/clients", builders.CLIENT | {"profession": name})
    device.sell(product, "750")
    assert states(device.send()) == ["ACCEPTEE"] * 4
    rows = db.all("select profession from client.client order by id_client desc limit 3")
    assert [row["profession"] for row in rows] == ["Ama \U0001f600", "\ufffd Ama", "Ama \ufffd"]


def test_a_text_that_spells_a_code_of_a_character_arrives_as_it_was_typed(device, db):
    product = builders.produit(db, "10", "750")
    for name in (r"Ama \ud83d", "Ama \\ud83d\ude00", "\\\ud83d Ama"):
        device.do("POST", "/client/clients", builders.CLIENT | {"profession": name})
    device.sell(product, "750")
    assert states(device.send()) == ["ACCEPTEE"] * 4
    rows = db.all("select profession from client.client order by id_client desc limit 3")
    assert [row["profession"] for row in rows] == ["\\\ufffd Ama", "Ama \\ud83d\ufffd", r"Ama \ud83d"]


@pytest.mark.parametrize("amount", ["999999999999.995", "-999999999999.999999"])
def test_an_amount_that_rounds_to_too_many_digits_stops_nothing(device, db, amount):
    product = builders.produit(db, "10", "750")
    device.do("POST", "/client/clients", {"nom": "A"}, ticket={"montant": amount})
    device.sell(product, "750")
    assert states(device.send()) == ["EXCEPTION", "ACCEPTEE"]


def test_a_device_cancels_only_what_it_made(device, http, db):
    product = builders.produit(db, "10", "750")
    other = inscribe(http.as_admin(), device.till)
    theirs = other.sell(product, "750")
    person = device.do("POST", "/client/clients", PERSON)
    [sold], _ = other.send(), device.send()
    device.do("POST", f"/market/ventes/{sold['corps']['vente']['id_vente']}/annuler", {})
    device.do("POST", f"/market/ventes/{{{theirs['id']}/vente/id_vente}}/annuler", {})
    device.do("POST", f"/market/ventes/{{{person['id']}/id_client}}/annuler", {})
    codes = [answer["exception"]["code"] for answer in device.send()[1:]]
    assert codes == ["HORS_LIGNE_IMPOSSIBLE"] * 3


def test_an_operation_needs_the_permission_of_its_route(http, db):
    till = shop(db)
    user = builders.porteur(db, "FINANCES.CREER", "FINANCES.VOIR", "MARCHANDISE.VOIR")
    device = inscribe(http.as_user(user), till)
    device.sell(builders.produit(db, "10", "750"), "750")
    [answer] = device.send()
    assert (answer["statut"], answer["exception"]["code"]) == (403, "FORBIDDEN")


def test_a_lot_has_200_operations_at_most_and_may_have_none(device):
    made = device.do("POST", "/client/clients", PERSON)
    assert device.post().status_code == 200
    assert refusal(device.post(*[made] * 201)) == (400, "VALIDATION_ERROR")


def test_the_ticket_is_on_the_invoice_and_finds_it(device, http, db):
    device.sell(builders.produit(db, "10", "750"), "750")
    [answer] = device.send()
    invoices = ok(http.as_admin().get("/facturation/factures", params={"recherche": f"{device.prefix}-000001"}))
    assert [invoice["numero"] for invoice in invoices] == [answer["corps"]["numero"]]
    assert invoices[0]["ticket"] == f"{device.prefix}-000001"


def test_the_restaurant_and_the_laundry_work_offline(http, db):
    admin = http.as_admin()
    table = inscribe(admin, builders.caisse(db, activite_code="RESTAURATION"))
    dish = builders.plat(db, "3500")
    line = [{"id_plat": str(dish), "quantite": "1"}]
    paid = {"montant": "3500", "id_moyen": "1"}
    order = table.do("POST", "/restaurant/commandes", {"type": "SUR_PLACE", "lignes": line, "paiement": paid})
    place = f"/restaurant/commandes/{{{order['id']}/commande/id_commande}}"
    table.do("POST", f"{place}/statut", {"statut": "EN_PREPARATION"})
    table.do("POST", f"{place}/statut", {"statut": "SERVIE"})
    assert states(table.send()) == ["ACCEPTEE"] * 3
    linen = inscribe(admin, builders.caisse(db))
    person = linen.do("POST", "/client/clients", PERSON)
    left = linen.do("POST", "/pressing/commandes", {
        "id_client": {"$ref": f"{person['id']}/id_client"},
        "lignes": [{"type_vetement": "Chemise", "quantite": "2", "prestation": "Lavage", "tarif": "500"}],
        "paiement": {"montant": "400", "id_moyen": "1"},
    })  # fmt: skip
    place = f"/pressing/commandes/{{{left['id']}/commande/id_commande}}"
    linen.do("POST", f"{place}/traitement")
    linen.do("POST", f"{place}/pret")
    linen.do("POST", f"{place}/retirer", {"solde": "600", "id_moyen": "1"})
    spent = {"montant": "150", "libelle": "Savon", "id_categorie_depense": str(builders.categorie_depense(db))}
    linen.do("POST", "/finances/depenses", spent)
    assert states(linen.send()) == ["ACCEPTEE"] * 6
