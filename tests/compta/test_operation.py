"""Entries of the accountant: balanced, numbered, never changed, cancelled by a contrary one."""

import pytest

from tests import builders, livre
from tests.conftest import refused

SALE = ({"compte": "5211", "debit": "5000"}, {"compte": "771", "credit": "5000"})


def line(compte, debit=None, credit=None):
    return {"compte": compte} | ({"debit": debit} if debit else {"credit": credit})


def record(db, *lines, date="2020-03-31", **fields):
    made = {"date": date, "libelle": "Intérêts"} | fields
    return db.call("compta.operation_creer", **made, lignes=list(lines or SALE))


def ledger(http, month="2020-03"):
    rows = http.as_admin().get("/compta/ecritures", params={"periode": month}).json()
    return [(r["journal"], r["piece"], r["compte"], r["libelle"], r["debit"], r["credit"]) for r in rows]


def test_an_entry_has_a_number_without_gaps_and_its_lines_in_the_ledger(http, db):
    admin = http.as_admin()
    lines = [
        {"compte": "681", "debit": "1200", "libelle": "Camion"},
        line("2845", credit="1000"),
        line("2844", credit="200"),
    ]
    body = {"date": "2020-03-31", "libelle": "Dotations", "lignes": lines}
    answer = admin.post("/compta/operations", json=body)
    made = answer.json()
    year = db.today().year
    assert answer.status_code == 201 and made["numero"].endswith(f"-OPE-{year}-001")
    assert (made["date"], made["montant"], made["ouverture"], made["id_operation_contraire"]) == (
        "2020-03-31",
        "1200.00",
        False,
        None,
    )
    names = [(one["compte"], one["intitule"], one["libelle"], one["debit"], one["credit"]) for one in made["lignes"]]
    assert names[0] == ("681", names[0][1], "Camion", "1200.00", None) and names[1][0] == "2845" and names[1][1]
    assert admin.get(f"/compta/operations/{made['id_operation']}").json() == made
    assert ledger(http) == [
        ("OD", made["numero"], "681", "Camion", "1200.00", None),
        ("OD", made["numero"], "2845", "Dotations", None, "1000.00"),
        ("OD", made["numero"], "2844", "Dotations", None, "200.00"),
    ]
    assert record(db)["numero"].endswith(f"-OPE-{year}-002")
    listed = admin.get("/compta/operations", params={"recherche": "dotat", "au": "2020-12-31"}).json()
    assert listed == [{name: made[name] for name in listed[0]}]
    assert livre.wrong(db) == []


@pytest.mark.parametrize(
    "lines, rule",
    [
        ((line("5211", "5000"), line("771", credit="4999.99")), "OPERATION_DESEQUILIBREE"),
        ((line("5211", "5000"),), "OPERATION_DESEQUILIBREE"),
        ((line("5211", "5000"), line("90", credit="5000")), "COMPTE_INCONNU"),
        (({"compte": "5211", "debit": "5", "credit": "5"}, line("771", credit="5")), "operation_ligne_un_sens"),
        (({"compte": "5211", "debit": "0"}, line("771", credit="5")), "operation_ligne_un_sens"),
        (({"compte": "5211"}, line("771", credit="5")), "operation_ligne_un_sens"),
    ],
)
def test_an_entry_that_is_not_balanced_or_not_of_the_chart_is_refused_and_takes_no_number(db, lines, rule):
    with refused(rule):
        record(db, *lines)
    with refused("OPERATION_VIDE", 400):
        db.call("compta.operation_creer", date="2020-03-31", libelle="Vide", lignes=[])
    assert db.one("select count(*) from compta.operation") == 0
    assert record(db)["numero"].endswith("-001")


def test_an_entry_of_tomorrow_or_of_a_closed_month_is_refused_by_name(db):
    with refused("DATE_FUTURE", 400):
        record(db, date=str(db.one("select core.aujourdhui() + 1")))
    db.call("compta.periode_cloturer", periode="2020-03")
    with refused("PERIODE_CLOTUREE", 409) as refusal:
        record(db)
    assert "03/2020" in refusal["message"]
    record(db, date="2020-04-01")


def test_a_contrary_entry_cancels_once_on_the_same_day_while_its_month_is_open(http, db):
    key = record(db)["id_operation"]
    admin = http.as_admin()
    answer = admin.post(f"/compta/operations/{key}/annuler", json={"motif": "En double"}).json()
    back = answer["contraire"]
    assert answer["operation"]["id_operation_contraire"] == back["id_operation"]
    assert (back["date"], back["motif"], back["id_operation_origine"]) == ("2020-03-31", "En double", str(key))
    lines = [(one["compte"], one["debit"], one["credit"]) for one in back["lignes"]]
    assert lines == [("5211", None, "5000.00"), ("771", "5000.00", None)]
    for target, rule in ((key, "operation_deja_annulee"), (back["id_operation"], "OPERATION_NON_ANNULABLE")):
        with refused(rule, 409):
            db.call("compta.operation_annuler", id_operation=target)
    assert len(ledger(http)) == 4 and livre.wrong(db) == []


def test_a_contrary_entry_of_a_closed_month_is_of_today(http, db):
    key = record(db)["id_operation"]
    db.call("compta.periode_cloturer", periode="2020-03")
    back = http.as_admin().post(f"/compta/operations/{key}/annuler").json()["contraire"]
    assert back["date"] == str(db.today()) and livre.wrong(db) == []


@pytest.mark.parametrize("table", ["operation", "operation_ligne"])
def test_an_entry_never_changes_even_for_the_owner(db, table):
    record(db)
    for statement in (f"update compta.{table} set libelle = 'x'", f"delete from compta.{table}"):
        with refused("OPERATION_FIGEE", 409):
            db.execute(statement)


def test_a_user_of_one_activity_or_till_neither_sees_nor_writes_the_entries_of_the_house(http, db):
    key = record(db)["id_operation"]
    for limited in ({"caisse": builders.caisse(db)}, {"activite": builders.activite(db)}):
        client = http.as_user(builders.utilisateur(db, role="DIRIGEANT", **limited))
        assert client.get("/compta/operations").json() == []
        assert client.get(f"/compta/operations/{key}").status_code == 404
        path = "/compta/operations" if "caisse" in limited else "/compta/a-nouveaux"
        body = {"date": "2020-03-31", "libelle": "x", "lignes": list(SALE)}
        assert client.post(path, json=body).status_code == 404
    assert db.one("select count(*) from compta.operation") == 1


@pytest.mark.parametrize(
    "path",
    [
        "ecritures?periode=2020-03",
        "ecritures?periode=2020-03&compte=5211",
        "grand-livre?compte=5211&du=2020-03-01&au=2020-03-31",
    ],
)
def test_a_page_of_the_ledger_goes_on_inside_a_long_entry(http, db, path):
    lines = [line("5211", str(n)) for n in range(1, 1251)]
    record(db, *lines, line("771", credit=str(sum(range(1, 1251)))))
    record(db)
    rows, target = [], f"/compta/{path}&limit=1000"
    while target:
        answer = http.as_admin().get(target.replace("/api/v1", ""))
        rows += answer.json()
        target = answer.links.get("next", {}).get("url")
    debits = [r["debit"] for r in rows if r["debit"]]
    assert debits == [*(f"{n}.00" for n in range(1, 1251)), "5000.00"] and len({r["id_ligne"] for r in rows}) == len(
        rows
    )


def test_an_entry_of_an_activity_is_in_its_reports_and_seen_by_its_users(http, db):
    pressing, shop = builders.activite(db, "PRESSING"), builders.activite(db, "VENTE_MARCHANDISES")
    made = record(db, line("681", "700"), line("2845", credit="700"), id_activite=pressing)
    assert made["id_activite"] == pressing
    record(db, line("681", "50"), line("2845", credit="50"))
    year = {"du": "2020-01-01", "au": "2020-12-31"}
    admin = http.as_admin()

    def net(**fields):
        rows = admin.get("/compta/resultat", params=year | fields).json()
        return next(row["montant"] for row in rows if row["code"] == "XI")

    assert (net(), net(id_activite=pressing), net(id_activite=shop)) == ("-750.00", "-700.00", "0.00")
    rights = ("COMPTA.VOIR", "COMPTA.CREER", "COMPTA.SUPPRIMER")
    mine, other = (http.as_user(builders.porteur(db, *rights, activite=one)) for one in (pressing, shop))
    assert [row["montant"] for row in mine.get("/compta/operations").json()] == ["700.00"]
    assert other.get("/compta/operations").json() == []
    path = f"/compta/operations/{made['id_operation']}"
    assert other.post(f"{path}/annuler").status_code == 404
    # The entries of a user of an activity are of it.
    body = {"date": "2020-03-31", "libelle": "Loyer", "lignes": [line("622", "9"), line("521", credit="9")]}
    answer = mine.post("/compta/operations", json=body)
    assert (answer.status_code, answer.json()["id_activite"]) == (201, str(pressing))
    assert mine.post("/compta/operations", json=body | {"id_activite": str(shop)}).status_code == 404
    answer = mine.post(f"{path}/annuler").json()
    assert answer["contraire"]["id_activite"] == str(pressing) and net(id_activite=pressing) == "-9.00"
    with refused("OPERATION_ACTIVITE_INCONNUE", 422):
        record(db, id_activite=987654321)
    assert livre.wrong(db) == []
