"""Opening and closing a till: a till has one open period at most, and a closed period never changes."""

import pytest

from tests import builders
from tests.conftest import refused


def test_a_till_opens_and_closes_and_opens_again(db):
    caisse = builders.caisse(db, ouverte=False)
    user = builders.utilisateur(db, role="ADMINISTRATEUR")
    db.acting(user)

    period = db.call("finances.caisse_ouvrir", id_caisse=caisse, fond_initial="1500")
    assert list(period) == [
        "id_periode",
        "id_caisse",
        "ouverture",
        "fermeture",
        "id_utilisateur_ouverture",
        "id_utilisateur_fermeture",
        "fond_initial",
    ]
    assert (period["id_caisse"], period["fermeture"], float(period["fond_initial"])) == (caisse, None, 1500)
    assert (period["id_utilisateur_ouverture"], period["id_utilisateur_fermeture"]) == (user, None)
    assert db.call("finances.caisse_detail", id_caisse=caisse)["ouverte"] is True

    with refused("CAISSE_DEJA_OUVERTE", status=409):
        db.call("finances.caisse_ouvrir", id_caisse=caisse)

    closed = db.call("finances.caisse_fermer", id_caisse=caisse)
    assert closed == {"id_caisse": caisse, "id_periode": period["id_periode"], "fermee": True}
    with refused("CAISSE_DEJA_FERMEE", status=404):
        db.call("finances.caisse_fermer", id_caisse=caisse)

    second = db.call("finances.caisse_ouvrir", id_caisse=caisse)
    periods = db.rows("finances.periode_caisse_lister", id_caisse=caisse)
    assert [p["id_periode"] for p in periods] == [second["id_periode"], period["id_periode"]]
    assert periods[1]["id_utilisateur_fermeture"] == user
    assert periods[1]["ouverture"] <= periods[1]["fermeture"] <= periods[0]["ouverture"]


def test_an_inactive_till_does_not_open(db):
    caisse = builders.caisse(db, ouverte=False)
    db.call("finances.caisse_modifier", id_caisse=caisse, champs={"actif": False})
    with refused("CAISSE_INACTIVE", status=409):
        db.call("finances.caisse_ouvrir", id_caisse=caisse)
    assert db.rows("finances.periode_caisse_lister", id_caisse=caisse) == []


def test_a_till_made_inactive_while_open_still_closes(db):
    caisse = builders.caisse(db)
    db.call("finances.caisse_modifier", id_caisse=caisse, champs={"actif": False})
    assert db.call("finances.caisse_fermer", id_caisse=caisse)["fermee"] is True


def test_the_float_is_never_negative(db):
    caisse = builders.caisse(db, ouverte=False)
    with refused("MONTANT_POSITIF", status=400):
        db.call("finances.caisse_ouvrir", id_caisse=caisse, fond_initial="-1")


@pytest.mark.parametrize(
    "change",
    ["fond_initial = 5", "ouverture = ouverture - interval '1 hour'", "id_utilisateur_ouverture = 1"],
)
def test_an_open_period_accepts_no_change_but_its_closing(db, change):
    caisse = builders.caisse(db, ouverte=True)
    with refused("PERIODE_CAISSE_FIGEE", status=409):
        db.execute(f"update finances.periode_caisse set {change} where id_caisse = %s", [caisse])


@pytest.mark.parametrize(
    "change", ["fermeture = null", "fermeture = now() + interval '1 hour'", "fermeture = fermeture"]
)
def test_a_closed_period_never_changes(db, change):
    caisse = builders.caisse(db, ouverte=True)
    db.call("finances.caisse_fermer", id_caisse=caisse)
    with refused("PERIODE_CAISSE_FIGEE", status=409):
        db.execute(f"update finances.periode_caisse set {change} where id_caisse = %s", [caisse])
