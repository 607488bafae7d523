"""Collecting rent: one instalment, or several by one payment; invoices, tills, receipts and arrears."""

from datetime import timedelta
from decimal import Decimal

import pytest

from tests import builders
from tests.conftest import refused


def instalments(db, lease):
    return db.all("select * from residence.echeance where id_contrat = %s order by date_echeance", [lease])


def no_row_written(db):
    return [
        db.one(f"select count(*) from {table}")
        for table in ("finances.paiement", "finances.application_paiement", "facturation.facture")
    ] == [0, 0, 0]


def test_an_instalment_can_be_collected_in_two_payments(http, db):
    lease = builders.contrat(db)
    number = db.one("select numero_contrat from residence.contrat_location where id_contrat = %s", [lease])
    august = instalments(db, lease)[7]["id_echeance"]
    moyen = str(builders.moyen(db))
    admin = http.as_admin()
    first = admin.post(
        f"/residence/echeances/{august}/encaisser", json={"montant": "40000", "id_moyen": moyen, "date": "2026-08-05"}
    )
    assert first.status_code == 200, first.text
    answer_body = first.json()
    assert answer_body["facture"] == {
        "id_facture": answer_body["facture"]["id_facture"], "montant_total": "95000.00", "montant_paye": "40000.00",
        "reste": "55000.00", "statut": "PARTIELLE",
    }  # fmt: skip
    assert (answer_body["echeance"]["statut"], answer_body["echeance"]["montant_paye"]) == ("PARTIEL", "40000.00")
    assert answer_body["echeance"]["id_paiement"] == answer_body["id_paiement"]
    second = admin.post(f"/residence/echeances/{august}/encaisser", json={"montant": "55000", "id_moyen": moyen}).json()
    assert second["numero"] == answer_body["numero"]
    assert (second["echeance"]["statut"], second["facture"]["statut"]) == ("PAYE", "PAYEE")
    payment = db.one(
        "select p.motif, p.reference, a.code, p.id_caisse, f.source_type, f.id_client from finances.paiement p "
        "join core.activite a using (id_activite) join finances.application_paiement using (id_paiement) "
        "join facturation.facture f using (id_facture) where p.id_paiement = %s",
        [answer_body["id_paiement"]],
    )
    assert payment == {
        "motif": f"Loyer {number}", "reference": f"LOYER-{number}-8-2026", "code": "LOCATION_RESIDENTIEL",
        "id_caisse": None, "source_type": "LOCATION",
        "id_client": db.one("select id_client from residence.contrat_location where id_contrat = %s", [lease]),
    }  # fmt: skip
    refusal = admin.post(f"/residence/echeances/{august}/encaisser", json={"montant": "0.01", "id_moyen": moyen})
    assert (refusal.status_code, refusal.json()["code"]) == (409, "SURPAIEMENT")
    receipt = admin.get(f"/residence/echeances/{august}/recu").json()
    assert receipt.pop("date") > "2026-08-05"
    assert receipt == {
        "type": "LOYER", "reference": f"LOYER-{number}-8-2026", "montant": "95000.00", "mode_paiement": "Espèces",
        "echeance": {"mois": 8, "annee": 2026, "montant": "95000.00", "date_echeance": "2026-08-01", "statut": "PAYE",
                     "numero_contrat": number},
        "client": {"nom": "Exemple", "prenoms": "Awa"},
        "logement": db.one("select l.numero from residence.logement l join residence.contrat_location c "
                           "using (id_logement) where c.id_contrat = %s", [lease]),
    }  # fmt: skip
    unpaid = admin.get(f"/residence/echeances/{instalments(db, lease)[0]['id_echeance']}/recu")
    assert (unpaid.status_code, unpaid.json()["code"]) == (404, "ECHEANCE_NON_PAYEE")


def test_a_payment_of_the_invoice_pays_the_instalment(db):
    lease = builders.contrat(db)
    moyen = builders.moyen(db)
    id_echeance = instalments(db, lease)[0]["id_echeance"]
    db.call("residence.echeance_encaisser", id_echeance=id_echeance, montant="95", id_moyen=moyen)
    facture = db.one("select id_facture from facturation.facture where source_id = %s", [id_echeance])
    paid = db.call("finances.paiement_creer", montant="5", id_moyen=moyen, id_facture=facture)
    row = instalments(db, lease)[0]
    assert (row["montant_paye"], row["id_paiement"]) == (100, paid["id_paiement"])
    db.one("select finances._facture_annuler(%s, 'Erreur')", [facture])
    row = instalments(db, lease)[0]
    assert (row["montant_paye"], row["id_paiement"]) == (0, None)
    db.call("residence.echeance_encaisser", id_echeance=id_echeance, montant="95000", id_moyen=moyen)
    assert instalments(db, lease)[0]["montant_paye"] == 95000


@pytest.mark.parametrize(
    "fields, rule, status",
    [
        ({"montant": "95000.01"}, "SURPAIEMENT", 409),
        ({"montant": "0"}, "MONTANT_STRICTEMENT_POSITIF", 400),
        ({"montant": "-1"}, "MONTANT_STRICTEMENT_POSITIF", 400),
        ({"id_moyen": 999999}, "PAIEMENT_MOYEN_INCONNU", 422),
        ({"id_echeance": 999999}, "NOT_FOUND", 404),
        ({"date": "2999-01-01"}, "DATE_FUTURE", 400),
    ],
)
def test_a_refused_collection_leaves_no_row(db, fields, rule, status):
    id_echeance = instalments(db, builders.contrat(db))[0]["id_echeance"]
    call = {"id_echeance": id_echeance, "montant": "95000", "id_moyen": builders.moyen(db)} | fields
    with refused(rule, status):
        db.call("residence.echeance_encaisser", **call)
    assert no_row_written(db)


def collect_one(db, lease):
    db.call(
        "residence.echeance_encaisser", id_echeance=instalments(db, lease)[0]["id_echeance"], montant="1",
        id_moyen=builders.moyen(db),
    )  # fmt: skip


def collect_lot(db, lease):
    db.call("residence.contrat_encaisser_loyer_lot", id_contrat=lease, montant="1", id_moyen=builders.moyen(db))


@pytest.mark.parametrize("collect", [collect_one, collect_lot])
def test_the_rent_goes_into_the_till_of_the_cashier(db, collect):
    lease = builders.contrat(db)
    till = builders.caisse(db, activite_code="LOCATION_RESIDENTIEL")
    db.acting(builders.utilisateur(db, caisse=till))
    collect(db, lease)
    assert db.one("select id_caisse from finances.paiement") == till
    db.call("finances.caisse_fermer", id_caisse=till)
    with refused("PERIODE_CAISSE_FERMEE", 409):
        collect(db, lease)
    assert db.one("select count(*) from finances.paiement") == 1


@pytest.mark.parametrize("collect", [collect_one, collect_lot])
def test_a_cashier_of_another_activity_cannot_collect_rent(db, collect):
    lease = builders.contrat(db)
    db.acting(builders.utilisateur(db, caisse=builders.caisse(db)))
    with refused("NOT_FOUND", 404):
        collect(db, lease)
    assert db.rows("residence.suivi_lister") == db.rows("residence.impaye_lister") == []
    assert db.rows("residence.contrat_lister") == []


# ---- several instalments by one payment


def test_a_payment_in_a_lot_fills_the_oldest_instalments_first(http, db):
    lease = builders.contrat(db)
    rows = instalments(db, lease)
    moyen = str(builders.moyen(db))
    admin = http.as_admin()
    admin.post(f"/residence/echeances/{rows[1]['id_echeance']}/encaisser", json={"montant": "15000", "id_moyen": moyen})
    answer = admin.post(
        f"/residence/contrats/{lease}/encaisser-loyer-lot", json={"montant": "200000", "id_moyen": moyen}
    )
    assert answer.status_code == 200, answer.text
    answer_body = answer.json()
    payment = answer_body.pop("id_paiement")
    invoices = [part.pop("facture") for part in answer_body["echeances"]]
    assert [(i["montant_total"], i["montant_paye"], i["reste"], i["statut"]) for i in invoices] == [
        ("95000.00", "95000.00", "0.00", "PAYEE"),
        ("95000.00", "95000.00", "0.00", "PAYEE"),
        ("95000.00", "25000.00", "70000.00", "PARTIELLE"),
    ]
    # Keys of what was not applied are absent when nothing is left.
    assert answer_body == {
        "montant_total": "200000.00",
        "montant_applique": 200000.0,
        "echeances": [
            {"id_echeance": str(rows[0]["id_echeance"]), "montant_applique": "95000.00", "statut": "PAYE"},
            {"id_echeance": str(rows[1]["id_echeance"]), "montant_applique": "80000.00", "statut": "PAYE"},
            {"id_echeance": str(rows[2]["id_echeance"]), "montant_applique": "25000.00", "statut": "PARTIEL"},
        ],
        "reste": "70000.00",
        "statut": "PARTIELLE",
    }
    assert db.one("select count(*) from finances.application_paiement where id_paiement = %s", [payment]) == 3
    row = db.one("select montant, motif, reference from finances.paiement where id_paiement = %s", [payment])
    number = row["motif"].removeprefix("Loyer ")
    assert (row["montant"], row["reference"]) == (200000, f"LOYER-{number}")
    assert db.one("select array_agg(numero order by id_facture) from facturation.facture") == [
        f"GSG-FAC-{db.one('select extract(year from core.aujourdhui())::int')}-00{n}" for n in (1, 2, 3)
    ]


def test_the_excess_of_a_payment_in_a_lot_stays_unapplied_with_a_warning(db):
    lease = builders.contrat(db, date_debut="2026-01-01", date_fin_prevue="2026-01-31", montant_loyer="1000")
    call = {"id_contrat": lease, "id_moyen": builders.moyen(db)}
    lot = db.call("residence.contrat_encaisser_loyer_lot", montant="1200", **call)
    assert (lot["montant_applique"], lot["montant_non_affecte"]) == (1000, 200)
    assert "200\N{NO-BREAK SPACE}FCFA" in lot["avertissement"]
    reference = db.one("select reference from finances.paiement")
    assert reference.endswith("-1-2026")  # a payment of one instalment has its reference
    lot = db.call("residence.contrat_encaisser_loyer_lot", montant="50", **call)
    assert (lot["montant_applique"], lot["montant_non_affecte"], lot["echeances"]) == (0, 50, "{}")
    assert (lot["reste"], lot["statut"]) == (0, None)
    assert db.one("select sum(montant) from finances.paiement") == 1250
    assert instalments(db, lease)[0]["montant_paye"] == 1000


# ---- arrears


def test_the_follow_up_and_the_arrears_show_the_status_of_each_instalment(http, db):
    today = db.one("select core.aujourdhui()")
    start = (today.replace(day=1) - timedelta(days=70)).replace(day=1)
    lease = builders.contrat(db, date_debut=start, date_fin_prevue=None, montant_loyer="1000")
    moyen = builders.moyen(db)
    rows = instalments(db, lease)
    user = builders.utilisateur(db, role="ADMINISTRATEUR")
    db.acting(user)
    for row, paid in [(rows[0], "1000"), (rows[2], "300"), (rows[6], "100")]:
        db.call("residence.echeance_encaisser", id_echeance=row["id_echeance"], montant=paid, id_moyen=moyen)
    db.acting(None)
    admin = http.as_admin()
    suivi = admin.get("/residence/suivi?order=asc&sort=date_echeance").json()
    states = [row["statut"] for row in suivi]
    due = sum(row["date_echeance"] <= today for row in rows)
    assert states[:3] == ["PAYE", "IMPAYE", "PARTIEL"]
    assert states[3:] == ["PARTIEL" if n == 6 else "IMPAYE" if n < due else "A_VENIR" for n in range(3, len(rows))]
    assert suivi[0]["client"] == "Exemple Awa" and suivi[0]["loyer_applique"] == "1000.00"
    assert suivi[0]["date_paiement"] is not None and suivi[1]["date_paiement"] is None
    first = {"mois": start.month, "annee": start.year}
    for query, count in [
        ("statut=PAYE", 1), ("statut=PARTIEL", 2), ("statut=IMPAYE", due - 2), ("statut=A_VENIR", len(rows) - due - 1),
        (f"mois={first['mois']}&annee={first['annee']}", 1), (f"annee={start.year}&mois=13", 0),
        (f"id_utilisateur_encaisseur={user}", 3), ("client=awa", len(rows)), ("client=absent", 0),
        ("montant=1000", len(rows)),
        (f"du={start}&au={start}", 1), (f"logement={suivi[0]['logement']}", len(rows)), ("batiment=essais", len(rows)),
        (f"numero_contrat={suivi[0]['numero_contrat']}", len(rows)), ("recherche=con-", len(rows)),
    ]:  # fmt: skip
        assert len(admin.get(f"/residence/suivi?{query}").json()) == count, query
    arrears = admin.get("/residence/impayes").json()
    assert [(row["statut"], row["reste"]) for row in arrears] == (
        [("IMPAYE", "1000.00"), ("PARTIEL", "700.00")] + [("IMPAYE", "1000.00")] * (due - 3) + [("PARTIEL", "900.00")]
    )
    client = arrears[0]["id_client"]
    for query, count in [
        ("statut=PARTIEL", 2),
        (f"id_client={client}", due),
        ("id_client=999999", 0),
        ("client=awa", due),
    ]:
        assert len(admin.get(f"/residence/impayes?{query}").json()) == count, query
    owed = [row for row in admin.get(f"/finances/impayes?client={client}").json() if row["type"] == "LOYER"]
    assert [row["reste"] for row in owed] == [row["reste"] for row in arrears]
    assert owed[0]["reference"] == suivi[0]["numero_contrat"]
    assert [row for row in admin.get("/finances/impayes?type=FACTURE").json() if row["id_client"] == client] == []


def test_the_follow_up_lists_due_instalments_first_and_paid_instalments_last(http, db):
    """First the instalments owed by date, then the future ones, then the paid ones with the last paid on top."""
    today = db.one("select core.aujourdhui()")
    start = (today.replace(day=1) - timedelta(days=75)).replace(day=17)
    moyen, leases = builders.moyen(db), []
    for _ in range(2):
        leases.append(builders.contrat(db, date_debut=start, date_fin_prevue=today + timedelta(days=75)))
    rows = db.all("select * from residence.echeance where id_contrat = %s order by date_echeance", [leases[0]])
    for row, part in ((rows[0], 1), (rows[1], 1), (rows[-1], 1), (rows[2], 0)):
        montant = row["montant"] if part else "1.50"
        db.call("residence.echeance_encaisser", id_echeance=row["id_echeance"], montant=montant, id_moyen=moyen)
    rows_ = http.as_admin().get("/residence/suivi").json()
    assert len(rows_) == db.one("select count(*) from residence.echeance")
    owed = [row for row in rows_ if row["statut"] != "PAYE"]
    assert rows_[: len(owed)] == owed
    days = [row["date_echeance"] for row in owed]
    assert days == sorted(days) and owed[0]["statut"] == "IMPAYE" and owed[-1]["statut"] == "A_VENIR"
    paid = [row["date_echeance"] for row in rows_[len(owed) :]]
    assert len(paid) == 3 and paid == sorted(paid, reverse=True)
    # The request can ask for another order.
    latest = http.as_admin().get("/residence/suivi?sort=date_echeance&order=desc").json()
    assert [row["date_echeance"] for row in latest] == sorted((row["date_echeance"] for row in rows_), reverse=True)


def test_the_follow_up_shows_the_revision_in_force(db):
    lease = builders.contrat(db, date_fin_prevue="2026-03-31")
    for amount, day in [("100000", "2026-02-01"), ("110000", "2026-03-01")]:
        db.call("residence.contrat_reviser_loyer", id_contrat=lease, nouveau_montant=amount, date_effet=day)
    rows = db.rows("residence.suivi_lister", sort="date_echeance")
    revisions = [(row["loyer_applique"], row["ancien_montant"], row["nouveau_montant"]) for row in rows]
    assert revisions == [
        (Decimal(95000), None, None),
        (Decimal(100000), Decimal(95000), Decimal(100000)),
        (Decimal(110000), Decimal(100000), Decimal(110000)),
    ]
    assert [str(row["date_effet_revision"]) for row in rows] == ["None", "2026-02-01", "2026-03-01"]
