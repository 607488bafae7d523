"""Tills: creation, changes, opening and closing, and which users see which till."""

import psycopg
import pytest

from tests import builders
from tests.conftest import refused

PRESSING, RESTAURATION = 2, 3


def change(db, caisse, **champs):
    return db.call("finances.caisse_modifier", id_caisse=caisse, champs=champs)


def test_a_till_is_created_closed_and_can_be_renamed(db):
    caisse = db.call("finances.caisse_creer", libelle="Comptoir bleu", id_activite=PRESSING)
    with refused("CAISSE_EXISTANTE", status=409):
        db.call("finances.caisse_creer", libelle="Comptoir bleu", id_activite=RESTAURATION)
    detail = db.call("finances.caisse_detail", id_caisse=caisse["id_caisse"])
    assert (detail["ouverte"], detail["periode"]) == (False, None)
    edited = change(db, caisse["id_caisse"], libelle="Comptoir vert")
    assert edited == caisse | {"libelle": "Comptoir vert"}
    assert edited in db.rows("finances.caisse_lister")


def test_the_activity_of_a_till_never_changes(db):
    caisse = builders.caisse(db, ouverte=False)
    change(db, caisse, id_activite=5, actif=False)
    after = db.one("select id_activite, actif from finances.caisse where id_caisse = %s", [caisse])
    assert after == {"id_activite": PRESSING, "actif": False}
    with refused("ACTIVITE_DE_CAISSE_FIGEE", status=409):
        db.execute("update finances.caisse set id_activite = 5 where id_caisse = %s", [caisse])


def test_an_unknown_till_or_activity_is_refused(db):
    with refused("NOT_FOUND", status=404):
        db.call("finances.caisse_dashboard", id_caisse=987654321)
    with refused("CAISSE_ACTIVITE_INCONNUE", status=422):
        db.call("finances.caisse_creer", libelle="Sans activité", id_activite=987654321)


def test_a_user_of_a_till_creates_none_and_a_user_of_an_activity_only_its_own(db):
    db.acting(builders.utilisateur(db, role="CAISSIER", caisse=builders.caisse(db)))
    with refused("CAISSE_INTERDITE", status=400):
        db.call("finances.caisse_creer", libelle="Une de plus", id_activite=PRESSING)
    db.acting(builders.utilisateur(db, role="RESPONSABLE_PRESSING", activite=PRESSING))
    with refused("NOT_FOUND", status=404):
        db.call("finances.caisse_creer", libelle="Chez le voisin", id_activite=RESTAURATION)
    assert db.call("finances.caisse_creer", libelle="Chez nous", id_activite=PRESSING)["id_activite"] == PRESSING


def test_the_dashboard_sums_the_payments_and_expenses_of_the_day(db):
    caisse, other = builders.caisse(db), builders.caisse(db)
    builders.utilisateur(db, role="CAISSIER", caisse=caisse)
    first = builders.payer(db, "100.50", id_caisse=caisse)
    builders.paiement(db, "999", id_caisse=other)
    builders.paiement(db, "50", id_caisse=caisse, date=db.one("select core.aujourdhui() - 1"))
    db.call("finances.paiement_rembourser", id_paiement=first, montant="30", id_caisse=caisse)
    builders.depense(db, "7", id_caisse=caisse)
    db.call("finances.depense_supprimer", id_depense=builders.depense(db, "5", id_caisse=caisse)["id_depense"])
    day = db.one("select to_jsonb(c) from finances.caisse_dashboard(%s) c", [caisse])
    assert [float(day[k]) for k in ("revenus_jour", "total_paiements", "total_depenses")] == [70.5, 100.5, 7]
    assert day["nombre_employes"] == 1
    assert [p["montant"] for p in day["paiements_details"]] == [30, 100.5]


@pytest.mark.parametrize("statement", ["delete from finances.periode_caisse", "truncate finances.tirage cascade"])
def test_the_role_of_the_code_cannot_delete_money(db, statement):
    with db.connection.transaction(force_rollback=True):
        db.execute("set local role comptoir_code")
        with pytest.raises(psycopg.errors.InsufficientPrivilege):
            db.execute(statement)


def test_a_till_opens_and_closes_and_opens_again(db):
    caisse = builders.caisse(db, ouverte=False)
    user = builders.utilisateur(db, role="ADMINISTRATEUR")
    db.acting(user)

    period = db.call("finances.caisse_ouvrir", id_caisse=caisse, fond_initial="1500")
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


def test_a_till_made_inactive_while_open_still_closes_and_does_not_open_again(db):
    caisse = builders.caisse(db)
    change(db, caisse, actif=False)
    assert db.call("finances.caisse_fermer", id_caisse=caisse)["fermee"] is True
    with refused("CAISSE_INACTIVE", status=409):
        db.call("finances.caisse_ouvrir", id_caisse=caisse)


def test_the_float_is_never_negative(db):
    with refused("MONTANT_POSITIF", status=400):
        db.call("finances.caisse_ouvrir", id_caisse=builders.caisse(db, ouverte=False), fond_initial="-1")


def test_an_open_period_accepts_only_its_closing_and_a_closed_one_nothing(db):
    opened, closed = builders.caisse(db), builders.caisse(db)
    db.call("finances.caisse_fermer", id_caisse=closed)
    for caisse, change in (
        (opened, "fond_initial = 5"),
        (opened, "ouverture = ouverture - interval '1 hour'"),
        (opened, "id_utilisateur_ouverture = 1"),
        (closed, "fermeture = null"),
        (closed, "fermeture = fermeture"),
    ):
        with refused("PERIODE_CAISSE_FIGEE", status=409):
            db.execute(f"update finances.periode_caisse set {change} where id_caisse = %s", [caisse])
