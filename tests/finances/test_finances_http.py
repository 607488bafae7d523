"""Tills, counts and expenses over HTTP: statuses, and the form of ids, amounts and dates."""

import pytest

from tests import builders


def test_a_till_is_opened_counted_and_closed(db, http):
    client = http.as_admin()
    named = {"libelle": "Caisse d'essai", "id_activite": str(builders.activite(db))}
    answer = client.post("/finances/caisses", json=named)
    assert answer.status_code == 201
    key = {"id_caisse": answer.json()["id_caisse"]}
    caisse = key | named | {"actif": True}
    assert answer.json() == caisse
    path = f"/finances/caisses/{key['id_caisse']}"
    assert client.patch(path, json={"id_activite": "3"}).status_code == 400
    assert client.get(path).json() == caisse | {"ouverte": False, "periode": None}

    opened = client.post(f"{path}/ouvrir", json={"fond_initial": "1500"})
    assert opened.status_code == 201
    assert opened.json()["fond_initial"] == "1500.00"
    assert client.get(path).json()["periode"] == opened.json()
    again = client.post(f"{path}/ouvrir", json={})
    assert (again.status_code, again.json()["code"]) == (409, "CAISSE_DEJA_OUVERTE")

    client.post("/finances/paiements", json=key | {"montant": "100.50", "id_moyen": "1"})
    day = client.get(f"{path}/dashboard").json()
    assert (day["revenus_jour"], day["total_paiements"], day["total_depenses"]) == (100.5, 100.5, 0)
    assert [p["montant"] for p in day["paiements_details"]] == ["100.50"]

    counted = client.post("/finances/tirages", json=key | {"montant_compte": "90.5"})
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
    assert closed.json() == key | {"id_periode": opened.json()["id_periode"], "fermee": True}
    again = client.post(f"{path}/fermer")
    assert (again.status_code, again.json()["code"]) == (404, "CAISSE_DEJA_FERMEE")
    assert again.json()["message"] == "Caisse Caisse d'essai déjà fermée"
    (period,) = client.get(f"{path}/periodes").json()
    assert period["fermeture"].endswith("Z")


@pytest.mark.utc
def test_an_expense_is_created_changed_and_voided_over_http(db, http):
    client = http.as_admin()
    assert client.get("/finances/categories-depenses").json() == []
    sent = {"libelle": "Peinture", "date": "2026-08-15", "id_caisse": None, "justificatif": None}
    refusal = client.post("/finances/depenses", json=sent | {"montant": 25000, "id_categorie_depense": "1"})
    assert (refusal.status_code, refusal.json()["code"]) == (422, "DEPENSE_CATEGORIE_INCONNUE")
    assert "POST /finances/categories-depenses" in refusal.json()["message"]

    kind = client.post("/finances/categories-depenses", json={"libelle": "Entretien"}).json()["id_categorie_depense"]
    path = f"/finances/categories-depenses/{kind}"
    assert client.get(f"{path}/hint").status_code == 404
    created = client.post("/finances/depenses", json=sent | {"montant": 25000, "id_categorie_depense": kind})
    assert created.status_code == 201
    made = created.json()
    assert made == sent | {
        "id_depense": made["id_depense"], "date": "2026-08-15T00:00:00.000Z", "montant": "25000.00",
        "id_categorie_depense": kind, "id_activite": None, "id_utilisateur": made["id_utilisateur"],
    }  # fmt: skip
    assert client.get(f"{path}/hint").json() == {"montant": "25000.00", "libelle": "Peinture"}
    assert client.get("/finances/tableau-de-bord").json() == [{
        "periode": "2026-08", "encaissements": "0.00", "decaissements": "0.00", "marge_nette": "-25000.00",
        "factures_emises": "0", "montant_factures": "0.00", "depenses": "25000.00", "sorties": "25000.00",
        "montant_brut": "0.00", "montant_avoirs": "0.00",
    }]  # fmt: skip
    depense = f"/finances/depenses/{made['id_depense']}"
    assert client.patch(depense, json={"montant": "26000"}).json()["montant"] == "26000.00"
    assert client.delete(depense).status_code == 204
    assert client.get("/finances/depenses").json() == []
    assert client.delete(depense).status_code == 404
    used = client.delete(path)
    assert (used.status_code, used.json()["code"]) == (409, "CATEGORIE_UTILISEE")
