"""Subscriptions: invoice, statuses and end."""

from datetime import date, timedelta

import pytest

from tests import builders
from tests.conftest import refused
from tests.residence.leases import subscription


def modifier(db, row, **champs):
    return db.call("residence.abonnement_modifier", id_abonnement=row["id_abonnement"], champs=champs)


def resilier(db, row):
    return db.call("residence.abonnement_resilier", id_abonnement=row["id_abonnement"])


def payer(db, row, montant):
    db.call("finances.paiement_creer", montant=montant, id_moyen=builders.moyen(db), id_facture=row["id_facture"])
    return db.rows("residence.abonnement_lister", id_client=row["id_client"])[0]


def creer(db, **fields):
    return subscription(db, builders.abonnement(db, **fields))


def categorie(db, **fields):
    return db.call("abonnement.categorie_abonnement_creer", **{"libelle": "Services"} | fields)[
        "id_categorie_abonnement"
    ]


def test_a_new_subscription_issues_an_unpaid_invoice_that_is_in_the_arrears_once(db):
    logement = builders.logement(db)
    row = creer(db, id_logement=logement, montant_paye="5000")  # the field montant_paye of the request has no effect
    (owed,) = db.rows("finances.impaye_lister")
    assert (owed["type"], owed["reste"]) == ("FACTURE", 20000)
    assert (row["statut"], row["montant_paye"], row["reste_a_payer"]) == ("ACTIF", 0, 20000)
    assert (row["client_nom"], row["client_prenoms"]) == ("Exemple", "Awa")
    assert row["numero_logement"] == db.one("select numero from residence.logement where id_logement = %s", [logement])
    facture = db.one("select * from facturation.facture where id_facture = %s", [row["id_facture"]])
    assert (facture["source_type"], facture["source_id"]) == ("AUTRE", row["id_abonnement"])
    assert (facture["id_client"], facture["statut"]) == (row["id_client"], "IMPAYEE")
    assert payer(db, row, "5000")["montant_paye"] == 5000
    with refused("SURPAIEMENT", status=409):
        payer(db, row, "15000.01")
    assert payer(db, row, "15000")["reste_a_payer"] == 0
    assert db.rows("finances.impaye_lister") == []


def test_an_invalid_subscription_is_refused(db):
    for fields, rule, status in (
        ({"statut": "SUSPENDU"}, "ABONNEMENT_NAIT_ACTIF", 400),
        ({"date_fin": "2026-07-31"}, "ABONNEMENT_DATES_ORDONNEES", 400),
        ({"montant": "-1"}, "MONTANT_POSITIF", 400),
        ({"id_client": 987654321}, "CLIENT_INCONNU", 422),
        ({"id_logement": 987654321}, "ABONNEMENT_LOGEMENT_INCONNU", 422),
        ({"id_categorie_abonnement": 987654321}, "ABONNEMENT_CATEGORIE_INCONNUE", 422),
    ):
        with refused(rule, status=status):
            creer(db, **fields)


@pytest.mark.parametrize("statut", ["RESILIE", "EXPIRE"])
def test_a_closed_subscription_refuses_every_change(db, statut):
    row = creer(db)
    modifier(db, row, statut=statut)
    with refused("ABONNEMENT_CLOS", status=409):
        modifier(db, row, service="Téléphone")
    with refused("ABONNEMENT_CLOS" if statut == "RESILIE" else "TRANSITION_INTERDITE", status=409):
        resilier(db, row)


def test_a_terminated_subscription_owes_every_period_begun(db):
    now = db.today()
    for fin, expected in ((None, now), (now + timedelta(days=30), now), (date(2026, 8, 15), date(2026, 8, 15))):
        row = resilier(db, creer(db, date_fin=fin))
        begun = (expected.year - 2026) * 12 + expected.month - 7  # every month that has begun since August is due
        assert (row["statut"], row["date_fin"], row["reste_a_payer"]) == ("RESILIE", expected, 20000 * begun)
    debut = now + timedelta(days=10)
    assert resilier(db, creer(db, date_debut=debut))["date_fin"] == debut


def test_a_changed_amount_replaces_the_invoice_while_it_is_unpaid(db):
    row = creer(db)
    same = modifier(db, row, service="Fibre", montant_paye="20000")
    assert (same["id_facture"], same["montant_paye"], same["service"]) == (row["id_facture"], 0, "Fibre")
    changed = modifier(db, row, montant="30000")
    assert changed["id_facture"] != row["id_facture"] and changed["reste_a_payer"] == 30000
    assert db.one("select statut from facturation.facture where id_facture = %s", [row["id_facture"]]) == "ANNULEE"
    client = builders.client(db)
    changed = modifier(db, row, id_client=client)
    assert db.one("select id_client from facturation.facture where id_facture = %s", [changed["id_facture"]]) == client
    payer(db, changed, "1")
    for champs in ({"montant": "1"}, {"id_client": builders.client(db)}):
        with refused("ABONNEMENT_PAYE", status=409):
            modifier(db, row, **champs)
    modifier(db, row, service="Internet", date_fin="2027-01-01")


@pytest.mark.parametrize("champs", [{"type": "ANNUEL"}, {"date_debut": "2026-08-18"}, {"date_debut": "2026-07-01"}])
def test_a_billed_subscription_keeps_its_type_and_its_first_day(db, champs):
    """Another type or first day would leave days that no invoice covers."""
    row = creer(db)
    with refused("ABONNEMENT_FACTURE", status=409):
        modifier(db, row, **champs)
    same = modifier(db, row, type="MENSUEL", date_debut="2026-08-01", service="Fibre")
    assert (same["service"], same["type"], same["date_debut"]) == ("Fibre", "MENSUEL", row["date_debut"])


def test_an_inactive_category_is_refused_and_a_category_in_use_is_kept(db):
    category, inactive = categorie(db), categorie(db, libelle="Ancienne", actif=False)
    row = creer(db, id_categorie_abonnement=category)
    assert row["id_categorie_abonnement"] == category
    with refused("CATEGORIE_ABONNEMENT_UTILISEE", status=409):
        db.call("abonnement.categorie_abonnement_supprimer", id_categorie_abonnement=category)
    with refused("CATEGORIE_ABONNEMENT_INACTIVE", status=409):
        creer(db, id_categorie_abonnement=inactive)
    with refused("CATEGORIE_ABONNEMENT_INACTIVE", status=409):
        modifier(db, row, id_categorie_abonnement=inactive)
    assert modifier(db, row, id_categorie_abonnement=None)["id_categorie_abonnement"] is None
    db.call("abonnement.categorie_abonnement_supprimer", id_categorie_abonnement=category)


def test_the_list_of_subscriptions_filters(db):
    logement, client = builders.logement(db), builders.client(db, nom="Kouamé")
    first = creer(db, id_client=client, id_logement=logement)
    second = creer(db, service="Ménage", type="ANNUEL", montant="90000", date_debut="2026-09-01")
    resilier(db, second)
    for expected, filters in [
        ([second, first], {}),
        ([first], {"id_client": client}),
        ([first], {"id_logement": logement}),
        ([first], {"recherche": "kouame"}),
        ([first], {"statut": "ACTIF"}),
        ([first], {"au": "2026-08-01"}),
        ([second], {"service": "menage"}),
        ([second], {"type": "ANNUEL"}),
        ([second], {"montant": "90000"}),
        ([second], {"du": "2026-08-02"}),
    ]:
        listed = [row["id_abonnement"] for row in db.rows("residence.abonnement_lister", **filters)]
        assert listed == [row["id_abonnement"] for row in expected], filters


def test_a_subscription_and_its_billed_periods_are_never_deleted(db):
    """The nightly job would bill a period that is gone a second time."""
    creer(db)
    for statement in (
        "delete from residence.abonnement",
        "delete from residence.abonnement_periode",
        "update residence.abonnement_periode set date_debut = date_debut - 31",
        "update residence.abonnement_periode set date_fin = date_fin - 1",
    ):
        with refused("LIGNE_FIGEE", status=409):
            db.execute(statement)
