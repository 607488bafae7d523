"""The tax of an invoice: derived at its issue from the codes of what it bills, per line and per rate."""

from decimal import Decimal

from tests import builders
from tests.conftest import ok, refused


def rate(db, code="TVA", taux="18", **fields):
    fields = {"libelle": f"TVA {taux} %", "nature": "TAUX" if Decimal(taux) else "EXONERE", "du": "2020-01-01"} | fields
    return db.call("core.taxe_creer", code=code, taux=taux, **fields)


def setting(db, key, value):
    db.call("core.parametre_modifier", cle=key, valeur=value)


def bill(db, prix="11800", code="TVA", montant="0", **fields):
    """The invoice of a service that has this tax code."""
    service = builders.prestation(db, prix, code_taxe=code)
    return detail(db, builders.facture(db, id_prestation=service, montant=montant, **fields))


def detail(db, id_facture):
    return db.one("select to_jsonb(f) from facturation.facture_detail(%s) f", [id_facture])


def taxes(document):
    return [(t["code"], t["taux"], t["base"], t["montant"]) for t in document["taxes"]]


def test_without_a_code_an_invoice_has_no_tax(db, http):
    rate(db)
    invoice = http.as_admin().get(f"/facturation/factures/{builders.facture(db)}").json()
    assert (invoice["montant_ht"], invoice["montant_taxe"], invoice["taxes"]) == (invoice["montant_total"], "0.00", [])
    line = invoice["lignes"][0]
    assert (line["montant_ht"], line["montant_taxe"], line["code_taxe"]) == (line["total"], "0.00", None)
    assert db.one("select count(*) from facturation.facture_ligne_taxe") == 0


def test_a_price_includes_its_tax(db, http):
    rate(db)
    invoice = http.as_admin().get(f"/facturation/factures/{bill(db)['id_facture']}").json()
    amounts = ("montant_total", "montant_ht", "montant_taxe", "reste")
    assert [invoice[name] for name in amounts] == ["11800.00", "10000.00", "1800.00", "11800.00"]
    assert invoice["taxes"] == [{"code": "TVA", "taux": "18.00", "base": "10000.00", "montant": "1800.00"}]
    assert (invoice["lignes"][0]["montant_ht"], invoice["lignes"][0]["montant_taxe"]) == ("10000.00", "1800.00")


def test_a_price_without_tax_gets_it_on_top_when_the_setting_says_so(db):
    rate(db)
    setting(db, "TAXES_PRIX", "HT")
    invoice = bill(db, "10000", montant="11800")
    assert (invoice["montant_total"], invoice["montant_taxe"], invoice["statut"]) == (11800, 1800, "PAYEE")
    assert (invoice["lignes"][0]["total"], invoice["lignes"][0]["montant_ht"]) == (10000, 10000)
    with refused("SURPAIEMENT", 409):
        bill(db, "10000", montant="11801")


def test_the_setting_of_prices_changes_no_invoice_issued_before(db):
    rate(db)
    invoice = bill(db)
    setting(db, "TAXES_PRIX", "HT")
    written = "update facturation.facture set montant_total = 0, montant_taxe = 5 where id_facture = %s"
    db.execute(written, [invoice["id_facture"]])
    assert detail(db, invoice["id_facture"]) == invoice


def test_a_rate_of_zero_has_a_base_and_no_tax(db):
    for nature in ("EXONERE", "ZERO", "EXPORT"):
        rate(db, nature, "0", nature=nature)
        assert taxes(bill(db, "500", nature)) == [(nature, 0, 500, 0)]


def test_free_lines_take_the_code_of_their_service(db):
    rate(db)
    lines = [
        {"libelle": "Chaises", "quantite": 3, "prix_unitaire": "1000"},
        {"libelle": "Pose", "prix_unitaire": "540"},
    ]
    assert [line["montant_taxe"] for line in bill(db, lignes=lines)["lignes"]] == [458, 82]


def test_the_activity_gives_its_code_to_what_has_none(db, http):
    rate(db)
    rate(db, "TVA9", "9")
    activity = builders.activite(db)
    answer = http.as_admin().patch(f"/finances/activites/{activity}", json={"code_taxe": "TVA9"})
    assert (answer.status_code, answer.json()["code_taxe"]) == (200, "TVA9")
    assert [t[0] for t in taxes(bill(db, code=None))] == ["TVA9"]
    assert [t[0] for t in taxes(bill(db))] == ["TVA"]
    assert http.as_admin().patch("/finances/activites/987654", json={"code_taxe": None}).status_code == 404


def test_an_unknown_code_is_refused(db, http):
    admin = http.as_admin()
    paths = [
        ("/facturation/prestations", {"libelle": "Chaises", "prix": "1000"}),
        ("/market/produits", {"nom": "Savon", "prix_achat": "1", "prix_vente": "2"}),
        ("/restaurant/plats", {"nom": "Riz", "prix": "2"}),
        ("/pressing/catalogue/prestations", {"libelle": "Teinture"}),
        ("/salle-fete/catalogue/types-manifestation", {"libelle": "Baptême"}),
        ("/residence/logements", {"id_batiment": str(builders.batiment(db)), "type": "CHAMBRE", "tarif": "1"}),
    ]
    rate(db)
    for path, body in paths:
        unknown = admin.post(path, json=body | {"code_taxe": "INCONNUE"})
        assert (unknown.status_code, "TAXE_INCONNUE" in unknown.json()["code"]) == (422, True), unknown.text
        made = ok(admin.post(path, json=body | {"code_taxe": "TVA"}), 201)
        assert made["code_taxe"] == "TVA"
        keys = [value for key, value in made.items() if key.startswith("id_") and key != "id_batiment"]
        own = f"{path}/{keys[0]}"
        assert admin.get(own).json()["code_taxe"] == "TVA", own
        changed = admin.patch(own, json={"code_taxe": None})
        assert (changed.status_code, changed.json()["code_taxe"]) == (200, None), changed.text
    activity = f"/finances/activites/{builders.activite(db)}"
    assert admin.patch(activity, json={"code_taxe": "INCONNUE"}).status_code == 422


def test_the_rate_of_the_day_of_the_invoice_applies(db):
    rate(db, du="2020-01-01")
    today = db.today()
    before = bill(db)
    rate(db, taux="20", du=str(today))
    assert [t[1] for t in taxes(before) + taxes(bill(db))] == [18, 20]
    assert detail(db, before["id_facture"]) == before


def test_a_retired_code_taxes_nothing(db):
    rate(db, au="2020-12-31")
    invoice = bill(db)
    assert (invoice["montant_taxe"], invoice["taxes"], invoice["lignes"][0]["code_taxe"]) == (0, [], "TVA")


def test_an_organisation_that_is_not_registered_bills_no_tax(db):
    rate(db)
    db.call("core.regime_creer", regime="NON_ASSUJETTI", du="2020-01-01")
    assert bill(db)["montant_taxe"] == 0
    setting(db, "TAXES_PRIX", "HT")
    assert bill(db, "10000")["montant_total"] == 10000


def test_each_line_bears_its_share_of_the_discount(db):
    rate(db)
    rate(db, "TVA9", "9")
    lines = [{"libelle": "Un", "prix_unitaire": "1180"}, {"libelle": "Deux", "prix_unitaire": "590"}]
    invoice = bill(db, lignes=lines, remise="177")
    assert [(line["montant_ht"], line["montant_taxe"]) for line in invoice["lignes"]] == [(900, 162), (450, 81)]
    assert (invoice["montant_total"], invoice["montant_ht"], invoice["montant_taxe"]) == (1593, 1350, 243)


def line_taxes(db, *prices):
    lines = [{"libelle": str(n), "prix_unitaire": price} for n, price in enumerate(prices)]
    return [line["montant_taxe"] for line in bill(db, lignes=lines)["lignes"]]


def test_rounded_by_invoice_the_leftover_unit_goes_to_the_largest_line(db):
    rate(db)
    setting(db, "TAXES_ARRONDI", "FACTURE")
    # 15.41 + 15.56 + 15.41 = 46.37
    assert line_taxes(db, "101", "102", "101") == [15, 16, 15]
    # 1.37 + 1.37 + 1.53 = 4.27: two rounded down, one up
    assert line_taxes(db, "9", "9", "10") == [1, 1, 2]
    # 1.37 * 3 + 3.36 = 7.47, and 1 + 1 + 1 + 3 = 6
    assert line_taxes(db, "9", "9", "9", "22") == [1, 1, 1, 4]
    # 0.61 * 3 + 3.51 = 5.34, and 1 + 1 + 1 + 4 = 7: the unit too much comes off the largest lines, one each
    assert line_taxes(db, "4", "4", "4", "23") == [0, 1, 1, 3]


def test_the_tax_of_an_issued_invoice_never_changes(db):
    rate(db)
    bill(db)
    for statement in (
        "update facturation.facture_ligne_taxe set montant = 0",
        "update facturation.facture_ligne_taxe set base = 0",
        "update facturation.facture_ligne_taxe set id_taxe = id_taxe + 1",
        "delete from facturation.facture_ligne_taxe",
        "update facturation.facture set mode_prix = 'HT'",
        "insert into facturation.facture_ligne_taxe"
        " select id_ligne + 1, id_facture, id_taxe, 1, 1 from facturation.facture_ligne_taxe",
    ):
        with refused("FACTURE_EMISE", 409):
            db.execute(statement)
