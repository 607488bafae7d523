"""A transfer takes money from one place and brings it to another, in one row, under the rules of the tills."""

from datetime import timedelta

import pytest

from tests import builders, livre
from tests.conftest import refused
from tests.tresorerie.argent import caisse, compte, en_caisse, solde, virer

PRESSING, RESTAURATION = 2, 3


@pytest.fixture
def banque(db):
    return compte(db, "Virement", genre="BANQUE", libelle="Banque")


def annuler(db, transfer, **fields):
    return db.call("tresorerie.virement_annuler", id_virement=transfer["id_virement"], **fields)


def expected(db, till):
    return float(db.call("finances.tirage_creer", montant_compte="0", id_caisse=till)["montant_attendu"])


def test_the_deposit_of_the_evening_is_one_call(http, db, banque):
    till = caisse(db, "1000")
    admin = http.as_admin()
    body = {"de": {"id_caisse": str(till)}, "vers": {"id_compte": str(banque)}, "montant": "900", "frais": "10",
            "reference": "Bordereau 7"}  # fmt: skip
    made = admin.post("/tresorerie/virements", json=body)
    assert made.status_code == 201, made.text
    row = made.json()
    year = db.today().year
    assert row["numero"].endswith(f"VIR-{year}-001")
    assert (row["montant"], row["frais"], row["reference"]) == ("900.00", "10.00", "Bordereau 7")
    assert row["de"]["id_caisse"] == str(till) and row["de"]["id_compte"] is None
    assert row["vers"] == {"id_caisse": None, "id_compte": str(banque), "libelle": "Banque"}
    assert (row["id_virement_origine"], row["id_virement_contraire"]) == (None, None)
    assert admin.get(f"/tresorerie/virements/{row['id_virement']}").json() == row
    assert (en_caisse(db, till), solde(db, banque)) == (90, 900)
    assert admin.get(f"/finances/caisses/{till}/dashboard").json()["solde"] == 90
    assert expected(db, till) == 90


def test_money_moves_between_tills_and_back_from_an_account(db, banque):
    first, second = caisse(db, "100"), caisse(db, "0")
    virer(db, {"id_caisse": first}, {"id_caisse": second}, "60")
    virer(db, {"id_compte": banque}, {"id_caisse": second}, "25", frais="5")
    assert (en_caisse(db, first), en_caisse(db, second), solde(db, banque)) == (40, 85, -30)
    assert expected(db, second) == 85


def test_an_invalid_transfer_is_refused_and_leaves_no_trace(db, banque):
    till, closed, off = caisse(db), caisse(db, "0", ouverte=False), caisse(db, "0", actif=False)
    here, there = {"id_caisse": till}, {"id_compte": banque}
    inactive = compte(db, actif=False)
    names = "select nom from core.declaration where objet = 'tresorerie.virement_creer' and genre = 'REFUS'"
    declared = {row["nom"] for row in db.all(names)}
    for rule, status, de, vers, fields in (
        ("MONTANT_STRICTEMENT_POSITIF", 400, here, there, {"montant": "0"}),
        ("MONTANT_STRICTEMENT_POSITIF", 400, here, there, {"montant": "-1"}),
        ("MONTANT_TROP_GRAND", 400, here, there, {"montant": "1000000001"}),
        ("VIREMENT_SUR_PLACE", 400, here, here, {}),
        ("VIREMENT_SUR_PLACE", 400, there, there, {}),
        ("VIREMENT_D_UN_ENDROIT", 400, {}, there, {}),
        ("VIREMENT_D_UN_ENDROIT", 400, here | there, {"id_caisse": till}, {}),
        ("VIREMENT_VERS_UN_ENDROIT", 400, here, {}, {}),
        ("NOT_FOUND", 404, {"id_caisse": 98765432100}, there, {}),
        ("NOT_FOUND", 404, here, {"id_compte": 987654321}, {}),
        ("CAISSE_INSUFFISANTE", 409, here, there, {"montant": "100.01"}),
        ("CAISSE_INSUFFISANTE", 409, here, there, {"montant": "100", "frais": "0.01"}),
        ("PERIODE_CAISSE_FERMEE", 409, {"id_caisse": closed}, there, {}),
        ("PERIODE_CAISSE_FERMEE", 409, there, {"id_caisse": closed}, {}),
        ("CAISSE_INACTIVE", 409, there, {"id_caisse": off}, {}),
        ("COMPTE_INACTIF", 409, here, {"id_compte": inactive}, {}),
        ("COMPTE_INACTIF", 409, {"id_compte": inactive}, here, {}),
        ("DATE_FUTURE", 400, here, there, {"date": "2999-01-01"}),
    ):
        with refused(rule, status=status):
            virer(db, de, vers, **fields)
        assert rule in declared or rule.startswith("MONTANT"), f"the document does not name {rule}"
    virer(db, here, there, "100")
    assert db.one("select count(*) from tresorerie.virement") == 1
    assert db.rows("tresorerie.virement_lister")[0]["numero"].endswith("-001")


def test_a_past_transfer_takes_only_what_the_till_has_kept_since(db, banque):
    today = db.today()
    till = builders.caisse(db)
    for days, amount in ((5, "100"), (1, "50")):
        builders.payer(db, amount, id_caisse=till, date=str(today - timedelta(days=days)))
    builders.depense(db, "80", id_caisse=till, date=str(today - timedelta(days=3)))
    with refused("CAISSE_INSUFFISANTE", status=409) as refusal:
        virer(db, {"id_caisse": till}, {"id_compte": banque}, "21", date=str(today - timedelta(days=4)))
    assert '"disponible": "20.00"' in refusal["details"]
    virer(db, {"id_caisse": till}, {"id_compte": banque}, "20", date=str(today - timedelta(days=4)))
    assert (en_caisse(db, till), solde(db, banque, str(today - timedelta(days=4)))) == (50, 20)


def test_a_counted_day_refuses_a_transfer_of_either_side(db, banque):
    day = str(db.today() - timedelta(days=1))
    till, other = caisse(db), caisse(db)
    db.call("finances.tirage_creer", montant_compte="0", id_caisse=till, date=day)
    for de, vers in (
        ({"id_caisse": till}, {"id_compte": banque}),
        ({"id_compte": banque}, {"id_caisse": till}),
        ({"id_caisse": other}, {"id_caisse": till}),
    ):
        with refused("JOUR_DEJA_COMPTE", status=409):
            virer(db, de, vers, date=day)
    virer(db, {"id_caisse": till}, {"id_compte": banque})


def test_a_closed_month_refuses_a_transfer(db, banque):
    db.call("compta.periode_cloturer", periode="2020-03")
    with refused("PERIODE_CLOTUREE", status=409):
        virer(db, {"id_compte": banque}, {"id_compte": compte(db)}, date="2020-03-31")
    virer(db, {"id_compte": banque}, {"id_compte": compte(db, "Chèque")}, date="2020-04-01")


def test_a_transfer_is_cancelled_once_by_a_transfer_of_today(http, db, banque):
    till = caisse(db)
    made = virer(db, {"id_caisse": till}, {"id_compte": banque}, "40", frais="2")
    admin = http.as_admin()
    path = f"/tresorerie/virements/{made['id_virement']}"
    answer = admin.post(f"{path}/annuler", json={"motif": "Bordereau perdu"}).json()
    there, back = answer["virement"], answer["contraire"]
    assert there == admin.get(path).json() and there["id_virement_contraire"] == back["id_virement"]
    assert back["id_virement_origine"] == there["id_virement"]
    assert (back["de"], back["vers"], back["motif"]) == (there["vers"], there["de"], "Bordereau perdu")
    assert (back["montant"], back["frais"], back["numero"][-3:]) == ("40.00", "2.00", "002")
    assert (en_caisse(db, till), solde(db, banque)) == (100, 0)
    with refused("VIREMENT_DEJA_ANNULE", status=409):
        annuler(db, made)
    with refused("VIREMENT_NON_ANNULABLE", status=409):
        annuler(db, back)


def test_a_cancellation_keeps_the_rules_of_the_tills(db, banque):
    till, other = caisse(db), caisse(db, "0")
    moved = virer(db, {"id_caisse": till}, {"id_caisse": other})
    deposit = virer(db, {"id_caisse": till}, {"id_compte": banque}, "10")
    builders.depense(db, "1", id_caisse=other)
    with refused("CAISSE_INSUFFISANTE", status=409):
        annuler(db, moved)
    db.call("finances.caisse_fermer", id_caisse=till)
    with refused("PERIODE_CAISSE_FERMEE", status=409):
        annuler(db, deposit)
    assert db.one("select count(*) from tresorerie.virement") == 2


@pytest.mark.parametrize("statement", ["update tresorerie.virement set montant = 1", "delete from tresorerie.virement"])
def test_a_transfer_never_changes(db, banque, statement):
    virer(db, {"id_compte": banque}, {"id_caisse": caisse(db, "0")})
    with refused("VIREMENT_FIGE", status=409):
        db.execute(statement)


def test_the_ledger_has_a_transfer_in_both_journals_through_585(db, http, banque):
    db.execute("update compta.compte set compte = '5211' where id_moyen = %s", [builders.moyen(db, "Virement")])
    till = caisse(db, "1000")
    made = virer(db, {"id_caisse": till}, {"id_compte": banque}, "900", frais="10")
    annuler(db, made)
    rows = http.as_admin().get("/compta/ecritures").json()
    assert [(r["journal"], r["compte"], r["debit"], r["credit"]) for r in rows if r["piece"] == made["numero"]] == [
        ("CA", "585", "900.00", None), ("CA", "571", None, "900.00"),
        ("BQ", "5211", "900.00", None), ("BQ", "585", None, "900.00"),
        ("CA", "631", "10.00", None), ("CA", "571", None, "10.00"),
    ]  # fmt: skip
    assert livre.wrong(db) == []


def test_the_ledger_takes_money_of_a_method_from_the_account_of_the_method(db):
    till, wave = caisse(db, "50"), compte(db)
    method = builders.moyen(db, "Mobile Money")
    builders.payer(db, "100", id_caisse=till, id_moyen=method)
    made = virer(db, {"id_caisse": till}, {"id_compte": wave}, "100", id_moyen=method)
    assert (made["id_moyen"], en_caisse(db, till), solde(db, wave)) == (method, 50, 100)
    # The payment has put the money to 552 already, and the till keeps its cash.
    balances = "select compte, sum(coalesce(debit, -credit)) as solde from compta.ecriture_vue group by 1"
    held = {row["compte"]: row["solde"] for row in db.all(balances)}
    assert (held["552"], held["571"], held["585"]) == (100, 50, 0)
    assert livre.wrong(db) == []
    annuler(db, made)
    assert db.one("select count(*) from tresorerie.virement where id_moyen = %s", [method]) == 2
    with refused("VIREMENT_MOYEN_EN_CAISSE", status=400):
        bank = {"id_compte": compte(db, "Virement", genre="BANQUE")}
        virer(db, {"id_compte": wave}, bank, id_moyen=method)


def test_the_list_of_transfers_filters_pages_and_is_a_file(http, db, banque):
    first, second = caisse(db), caisse(db)
    a = virer(db, {"id_caisse": first}, {"id_compte": banque}, "1", reference="Bordereau")
    b = virer(db, {"id_compte": banque}, {"id_caisse": second}, "2", date=str(db.today() - timedelta(days=1)))
    yesterday = str(db.today() - timedelta(days=1))
    admin = http.as_admin()
    for params, rows in (
        ({}, [a, b]), ({"id_caisse": first}, [a]), ({"id_compte": banque}, [a, b]), ({"recherche": "bordereau"}, [a]),
        ({"du": yesterday, "au": yesterday}, [b]), ({"numero": b["numero"]}, [b]), ({"limit": 1, "offset": 1}, [b]),
        ({"sort": "montant"}, [a, b]),
    ):  # fmt: skip
        answer = admin.get("/tresorerie/virements", params=params)
        assert [row["numero"] for row in answer.json()] == [row["numero"] for row in rows], params
    file = admin.get("/tresorerie/virements", params={"format": "csv"}).text
    assert a["numero"] in file and "Banque" in file


def test_a_user_of_a_till_moves_money_out_of_that_till_only(db, banque):
    own, other = caisse(db), caisse(db)
    hidden = compte(db, id_activite=RESTAURATION)
    seen = virer(db, {"id_caisse": own}, {"id_compte": banque}, "1")
    unseen = virer(db, {"id_caisse": other}, {"id_compte": banque}, "1")
    db.acting(builders.utilisateur(db, role="CAISSIER", caisse=own))
    virer(db, {"id_caisse": own}, {"id_compte": banque}, "1")
    for rule, status, de, vers in (
        ("CAISSE_INTERDITE", 400, {"id_compte": banque}, {"id_caisse": own}),
        ("NOT_FOUND", 404, {"id_caisse": other}, {"id_compte": banque}),
        ("NOT_FOUND", 404, {"id_caisse": own}, {"id_caisse": other}),
        ("NOT_FOUND", 404, {"id_caisse": own}, {"id_compte": hidden}),
    ):
        with refused(rule, status=status):
            virer(db, de, vers, "1")
    assert len(db.rows("tresorerie.virement_lister")) == 2
    assert db.call("tresorerie.virement_detail", id_virement=seen["id_virement"])["numero"] == seen["numero"]
    with refused("NOT_FOUND", status=404):
        db.call("tresorerie.virement_detail", id_virement=unseen["id_virement"])
    with refused("CAISSE_INTERDITE", status=400):
        db.rows("tresorerie.virement_lister", id_caisse=other)


def test_a_user_of_an_activity_moves_the_money_of_that_activity(db, banque):
    till, foreign = caisse(db), caisse(db, activite_code="RESTAURATION")
    own, hidden = compte(db, id_activite=PRESSING), compte(db, "Chèque", id_activite=RESTAURATION)
    unseen = virer(db, {"id_caisse": foreign}, {"id_compte": hidden})
    db.acting(builders.utilisateur(db, role="RESPONSABLE_PRESSING", activite=PRESSING))
    virer(db, {"id_caisse": till}, {"id_compte": banque}, "1")
    virer(db, {"id_caisse": till}, {"id_compte": own}, "2")
    virer(db, {"id_compte": own}, {"id_compte": banque}, "1")
    for rule, status, de, vers in (
        ("COMPTE_INTERDIT", 400, {"id_compte": banque}, {"id_caisse": till}),
        ("NOT_FOUND", 404, {"id_caisse": foreign}, {"id_compte": banque}),
        ("NOT_FOUND", 404, {"id_caisse": till}, {"id_compte": hidden}),
    ):
        with refused(rule, status=status):
            virer(db, de, vers, "1")
    assert len(db.rows("tresorerie.virement_lister")) == 3
    with refused("NOT_FOUND", status=404):
        db.call("tresorerie.virement_detail", id_virement=unseen["id_virement"])


def test_a_transfer_is_an_event_of_its_till_and_in_the_journal(db, banque):
    till = caisse(db)
    made = virer(db, {"id_caisse": till}, {"id_compte": banque})
    annuler(db, made)
    db.settle()
    query = "select type, id_caisse, id_activite, donnees ->> 'numero' as numero from evenement.evenement"
    first, second = db.all(f"{query} where type like 'virement.%%' order by id_evenement", [])
    assert first == {"type": "virement.cree", "id_caisse": till, "id_activite": PRESSING, "numero": made["numero"]}
    assert second["type"] == "virement.annule"
    assert db.one("select count(*) from audit.journal where module = 'tresorerie' and entite = 'virement'") == 2


def test_the_dashboard_says_where_the_money_is(http, db, banque):
    till = caisse(db, "100")
    virer(db, {"id_caisse": till}, {"id_compte": banque}, "40")
    label = db.one("select libelle from finances.caisse where id_caisse = %s", [till])
    places = http.as_admin().get("/dashboard").json()["tresorerie"]
    assert {"genre": "BANQUE", "libelle": "Banque", "solde": "40.00"} in places
    assert {"genre": "CAISSE", "libelle": label, "solde": "60.00"} in places
    pressing = http.as_admin().get("/dashboard", params={"activite": "PRESSING"}).json()["tresorerie"]
    assert [place["libelle"] for place in pressing] == [label]


def test_the_summary_of_the_owner_says_where_the_money_is(http, db, banque):
    till = caisse(db, "100")
    virer(db, {"id_caisse": till}, {"id_compte": banque}, "40")
    summary = http.as_admin().get("/rapports/synthese-globale")
    places = {place["libelle"]: (place["genre"], place["solde"]) for place in summary.json()["tresorerie"]}
    assert places["Banque"] == ("BANQUE", "40.00") and ("CAISSE", "60.00") in places.values()
    file = http.as_admin().get("/rapports/synthese-globale", params={"format": "csv"}).text
    assert "BANQUE;Banque;40.00" in file
