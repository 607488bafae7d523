"""A number too large in a line of any slice: the answer names the field."""

from tests import builders


def test_the_refusal_of_a_line_too_large_names_its_field(db, http):
    quantity, price = "9999999", "900000000"
    laundry = {"type_vetement": "Chemise", "prestation": "Repassage", "quantite": quantity, "tarif": price}
    goods = {"id_produit": str(builders.produit(db, "10", price)), "quantite": quantity}
    dish = {"id_plat": str(builders.plat(db, price)), "quantite": quantity}
    line = {"libelle": "Essai", "quantite": quantity, "prix_unitaire": price}
    admin, paid = http.as_admin(), {"montant": "0", "id_moyen": "1"}
    for path, body in (
        (f"/facturation/prestations/{builders.prestation(db)}/facturer", paid | {"lignes": [line]}),
        ("/pressing/commandes", {"id_client": str(builders.client(db)), "lignes": [laundry]}),
        ("/market/ventes", {"lignes": [goods], "paiement": paid}),
        ("/restaurant/commandes", {"type": "SUR_PLACE", "lignes": [dish], "paiement": paid}),
    ):
        answer = admin.post(path, json=body)
        assert (answer.status_code, answer.json()["details"]["champ"]) == (400, "lignes.total"), answer.text


def test_the_refusal_of_a_stay_too_expensive_names_its_total(db, http):
    stay = {"type_prestation": "NUITEE", "id_logement": str(builders.logement(db)), "tarif": "999999999"}
    body = stay | {"date_heure_arrivee": "2026-08-01T12:00:00Z", "date_heure_depart_prevue": "2031-08-01T12:00:00Z"}
    answer = http.as_admin().post("/residence/sejours", json=body)
    assert (answer.status_code, answer.json()["details"]["champ"]) == (400, "montant_total"), answer.text
