"""Each entity: labels become identifiers, the real operation makes the row, and the same row again exists already."""

from datetime import date, timedelta
from decimal import Decimal

import pytest

from tests import builders
from tests.sheets import counts, done, errors, text, tried, workbook


def client_code(db, **fields):
    return str(db.one("select code from client.client where id_client = %s", [builders.client(db, **fields)]))


def again(admin, sheet, entite, rows):
    """The same rows in another file exist already."""
    assert counts(tried(admin, sheet + b"\r\n", entite)) == (0, rows, 0)


def test_products_name_their_category_and_supplier(admin, db):
    category = admin.post("/market/categories-produits", json={"libelle": "Hygiène"}).json()["id_categorie_produit"]
    supplier = done(admin, text(("Fournisseur", "Tel"), ("SIVOP", "27 21 00 00 00")), "fournisseurs")
    sheet = text(
        ("Référence", "Désignation", "Prix d'achat", "Prix de vente", "Catégorie", "Fournisseur", "Qté", "Actif"),
        ("SAV-1", "Savon", "350", "1 234,50 FCFA", "hygiène", "sivop", "12,5", "oui"),
        ("SAV-2", "Savon noir", "", "750", "Inconnue", "", "", ""),
        ("SAV-3", "Gel", "", "750", "", "Personne", "", ""),
        ("SAV-4", "Vieux gel", "", "700", "", "", "0", "non"),
    )
    answer = done(admin, sheet, "produits")
    assert counts(answer) == (2, 0, 2) and counts(supplier) == (1, 0, 0)
    assert errors(answer) == [(3, "categorie"), (4, "fournisseur")]
    made = {row["reference"]: row for row in admin.get("/market/produits").json()}
    soap = made["SAV-1"]
    assert (soap["prix_vente"], soap["quantite_stock"], soap["prix_achat"]) == ("1234.50", "12.50", "350.00")
    assert soap["id_categorie_produit"] == category and soap["id_fournisseur"]
    assert made["SAV-4"]["actif"] is False
    history = "select motif, quantite from market.mouvement_stock where id_produit = %s"
    assert db.all(history, [soap["id_produit"]]) == [{"motif": "Stock initial", "quantite": Decimal("12.50")}]
    assert counts(tried(admin, sheet + b"\n", "produits")) == (0, 2, 2)


def test_an_opening_stock_enters_once(admin, db):
    made = builders.produit(db, stock="0", reference="PAIN-1", nom="Pain")
    builders.produit(db, stock="0", nom="Baguette")
    sheet = text(
        ("ref", "produit", "quantité"),
        ("PAIN-1", "", "40"),
        ("", "baguette", "7,25"),
        ("RIEN", "", "1"),
        ("PAIN-1", "", "-2"),
    )
    answer = done(admin, sheet, "stock")
    assert counts(answer) == (2, 0, 2)
    assert errors(answer) == [(4, "reference"), (5, "quantite")]
    assert db.one("select quantite_stock from market.produit where id_produit = %s", [made]) == 40
    assert counts(tried(admin, sheet + b"\n", "stock")) == (0, 2, 2)


def test_buildings_then_rooms(admin):
    buildings = text(("Code", "Nom", "Adresse"), ("Z1", "Résidence du Lac", "Rue 12"))
    assert counts(done(admin, buildings, "batiments")) == (1, 0, 0)
    again(admin, buildings, "batiments", 1)
    rooms = text(
        ("Bâtiment", "Numéro", "Type", "Loyer"),
        ("Z1", "A-01", "chambre", "45 000"),
        ("résidence du lac", "A-02", "Studio", "80.000,50"),
        ("Absent", "A-03", "STUDIO", "1"),
        ("Z1", "A-04", "Château", "1"),
    )
    answer = done(admin, rooms, "logements")
    assert counts(answer) == (2, 0, 2)
    assert errors(answer) == [(4, "batiment"), (5, "type")]
    made = {row["numero"]: row for row in admin.get("/residence/logements").json()}
    assert (made["A-02"]["type"], made["A-02"]["tarif"], made["A-01"]["statut"]) == ("STUDIO", "80000.50", "DISPONIBLE")


def test_employees_keep_their_number(admin, db):
    service = admin.post("/rh/services", json={"libelle": "Cuisine"}).json()["id_service"]
    sheet = workbook(
        ("Matricule", "Nom", "Prénom", "Fonction", "Date d'embauche", "Salaire", "Service", "Contrat"),
        ("M-007", "Bamba", "Ali", "Cuisinier", date(2020, 5, 4), 180000, "CUISINE", "cdi"),
        ("M-008", "Koné", "Awa", "serveur", "04/05/2021", "150 000", "", "CDD"),
        ("M-009", "Yao", "Paul", "serveur", "31/02/2021", "1", "", "CDD"),
        ("M-010", "Yao", "Luc", "serveur", "04/05/2021", "1", "Absent", "CDD"),
    )
    answer = done(admin, sheet, "employes")
    assert counts(answer) == (2, 0, 2)
    assert errors(answer) == [(4, "date_embauche"), (5, "service")]
    made = {row["code"]: row for row in admin.get("/rh/employes").json()}
    cook = {"date_embauche": "2020-05-04", "id_service": service, "fonction": "CUISINIER"}
    assert made["M-007"].items() >= cook.items()
    assert made["M-008"]["salaire_base"] == "150000.00"
    assert counts(tried(admin, sheet, "employes")) == (0, 2, 2)


def test_dishes_and_services_are_known_by_their_label(admin):
    admin.post("/restaurant/categories", json={"libelle": "Grillades"})
    dishes = text(
        ("Plat", "Prix", "Catégorie", "Disponible"),
        ("Poulet braisé", "3 500", "grillades", "OUI"),
        ("Attiéké", "1000", "", "non"),
    )
    assert counts(done(admin, dishes, "plats")) == (2, 0, 0)
    again(admin, dishes, "plats", 2)
    assert {p["nom"]: p["disponible"] for p in admin.get("/restaurant/plats").json()}["Attiéké"] is False
    services = text(
        ("Prestation", "Tarif", "Activité"),
        ("Ménage", "5000", ""),
        ("Ménage", "6000", "PRESSING"),
        ("Repas", "1", "Absente"),
    )
    answer = done(admin, services, "prestations")
    assert counts(answer) == (2, 0, 1) and errors(answer) == [(4, "activite")]


def test_an_opening_invoice_is_unpaid_with_its_date_and_a_number_of_today(admin, db):
    code = client_code(db, nom="Zadi", prenoms="Marc")
    today = db.today()
    old = today - timedelta(days=200)
    sheet = text(
        ("Client", "Libellé", "Date", "Reste à payer"),
        (code, "Facture 2025-118", f"{old:%d/%m/%Y}", "1 250,75"),
        ("Zadi Marc", "Facture 2025-119", "", "10"),
        ("Absent", "x", "", "10"),
        (code, "Zéro", "", "0"),
        (code, "Demain", f"{today + timedelta(days=1):%d/%m/%Y}", "5"),
    )
    answer = done(admin, sheet, "factures")
    assert counts(answer) == (2, 0, 3)
    assert errors(answer) == [(4, "client"), (5, "montant"), (6, "date")]
    made = {row["libelle"]: row for row in admin.get("/facturation/factures").json()}
    first = made["Facture 2025-118"]
    assert (first["reste"], first["statut"], first["montant_total"]) == ("1250.75", "IMPAYEE", "1250.75")
    assert f"-FAC-{today.year}-" in first["numero"]
    assert db.one("select jour from facturation.facture where id_facture = %s", [first["id_facture"]]) == old
    assert counts(tried(admin, sheet + b"\n", "factures")) == (0, 2, 3)


def number_of(db, room):
    return str(db.one("select numero from residence.logement where id_logement = %s", [room]))


def lease_sheet(db, start, paid, rent="90000"):
    room, until = builders.logement(db), f"{paid:%d/%m/%Y}" if paid else ""
    header = ("Locataire", "Logement", "Date de début", "Loyer", "Payé jusqu'au")
    return text(header, (client_code(db), number_of(db, room), f"{start:%d/%m/%Y}", rent, until)), room


def instalments(db, room):
    return db.all(
        """select e.date_echeance as debut, e.date_fin as fin, e.montant, e.statut::text as statut
             from residence.echeance_vue e join residence.contrat_location c using (id_contrat)
            where c.id_logement = %s order by 1""",
        [room],
    )


def month_end(day):
    return (day.replace(day=1) + timedelta(days=32)).replace(day=1) - timedelta(days=1)


def test_a_lease_paid_to_the_end_of_a_month_owes_from_the_next_one(admin, db):
    today = db.today()
    paid = month_end(today)
    sheet, room = lease_sheet(db, date(today.year - 2, 3, 17), paid)
    assert counts(done(admin, sheet, "contrats")) == (1, 0, 0)
    rows = instalments(db, room)
    assert rows[0]["debut"] == paid + timedelta(days=1)
    assert {row["statut"] for row in rows} == {"A_VENIR"} and {row["montant"] for row in rows} == {Decimal(90000)}
    contract = """select statut::text as statut, date_debut, paye_jusqu_au from residence.contrat_location
                   where id_logement = %s"""
    taken = {"statut": "ACTIF", "date_debut": date(today.year - 2, 3, 17), "paye_jusqu_au": paid}
    assert db.all(contract, [room]) == [taken]
    assert db.one("select statut::text from residence.logement where id_logement = %s", [room]) == "OCCUPE"
    assert admin.get("/residence/impayes").json() == []
    assert db.one("select count(*) from facturation.facture where source_type = 'LOCATION'") == 0
    # The nightly job continues after them and makes none of the past.
    db.acting(None)
    db.call("jobs.generer_echeances", jusqu_au=today + timedelta(days=500))
    assert instalments(db, room)[0] == rows[0] and len(instalments(db, room)) > len(rows)
    assert counts(tried(admin, sheet + b"\n", "contrats")) == (0, 1, 0)


def test_a_lease_paid_to_the_middle_of_a_month_owes_the_rest_of_it(admin, db):
    today = db.today()
    previous = today.replace(day=1) - timedelta(days=1)
    paid = previous.replace(day=10)
    sheet, room = lease_sheet(db, date(today.year - 1, 1, 17), paid)
    done(admin, sheet, "contrats")
    first, second = instalments(db, room)[:2]
    share = db.one("select core.arrondir(90000 * 10 / %s::numeric)", [previous.day])
    assert (first["debut"], first["fin"]) == (previous.replace(day=11), previous)
    assert first["montant"] == 90000 - share
    assert first["statut"] == "IMPAYE" and second["montant"] == 90000


@pytest.mark.parametrize(
    ("start", "end", "paid"),
    [
        (date(2026, 1, 15), date(2026, 6, 14), date(2026, 6, 10)),
        (date(2026, 1, 15), date(2026, 6, 25), date(2026, 6, 1)),
        (date(2026, 1, 1), date(2026, 6, 30), date(2026, 6, 29)),
        (date(2026, 6, 5), date(2026, 6, 28), date(2026, 6, 20)),
    ],
)
def test_the_last_days_of_a_lease_cost_the_rest_of_its_last_rent(db, start, end, paid):
    """A lease of five months from the 15th costs five rents: its last days complete the first ones."""
    first = max(end.replace(day=1), start)

    def rent(day):
        return Decimal(db.one("select residence._loyer_periode('MENSUEL', 110000, %s, %s, %s)", [start, day, end]))

    paid_days = db.one("select residence._prorata('MENSUEL', 110000, %s, %s)", [first, paid])
    assert rent(paid + timedelta(days=1)) == rent(first) - paid_days > 0


def test_a_lease_without_a_payment_owes_from_its_first_day(admin, db):
    start = (db.today().replace(day=1) - timedelta(days=40)).replace(day=20)
    sheet, room = lease_sheet(db, start, None, rent="75 500,50")
    done(admin, sheet, "contrats")
    rows = instalments(db, room)
    assert rows[0]["debut"] == start and rows[0]["statut"] == "IMPAYE"
    assert rows[1]["montant"] == Decimal("75500.50")


def test_a_lease_is_refused_for_a_taken_room_an_unknown_client_or_a_payment_before_its_start(admin, db):
    today = db.today()
    held = builders.contrat(db, date_debut=today, date_fin_prevue=None)
    number = number_of(db, db.one("select id_logement from residence.contrat_location where id_contrat = %s", [held]))
    free, code = number_of(db, builders.logement(db)), client_code(db)
    sheet = text(
        ("client", "logement", "date_debut", "montant_loyer", "paye_jusqu_au"),
        (code, number, today, 1000, ""),
        ("ABSENT", free, today, 1000, ""),
        (code, "ABSENT", today, 1000, ""),
        (code, free, today, 1000, today - timedelta(days=9)),
        (code, free, today, 0, ""),
        (code, free, today, 1000, today - timedelta(days=1)),
    )
    answer = tried(admin, sheet, "contrats")
    assert counts(answer) == (1, 0, 5)
    assert errors(answer) == [(2, None), (3, "client"), (4, "logement"), (5, "paye_jusqu_au"), (6, "montant_loyer")]
    assert "n'est pas disponible" in answer["erreurs"][0]["message"]


def test_a_lease_that_begins_later_waits(admin, db):
    sheet, room = lease_sheet(db, db.today() + timedelta(days=20), None)
    done(admin, sheet, "contrats")
    assert db.one("select statut::text from residence.contrat_location where id_logement = %s", [room]) == "EN_ATTENTE"
    assert db.one("select statut::text from residence.logement where id_logement = %s", [room]) == "RESERVE"


def test_a_lease_taken_over_and_ended_owes_only_the_days_after_its_payment(admin, db):
    today = db.today()
    sheet, room = lease_sheet(db, date(today.year - 1, 5, 5), month_end(today))
    done(admin, sheet, "contrats")
    contract = db.one("select id_contrat from residence.contrat_location where id_logement = %s", [room])
    ended = admin.post(f"/residence/contrats/{contract}/resilier", json={})
    assert ended.status_code == 200 and ended.json()["montant_a_rembourser"] == "0.00"
    assert instalments(db, room) == []
