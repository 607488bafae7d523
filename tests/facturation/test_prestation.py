"""Services that can be invoiced: list, create and modify within the user's activity."""

import pytest

from tests import builders
from tests.conftest import refused


def change(db, prestation, **champs):
    return db.call("facturation.prestation_modifier", id_prestation=prestation, champs=champs)


def test_a_service_is_created_and_listed(db):
    fields = {"libelle": "Repassage de nappes", "categorie": "Linge", "description": "La pièce", "id_activite": 2}
    created = db.call("facturation.prestation_creer", prix="2500.50", **fields)
    assert fields.items() <= created.items()
    assert (str(created["prix"]), created["actif"]) == ("2500.50", True)
    assert created in db.rows("facturation.prestation_lister", recherche="repassage DE nappes")
    assert created in db.rows("facturation.prestation_lister", prix="2500.5", categorie="linge", actif=True)
    assert created not in db.rows("facturation.prestation_lister", actif=False)


def test_fields_of_a_service_are_changed_and_cleared(db):
    changed = change(db, builders.prestation(db, categorie="Linge"), prix="99", categorie=None)
    assert (str(changed["prix"]), changed["categorie"], changed["libelle"]) == ("99.00", None, "Location de chaises")
    with refused("NOT_FOUND", 404):
        change(db, 987654)


@pytest.mark.parametrize(
    ("fields", "rule", "status"),
    [
        ({"prix": "-1"}, "montant_positif", 400),
        ({"libelle": " "}, "libelle_rempli", 400),
        ({"id_activite": 987654}, "prestation_activite_inconnue", 422),
    ],
)
def test_a_service_with_invalid_fields_is_refused(db, fields, rule, status):
    with refused(rule, status):
        db.call("facturation.prestation_creer", **{"libelle": "Essai", "prix": "1"} | fields)
    with refused(rule, status):
        change(db, builders.prestation(db), **fields)


def test_a_user_of_one_activity_sees_its_services_and_shared_ones_and_modifies_its_own(db):
    pressing = builders.activite(db)
    own, common = builders.prestation(db), builders.prestation(db, id_activite=None)
    other = builders.prestation(db, id_activite=builders.activite(db, "RESTAURATION"))
    db.acting(builders.utilisateur(db, activite=pressing))
    listed = {row["id_prestation"] for row in db.rows("facturation.prestation_lister", limit=1000)}
    assert {own, common} <= listed and other not in listed
    assert db.call("facturation.prestation_creer", libelle="Essai", prix="1")["id_activite"] == pressing
    with refused("NOT_FOUND", 404):
        change(db, common, prix="1")
    assert change(db, own, id_activite=None)["id_activite"] == pressing
