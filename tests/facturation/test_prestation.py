"""Services that can be invoiced: list, create and modify within the user's activity."""

import pytest

from tests import builders
from tests.conftest import refused


def test_a_service_is_created_and_listed(db):
    created = db.call(
        "facturation.prestation_creer",
        libelle="Repassage de nappes",
        prix="2500.50",
        categorie="Linge",
        description="La pièce",
        id_activite=builders.activite(db),
    )
    assert str(created["prix"]) == "2500.50"
    assert created["actif"] is True
    assert list(created) == [
        "id_prestation",
        "libelle",
        "categorie",
        "prix",
        "description",
        "id_activite",
        "actif",
        "activite_code",
        "code_taxe",
    ]
    assert created in db.rows("facturation.prestation_lister", recherche="repassage DE nappes")
    assert created in db.rows("facturation.prestation_lister", prix="2500.5", categorie="linge", actif=True)
    assert created not in db.rows("facturation.prestation_lister", actif=False)


def test_fields_of_a_service_are_changed_and_cleared(db):
    prestation = builders.prestation(db, categorie="Linge")
    changed = db.call(
        "facturation.prestation_modifier", id_prestation=prestation, champs={"prix": "99", "categorie": None}
    )
    assert (str(changed["prix"]), changed["categorie"], changed["libelle"]) == ("99.00", None, "Location de chaises")


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
    prestation = builders.prestation(db)
    with refused(rule, status):
        db.call("facturation.prestation_modifier", id_prestation=prestation, champs=fields)


def test_an_unknown_service_is_not_found(db):
    with refused("NOT_FOUND", 404):
        db.call("facturation.prestation_modifier", id_prestation=987654, champs={})


def test_a_user_of_one_activity_sees_and_modifies_only_services_of_that_activity(db):
    pressing, restaurant = builders.activite(db), builders.activite(db, "RESTAURATION")
    own = builders.prestation(db)
    common = builders.prestation(db, id_activite=None)
    other = builders.prestation(db, id_activite=restaurant)
    db.acting(builders.utilisateur(db, activite=pressing))
    listed = {row["id_prestation"] for row in db.rows("facturation.prestation_lister", limit=1000)}
    assert {own, common} <= listed
    assert other not in listed
    assert db.call("facturation.prestation_creer", libelle="Essai", prix="1")["id_activite"] == pressing
    for refuse in (
        lambda: db.call("facturation.prestation_creer", libelle="Essai", prix="1", id_activite=restaurant),
        lambda: db.call("facturation.prestation_modifier", id_prestation=own, champs={"id_activite": restaurant}),
        lambda: db.call("facturation.prestation_modifier", id_prestation=other, champs={"prix": "1"}),
        lambda: db.call(
            "facturation.prestation_facturer", id_prestation=other, montant="0", id_moyen=builders.moyen(db)
        ),
    ):
        with refused("NOT_FOUND", 404):
            refuse()


def test_a_user_of_one_activity_cannot_modify_a_shared_service(db):
    shared = builders.prestation(db, id_activite=None)
    own = builders.prestation(db)
    db.acting(builders.utilisateur(db, activite=builders.activite(db)))
    with refused("NOT_FOUND", 404):
        db.call("facturation.prestation_modifier", id_prestation=shared, champs={"prix": "1"})
    changed = db.call("facturation.prestation_modifier", id_prestation=own, champs={"id_activite": None})
    assert changed["id_activite"] == builders.activite(db)
