"""Payment methods and activities: the short lists that forms offer."""

from tests.conftest import refused


def test_methods(db):
    made = db.call("finances.moyen_paiement_creer", libelle="Bon d'achat")
    assert made == {"id_moyen": made["id_moyen"], "libelle": "Bon d'achat", "actif": True}
    with refused("MOYEN_PAIEMENT_EXISTANT", status=409):
        db.call("finances.moyen_paiement_creer", libelle="Bon d'achat")
    edited = db.call("finances.moyen_paiement_modifier", id_moyen=made["id_moyen"], champs={"actif": False})
    assert edited == made | {"actif": False}
    assert db.rows("finances.moyen_paiement_lister", actif=False) == [edited]
    assert db.rows("finances.moyen_paiement_lister", libelle="BON D") == [edited]
    assert edited not in db.rows("finances.moyen_paiement_lister", actif=True)
    with refused("NOT_FOUND", status=404):
        db.call("finances.moyen_paiement_modifier", id_moyen=987654321, champs={})


def test_a_method_keeps_a_name(db):
    made = db.call("finances.moyen_paiement_creer", libelle="Bon d'achat")
    with refused("LIBELLE_REMPLI", status=400):
        db.call("finances.moyen_paiement_modifier", id_moyen=made["id_moyen"], champs={"libelle": ""})


def test_activities(db):
    assert [a["code"] for a in db.rows("finances.activite_lister")] == [
        "VENTE_MARCHANDISES",
        "PRESSING",
        "RESTAURATION",
        "SALLE_FETE",
        "LOCATION_RESIDENTIEL",
        "LOCATION_COMMERCIAL",
    ]
    (salle,) = db.rows("finances.activite_lister", recherche="fete")
    assert list(salle) == ["id_activite", "code", "libelle", "actif"]
    assert db.rows("finances.activite_lister", code="SALLE_FETE", actif=True) == [salle]
    assert db.rows("finances.activite_lister", actif=False) == []
    with refused("TRI_INCONNU", status=400):
        db.rows("finances.activite_lister", sort="mot_de_passe")
