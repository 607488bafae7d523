"""Offers of prepaid quotas: create, list, modify, deactivate and delete."""

from tests import builders
from tests.conftest import ok, reachable, refused, values_of

OFFER = {
    "code": "MIDI-20", "libelle": "Vingt déjeuners", "activite": "RESTAURATION", "unite": "REPAS", "quota": "20.5",
    "prix": "47500", "duree_jours": 45, "actif": True,
}  # fmt: skip


def test_offers_are_created_read_modified_and_deleted_over_http(http, db):
    admin = http.as_admin()
    category = admin.post("/restaurant/categories", json={"libelle": "Plats"}).json()["id_categorie_plat"]
    body = OFFER | {"description": "Du lundi au vendredi", "id_categorie_plat": category, "max_par_jour": 2}
    offer = ok(admin.post("/abonnement/offres", json=body), 201)
    assert list(offer) == [
        "id_offre", "code", "libelle", "description", "activite", "unite", "quota", "prix", "duree_jours", "actif",
        "date_creation", "date_modification", "id_prestation", "prestation_libelle", "id_categorie_plat",
        "categorie_plat_libelle", "max_par_jour",
    ]  # fmt: skip
    assert (offer["quota"], offer["prix"], offer["duree_jours"], offer["max_par_jour"]) == ("20.50", "47500.00", 45, 2)
    assert values_of(offer, "categorie_plat_libelle id_prestation date_modification") == ("Plats", None, None)
    path = f"/abonnement/offres/{offer['id_offre']}"
    assert admin.get(path).json() == offer
    changed = admin.patch(path, json={"prix": "50000", "quota": "21", "duree_jours": 60, "actif": False}).json()
    assert changed == offer | {
        "prix": "50000.00", "quota": "21", "duree_jours": 60, "actif": False,
        "date_modification": changed["date_modification"],
    }  # fmt: skip
    assert changed["date_modification"] is not None
    assert admin.delete(path).status_code == 204
    assert admin.get(path).status_code == 404
    for method in ("PATCH", "DELETE"):
        answer = admin.request(method, path, json={})
        assert (answer.status_code, answer.json()["message"]) == (404, f"Offre n° {offer['id_offre']} introuvable.")


def test_a_sold_offer_is_deactivated_not_deleted_and_keeps_its_code(db):
    offer = builders.offre(db)
    builders.souscription(db, id_offre=offer)
    with refused("OFFRE_VENDUE", 409):
        db.call("abonnement.offre_supprimer", id_offre=offer)
    with refused("OFFRE_VENDUE", 409):
        db.execute("delete from abonnement.offre")
    db.call("abonnement.offre_modifier", id_offre=offer, champs={"actif": False})
    with refused("OFFRE_INACTIVE", 409):
        builders.souscription(db, id_offre=offer)
    with refused("OFFRE_EXISTANTE", 409):
        builders.offre(db, code=db.one("select code from abonnement.offre"))


def test_an_invalid_offer_is_refused(db):
    for fields, rule, status in (
        ({"unite": "KG"}, "offre_unite_de_l_activite", 400),
        ({"activite": "PRESSING", "unite": "KG"}, "offre_couverture", 400),
        ({"activite": "PRESSING", "unite": "PIECE", "id_prestation": 987654}, "offre_prestation_inconnue", 422),
        ({"id_categorie_plat": 987654}, "offre_categorie_plat_inconnue", 422),
        ({"quota": "0"}, "quantite_d_abonnement_positive", 400),
        ({"quota": "1.005"}, "offre_quota_a_deux_decimales", 400),
        ({"duree_jours": 0}, "duree_d_abonnement_minimale", 400),
        ({"duree_jours": 3661}, "duree_d_abonnement_maximale", 400),
        ({"prix": "-1"}, "montant_positif", 400),
        ({"max_par_jour": "0"}, "nombre_positif", 400),
        ({"libelle": " "}, "libelle_rempli", 400),
    ):
        with refused(rule, status):
            db.call("abonnement.offre_creer", **{**OFFER, **fields})


def test_the_coverage_of_an_offer_never_changes(db):
    builders.offre(db)
    for field in ("code", "activite", "unite", "id_categorie_plat", "id_prestation", "max_par_jour"):
        with refused("OFFRE_FIGEE", 409):
            db.execute(f"update abonnement.offre set {field} = null")


def test_the_list_of_offers_filters_and_sorts(db):
    category = db.call("restaurant.categorie_plat_creer", libelle="Plats")["id_categorie_plat"]
    a = builders.offre(db, libelle="Carte A", code="A", prix="300")
    b = builders.offre(db, libelle="Carte B", code="B", prix="200", actif=False)
    c = builders.offre(db, libelle="Carte C", code="C", prix="100", id_categorie_plat=category, description="Éclair")
    for expected, filters in [
        ([a, b, c], {}),
        ([b], {"code": "B"}),
        ([a, b, c], {"activite": "RESTAURATION"}),
        ([], {"activite": "PRESSING"}),
        ([a, b, c], {"unite": "REPAS"}),
        ([b], {"actif": False}),
        ([c], {"id_categorie_plat": category}),
        ([], {"id_prestation": 1}),
        ([c], {"recherche": "eclair"}),
    ]:
        assert [row["id_offre"] for row in db.rows("abonnement.offre_lister", **filters)] == expected, filters


def test_users_of_another_activity_and_clients_see_no_offer_and_no_subscription(db):
    offer = {"id_offre": builders.offre(db)}
    sold = {"id_souscription": builders.souscription(db, **offer)}
    client = builders.utilisateur(db, role="ADMINISTRATEUR", id_client=builders.client(db))
    for user in (builders.utilisateur(db, activite=builders.activite(db, "PRESSING")), client):
        db.acting(user)
        assert db.rows("abonnement.offre_lister") == db.rows("abonnement.souscription_lister") == []
        assert reachable(db, {
            "abonnement.offre_creer": OFFER,
            "abonnement.offre_supprimer": offer,
            "abonnement.souscription_payer": sold | {"montant": "1", "id_moyen": 1},
            "abonnement.souscription_resilier": sold | {"motif": "x"},
            "abonnement.souscription_decider_reliquat": sold | {"decision": "PERDU"},
        }) == []  # fmt: skip
