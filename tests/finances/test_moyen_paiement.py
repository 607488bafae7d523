"""Payment methods and activities."""

from tests.conftest import refused


def test_a_payment_method_is_created_changed_and_filtered(db):
    method = db.call("finances.moyen_paiement_creer", libelle="Bon d'achat")
    assert method == {"id_moyen": method["id_moyen"], "libelle": "Bon d'achat", "actif": True, "credit": False}
    with refused("MOYEN_PAIEMENT_EXISTANT", status=409):
        db.call("finances.moyen_paiement_creer", libelle="Bon d'achat")
    edited = db.call("finances.moyen_paiement_modifier", id_moyen=method["id_moyen"], champs={"actif": False})
    assert edited == method | {"actif": False}
    assert db.rows("finances.moyen_paiement_lister", actif=False) == [edited]
    assert db.rows("finances.moyen_paiement_lister", libelle="BON D") == [edited]
    assert edited not in db.rows("finances.moyen_paiement_lister", actif=True)
    for key, name, rule, status in (
        (987654321, "x", "NOT_FOUND", 404),
        (edited["id_moyen"], "", "LIBELLE_REMPLI", 400),
    ):
        with refused(rule, status=status):
            db.call("finances.moyen_paiement_modifier", id_moyen=key, champs={"libelle": name})


def test_activities_are_listed_and_filtered(db):
    assert [a["code"] for a in db.rows("finances.activite_lister")] == [
        "VENTE_MARCHANDISES", "PRESSING", "RESTAURATION", "SALLE_FETE", "LOCATION_RESIDENTIEL", "LOCATION_COMMERCIAL",
    ]  # fmt: skip
    (salle,) = db.rows("finances.activite_lister", recherche="fete")
    assert db.rows("finances.activite_lister", code="SALLE_FETE", actif=True) == [salle]
    assert db.rows("finances.activite_lister", actif=False) == []
    with refused("TRI_INCONNU", status=400):
        db.rows("finances.activite_lister", sort="mot_de_passe")
