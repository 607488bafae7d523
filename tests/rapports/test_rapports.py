"""The periods and the counts of reports, and what each user sees. The histories of tests/compta compare the sums."""

import random
from datetime import date
from decimal import Decimal

import pytest

from tests import builders
from tests.conftest import ok, refusal, refused
from tests.facturation.test_resume_facture import invoice
from tests.preuve import selon

CODES = [
    "VENTE_MARCHANDISES", "PRESSING", "RESTAURATION", "SALLE_FETE", "LOCATION_RESIDENTIEL", "LOCATION_COMMERCIAL",
]  # fmt: skip
PERIODS = [(None, None), ("2026-03-01", "2026-05-15"), ("2026-06-01", None), (None, "2026-02-28")]

RECEIVED = "select coalesce(sum(p.montant), 0) from finances.paiement p left join core.activite a using (id_activite)"


def money(value):
    return Decimal(str(value)).quantize(Decimal("0.01"))


@pytest.fixture(params=selon([1], [1, 2, 3]))
def tills(db, request):
    """Random payments, expenses, invoices and payslips of 2026, some void or without activity; returns two tills."""
    dice = random.Random(request.param)
    tills = [builders.caisse(db), builders.caisse(db, activite_code="RESTAURATION")]

    def day():
        return f"2026-{dice.randint(1, 8):02}-{dice.randint(1, 28):02}"

    for _ in range(40):
        fields = {"id_caisse": dice.choice(tills)} if dice.random() < 0.4 else {"id_activite": dice.randint(1, 6)}
        amount = f"{dice.randint(1, 900000)}.{dice.randint(0, 99):02}"
        paid = builders.paiement(db, amount, date=day(), **fields)
        if dice.random() < 0.2:
            db.execute(
                "insert into finances.paiement (montant, type, id_moyen, id_activite, id_paiement_origine, date)"
                " values (%s, 'DECAISSEMENT', 1, %s, %s, %s)",
                [amount, paid["id_activite"], paid["id_paiement"], day()],
            )
    for _ in range(15):
        fields = dice.choice([{}, {"id_activite": dice.randint(1, 6)}, {"id_caisse": dice.choice(tills)}])
        expense = builders.depense(db, dice.randint(1, 90000), date=day(), **fields)
        if dice.random() < 0.2:
            db.call("finances.depense_supprimer", id_depense=expense["id_depense"])
    for _ in range(5):
        invoice(db, day(), str(dice.randint(100, 5000)), dice.randint(1, 6))
    for periode in ("2026-02", "2026-04"):
        builders.paie(db, periode=periode, salaire_base=str(dice.randint(50000, 300000)))
    return tills


def test_the_summary_counts_the_days_of_a_period_with_and_without_bounds(db, http, tills):
    received = f"{RECEIVED} where p.type = 'ENCAISSEMENT' and p.jour between %s and %s"
    wages = "select coalesce(sum(montant_a_payer), 0) from rh.paie where periode between left(%s, 7) and left(%s, 7)"
    for du, au in PERIODS:
        chosen = {name: day for name, day in (("du", du), ("au", au)) if day}
        report = http.as_admin().get("/rapports/synthese-globale", params=chosen).json()
        assert report["periode"] == {"du": du, "au": au}
        bounds = [du or "0001-01-01", au or "9999-12-31"]
        sums = [Decimal(report[name]) for name in ("total_recettes", "masse_salariale")]
        assert sums == [money(db.one(query, bounds)) for query in (received, wages)], (du, au)


def test_the_series_leave_out_no_period(db, http, tills):
    for step in ("jour", "semaine", "mois"):
        rows = http.as_admin().get("/rapports/series", params={"pas": step}).json()
        periods = [row["periode"] for row in rows]
        assert periods == sorted(set(periods))
        first, last = periods[0], periods[-1]
        if step == "mois":
            assert periods == [f"2026-{month:02}" for month in range(int(first[-2:]), int(last[-2:]) + 1)]
        elif step == "jour":
            assert (date.fromisoformat(last) - date.fromisoformat(first)).days + 1 == len(rows)
        else:
            assert all(len(period) == 8 and period[4:6] == "-W" for period in periods)


def test_the_financial_report_lists_every_payment_and_expense(db, http, tills):
    report = http.as_admin().get("/rapports/financier", params={"du": "2026-01-01", "au": "2026-12-31"}).json()
    assert len(report["encaissements"]) == db.one("select count(*) from finances.paiement where type = 'ENCAISSEMENT'")
    assert len(report["impayes"]) == db.one("select count(*) from facturation.facture where reste > 0")
    # Without a period in the request: the current month until today.
    today = str(db.today())
    assert http.as_admin().get("/rapports/financier").json()["periode"] == {"du": f"{today[:7]}-01", "au": today}


def test_a_report_of_more_than_50000_payments_is_refused(db):
    db.tamper(
        "insert into finances.paiement (montant, id_moyen, id_activite, date, jour)"
        " select 1, 1, 2, '2020-01-15', '2020-01-15' from generate_series(1, 50001)"
    )
    with refused("PERIODE_TROP_LONGUE", 400):
        db.call("rapports.financier", du="2020-01-01", au="2020-01-31")


def test_the_report_of_each_activity_counts_its_payments(db, http, tills):
    admin = http.as_admin()
    count = """select count(*) from finances.paiement p join core.activite a using (id_activite)
                where a.code = %s and p.jour between '2026-03-01' and '2026-05-15'"""
    for code in CODES:
        days = {"du": "2026-03-01", "au": "2026-05-15"}
        report = admin.get(f"/rapports/activites/{code}", params=days).json()
        assert (report["code"], report["nombre_operations"]) == (code, db.one(count, [code]))
    assert admin.get("/rapports/activites/AUTRE").status_code == 404


def test_the_indicators_of_an_activity_count_its_sales_and_orders(db, http):
    admin = http.as_admin()
    product, dish, client = builders.produit(db, prix="100"), builders.plat(db, prix="50"), builders.client(db)
    for quantity in ("2", "3"):
        paid = {"montant": f"{quantity}00", "id_moyen": "1"}
        basket = {"lignes": [{"id_produit": str(product), "quantite": quantity}], "paiement": paid}
        sale = ok(admin.post("/market/ventes", json=basket), 201)
    cancelled = sale["vente"]["id_vente"]
    assert admin.post(f"/market/ventes/{cancelled}/annuler").status_code == 200
    meal = {"type": "SUR_PLACE", "lignes": [{"id_plat": str(dish), "quantite": "2"}]}
    admin.post("/restaurant/commandes", json=meal | {"paiement": {"montant": "100", "id_moyen": "1"}})
    linen = {"type_vetement": "Chemise", "quantite": 4, "prestation": "Lavage", "tarif": "1000"}
    advance = {"montant": "1500", "id_moyen": "1"}
    admin.post("/pressing/commandes", json={"id_client": str(client), "lignes": [linen], "paiement": advance})

    def indicators(code):
        return admin.get(f"/rapports/activites/{code}").json()["indicateurs"]

    assert indicators("VENTE_MARCHANDISES") == {
        "ca": "200.00", "nombre_ventes": 1, "annulees": 1, "par_statut": {"PAYEE": 1, "ANNULEE": 1},
    }  # fmt: skip
    assert indicators("RESTAURATION")["ca"] == "100.00" and indicators("RESTAURATION")["nombre_commandes"] == 1
    assert indicators("PRESSING") == {
        "ca": "4000.00", "nombre_commandes": 1, "annulees": 0, "par_statut": {"DEPOSE": 1},
    }  # fmt: skip
    assert indicators("SALLE_FETE")["par_statut"] == {}

    whole = admin.get("/dashboard").json()
    assert whole["market"]["nombre_ventes_aujourd_hui"] == 1
    assert whole["market"]["chiffre_affaires_aujourd_hui"] == "200.00"
    stock = whole["market"]["stock"]
    assert (stock["total_produits"], stock["valeur_stock"], stock["en_alerte"]) == (1, "4000.00", 0)
    assert whole["restaurant"] == {"nombre_commandes_aujourd_hui": 1, "chiffre_affaires_aujourd_hui": "100.00"}
    assert whole["pressing"] == {
        "commandes_en_cours": 1, "commandes_pretes": 0, "commandes_retirees_aujourd_hui": 0,
        "chiffre_affaires_mois": "4000.00",
    }  # fmt: skip


def test_the_report_of_the_residence_counts_collected_and_late_rents(db, http):
    admin = http.as_admin()
    lease = builders.contrat(db)
    admin.post(f"/residence/contrats/{lease}/encaisser-loyer-lot", json={"montant": "100000", "id_moyen": "1"})
    report = admin.get("/rapports/activites/LOCATION_RESIDENTIEL").json()
    assert (report["recettes"], report["indicateurs"]["loyers_percus"]) == ("100000.00", "100000.00")
    assert report["indicateurs"]["contrats_actifs"] == 1
    residence = admin.get("/dashboard", params={"au": "2026-08-31"}).json()["residence"]
    assert (residence["chambres_occupees"], residence["locataires_en_retard"]) == (1, 1)
    assert residence["impayes"] == str(Decimal(95000 * 8 - 100000).quantize(Decimal("0.01")))


def test_the_dashboard_holds_the_sums_of_the_tables(db, http, tills):
    days = {"du": "2026-03-01", "au": "2026-05-15"}
    report = http.as_admin().get("/dashboard", params=days).json()
    received = "select coalesce(sum(montant), 0) from finances.paiement where type = 'ENCAISSEMENT' and jour = %(au)s"
    billed = "select coalesce(sum(montant_total), 0) from facturation.facture where jour between %(du)s and %(au)s"
    sums = [Decimal(report["finances"][name]) for name in ("recettes_jour", "chiffre_affaires_global_mois")]
    assert sums == [money(db.one(query, days)) for query in (received, billed)]
    hall = f"{RECEIVED} where a.code = 'SALLE_FETE' and p.type = 'ENCAISSEMENT' and p.jour between %(du)s and %(au)s"
    assert Decimal(report["salle_fete"]["recettes_mois"]) == money(db.one(hall, days))
    assert report["periode"] == days and report["activite"] is None


def test_the_dashboard_lists_the_next_five_bookings_in_order(db, http):
    admin = http.as_admin()
    for day in (20, 12, 18, 14, 16, 10):
        hall = {"date_evenement": f"2031-06-{day}", "heure_debut": "18:00", "duree": 5, "tarif": "900000"}
        assert admin.post("/salle-fete/reservations", json=hall | {"type_manifestation": "Mariage"}).status_code == 201
    hall = admin.get("/dashboard", params={"activite": "SALLE_FETE"}).json()["salle_fete"]
    assert hall["reservations_a_venir"] == 6
    assert [row["date_evenement"] for row in hall["prochaines"]] == [f"2031-06-{day}" for day in (10, 12, 14, 16, 18)]


def test_a_user_without_finances_permission_sees_only_the_own_activity(db, http):
    scoped = http.as_user(builders.porteur(db, "RAPPORTS.VOIR", activite=builders.activite(db)))
    assert scoped.get("/rapports/activites/PRESSING").status_code == 200
    own = scoped.get("/dashboard", params={"activite": "PRESSING"})
    assert own.status_code == 200 and own.json()["pressing"] is not None
    parts = ("residence", "market", "restaurant", "salle_fete", "personnel")
    assert [name for name in parts if own.json()[name] is not None] == []
    assert own.json()["finances"]["salaires_a_payer_mois"] is None
    for path in ("/rapports/activites/RESTAURATION", "/dashboard", "/dashboard?activite=RESTAURATION"):
        assert refusal(scoped.get(path)) == (403, "ACTIVITE_INTERDITE"), path
    for path in ("/rapports/synthese-globale", "/rapports/financier", "/rapports/series", "/rapports/rh",
                 "/dashboard/tableau-de-bord"):  # fmt: skip
        assert scoped.get(path).json()["code"] == "FORBIDDEN", path


def test_the_reports_permission_without_an_activity_gives_no_report(db, http):
    free = http.as_user(builders.porteur(db, "RAPPORTS.VOIR"))
    for path in ("/rapports/activites/PRESSING", "/dashboard", "/dashboard?activite=PRESSING"):
        assert free.get(path).json()["code"] == "ACTIVITE_INTERDITE", path


def test_a_user_without_either_permission_is_refused(db, http):
    answer = http.as_user(builders.porteur(db, "RH.VOIR")).get("/rapports/activites/PRESSING")
    assert (answer.status_code, answer.json()["code"]) == (403, "FORBIDDEN")
    assert "FINANCES.VOIR ou RAPPORTS.VOIR" in answer.json()["message"]


def test_a_user_of_an_activity_or_till_sees_only_its_sums(db, http, tills):
    manager = http.as_user(builders.utilisateur(db, role="RESPONSABLE_PRESSING", activite=builders.activite(db)))
    cashier = http.as_user(builders.utilisateur(db, role="CAISSIER", caisse=tills[0]))
    for client, condition, value in ((manager, "id_activite", builders.activite(db)), (cashier, "id_caisse", tills[0])):
        own_sum = db.one(
            f"select coalesce(sum(montant), 0) from finances.paiement where type = 'ENCAISSEMENT' and {condition} = %s",
            [value],
        )
        report = client.get("/rapports/synthese-globale").json()
        assert Decimal(report["total_recettes"]) == money(own_sum) and report["masse_salariale"] is None
        assert sum(Decimal(row["encaissements"]) for row in client.get("/rapports/series").json()) == money(own_sum)
        year = {"du": "2026-01-01", "au": "2026-12-31"}
        rows = client.get("/rapports/financier", params=year).json()["encaissements"]
        assert sum(Decimal(row["montant"]) for row in rows) == money(own_sum)
        assert Decimal(client.get("/rapports/activites/PRESSING").json()["recettes"]) == money(own_sum)
        assert client.get("/rapports/activites/RESTAURATION").status_code == 403
        board = client.get("/dashboard", params=year).json()
        assert board["activite"] == "PRESSING" and board["market"] is None and board["personnel"] is None


def test_the_read_only_role_gets_the_same_figures(db, tills):
    whole = db.one("select to_jsonb(s) from rapports.synthese_globale() s")
    db.execute("set local role comptoir_lecture")
    assert db.one("select to_jsonb(s) from rapports.synthese_globale() s") == whole
    assert money(db.one("select sum(encaissements) from rapports.mouvement_jour_vue")) == money(whole["total_recettes"])
    counted = db.all("select count(*) as n, sum(reste) as s from rapports.impaye_vue")[0]
    assert (counted["n"], money(counted["s"])) == (whole["impayes"]["nombre"], money(whole["impayes"]["montant"]))
    for view in ("paiement", "depense", "facture_jour", "pointage_jour", "paie_mois"):
        db.all(f"select * from rapports.{view}_vue")
    for table in ("finances.paiement", "auth.secret", "audit.journal"):
        with pytest.raises(Exception, match="permission denied"), db.connection.transaction():
            db.one(f"select count(*) from {table}")
