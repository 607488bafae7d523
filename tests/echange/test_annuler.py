"""An import is undone the day it is made, as long as nothing followed any of its rows."""

import pytest

from tests import builders
from tests.conftest import refused
from tests.echange.test_entites import client_code, number_of
from tests.sheets import counts, done, text, tried

CLIENTS = text(("Nom", "Prénoms", "Téléphone"), ("Un", "A", "0700000001"), ("Deux", "B", "0700000002"))


def undo(admin, number):
    return admin.post(f"/imports/{number}/annuler")


def count(db, table):
    return int(db.one(f"select count(*) from {table}"))


def lease(db, start):
    """A sheet with one lease, and its room."""
    room = builders.logement(db)
    row = (client_code(db), number_of(db, room), start, "90000")
    return text(("client", "logement", "date_debut", "montant_loyer"), row), room


@pytest.mark.parametrize(
    ("entite", "table", "sheet"),
    [
        ("clients", "client.client", CLIENTS),
        ("produits", "market.produit", text(("reference", "nom", "prix_vente"), ("A1", "Savon", "500"))),
        ("fournisseurs", "market.fournisseur", text(("nom",), ("SIVOP",))),
        ("batiments", "residence.batiment", text(("code", "nom"), ("Z1", "Zénith"))),
        ("plats", "restaurant.plat", text(("nom", "prix"), ("Garba", "500"))),
        ("prestations", "facturation.prestation", text(("libelle", "prix"), ("Ménage", "5000"))),
    ],
)
def test_rows_that_nothing_refers_to_disappear(admin, db, entite, table, sheet):
    before = count(db, table)
    made = done(admin, sheet, entite)
    assert count(db, table) > before
    answer = undo(admin, made["id_import"])
    assert (answer.status_code, answer.json()["etat"]) == (200, "ANNULE")
    assert count(db, table) == before
    assert undo(admin, made["id_import"]).json()["code"] == "IMPORT_ANNULE"
    assert admin.post(f"/imports/{made['id_import']}/valider").json()["code"] == "IMPORT_ANNULE"
    assert counts(done(admin, sheet, entite)) == counts(made)


def test_a_room_disappears_and_its_building_stays(admin, db):
    code = db.one("select code from residence.batiment where id_batiment = %s", [builders.batiment(db)])
    made = done(admin, text(("batiment", "numero", "type", "tarif"), (code, "Z-9", "STUDIO", "1")), "logements")
    assert undo(admin, made["id_import"]).status_code == 200
    assert count(db, "residence.logement where numero = 'Z-9'") == 0


def test_a_row_that_is_used_refuses_the_whole(admin, db):
    made = done(admin, CLIENTS)
    builders.contrat(db, id_client=db.one("select id_client from client.client where nom = 'Deux'"))
    answer = undo(admin, made["id_import"])
    assert (answer.status_code, answer.json()["code"]) == (409, "IMPORT_SUIVI")
    assert [row["ligne"] for row in answer.json()["details"]["lignes"]] == [3]
    assert count(db, "client.client where nom in ('Un', 'Deux')") == 2


def test_an_import_of_another_day_stays(admin, db):
    made = done(admin, CLIENTS)
    db.execute("update echange.import set date_fin = date_fin - interval '1 day'")
    assert undo(admin, made["id_import"]).json()["code"] == "IMPORT_CLOS"
    assert count(db, "client.client where nom = 'Un'") == 1


def test_a_trial_is_given_up(admin, db):
    number = tried(admin, CLIENTS)["id_import"]
    assert undo(admin, number).json()["etat"] == "ANNULE"
    assert admin.post(f"/imports/{number}/valider").status_code == 409


def test_a_product_with_its_first_stock_leaves_the_shop_and_frees_its_reference(admin, db):
    sheet = text(("reference", "nom", "prix_vente", "quantite_initiale"), ("A1", "Savon", "500", "12"))
    for _ in range(2):
        made = done(admin, sheet, "produits")
        assert counts(made) == (1, 0, 0)
        assert undo(admin, made["id_import"]).status_code == 200
    soaps = db.all("select actif, quantite_stock from market.produit where nom = 'Savon'")
    assert soaps == [{"actif": False, "quantite_stock": 0}] * 2
    made = done(admin, sheet, "produits")
    product = db.one("select id_produit from market.produit where reference = 'A1'")
    db.call("market.mouvement_stock_creer", id_produit=product, type="SORTIE", quantite="1")
    assert undo(admin, made["id_import"]).json()["code"] == "IMPORT_SUIVI"


def test_an_opening_stock_goes_out_again(admin, db):
    builders.produit(db, stock="0", reference="A1")
    sheet = text(("reference", "quantite"), ("A1", "12"))
    assert undo(admin, done(admin, sheet, "stock")["id_import"]).status_code == 200
    assert db.one("select quantite_stock from market.produit where reference = 'A1'") == 0
    assert counts(done(admin, sheet, "stock")) == (1, 0, 0)


def test_an_opening_stock_goes_out_at_the_cost_of_its_line(admin, db):
    product = builders.produit(db, stock="10", prix_achat="100", reference="A1")
    made = done(admin, text(("reference", "quantite", "pu"), ("A1", "5", "400")), "stock")
    average = (
        "select quantite_stock::integer as quantite_stock, valeur_stock::integer as valeur_stock from market.produit"
    )
    assert db.all(average) == [{"quantite_stock": 15, "valeur_stock": 3000}]
    entry = db.one("select max(id_mouvement) from market.mouvement_stock")
    assert undo(admin, made["id_import"]).status_code == 200
    assert db.all(average) == [{"quantite_stock": 10, "valeur_stock": 1000}]
    with refused("COUT_NON_CORRIGEABLE", 409):
        db.call("market.mouvement_stock_corriger", id_mouvement=entry, cout_unitaire="5")
    assert admin.get(f"/market/produits/{product}").json()["cout_moyen"] == "100.00"


def test_a_lease_is_ended_on_its_first_day_and_its_room_is_free(admin, db):
    sheet, room = lease(db, db.one("select core.aujourdhui() - 70"))
    assert undo(admin, done(admin, sheet, "contrats")["id_import"]).status_code == 200
    assert db.one("select statut::text from residence.logement where id_logement = %s", [room]) == "DISPONIBLE"
    assert db.one("select count(*) from residence.echeance_vue") == 0
    assert counts(done(admin, sheet, "contrats")) == (1, 0, 0)


def test_a_paid_lease_stays(admin, db):
    made = done(admin, lease(db, db.today())[0], "contrats")
    instalment = db.one("select min(id_echeance) from residence.echeance")
    payment = {"id_moyen": builders.moyen(db), "montant": "100"}
    paid = admin.post(f"/residence/echeances/{instalment}/encaisser", json=payment)
    assert paid.is_success, paid.text
    assert undo(admin, made["id_import"]).json()["code"] == "IMPORT_SUIVI"


def test_an_opening_invoice_is_cancelled_unless_it_is_paid(admin, db):
    code = client_code(db)
    sheet = text(("client", "libelle", "montant"), (code, "F-1", "100"), (code, "F-2", "50"))
    assert undo(admin, done(admin, sheet, "factures")["id_import"]).status_code == 200
    assert db.one("select count(*) from facturation.facture where libelle in ('F-1', 'F-2') and annulee") == 2
    made = done(admin, sheet, "factures")
    assert counts(made) == (2, 0, 0)
    invoice = db.one("select id_facture from facturation.facture where libelle = 'F-2' and not annulee")
    db.call("finances.paiement_creer", montant="10", id_moyen=builders.moyen(db), id_facture=invoice)
    answer = undo(admin, made["id_import"])
    assert [row["ligne"] for row in answer.json()["details"]["lignes"]] == [3]
    assert db.one("select count(*) from facturation.facture where libelle = 'F-1' and not annulee") == 1


def test_an_employee_becomes_inactive_and_the_number_is_free(admin, db):
    header = ("matricule", "nom", "prenom", "date_embauche", "salaire_base")
    sheet = text(header, ("M-1", "Yao", "Luc", "2020-01-01", "1"))
    assert undo(admin, done(admin, sheet, "employes")["id_import"]).status_code == 200
    assert db.one("select statut::text from rh.employe where nom = 'Yao'") == "INACTIF"
    assert counts(done(admin, sheet, "employes")) == (1, 0, 0)
