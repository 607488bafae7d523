"""Finances and notifications over HTTP: statuses, and the form of ids, amounts and dates."""

import pytest

from tests import builders


def test_a_till_is_opened_counted_and_closed(db, http):
    client = http.as_admin()
    activite = str(builders.activite(db))
    answer = client.post("/finances/caisses", json={"libelle": "Caisse d'essai", "id_activite": activite})
    assert answer.status_code == 201
    caisse = answer.json()
    assert caisse == {
        "id_caisse": caisse["id_caisse"],
        "libelle": "Caisse d'essai",
        "id_activite": activite,
        "actif": True,
    }
    path = f"/finances/caisses/{caisse['id_caisse']}"
    assert client.patch(path, json={"id_activite": "3"}).status_code == 400
    assert client.get(path).json() == caisse | {"ouverte": False, "periode": None}

    opened = client.post(f"{path}/ouvrir", json={"fond_initial": "1500"})
    assert opened.status_code == 201
    assert opened.json()["fond_initial"] == "1500.00"
    assert client.get(path).json()["periode"] == opened.json()
    again = client.post(f"{path}/ouvrir", json={})
    assert (again.status_code, again.json()["code"]) == (409, "CAISSE_DEJA_OUVERTE")

    client.post("/finances/paiements", json={"montant": "100.50", "id_moyen": "1", "id_caisse": caisse["id_caisse"]})
    day = client.get(f"{path}/dashboard").json()
    assert (day["revenus_jour"], day["total_paiements"], day["total_depenses"]) == (100.5, 100.5, 0)
    assert [p["montant"] for p in day["paiements_details"]] == ["100.50"]

    counted = client.post("/finances/tirages", json={"montant_compte": "90.5", "id_caisse": caisse["id_caisse"]})
    assert counted.status_code == 201
    tirage = counted.json()
    assert (tirage["montant_compte"], tirage["montant_attendu"], tirage["ecart"]) == (90.5, 100.5, -10)
    assert tirage["id"] == tirage["id_tirage"] and isinstance(tirage["id"], str)
    assert client.get("/finances/tirages").json() == [tirage]

    (alert,) = client.get("/notifications", params={"lue": "false"}).json()
    assert (alert["evenement"], alert["priorite"]) == ("finances.tirage.ecart", "HIGH")
    read = client.post(f"/notifications/{alert['id_notification']}/lire")
    assert (read.status_code, read.json()) == (200, alert | {"lue": True})
    assert client.get("/notifications", params={"lue": "false"}).json() == []

    closed = client.post(f"{path}/fermer")
    assert closed.status_code == 200
    assert closed.json() == {
        "id_caisse": caisse["id_caisse"],
        "id_periode": opened.json()["id_periode"],
        "fermee": True,
    }
    again = client.post(f"{path}/fermer")
    assert (again.status_code, again.json()["code"]) == (404, "CAISSE_DEJA_FERMEE")
    assert again.json()["message"] == "Caisse Caisse d'essai déjà fermée"
    (period,) = client.get(f"{path}/periodes").json()
    assert period["fermeture"].endswith("Z")


@pytest.mark.utc
def test_an_expense_is_created_changed_and_voided_over_http(db, http):
    client = http.as_admin()
    categorie = client.post("/finances/categories-depenses", json={"libelle": "Entretien"}).json()
    path = f"/finances/categories-depenses/{categorie['id_categorie_depense']}"
    assert client.get(f"{path}/hint").status_code == 404
    created = client.post(
        "/finances/depenses",
        json={
            "montant": 25000,
            "id_categorie_depense": categorie["id_categorie_depense"],
            "libelle": "Peinture",
            "date": "2026-08-15",
            "id_caisse": None,
            "justificatif": None,
        },
    )
    assert created.status_code == 201
    assert created.json() == {
        "id_depense": created.json()["id_depense"],
        "date": "2026-08-15T00:00:00.000Z",
        "montant": "25000.00",
        "id_categorie_depense": categorie["id_categorie_depense"],
        "id_activite": None,
        "libelle": "Peinture",
        "justificatif": None,
        "id_utilisateur": created.json()["id_utilisateur"],
        "id_caisse": None,
    }
    assert client.get(f"{path}/hint").json() == {"montant": "25000.00", "libelle": "Peinture"}
    assert client.get("/finances/tableau-de-bord").json() == [
        {
            "periode": "2026-08",
            "encaissements": "0.00",
            "decaissements": "0.00",
            "marge_nette": "-25000.00",
            "factures_emises": "0",
            "montant_factures": "0.00",
            "depenses": "25000.00",
            "sorties": "25000.00",
            "montant_brut": "0.00",
            "montant_avoirs": "0.00",
        }
    ]
    depense = f"/finances/depenses/{created.json()['id_depense']}"
    assert client.patch(depense, json={"montant": "26000"}).json()["montant"] == "26000.00"
    assert client.delete(depense).status_code == 204
    assert client.get("/finances/depenses").json() == []
    assert client.delete(depense).status_code == 404
    used = client.delete(path)
    assert (used.status_code, used.json()["code"]) == (409, "CATEGORIE_UTILISEE")


def test_activities_methods_arrears_and_consolidation_answer(db, http):
    client = http.as_admin()
    assert client.get("/finances/activites", params={"search": "pressing"}).json()[0]["code"] == "PRESSING"
    method = client.post("/finances/moyens-paiement", json={"libelle": "Bon d'achat"})
    assert method.status_code == 201
    path = f"/finances/moyens-paiement/{method.json()['id_moyen']}"
    assert client.patch(path, json={"actif": False}).json() == method.json() | {"actif": False}
    assert client.get("/finances/impayes", params={"type": "LOYER", "periode": "2026-08"}).json() == []
    assert client.get("/finances/impayes", params={"type": "AUTRE"}).status_code == 400
    total = {"encaissements": "0.00", "decaissements": "0.00", "depenses": "0.00", "sorties": "0.00", "solde": "0.00"}
    bilan = client.get("/finances/consolidation").json()
    assert bilan["total"] == total
    assert bilan["par_activite"][1] == {"code": "PRESSING", "libelle": "Pressing"} | total


def test_a_user_without_finances_permission_sees_no_gap(db, http):
    caisse = builders.caisse(db)
    http.as_admin().post("/finances/tirages", json={"montant_compte": "5", "id_caisse": str(caisse)})
    hr = http.as_user(builders.utilisateur(db, role="RH"))
    assert hr.get("/notifications").json() == []
    assert hr.get("/finances/tirages").status_code == 403
