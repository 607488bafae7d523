"""Taxes: the rates of a code, which follow each other, the regime of the organisation, and the settings of both."""

from tests import builders
from tests.conftest import ok, refusal, refused


def rate(db, code="TVA", **fields):
    fields = {"libelle": "TVA normale", "taux": "18", "nature": "TAUX", "du": "2026-01-01"} | fields
    return db.call("core.taxe_creer", code=code, **fields)


def of_day(db, code, day):
    return db.one("select taux from core._taxe_du_jour(%s, %s)", [code, day])


def test_a_rate_is_created_read_and_listed(http):
    admin = http.as_admin()
    body = {"code": "TVA18", "libelle": "TVA normale", "taux": "18", "nature": "TAUX", "du": "2026-01-01"}
    made = ok(admin.post("/core/taxes", json=body), 201)
    assert made == body | {"id_taxe": made["id_taxe"], "taux": "18.00", "au": None}
    assert admin.get(f"/core/taxes/{made['id_taxe']}").json() == made
    assert made in admin.get("/core/taxes").json()


def test_only_the_label_of_a_rate_changes(db, http):
    path = f"/core/taxes/{rate(db)['id_taxe']}"
    admin = http.as_admin()
    assert admin.patch(path, json={"libelle": "TVA"}).json()["libelle"] == "TVA"
    assert admin.patch(path, json={"taux": "20"}).status_code == 400
    assert admin.patch("/core/taxes/987654", json={"libelle": "TVA"}).status_code == 404


def test_no_statement_rewrites_a_rate_or_a_regime(db):
    rate(db)
    db.call("core.regime_creer", regime="NON_ASSUJETTI", du="2020-01-01")
    for statement in (
        "update core.taxe set taux = 20", "update core.taxe set au = '2026-12-31'", "delete from core.taxe",
        "delete from core.code_taxe", "update core.regime set regime = 'ASSUJETTI'", "delete from core.regime",
    ):  # fmt: skip
        with refused("TAXE_FIGEE", 409):
            db.execute(statement)


def test_the_next_rate_of_a_code_ends_the_one_before(db):
    rate(db)
    rate(db, taux="20", du="2026-07-15")
    days = ("2025-12-31", "2026-01-01", "2026-07-14", "2026-07-15", "2030-01-01")
    assert [of_day(db, "TVA", day) for day in days] == [None, 18, 18, 20, 20]


def test_a_code_ends_with_its_last_day_and_may_begin_again(db):
    rate(db, au="2026-03-31")
    assert (of_day(db, "TVA", "2026-03-31"), of_day(db, "TVA", "2026-04-01")) == (18, None)
    rate(db, taux="9", du="2026-06-01")
    assert (of_day(db, "TVA", "2026-05-31"), of_day(db, "TVA", "2026-06-01")) == (None, 9)


def test_a_rate_that_overlaps_one_of_its_code_is_refused(db):
    rate(db, au="2026-03-31")
    for du in ("2025-06-01", "2026-01-01", "2026-03-31"):
        with refused("TAXE_CHEVAUCHEE", 409):
            rate(db, taux="20", du=du)
    rate(db, "TVA9", taux="9", du=du)


def test_an_impossible_rate_is_refused_and_each_kind_accepted(db):
    for rule, fields in (
        ("taux_taxe_positif", {"taux": "-1"}),
        ("taux_taxe_maximal", {"taux": "100.01"}),
        ("taxe_taux_de_sa_nature", {"taux": "0"}),
        ("taxe_taux_de_sa_nature", {"nature": "EXONERE"}),
        ("taxe_taux_de_sa_nature", {"nature": "EXPORT"}),
        ("taxe_jours_ordonnes", {"au": "2025-12-31"}),
    ):
        with refused(rule, 400):
            rate(db, **fields)
    for nature, taux in (("TAUX", "100"), ("EXONERE", "0"), ("ZERO", "0"), ("EXPORT", "0")):
        assert rate(db, nature, nature=nature, taux=taux)["nature"] == nature


def test_the_regime_counts_from_its_day(db, http):
    admin = http.as_admin()
    assert admin.get("/core/regimes").json() == []
    made = admin.post("/core/regimes", json={"regime": "NON_ASSUJETTI", "du": "2026-03-01"})
    assert (made.status_code, made.json()) == (201, {"regime": "NON_ASSUJETTI", "du": "2026-03-01"})
    db.call("core.regime_creer", regime="ASSUJETTI", du="2026-05-01")
    days = ("2026-02-28", "2026-03-01", "2026-04-30", "2026-05-01")
    assert [db.one("select core._assujetti(%s)", [day]) for day in days] == [True, False, False, True]
    assert [row["du"] for row in admin.get("/core/regimes").json()] == ["2026-05-01", "2026-03-01"]
    again = admin.post("/core/regimes", json={"regime": "ASSUJETTI", "du": "2026-05-01"})
    assert (again.status_code, again.json()["code"]) == (409, "REGIME_EXISTANT")


def test_a_tax_setting_accepts_only_its_values(db):
    for key, good, bad in (
        ("TAXES_PRIX", "HT", "ht"),
        ("TAXES_ARRONDI", "FACTURE", "TOTAL"),
        ("TAXES_DUES", "ENCAISSEMENT", ""),
        ("NUMERO_CONTRIBUABLE_MOTIF", "^[0-9]{7}[A-Z]$", "([0-9]"),
    ):
        db.call("core.parametre_modifier", cle=key, valeur=good)
        with refused(f"{key}_INVALIDE", 400):
            db.call("core.parametre_modifier", cle=key, valeur=bad)


def test_a_taxpayer_number_has_the_form_that_the_setting_asks(db, http):
    client = builders.client(db, numero_contribuable="n'importe quoi")
    db.call("core.parametre_modifier", cle="NUMERO_CONTRIBUABLE_MOTIF", valeur="^[0-9]{7}[A-Z]$")
    admin = http.as_admin()
    path = f"/client/clients/{client}"
    assert admin.patch(path, json={"ville": "Bouaké"}).status_code == 200  # the number stays as it was accepted
    assert admin.patch(path, json={"numero_contribuable": "1234567A"}).json()["numero_contribuable"] == "1234567A"
    assert refusal(admin.patch(path, json={"numero_contribuable": "12-A"})) == (400, "NUMERO_CONTRIBUABLE_INVALIDE")
    assert admin.patch(path, json={"numero_contribuable": None}).json()["numero_contribuable"] is None
    body = {"nom": "Exemple", "prenoms": "Awa", "tel_principal": "+2250700000000", "type_client": "PASSAGE"}
    assert admin.post("/client/clients", json=body | {"numero_contribuable": "x"}).status_code == 400
    made = admin.post("/client/clients", json=body | {"numero_contribuable": "7654321B"})
    assert (made.status_code, made.json()["numero_contribuable"]) == (201, "7654321B")
    with refused("NUMERO_CONTRIBUABLE_INVALIDE", 400):
        db.call("core.parametre_modifier", cle="NUMERO_CONTRIBUABLE", valeur="12-A")
    db.call("core.parametre_modifier", cle="NUMERO_CONTRIBUABLE", valeur="1234567A")
    db.call("core.parametre_modifier", cle="NUMERO_CONTRIBUABLE", valeur="")
