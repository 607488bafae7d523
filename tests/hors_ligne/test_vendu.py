"""A sale of a device has the price, the tax and the moment that the device saw."""

from datetime import timedelta

from tests import builders
from tests.conftest import ok, values_of
from tests.hors_ligne.appareil import age, inscribe, shop


def moment(db, **back):
    return db.one("select clock_timestamp()") - timedelta(**back)


def code(answer):
    return answer["exception"] and answer["exception"]["code"]


def test_the_price_of_the_version_that_the_device_saw_is_charged(device, db):
    product = builders.produit(db, "10", "750")
    device.update()
    seen = device.version
    db.execute("update market.produit set prix_vente = 900 where id_produit = %s", [product])
    device.sell(product, "750")
    device.update()
    assert device.version > seen
    device.sell(product, "900")
    old, new = device.send()
    assert [answer["corps"]["vente"]["total"] for answer in (old, new)] == ["750.00", "900.00"]


def test_without_a_version_the_price_of_the_moment_is_charged(device, db):
    product = builders.produit(db, "10", "750")
    before = moment(db)
    db.execute("update market.produit set prix_vente = 900 where id_produit = %s", [product])
    device.sell(product, "750", instant=before, ticket={})
    device.sell(product, "900", ticket={})
    assert [answer["etat"] for answer in device.send()] == ["ACCEPTEE"] * 2


def test_a_version_later_than_the_moment_is_not_believed(device, db):
    product = builders.produit(db, "10", "750")
    before = moment(db)
    db.execute("update market.produit set prix_vente = 10 where id_produit = %s", [product])
    device.update()
    device.sell(product, "10", instant=before)
    [answer] = device.send()
    assert code(answer) == "PAIEMENT_DIFFERENT_DU_TOTAL"


def test_a_price_that_never_was_is_an_exception(device, db):
    product = builders.produit(db, "10", "750")
    device.update()
    device.sell(product, "700")
    [answer] = device.send()
    assert (answer["etat"], code(answer)) == ("EXCEPTION", "PAIEMENT_DIFFERENT_DU_TOTAL")


def test_the_tax_of_the_day_and_of_the_version_is_on_the_invoice(device, http, db):
    db.execute("insert into core.code_taxe values ('TVA'), ('TVA_REDUITE') on conflict do nothing")
    today = db.one("select core.aujourdhui()")
    for rate_code, rate, start in (("TVA", 18, 400), ("TVA_REDUITE", 9, 400), ("TVA", 20, 0)):
        db.execute("insert into core.taxe (code, libelle, taux, nature, du) values (%s, 'Essai', %s, 'TAUX', %s)"
                   " on conflict do nothing", [rate_code, rate, today - timedelta(days=start)])  # fmt: skip
    product = builders.produit(db, "10", "1180", code_taxe="TVA")
    device.update()
    db.execute("update market.produit set code_taxe = 'TVA_REDUITE' where id_produit = %s", [product])
    device.sell(product, "1180")
    [answer] = device.send()
    invoice = answer["corps"]["facture"]["id_facture"]
    taxes = (
        "select t.code from facturation.facture_ligne_taxe x join core.taxe t using (id_taxe) where x.id_facture = %s"
    )
    assert db.one(taxes, [invoice]) == "TVA"


def test_an_earlier_day_is_the_day_of_all_that_the_sale_writes(device, db):
    product = builders.produit(db, "10", "750")
    db.execute("update finances.version_fonds set depuis = '-infinity'")
    yesterday = moment(db, days=1)
    device.sell(product, "750", instant=yesterday)
    [answer] = device.send()
    assert answer["etat"] == "ACCEPTEE", answer
    dates = db.one(
        """select v.date as vente, f.date as facture, p.date as paiement, core.jour(f.date) = f.jour as jour
             from facturation.facture f join market.vente v on v.id_vente = f.source_id
             join finances.paiement p on p.id_facture = f.id_facture where f.id_facture = %s""",
        [answer["corps"]["facture"]["id_facture"]],
    )
    assert values_of(dates, "vente facture paiement jour") == (yesterday, yesterday, yesterday, True)


def test_a_counted_day_and_a_closed_month_are_exceptions(device, db):
    product = builders.produit(db, "10", "750")
    db.execute("update finances.version_fonds set depuis = '-infinity'")
    yesterday = moment(db, days=1)
    db.call("finances.tirage_creer", montant_compte="0", date=str(yesterday.date()), id_caisse=device.till)
    last_year = moment(db, days=400)
    age(db)
    device.sell(product, "750", instant=yesterday)
    device.sell(product, "750", instant=last_year)
    db.call("compta.periode_cloturer", periode=f"{last_year:%Y-%m}")
    assert [code(answer) for answer in device.send()] == ["JOUR_DEJA_COMPTE", "PERIODE_CLOTUREE"]


def test_a_clock_five_minutes_ahead_is_believed_and_more_is_an_exception(device, db):
    product = builders.produit(db, "10", "750")
    device.update()
    device.sell(product, "750", instant=moment(db, minutes=-4))
    device.sell(product, "750", instant=moment(db, minutes=-6))
    sold, refused = device.send()
    assert (sold["etat"], code(refused)) == ("ACCEPTEE", "HORLOGE_EN_AVANCE")
    assert db.one("select max(date) <= clock_timestamp() from finances.paiement")


def test_a_clock_set_back_to_before_the_inscription_of_its_device_is_an_exception(device, http, db):
    product = builders.produit(db, "10", "750")
    device.update()
    for instant in (moment(db, days=2), "1970-01-01T00:00:00Z", "0001-01-01T00:00:00Z"):
        device.sell(product, "750", instant=instant)
    assert [code(answer) for answer in device.send()] == ["HORLOGE_EN_RETARD"] * 3
    kept = device.read("/exceptions").json()[0]["id_exception"]
    body = {"motif": "Pile morte", "instant": str(moment(db, minutes=5))}
    ok(http.as_admin().post(f"/finances/caisses/{device.till}/exceptions/{kept}/reprendre", json=body))
    assert db.all("select jour from facturation.facture") == [{"jour": db.today()}]


def test_a_missing_row_makes_a_named_exception(device, http, db):
    empty, idle = builders.produit(db, "0", "750"), builders.produit(db, "5", "750")
    customer, product = builders.client(db), builders.produit(db, "5", "750")
    device.update()
    db.execute("update market.produit set actif = false where id_produit = %s", [idle])
    ok(http.as_admin().post(f"/client/clients/{customer}/anonymiser", json={"motif": "Demande"}))
    device.sell(empty, "750")
    device.sell(idle, "750")
    device.sell(product, "750")["corps"]["id_client"] = str(customer)
    device.sell(product, "750")["corps"]["id_client"] = "987654"
    codes = [code(answer) for answer in device.send()]
    assert codes == ["STOCK_INSUFFISANT", "PRODUIT_INACTIF", "CLIENT_EFFACE", "CLIENT_INCONNU"]
    table = inscribe(http.as_admin(), builders.caisse(db, activite_code="RESTAURATION"))
    dish = builders.plat(db, "3500", disponible=False)
    table.do("POST", "/restaurant/commandes", {
        "type": "SUR_PLACE", "lignes": [{"id_plat": str(dish), "quantite": "1"}],
        "paiement": {"montant": "3500", "id_moyen": "1"},
    })  # fmt: skip
    assert [code(answer) for answer in table.send()] == ["PLAT_INDISPONIBLE"]


def test_a_device_opens_its_till_at_its_own_moment(http, db):
    till = shop(db, ouverte=False)
    device = inscribe(http.as_admin(), till)
    product = builders.produit(db, "10", "750")
    device.update()
    opened, sold = moment(db, minutes=0), moment(db, minutes=0)
    device.do("POST", f"/finances/caisses/{till}/ouvrir", {"fond_initial": "5000"}, instant=opened)
    device.sell(product, "750", instant=sold)
    assert [answer["etat"] for answer in device.send()] == ["ACCEPTEE"] * 2
    period = db.one("select * from finances.periode_caisse where id_caisse = %s", [till])
    assert (period["ouverture"], period["fond_initial"]) == (opened, 5000)
