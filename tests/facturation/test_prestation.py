"""Services: the catalogue of what can be invoiced, seen and changed within one's activity."""

import pytest

from tests import builders
from tests.conftest import refused


def test_create_then_list(db):
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
    assert list(created) == ["id_prestation", "libelle", "categorie", "prix", "description", "id_activite", "actif"]
    assert created in db.rows("facturation.prestation_lister", recherche="repassage DE nappes")
    assert created in db.rows("facturation.prestation_lister", prix="2500.5", categorie="linge", actif=True)
    assert created not in db.rows("facturation.prestation_lister", actif=False)


def test_change_and_clear(db):
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
def test_refusals(db, fields, rule, status):
    with refused(rule, status):
        db.call("facturation.prestation_creer", **{"libelle": "Essai", "prix": "1"} | fields)
    prestation = builders.prestation(db)
    with refused(rule, status):
        db.call("facturation.prestation_modifier", id_prestation=prestation, champs=fields)


def test_unknown_service(db):
    with refused("NOT_FOUND", 404):
        db.call("facturation.prestation_modifier", id_prestation=987654, champs={})


def test_a_user_of_one_activity(db):
    pressing, restaurant = builders.activite(db), builders.activite(db, "RESTAURATION")
    own = builders.prestation(db)
    common = builders.prestation(db, id_activite=None)
    other = builders.prestation(db, id_activite=restaurant)
    db.acting(builders.utilisateur(db, activite=pressing))
    seen = {row["id_prestation"] for row in db.rows("facturation.prestation_lister", limit=1000)}
    assert {own, common} <= seen
    assert other not in seen
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


def test_who_is_bound_to_an_activity_does_not_change_a_service_of_all(db):
    shared = builders.prestation(db, id_activite=None)
    own = builders.prestation(db)
    db.acting(builders.utilisateur(db, activite=builders.activite(db)))
    with refused("NOT_FOUND", 404):
        db.call("facturation.prestation_modifier", id_prestation=shared, champs={"prix": "1"})
    changed = db.call("facturation.prestation_modifier", id_prestation=own, champs={"id_activite": None})
    assert changed["id_activite"] == builders.activite(db)
