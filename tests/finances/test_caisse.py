"""Tills: creation, changes, and which users see which till."""

import psycopg
import pytest

from tests import builders
from tests.conftest import refused

PRESSING, RESTAURATION = 2, 3


def test_a_till_is_created_closed_and_can_be_renamed(db):
    caisse = db.call("finances.caisse_creer", libelle="Comptoir bleu", id_activite=PRESSING)
    assert caisse == {
        "id_caisse": caisse["id_caisse"],
        "libelle": "Comptoir bleu",
        "id_activite": PRESSING,
        "actif": True,
    }
    detail = db.call("finances.caisse_detail", id_caisse=caisse["id_caisse"])
    assert (detail["ouverte"], detail["periode"]) == (False, None)

    edited = db.call("finances.caisse_modifier", id_caisse=caisse["id_caisse"], champs={"libelle": "Comptoir vert"})
    assert edited == caisse | {"libelle": "Comptoir vert"}
    assert edited in db.rows("finances.caisse_lister")


def test_two_tills_never_share_a_name(db):
    db.call("finances.caisse_creer", libelle="Comptoir bleu", id_activite=PRESSING)
    with refused("CAISSE_EXISTANTE", status=409):
        db.call("finances.caisse_creer", libelle="Comptoir bleu", id_activite=RESTAURATION)


def test_the_activity_of_a_till_never_changes(db):
    caisse = builders.caisse(db, ouverte=False)
    db.call("finances.caisse_modifier", id_caisse=caisse, champs={"id_activite": 5, "actif": False})
    after = db.one("select id_activite, actif from finances.caisse where id_caisse = %s", [caisse])
    assert after["id_activite"] != 5 and after["actif"] is False
    with refused("ACTIVITE_DE_CAISSE_FIGEE", status=409):
        db.execute("update finances.caisse set id_activite = 5 where id_caisse = %s", [caisse])


def test_an_unknown_till_or_activity_is_refused(db):
    for name in ("caisse_detail", "caisse_ouvrir", "caisse_fermer", "caisse_dashboard", "periode_caisse_lister"):
        with refused("NOT_FOUND", status=404):
            db.call(f"finances.{name}", id_caisse=987654321)
    with refused("NOT_FOUND", status=404):
        db.call("finances.caisse_modifier", id_caisse=987654321, champs={"libelle": "Rien"})
    with refused("CAISSE_ACTIVITE_INCONNUE", status=422):
        db.call("finances.caisse_creer", libelle="Sans activité", id_activite=987654321)


def test_a_user_of_a_till_sees_that_till_only(db):
    own, other = builders.caisse(db), builders.caisse(db)
    db.acting(builders.utilisateur(db, role="CAISSIER", caisse=own))
    assert [c["id_caisse"] for c in db.rows("finances.caisse_lister")] == [own]
    for name in ("caisse_detail", "caisse_ouvrir", "caisse_fermer", "caisse_dashboard", "periode_caisse_lister"):
        with refused("NOT_FOUND", status=404):
            db.call(f"finances.{name}", id_caisse=other)
    with refused("NOT_FOUND", status=404):
        db.call("finances.caisse_modifier", id_caisse=other, champs={"actif": False})
    with refused("CAISSE_INTERDITE", status=400):
        db.call("finances.caisse_creer", libelle="Une de plus", id_activite=PRESSING)
    assert db.one("select actif from finances.caisse where id_caisse = %s", [other]) is True


def test_a_user_of_an_activity_sees_its_tills_only(db):
    own, other = builders.caisse(db), builders.caisse(db, activite_code="RESTAURATION")
    db.acting(builders.utilisateur(db, role="RESPONSABLE_PRESSING", activite=PRESSING))
    ids = [c["id_caisse"] for c in db.rows("finances.caisse_lister")]
    assert own in ids and other not in ids
    with refused("NOT_FOUND", status=404):
        db.call("finances.caisse_fermer", id_caisse=other)
    with refused("NOT_FOUND", status=404):
        db.call("finances.caisse_creer", libelle="Chez le voisin", id_activite=RESTAURATION)
    assert db.call("finances.caisse_creer", libelle="Chez nous", id_activite=PRESSING)["id_activite"] == PRESSING


def test_the_dashboard_sums_the_payments_and_expenses_of_the_day(db):
    caisse, other = builders.caisse(db), builders.caisse(db)
    categorie = db.call("finances.categorie_depense_creer", libelle="Savon de Marseille")
    builders.utilisateur(db, role="CAISSIER", caisse=caisse)
    first = db.call("finances.paiement_creer", montant="100.50", id_moyen=1, id_caisse=caisse)
    db.call("finances.paiement_creer", montant="999", id_moyen=1, id_caisse=other)
    yesterday = db.one("select core.aujourdhui() - 1 as jour")
    db.call("finances.paiement_creer", montant="50", id_moyen=1, id_caisse=caisse, date=yesterday)
    db.execute(
        "insert into finances.paiement (montant, type, id_moyen, id_caisse, id_paiement_origine)"
        " values (30, 'DECAISSEMENT', 1, %s, %s)",
        [caisse, first["id_paiement"]],
    )
    for montant in ("7", "5"):
        depense = db.call(
            "finances.depense_creer",
            montant=montant,
            libelle="Savon",
            id_caisse=caisse,
            id_categorie_depense=categorie["id_categorie_depense"],
        )
    db.call("finances.depense_supprimer", id_depense=depense["id_depense"])

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
