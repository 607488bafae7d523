"""A cancelled thing counts in `annulees` and under its state, on its own day, and in no other number or amount."""

from tests import builders
from tests.accord import disagreements
from tests.portail.demandes import HALL, LAUNDRY, MEAL, SHOP, STAY, account

EVENT, ARRIVAL = "2031-05-17", "2031-03-10"
TRADES = {
    "VENTE_MARCHANDISES": (SHOP, "nombre_ventes", None), "RESTAURATION": (MEAL, "nombre_commandes", None),
    "PRESSING": (LAUNDRY, "nombre_commandes", None), "SALLE_FETE": (HALL, "nombre_reservations", EVENT),
    "LOCATION_RESIDENTIEL": (STAY, "nombre_sejours", ARRIVAL),
}  # fmt: skip


def bodies(db):
    """The body that staff send in each trade, for 100."""
    paid = {"montant": "100", "id_moyen": str(builders.moyen(db))}
    linen = {"type_vetement": "Robe", "quantite": 1, "prestation": "À sec", "hors_catalogue": True, "tarif": "100"}
    event = {"date_evenement": EVENT, "heure_debut": "08:00", "duree": "2", "type_manifestation": "Bal"}
    return {
        "VENTE_MARCHANDISES": {
            "lignes": [{"id_produit": str(builders.produit(db, prix="100")), "quantite": "1"}], "paiement": paid,
        },
        "RESTAURATION": {
            "type": "SUR_PLACE", "lignes": [{"id_plat": str(builders.plat(db, prix="100")), "quantite": 1}],
            "paiement": paid,
        },
        "PRESSING": {"id_client": str(builders.client(db)), "lignes": [linen]},
        "SALLE_FETE": event | {"tarif": "100"},
        "LOCATION_RESIDENTIEL": {
            "id_logement": str(builders.logement(db)), "type_prestation": "NUITEE", "tarif": "100",
            "date_heure_arrivee": f"{ARRIVAL} 18:00:00", "paiement": paid,
        },
    }  # fmt: skip


def write(http, db, kind, body):
    """One thing that staff cancel, then one that stays, and a request of the portal that they refuse."""
    for verb in ("annuler", None):
        made = http.as_admin().post(kind.staff, json=body)
        assert made.status_code == 201, made.text
        if verb:
            key = db.one(f"select max({kind.key}) from {kind.table}")
            assert kind.decide(http, key, verb).status_code == 200
    request = kind.request(http, db, account(db))
    assert kind.decide(http, request, "annuler", {"motif": "Complet"}).status_code == 200


def test_cancelled_things_count_one_way_in_every_report(http, db):
    admin = http.as_admin()
    today, yesterday = (str(db.one(f"select core.aujourdhui() - {days}")) for days in (0, 1))
    for code, body in bodies(db).items():
        write(http, db, TRADES[code][0], body)
    for _ in range(2):
        builders.souscription(db)
        builders.paie(db, periode=today[:7])
        expense = builders.depense(db, date=today)
    invoice = db.one("select max(id_facture) from abonnement.souscription")
    assert admin.post(f"/facturation/factures/{invoice}/annuler", json={"motif": "Erreur"}).status_code == 200
    assert admin.post(f"/rh/paies/{db.one('select max(id_paie) from rh.paie')}/annuler").status_code == 200
    assert admin.delete(f"/finances/depenses/{expense['id_depense']}").status_code in (200, 204)

    counted = {}
    for code, (kind, number, day) in TRADES.items():
        for du, au in ((None, None), (day or today,) * 2, (yesterday,) * 2):
            period = {"du": du, "au": au} if du else {}
            report = admin.get(f"/rapports/activites/{code}", params=period).json()["indicateurs"]
            cancelled = report["par_statut"].pop(kind.cancelled, 0)
            living = sum(report["par_statut"].values())
            counted[code, du] = (report.get(number), living, report.get("annulees"), cancelled)
    expected = {key: (0, 0, 0, 0) if key[1] == yesterday else (1, 1, 2, 2) for key in counted}
    assert counted == expected

    sales, dishes = (admin.get(f"/{trade}/rapports/ventes").json() for trade in ("market", "restaurant"))
    assert (sales["nb_ventes"], sales["ca_total"], sales["top_produits"][0]["quantite"]) == ("1", "100.00", "1.00")
    assert [(row["quantite_vendue"], row["chiffre_affaire"]) for row in dishes] == [("1.00", "100.00")]
    board = admin.get("/dashboard").json()
    shop, meals, hall, money = (board[part] for part in ("market", "restaurant", "salle_fete", "finances"))
    assert (shop["nombre_ventes_aujourd_hui"], shop["chiffre_affaires_aujourd_hui"]) == (1, "100.00")
    # The turnover of the restaurant has the subscription of 25000.
    assert (meals["nombre_commandes_aujourd_hui"], meals["chiffre_affaires_aujourd_hui"]) == (1, "25100.00")
    assert (hall["reservations_a_venir"], len(hall["prochaines"])) == (1, 1)
    whole = admin.get("/rapports/synthese-globale").json()
    assert whole["pressing"]["commandes_en_cours"] == board["pressing"]["commandes_en_cours"] == 1
    # The room of the stay that stands is taken, the room of the refused request is free.
    assert whole["residence"]["chambres_disponibles"] == board["residence"]["chambres_disponibles"] == 1
    assert whole["impayes"] == {"nombre": 1, "montant": "25000.00"}
    assert (whole["total_depenses"], money["depenses_mois"]) == ("5.00", "5.00")
    # The money of cancelled things came in and went out again.
    assert (whole["total_recettes"], whole["total_decaissements"]) == ("600.00", "300.00")
    assert money["chiffre_affaires_global_mois"] == "25300.00"
    invoices = {row["code"]: row["factures_emises"] for row in admin.get("/dashboard/tableau-de-bord").json()}
    assert {code: number for code, number in invoices.items() if number} == {
        "VENTE_MARCHANDISES": 1, "RESTAURATION": 2, "LOCATION_RESIDENTIEL": 1, "TOTAL": 4,
    }  # fmt: skip
    assert (whole["masse_salariale"], money["salaires_a_payer_mois"]) == ("180000.00", "180000.00")
    staff = admin.get("/rapports/rh").json()["paie"]
    assert (staff["par_statut"]["CALCULEE"], staff["total_verse"]) == ("180000.00", "0.00")
    assert disagreements(db, f"{today[:7]}-01", today) == []
