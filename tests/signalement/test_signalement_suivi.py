"""Incident reports: creation, visibility, closing and notifications."""

import pytest

from tests import builders
from tests.conftest import refused

STATUSES = ("prendre_en_charge", "resoudre", "rejeter")


def signaler(db, **fields):
    fields = {"titre": "Fuite d'eau", "description": "Sous l'évier de la réserve."} | fields
    return db.call("signalement.signalement_creer", **fields)["id_signalement"]


def signalement(db, id_signalement):
    return db.call("signalement.signalement_detail", id_signalement=id_signalement)


def agir(db, operation, id_signalement, note="Réparé."):
    fields = {} if operation == "prendre_en_charge" else {"note_resolution": note}
    return db.call(f"signalement.signalement_{operation}", id_signalement=id_signalement, **fields)


def annonces(db, id_signalement):
    return db.all(
        "select evenement, permission, id_activite, id_utilisateur from notification.notification"
        " where donnees ->> 'id_signalement' = %s order by id_notification",
        [str(id_signalement)],
    )


@pytest.fixture
def agent(db):
    return builders.utilisateur(db, role="RESPONSABLE_PRESSING", nom="Koné", prenom="Issa")


def test_the_user_that_creates_a_report_is_its_declarant(db, agent):
    db.acting(agent)
    row = signalement(db, signaler(db, id_activite=builders.activite(db, "RESTAURATION")))
    assert (row["statut"], row["id_utilisateur_declarant"], row["type_signalement"]) == ("OUVERT", agent, "RESTAURANT")
    assert (row["activite_code"], row["declarant_nom"], row["declarant_prenom"]) == ("RESTAURATION", "Koné", "Issa")
    assert row["declarant_login"] == db.account(agent)["login"]
    assert (row["id_utilisateur_traitant"], row["note_resolution"], row["date_resolution"]) == (None, None, None)
    general = signalement(db, signaler(db))
    assert (general["id_activite"], general["type_signalement"], general["activite_code"]) == (None, None, None)


def test_the_domain_of_a_report_follows_its_activity(db):
    for activite, domaine in (
        ("PRESSING", "PRESSING"),
        ("SALLE_FETE", "SALLE_FETE"),
        ("VENTE_MARCHANDISES", "MARCHANDISE"),
        ("RESTAURATION", "RESTAURANT"),
        ("LOCATION_RESIDENTIEL", "RESIDENCE"),
        ("LOCATION_COMMERCIAL", "RESIDENCE"),
    ):
        id_signalement = signaler(db, id_activite=builders.activite(db, activite))
        assert signalement(db, id_signalement)["type_signalement"] == domaine


def test_an_invalid_report_is_refused(db):
    for fields, rule, status in (
        ({"titre": " "}, "libelle_rempli", 400),
        ({"description": "\n"}, "recit_rempli", 400),
        ({"id_activite": 987654}, "SIGNALEMENT_ACTIVITE_INCONNUE", 422),
    ):
        with refused(rule, status):
            signaler(db, **fields)


@pytest.mark.parametrize(("operation", "statut"), [("resoudre", "RESOLU"), ("rejeter", "REJETE")])
def test_closing_a_report_stores_the_note_the_user_and_the_date_once(db, agent, operation, statut):
    id_signalement = signaler(db)
    db.acting(agent)
    row = agir(db, operation, id_signalement, "Le plombier est passé.")
    closed = {"statut": statut, "note_resolution": "Le plombier est passé.", "id_utilisateur_traitant": agent}
    assert row.items() >= closed.items() and row["date_resolution"] is not None
    for again in STATUSES:
        with refused("DEJA_TRAITE", 409):
            agir(db, again, id_signalement, "La seconde note.")


def test_only_one_user_takes_charge_of_a_report(db, agent):
    id_signalement = signaler(db)
    db.acting(agent)
    row = agir(db, "prendre_en_charge", id_signalement)
    assert (row["statut"], row["id_utilisateur_traitant"], row["date_resolution"]) == ("EN_COURS", agent, None)
    db.acting(builders.utilisateur(db, role="RESPONSABLE_SALLE"))
    with refused("DEJA_PRIS_EN_CHARGE", 409):
        agir(db, "prendre_en_charge", id_signalement)


@pytest.mark.parametrize("operation", ["resoudre", "rejeter"])
def test_closing_a_report_requires_a_note(db, operation):
    id_signalement = signaler(db)
    with refused("recit_rempli", 400):
        agir(db, operation, id_signalement, " ")
    with refused("signalement_clos_avec_note", 400):
        agir(db, operation, id_signalement, None)


def test_a_report_notifies_the_activity_and_then_its_declarant(db, agent):
    anonymous = signaler(db)
    agir(db, "resoudre", anonymous)
    assert [row["evenement"] for row in annonces(db, anonymous)] == ["signalement.cree"]
    pressing = builders.activite(db, "PRESSING")
    db.acting(agent)
    id_signalement = signaler(db, id_activite=pressing)
    db.acting(builders.utilisateur(db, role="RESPONSABLE_SALLE"))
    agir(db, "prendre_en_charge", id_signalement)
    agir(db, "rejeter", id_signalement)
    rows = [tuple(row.values()) for row in annonces(db, id_signalement)]
    assert rows == [
        ("signalement.cree", "SIGNALEMENT.VOIR", pressing, None),
        ("signalement.pris_en_charge", None, None, agent),
        ("signalement.rejete", None, None, agent),
    ]
    assert "signalement.rejete" not in [n["evenement"] for n in db.rows("notification.notification_lister")]
    db.acting(agent)
    assert db.rows("notification.notification_lister")[0]["evenement"] == "signalement.rejete"
    other = signaler(db)
    agir(db, "resoudre", other)
    assert annonces(db, other)[-1]["evenement"] == "signalement.resolu"


def test_a_user_of_an_activity_sees_its_reports_general_reports_and_the_own_reports(db, agent):
    pressing, salle = builders.activite(db, "PRESSING"), builders.activite(db, "SALLE_FETE")
    inside, outside, general = signaler(db, id_activite=pressing), signaler(db, id_activite=salle), signaler(db)
    db.acting(agent)
    own = signaler(db, id_activite=salle)
    db.acting(None)
    db.execute("update auth.utilisateur set id_activite_scope = %s where id_utilisateur = %s", [pressing, agent])
    cashier = builders.utilisateur(db, caisse=builders.caisse(db))

    def listed():
        return [row["id_signalement"] for row in db.rows("signalement.signalement_lister", sort="id_signalement")]

    db.acting(agent)
    assert listed() == [inside, general, own]
    for operation in ("detail", *STATUSES):
        with refused("NOT_FOUND", 404):
            signalement(db, outside) if operation == "detail" else agir(db, operation, outside)
    with refused("NOT_FOUND", 404):
        signaler(db, id_activite=salle)
    assert signalement(db, signaler(db))["id_activite"] is None  # a general report stays without activity
    db.acting(cashier)
    assert inside in listed() and outside not in listed() and own not in listed()
    db.acting(builders.utilisateur(db, role="RESPONSABLE_SALLE"))
    assert {inside, outside, general, own} <= set(listed())


def test_the_list_of_reports_filters_and_searches(db, agent):
    pressing = builders.activite(db, "PRESSING")
    first = signaler(db, id_activite=pressing)
    db.acting(agent)
    second = signaler(db, titre="Lumière", description="Une ampoule est grillée.")
    agir(db, "prendre_en_charge", second)

    def listed(**filters):
        return [row["id_signalement"] for row in db.rows("signalement.signalement_lister", **filters)]

    assert listed() == [second, first]
    assert listed(recherche="lumiere") == listed(recherche="AMPOULE") == listed(statut="EN_COURS") == [second]
    assert listed(id_utilisateur_declarant=agent) == [second]
    assert listed(id_activite=pressing) == [first]


def test_photos_are_added_listed_and_deleted(db, agent):
    id_signalement, other = signaler(db), signaler(db)
    db.acting(agent)
    key = "etat-lieux/1-photo.jpg"
    photo = db.call("signalement.photo_ajouter", id_signalement=id_signalement, cle_objet=key)
    assert list(photo) == ["id_photo", "id_signalement", "cle_objet", "id_utilisateur", "date_ajout"]
    assert (photo["cle_objet"], photo["id_utilisateur"]) == (key, agent)
    with refused("PHOTO_DEJA_AJOUTEE", 409):
        db.call("signalement.photo_ajouter", id_signalement=id_signalement, cle_objet=key)
    with refused("cle_objet_mal_formee", 400):
        db.call("signalement.photo_ajouter", id_signalement=id_signalement, cle_objet="../secret")
    second = db.call("signalement.photo_ajouter", id_signalement=id_signalement, cle_objet="etat-lieux/2-photo.jpg")
    db.call("signalement.photo_ajouter", id_signalement=other, cle_objet=key)
    assert db.rows("signalement.photo_lister", id_signalement=id_signalement) == [photo, second]
    db.call("signalement.photo_supprimer", id_photo=photo["id_photo"])
    assert db.rows("signalement.photo_lister", id_signalement=id_signalement) == [second]
    assert len(db.rows("signalement.photo_lister", id_signalement=other)) == 1
    with refused("NOT_FOUND", 404):
        db.call("signalement.photo_supprimer", id_photo=photo["id_photo"])
    for operation, fields in (("lister", {}), ("ajouter", {"cle_objet": key})):
        with refused("NOT_FOUND", 404):
            db.call(f"signalement.photo_{operation}", id_signalement=987654, **fields)


def test_the_photos_of_a_report_of_another_activity_are_not_found(db):
    salle = signaler(db, id_activite=builders.activite(db, "SALLE_FETE"))
    photo = db.call("signalement.photo_ajouter", id_signalement=salle, cle_objet="etat-lieux/1-photo.jpg")
    db.acting(builders.utilisateur(db, activite=builders.activite(db, "PRESSING")))
    for operation, fields in (
        ("lister", {"id_signalement": salle}),
        ("ajouter", {"id_signalement": salle, "cle_objet": "etat-lieux/2-photo.jpg"}),
        ("supprimer", {"id_photo": photo["id_photo"]}),
    ):
        with refused("NOT_FOUND", 404):
            db.call(f"signalement.photo_{operation}", **fields)
