"""Collecting rent: one instalment, or several by one payment; invoices, tills, receipts and arrears."""

from datetime import timedelta

from tests import builders
from tests.conftest import ok, refusal, refused
from tests.residence.leases import collect, instalments, lot, numero, room_of


def test_an_instalment_can_be_collected_in_two_payments(http, db):
    lease = builders.contrat(db)
    january, *_, august = instalments(db, lease)[:8]
    number, moyen, admin = numero(db, lease), str(builders.moyen(db)), http.as_admin()
    path = f"/residence/echeances/{august['id_echeance']}"
    part = {"montant": "40000", "id_moyen": moyen, "date": "2026-08-05"}
    first = ok(admin.post(f"{path}/encaisser", json=part))
    assert first["facture"] == {
        "id_facture": first["facture"]["id_facture"], "montant_total": "95000.00", "montant_paye": "40000.00",
        "reste": "55000.00", "statut": "PARTIELLE",
    }  # fmt: skip
    assert (first["echeance"]["statut"], first["echeance"]["montant_paye"]) == ("PARTIEL", "40000.00")
    assert first["echeance"]["id_paiement"] == first["id_paiement"]
    second = admin.post(f"{path}/encaisser", json={"montant": "55000", "id_moyen": moyen}).json()
    assert second["numero"] == first["numero"]
    assert (second["echeance"]["statut"], second["facture"]["statut"]) == ("PAYE", "PAYEE")
    payment = db.one(
        "select p.motif, p.reference, a.code, p.id_caisse, f.source_type, f.id_client from finances.paiement p "
        "join core.activite a using (id_activite) join facturation.facture f using (id_facture) "
        "where p.id_paiement = %s",
        [first["id_paiement"]],
    )
    assert payment == {
        "motif": f"Loyer {number}", "reference": f"LOYER-{number}-8-2026", "code": "LOCATION_RESIDENTIEL",
        "id_caisse": None, "source_type": "LOCATION",
        "id_client": db.one("select id_client from residence.contrat_location where id_contrat = %s", [lease]),
    }  # fmt: skip
    assert refusal(admin.post(f"{path}/encaisser", json={"montant": "0.01", "id_moyen": moyen})) == (409, "SURPAIEMENT")
    receipt = admin.get(f"{path}/recu").json()
    assert receipt.pop("date") > "2026-08-05"
    room = room_of(db, lease)["id_logement"]
    assert receipt == {
        "type": "LOYER", "reference": f"LOYER-{number}-8-2026", "montant": "95000.00", "mode_paiement": "Espèces",
        "echeance": {"mois": 8, "annee": 2026, "montant": "95000.00", "date_echeance": "2026-08-01", "statut": "PAYE",
                     "numero_contrat": number},
        "client": {"nom": "Exemple", "prenoms": "Awa"},
        "logement": db.one("select numero from residence.logement where id_logement = %s", [room]),
    }  # fmt: skip
    assert refusal(admin.get(f"/residence/echeances/{january['id_echeance']}/recu")) == (404, "ECHEANCE_NON_PAYEE")


def test_an_invalid_collection_is_refused(db):
    instalment = instalments(db, builders.contrat(db))[0]["id_echeance"]
    call = {"id_echeance": instalment, "montant": "95000", "id_moyen": builders.moyen(db)}
    for fields, rule, status in [
        ({"montant": "95000.01"}, "SURPAIEMENT", 409),
        ({"montant": "0"}, "MONTANT_STRICTEMENT_POSITIF", 400),
        ({"id_moyen": 999999}, "PAIEMENT_MOYEN_INCONNU", 422),
        ({"id_echeance": 999999}, "NOT_FOUND", 404),
        ({"date": "2999-01-01"}, "DATE_FUTURE", 400),
    ]:
        with refused(rule, status):
            db.call("residence.echeance_encaisser", **call | fields)


def test_a_payment_in_a_lot_fills_the_oldest_instalments_first(http, db):
    lease = builders.contrat(db)
    rows, moyen, admin = instalments(db, lease), str(builders.moyen(db)), http.as_admin()
    admin.post(f"/residence/echeances/{rows[1]['id_echeance']}/encaisser", json={"montant": "15000", "id_moyen": moyen})
    body = {"montant": "200000", "id_moyen": moyen}
    answer_body = ok(admin.post(f"/residence/contrats/{lease}/encaisser-loyer-lot", json=body))
    payment = answer_body.pop("id_paiement")
    invoices = [part.pop("facture") for part in answer_body["echeances"]]
    assert [(i["montant_total"], i["montant_paye"], i["reste"], i["statut"]) for i in invoices] == [
        ("95000.00", "95000.00", "0.00", "PAYEE"),
        ("95000.00", "95000.00", "0.00", "PAYEE"),
        ("95000.00", "25000.00", "70000.00", "PARTIELLE"),
    ]
    # Keys of what was not applied are absent when nothing is left.
    assert answer_body == {
        "montant_total": "200000.00", "montant_applique": 200000.0, "reste": "70000.00", "statut": "PARTIELLE",
        "echeances": [
            {"id_echeance": str(row["id_echeance"]), "montant_applique": applied, "statut": status}
            for row, applied, status in zip(
                rows, ["95000.00", "80000.00", "25000.00"], ["PAYE", "PAYE", "PARTIEL"], strict=False
            )
        ],
    }  # fmt: skip
    assert db.one("select count(*) from finances.application_paiement where id_paiement = %s", [payment]) == 3
    row = db.one("select montant, motif, reference from finances.paiement where id_paiement = %s", [payment])
    assert (row["montant"], row["reference"]) == (200000, f"LOYER-{row['motif'].removeprefix('Loyer ')}")
    assert db.one("select array_agg(numero order by id_facture) from facturation.facture") == [
        f"GSG-FAC-{db.today().year}-00{n}" for n in (1, 2, 3)
    ]


def test_the_excess_of_a_payment_in_a_lot_stays_unapplied_with_a_warning(db):
    lease = builders.contrat(db, date_fin_prevue="2026-01-31", montant_loyer="1000")
    answer = lot(db, lease, "1200")
    assert (answer["montant_applique"], answer["montant_non_affecte"]) == (1000, 200)
    assert "200\N{NO-BREAK SPACE}FCFA" in answer["avertissement"]
    reference = db.one("select reference from finances.paiement")
    assert reference.endswith("-1-2026")  # a payment of one instalment has its reference
    answer = lot(db, lease, "50")
    assert (answer["montant_applique"], answer["montant_non_affecte"], answer["echeances"]) == (0, 50, "{}")
    assert (answer["reste"], answer["statut"]) == (0, None)
    assert db.one("select sum(montant) from finances.paiement") == 1250
    assert instalments(db, lease)[0]["montant_paye"] == 1000


def test_the_follow_up_and_the_arrears_show_the_status_of_each_instalment(http, db):
    start = (db.today().replace(day=1) - timedelta(days=70)).replace(day=1)
    rows = instalments(db, builders.contrat(db, date_debut=start, date_fin_prevue=None, montant_loyer="1000"))
    user = builders.utilisateur(db, role="ADMINISTRATEUR")
    db.acting(user)
    for n, paid in [(0, "1000"), (2, "300"), (6, "100")]:
        collect(db, rows[n], paid)
    db.acting(None)
    admin = http.as_admin()
    suivi = admin.get("/residence/suivi?order=asc&sort=date_echeance").json()
    states = [row["statut"] for row in suivi]
    due = sum(row["date_echeance"] <= db.today() for row in rows)
    assert states[:3] == ["PAYE", "IMPAYE", "PARTIEL"]
    assert states[3:] == ["PARTIEL" if n == 6 else "IMPAYE" if n < due else "A_VENIR" for n in range(3, len(rows))]
    assert suivi[0]["client"] == "Exemple Awa" and suivi[0]["loyer_applique"] == "1000.00"
    assert suivi[0]["date_paiement"] is not None and suivi[1]["date_paiement"] is None
    for query, count in [
        ("statut=PAYE", 1), ("statut=PARTIEL", 2), ("statut=IMPAYE", due - 2), ("statut=A_VENIR", len(rows) - due - 1),
        (f"mois={start.month}&annee={start.year}", 1), (f"annee={start.year}&mois=13", 0),
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
        ("statut=PARTIEL", 2), (f"id_client={client}", due), ("id_client=999999", 0), ("client=awa", due),
    ]:  # fmt: skip
        assert len(admin.get(f"/residence/impayes?{query}").json()) == count, query
    owed = [row for row in admin.get(f"/finances/impayes?client={client}").json() if row["type"] == "LOYER"]
    assert [row["reste"] for row in owed] == [row["reste"] for row in arrears]
    assert owed[0]["reference"] == suivi[0]["numero_contrat"]
    assert [row for row in admin.get("/finances/impayes?type=FACTURE").json() if row["id_client"] == client] == []


def test_the_follow_up_lists_due_instalments_first_and_paid_instalments_last(http, db):
    """First the instalments owed by date, then the future ones, then the paid ones with the last paid on top."""
    start = (db.today().replace(day=1) - timedelta(days=75)).replace(day=17)
    end = db.today() + timedelta(days=75)
    lease, _ = [builders.contrat(db, date_debut=start, date_fin_prevue=end) for _ in range(2)]
    rows = instalments(db, lease)
    for row in (rows[0], rows[1], rows[-1]):
        collect(db, row, row["montant"])
    collect(db, rows[2], "1.50")
    admin = http.as_admin()
    listed = admin.get("/residence/suivi").json()
    assert len(listed) == db.one("select count(*) from residence.echeance")
    owed = [row for row in listed if row["statut"] != "PAYE"]
    assert listed[: len(owed)] == owed
    days = [row["date_echeance"] for row in owed]
    assert days == sorted(days) and owed[0]["statut"] == "IMPAYE" and owed[-1]["statut"] == "A_VENIR"
    paid = [row["date_echeance"] for row in listed[len(owed) :]]
    assert len(paid) == 3 and paid == sorted(paid, reverse=True)
    # The request can ask for another order.
    latest = admin.get("/residence/suivi?sort=date_echeance&order=desc").json()
    assert [row["date_echeance"] for row in latest] == sorted((row["date_echeance"] for row in listed), reverse=True)


def test_the_follow_up_shows_the_revision_in_force(db):
    lease = builders.contrat(db, date_fin_prevue="2026-03-31")
    for amount, day in [("100000", "2026-02-01"), ("110000", "2026-03-01")]:
        db.call("residence.contrat_reviser_loyer", id_contrat=lease, nouveau_montant=amount, date_effet=day)
    rows = db.rows("residence.suivi_lister", sort="date_echeance")
    assert [(row["loyer_applique"], row["ancien_montant"], row["nouveau_montant"]) for row in rows] == [
        (95000, None, None), (100000, 95000, 100000), (110000, 100000, 110000),
    ]  # fmt: skip
    assert [str(row["date_effet_revision"]) for row in rows] == ["None", "2026-02-01", "2026-03-01"]
