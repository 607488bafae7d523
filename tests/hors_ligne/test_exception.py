"""A refused operation of a device is kept and announced; a person takes it up and signs, or abandons it."""

from datetime import timedelta

import pytest

from tests import builders
from tests.conftest import ok, refusal, values_of
from tests.hors_ligne.appareil import age

REASON = {"motif": "Stock saisi"}


def refuse(device, db, price="500", **fields):
    """A sale without stock, and its exception."""
    product = builders.produit(db, "0", price)
    device.update()
    made = device.sell(product, price, **fields)
    device.send(made)
    [kept, *_] = ok(device.read("/exceptions"))
    return product, kept


def act(http, device, kept, verb, body=REASON, **options):
    path = f"/finances/caisses/{device.till}/exceptions/{kept['id_exception']}/{verb}"
    return http.post(path, json=body, **options)


def supply(db, product, quantity="5"):
    db.execute("insert into market.mouvement_stock (id_produit, type, quantite) values (%s, 'ENTREE', %s)",
               [product, quantity])  # fmt: skip


def day(db, back):
    return db.one("select clock_timestamp()") - timedelta(days=back)


def count(db, till, counted, back=0):
    fields = {"montant_compte": counted, "id_caisse": till, "date": str(day(db, back).date())}
    return values_of(db.call("finances.tirage_creer", **fields), "montant_attendu montant_en_exception ecart")


def test_a_person_takes_up_an_exception_when_its_cause_is_mended(device, http, db):
    product, kept = refuse(device, db)
    admin = http.as_admin()
    assert refusal(act(admin, device, kept, "reprendre")) == (409, "STOCK_INSUFFISANT")
    supply(db, product)
    db.execute("update market.produit set prix_vente = 650 where id_produit = %s", [product])
    done = ok(act(admin, device, kept, "reprendre"))
    assert values_of(done, "statut motif corrections") == ("REPRISE", "Stock saisi", None)
    assert done["id_utilisateur"] and done["date_resolution"]
    invoice = ok(admin.get(f"/facturation/factures/{done['reponse']['facture']['id_facture']}"))
    assert values_of(invoice, "ticket montant_total statut") == (f"{device.prefix}-000001", "500.00", "PAYEE")
    payment = db.one("select * from finances.paiement order by id_paiement desc limit 1")
    assert (payment["id_caisse"], payment["date"].isoformat()) == (int(device.till), device.queue[0]["instant"])
    assert refusal(act(admin, device, kept, "reprendre")) == (409, "EXCEPTION_RESOLUE")
    assert [answer["etat"] for answer in device.send()] == ["EXCEPTION"]
    assert db.one("select count(*) from market.vente") == 1


def test_an_exception_is_taken_up_with_the_numbers_that_the_device_wrote(device, http, db):
    product = builders.produit(db, "0", "500")
    device.update()
    sale = {"lignes": [{"id_produit": str(product), "quantite": 1.5}], "paiement": {"montant": 750.0, "id_moyen": "1"}}
    device.send(device.do("POST", "/market/ventes", sale))
    [kept, *_] = ok(device.read("/exceptions"))
    supply(db, product)
    assert ok(act(http.as_admin(), device, kept, "reprendre"))["reponse"]["facture"]["montant_total"] == "750.00"


def test_a_person_corrects_the_product_the_quantity_and_the_day(device, http, db):
    product, kept = refuse(device, db)
    other = builders.produit(db, "5", "250")
    moment = db.one("select clock_timestamp()") - timedelta(days=1)
    body = {"lignes": [{"id_produit": str(other), "quantite": "2"}], "paiement": {"montant": "500", "id_moyen": "1"}}
    corrections = {"corps": body, "instant": moment.isoformat()}
    done = ok(act(http.as_admin(), device, kept, "reprendre", REASON | corrections))
    assert done["corrections"] == corrections and done["operation"]["corps"] != body
    assert done["reponse"]["vente"]["lignes"][0]["id_produit"] == str(other) != str(product)
    assert db.one("select date from market.vente") == moment


def test_a_repeated_resumption_has_one_effect(device, http, db):
    product, kept = refuse(device, db)
    supply(db, product)
    admin, key = http.as_admin(), {"Idempotency-Key": "reprise-1"}
    first, again = (act(admin, device, kept, "reprendre", headers=key) for _ in range(2))
    assert first.content == again.content and again.headers["Idempotency-Replayed"] == "true"
    assert db.one("select count(*) from market.vente") == 1


def test_an_operation_that_names_an_exception_is_taken_up_after_it(device, http, db):
    product = builders.produit(db, "0", "500")
    device.update()
    sale = device.sell(product, "500")
    device.do("POST", f"/market/ventes/{{{sale['id']}/vente/id_vente}}/annuler", {"motif": "Rendu"})
    device.send()
    cancelled, sold = ok(device.read("/exceptions"))
    admin = http.as_admin()
    assert refusal(act(admin, device, cancelled, "reprendre")) == (409, "DEPEND_D_UNE_EXCEPTION")
    supply(db, product)
    ok(act(admin, device, sold, "reprendre"))
    done = ok(act(admin, device, cancelled, "reprendre"))
    assert done["reponse"]["statut"] == "ANNULEE"
    device.sell(product, "500", refs=[sale["id"]])
    assert device.send()[-1]["etat"] == "ACCEPTEE"


def test_an_abandoned_exception_stays_with_its_reason_and_in_the_journal(device, http, db):
    _, kept = refuse(device, db)
    admin = http.as_admin()
    assert refusal(act(admin, device, kept, "abandonner", {})) == (400, "VALIDATION_ERROR")
    done = ok(act(admin, device, kept, "abandonner", {"motif": "Rendu au client"}))
    assert values_of(done, "statut motif") == ("ABANDONNEE", "Rendu au client")
    assert refusal(act(admin, device, kept, "reprendre")) == (409, "EXCEPTION_RESOLUE")
    entries = "select operation::text from audit.journal where entite = 'exception_caisse' order by id_trace"
    assert [row["operation"] for row in db.all(entries)] == ["INSERT", "UPDATE"]
    assert len(ok(device.read("/exceptions", params={"statut": "ABANDONNEE"}))) == 1
    assert ok(device.read("/exceptions", params={"statut": "OUVERTE"})) == []


def test_only_a_person_with_the_permission_of_the_operation_takes_it_up(device, http, db):
    product, kept = refuse(device, db)
    supply(db, product)
    clerk = http.as_user(builders.porteur(db, "FINANCES.VOIR", "FINANCES.MODIFIER"))
    assert refusal(act(clerk, device, kept, "reprendre")) == (403, "FORBIDDEN")
    assert refusal(act(http, device, kept, "reprendre", token=device.key)) == (403, "FORBIDDEN")
    elsewhere = http.as_user(builders.utilisateur(db, role="ADMINISTRATEUR", caisse=builders.caisse(db)))
    assert refusal(act(elsewhere, device, kept, "reprendre")) == (404, "NOT_FOUND")


def test_an_operation_that_no_till_does_offline_is_never_taken_up(device, http, db):
    """A person who trusts a list must not do what a stolen device wrote into it."""
    device.do("DELETE", "/restaurant/plats/1")
    device.send()
    [kept] = ok(device.read("/exceptions"))
    assert refusal(act(http.as_admin(), device, kept, "reprendre")) == (409, "HORS_LIGNE_IMPOSSIBLE")


def test_an_exception_is_an_event_and_a_notification(device, http, db):
    _, kept = refuse(device, db)
    admin = http.as_admin()
    [event] = ok(admin.get("/evenements", params={"types": "caisse.exception"}))
    assert (event["id_entite"], event["donnees"]["code"]) == (kept["id_exception"], "STOCK_INSUFFISANT")
    notice = db.one("select * from notification.notification where evenement = 'caisse.exception'")
    assert (notice["priorite"], notice["id_caisse"]) == ("HIGH", int(device.till))
    assert notice["donnees"]["id_exception"] == kept["id_exception"]


def test_the_count_expects_the_money_of_exceptions_and_says_so_apart(device, http, db):
    product = builders.produit(db, "9", "750")
    device.update()
    age(db)
    device.sell(product, "750", instant=day(db, 2))
    device.send()
    _, kept = refuse(device, db, instant=day(db, 2))
    assert count(db, device.till, "1250", 2) == (1250, 500, 0)
    assert count(db, device.till, "0", 1) == (0, 0, 0)
    ok(act(http.as_admin(), device, kept, "abandonner", {"motif": "Rendu au client"}))
    assert count(db, device.till, "0") == (-500, -500, 500)


def test_the_money_of_an_exception_that_is_taken_up_is_expected_once(device, http, db):
    product, kept = refuse(device, db, instant=day(db, 1))
    assert count(db, device.till, "500", 1) == (500, 500, 0)
    supply(db, product)
    admin = http.as_admin()
    assert refusal(act(admin, device, kept, "reprendre")) == (409, "JOUR_DEJA_COMPTE")
    ok(act(admin, device, kept, "reprendre", REASON | {"instant": day(db, 0).isoformat()}))
    assert count(db, device.till, "0") == (0, -500, 0)


@pytest.mark.parametrize(("body", "ticket", "expected"), [
    ({"montant": "120", "libelle": "Thé", "id_categorie_depense": "987654"}, {}, "-120.00"),
    ({"montant": "120", "libelle": "Thé", "id_categorie_depense": "987654"}, {"montant": "-100"}, "-100.00"),
    ({"montant": "x"}, {}, "0.00"),
    ({}, {"montant": "NaN"}, "0.00"),
])  # fmt: skip
def test_the_money_of_an_exception_is_what_the_ticket_says_or_the_body(device, db, body, ticket, expected):
    device.do("POST", "/finances/depenses", body, ticket=ticket)
    device.send()
    [kept] = ok(device.read("/exceptions"))
    assert kept["montant"] == expected


def test_money_from_the_credit_of_a_client_is_not_in_the_till(device, db):
    credit = db.one("select id_moyen from finances.moyen_paiement where credit")
    product = builders.produit(db, "0", "500")
    device.sell(product, "500")["corps"]["paiement"]["id_moyen"] = str(credit)
    device.send()
    [kept] = ok(device.read("/exceptions"))
    assert kept["montant"] == "0.00"
