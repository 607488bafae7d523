"""GET /finances/impayes: every unpaid item, by its days. tests/house/test_lists.py reads it by pages."""

from datetime import timedelta

from tests import builders

PATH = "/finances/impayes"


def owe(db):
    """Unpaid items of every type. The three charges have the same reference and the same day."""
    today = db.today()
    kind = db.call("residence.categorie_charge_creer", libelle="Eau")["id_categorie_charge"]
    for number in range(3):
        room = {"id_logement": builders.logement(db)}
        since = {"date_debut": today - timedelta(days=50), "date_fin_prevue": None}
        builders.contrat(db, montant_loyer=f"{70000 + number}", **room, **since)
        owed = {"id_categorie_charge": kind, "periode": "2026-01", "montant": f"{9 + number}"}
        charge = db.call("residence.charge_creer", **room, **owed)["id_charge"]
        db.call("residence.charge_payer", id_charge=charge, montant="1", id_moyen=1)
        builders.facture(db, f"{1500 + number}.00")
    db.call(
        "residence.sejour_creer", type_prestation="NUITEE", id_logement=builders.logement(db), tarif="9000",
        date_heure_arrivee=today, date_heure_depart_prevue=today + timedelta(days=2),
    )  # fmt: skip


def test_unpaid_items_are_chosen_by_month_and_days(db, http):
    owe(db)
    client = http.as_admin()
    rows = client.get(PATH).json()
    assert {row["type"] for row in rows} == {"LOYER", "CHARGE", "FACTURE", "SEJOUR"}
    assert rows == sorted(rows, key=lambda row: (row["date_echeance"], row["reference"]))
    assert client.get(PATH, params={"type": "CHARGE", "limit": 2}).headers["x-total-count"] == "3"
    days = sorted({row["date_echeance"] for row in rows})
    assert len(days) > 2
    for du, au in ((days[1], None), (None, days[1]), (days[0], days[1])):
        chosen = {name: day for name, day in (("du", du), ("au", au)) if day}
        expected = [r for r in rows if (du or "") <= r["date_echeance"] <= (au or "9999")]
        assert client.get(PATH, params=chosen).json() == expected
    month = {"periode": days[0][:7]}
    expected = [r for r in rows if r["date_echeance"].startswith(days[0][:7])]
    assert expected and client.get(PATH, params=month).json() == expected
    narrowed = client.get(PATH, params=month | {"du": days[0], "au": days[0]}).json()
    assert narrowed == [r for r in rows if r["date_echeance"] == days[0]]


def test_a_page_of_unpaid_invoices_reads_only_its_rows(db):
    db.execute("set local session_replication_role = replica")
    db.execute(
        "insert into facturation.facture (numero, date, jour, libelle, source_type, montant_total,"
        "  reste, statut)"
        " select 'ESSAI-FAC-2026-' || n, now() - n % 97 * interval '1 day', core.aujourdhui() - n % 97, 'x', 'AUTRE',"
        "  5, 5, 'IMPAYEE' from generate_series(1, 5000) n"
    )
    query = (
        "select sum(pg_stat_get_xact_tuples_fetched(indexrelid)) from pg_index"
        " where indrelid = 'facturation.facture'::regclass"
    )
    db.execute("set local enable_seqscan = off")
    before = db.one(query)
    assert len(db.rows("finances.impaye_lister", limit=20, type="FACTURE")) == 20
    assert db.one(query) - before < 2500  # 2,001 for the total
