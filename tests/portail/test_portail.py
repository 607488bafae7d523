"""A resident sees the own lease in the portal; the expected figures are computed by hand."""

import re
from calendar import monthrange
from datetime import timedelta
from decimal import Decimal

import pytest

from app import routes
from tests import builders
from tests.conftest import ok, refusal
from tests.documents import browsers, paper
from tests.portail.residents import LISTS, month, paths, portal, resident

TABLE = [route for route in routes.load().routes if re.search("/residence/portail/(?!sejours)", route.path)]


@pytest.fixture
def awa(db):
    return resident(db, "Kouassi")


def get(http, person, path):
    return ok(portal(http, person, path))


def test_the_portal_shows_leases_only_by_get_routes_with_the_permission_resident_voir():
    assert {route.path.removeprefix("/api/v1/residence/portail/") for route in TABLE} == {
        "resume", "echeances", "echeances/{id_echeance}/recu", "echeances/{id_echeance}/recu/pdf", "etat-des-lieux",
        "etat-des-lieux/{id_photo}/photo", "paiements", "paiements/{id_paiement}/recu",
        "paiements/{id_paiement}/recu/pdf", "caution",
    }  # fmt: skip
    assert {(route.method, route.permission) for route in TABLE} == {("GET", "RESIDENT.VOIR")}


def test_no_function_of_the_portal_has_a_client_parameter(http):
    for route in TABLE:
        function = http.services.catalogue.functions[route.function or ""]
        assert {p.name for p in function.parameters} <= {"id_echeance", "id_paiement", "id_photo"}


def test_the_summary_shows_lease_next_instalment_and_arrears(http, db, awa):
    lease = {
        "id_contrat": str(awa.contrat), "numero_contrat": awa.numero, "date_debut": str(awa.mois[0]),
        "date_fin_prevue": str(month(awa.mois[3], 1) - timedelta(days=1)), "montant_loyer": "100000.00",
        "periodicite": "MENSUEL",
        "logement": {"numero": awa.logement, "nom": "Chambre de Kouassi", "batiment": awa.batiment},
    }  # fmt: skip
    due = {"mois": awa.mois[1].month, "annee": awa.mois[1].year, "montant": "100000.00", "statut": "PARTIEL"}
    assert get(http, awa, "resume") == {
        "client": {"id_client": str(awa.client), "nom": "Kouassi", "prenoms": "Awa"},
        "contrat_en_cours": lease,
        "prochaine_echeance": due,
        "total_impayes": "160000.00",  # 60000 of the second and 100000 of the third; the fourth is not due yet
    }
    db.acting(None)  # the rent is the one in force today
    revised = {"nouveau_montant": "120000", "date_effet": db.today()}
    db.call("residence.contrat_reviser_loyer", id_contrat=awa.contrat, **revised)
    assert get(http, awa, "resume")["contrat_en_cours"]["montant_loyer"] == "120000.00"


def test_the_summary_after_a_termination_keeps_only_the_rent_due_until_today(http, db, awa):
    db.call("residence.contrat_resilier", id_contrat=awa.contrat)
    answer = get(http, awa, "resume")
    assert answer["contrat_en_cours"] is None
    # The rest of the second month, and the current month until today.
    today = db.today()
    present = round(Decimal(100000 * today.day) / monthrange(today.year, today.month)[1])
    assert answer["total_impayes"] == f"{60000 + present}.00"
    # The instalment after the termination is removed.
    assert len(get(http, awa, "echeances")["echeances"]) == 3


def test_a_client_without_a_lease_gets_empty_answers(http, db):
    client = builders.client(db, nom="Exemple", prenoms="Ali")
    user = http.as_user(builders.utilisateur(db, role="RESIDENT", id_client=client))
    nothing_due = {"prochaine_echeance": None, "total_impayes": "0.00"}
    person = {"id_client": str(client), "nom": "Exemple", "prenoms": "Ali"}
    for path, answer in {
        "resume": {"client": person, "contrat_en_cours": None} | nothing_due,
        "echeances": {"echeances": []} | nothing_due,
        "paiements": {"paiements": []},
        "caution": {"caution": None, "historique": []},
        "etat-des-lieux": {"photos": []},
    }.items():
        assert user.get(f"/residence/portail/{path}").json() == answer


def test_the_instalments_show_status_and_amount_paid_as_the_routes_of_the_staff_do(http, awa):
    answer = get(http, awa, "echeances")
    assert (answer["prochaine_echeance"]["statut"], answer["total_impayes"]) == ("PARTIEL", "160000.00")
    first, second = awa.mois[:2]
    paid = [
        ("100000.00", "PAYE", f"{first}T10:00:00.000Z"),
        ("40000.00", "PARTIEL", f"{second}T10:00:00.000Z"),
        ("0.00", "IMPAYE", None),
        ("0.00", "A_VENIR", None),
    ]
    assert answer["echeances"] == [
        {
            "id_echeance": str(id_echeance), "mois": day.month, "annee": day.year, "montant": "100000.00",
            "statut": statut, "date_echeance": str(day), "date_paiement": date_paiement,
            "montant_paye": montant_paye, "numero_contrat": awa.numero,
        }
        for id_echeance, day, (montant_paye, statut, date_paiement) in zip(awa.echeances, awa.mois, paid, strict=True)
    ]  # fmt: skip
    admin = http.as_admin()
    due = admin.get(f"/residence/impayes?id_client={awa.client}").json()
    assert sum(float(row["reste"]) for row in due) == 160000
    rows = admin.get(f"/residence/contrats/{awa.contrat}").json()["echeances"]
    assert [{row["id_echeance"]: row["statut"] for row in part} for part in (rows, answer["echeances"])] == [
        {str(key): statut for key, (_, statut, _) in zip(awa.echeances, paid, strict=True)}
    ] * 2


def test_the_next_instalment_follows_once_every_due_one_is_paid(http, db, awa):
    def pay(amount):
        db.acting(None)
        lot = {"id_contrat": awa.contrat, "montant": amount, "id_moyen": builders.moyen(db)}
        db.call("residence.contrat_encaisser_loyer_lot", **lot)

    pay("160000")
    answer, last = get(http, awa, "echeances"), awa.mois[3]
    coming = {"mois": last.month, "annee": last.year, "montant": "100000.00", "statut": "A_VENIR"}
    assert (answer["prochaine_echeance"], answer["total_impayes"]) == (coming, "0.00")
    pay("100000")
    assert get(http, awa, "resume")["prochaine_echeance"] is None


def test_payments_are_listed_newest_first_without_refunds_and_deposits(http, awa):
    """A refunded payment stays in the list. The refund itself does not appear, and the deposit has its own route."""
    answer = get(http, awa, "paiements")["paiements"]
    keys = ("id_paiement", "montant", "type", "mode_paiement", "reference")
    first, second = (f"LOYER-{awa.numero}-{day.month}-{day.year}" for day in awa.mois[:2])
    number = get(http, awa, f"paiements/{awa.paiements['service']}/recu")["facture"]["numero"]
    ids = {name: str(id_paiement) for name, id_paiement in awa.paiements.items()}
    order = ("rendu", "service", "charge", "partiel", "plein")
    assert [row["id_paiement"] for row in answer] == [ids[name] for name in order]
    rows = {name: tuple(row[key] for key in keys) for name, row in zip(order, answer, strict=True)}
    assert rows["plein"] == (ids["plein"], "100000.00", "LOYER", "Espèces", first)
    assert rows["partiel"] == (ids["partiel"], "40000.00", "LOYER", "Espèces", second)
    assert rows["charge"][1:4] == ("25000.00", "CHARGE", "Espèces")
    assert rows["service"] == (ids["service"], "9000.00", "AUTRE", "Mobile Money", number)
    assert answer[-1]["date"] == f"{awa.mois[0]}T10:00:00.000Z"
    assert all(row.keys() == {*keys, "date"} for row in answer)


def test_a_payment_of_several_instalments_is_listed_once(http, db, awa):
    lot = {"id_contrat": awa.contrat, "montant": "170000", "id_moyen": builders.moyen(db)}
    key = db.call("residence.contrat_encaisser_loyer_lot", **lot)["id_paiement"]
    [answer] = [row for row in get(http, awa, "paiements")["paiements"] if row["id_paiement"] == str(key)]
    assert (answer["type"], answer["montant"]) == ("LOYER", "170000.00")
    receipt, oldest = get(http, awa, f"paiements/{key}/recu"), awa.mois[1]
    assert receipt["echeance"] == {"mois": oldest.month, "annee": oldest.year, "numero_contrat": awa.numero}
    assert (receipt["facture"], receipt["montant"]) == (None, "170000.00")


def test_the_receipts_of_a_rent_name_amount_month_and_lodging(http, awa):
    def rent(day, amount):
        return {
            "type": "LOYER", "reference": f"LOYER-{awa.numero}-{day.month}-{day.year}",
            "date": f"{day}T10:00:00.000Z", "montant": amount, "mode_paiement": "Espèces",
            "client": {"nom": "Kouassi", "prenoms": "Awa"},
        }  # fmt: skip

    first, second = awa.mois[:2]
    instalment = {"mois": first.month, "annee": first.year, "numero_contrat": awa.numero}
    whole = instalment | {"montant": "100000.00", "date_echeance": str(first), "statut": "PAYE"}
    receipt = rent(first, "100000.00") | {"echeance": whole, "logement": awa.logement}
    assert get(http, awa, f"echeances/{awa.echeances[0]}/recu") == receipt
    instalment = {"mois": second.month, "annee": second.year, "numero_contrat": awa.numero}
    receipt = rent(second, "40000.00") | {"echeance": instalment, "facture": None}
    assert get(http, awa, f"paiements/{awa.paiements['partiel']}/recu") == receipt


def test_an_instalment_that_is_not_fully_paid_and_a_refund_have_no_receipt(http, awa):
    refusals = {f"echeances/{key}/recu": "ECHEANCE_NON_PAYEE" for key in awa.echeances[1:]}
    for path, code in (refusals | {f"paiements/{awa.paiements['contraire']}/recu": "NOT_FOUND"}).items():
        for suffix in ("", "/pdf"):
            assert refusal(portal(http, awa, path + suffix)) == (404, code), path


def test_the_receipt_of_a_service_and_of_a_charge_names_its_invoice(http, db, awa):
    numero = db.one("select numero from facturation.facture where id_facture = %s", [awa.factures["service"]])
    answer = get(http, awa, f"paiements/{awa.paiements['service']}/recu")
    dates = [answer.pop("date"), answer["facture"].pop("date")]
    assert all(re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z", date) for date in dates)
    line = {"libelle": "Service Kouassi", "quantite": "1", "prix_unitaire": "15000.00", "total": "15000.00"}
    assert answer == {
        "type": "AUTRE", "reference": numero, "montant": "9000.00", "mode_paiement": "Mobile Money", "echeance": None,
        "facture": {"numero": numero, "montant_total": "15000.00", "montant_paye": "9000.00", "lignes": [line]},
        "client": {"nom": "Kouassi", "prenoms": "Awa"},
    }  # fmt: skip
    answer = get(http, awa, f"paiements/{awa.paiements['charge']}/recu")
    assert (answer["type"], answer["echeance"]) == ("CHARGE", None)
    assert (answer["facture"]["montant_total"], answer["facture"]["montant_paye"]) == ("25000.00", "25000.00")
    assert len(answer["facture"]["lignes"]) == 1


def test_the_deposit_shows_its_amount_status_and_history(http, db, awa):
    answer = get(http, awa, "caution")
    assert answer["caution"] == {
        "id_caution": str(awa.caution), "montant": "150000.00", "statut": "EN_COURS",
        "date_versement": str(db.today()), "montant_restitue": None, "retenue": None,
        "motif_retenue": None,
    }  # fmt: skip
    history = [(row["evenement"], row["montant"], row["motif"]) for row in answer["historique"]]
    assert history == [("DECLARATION", "150000.00", None), ("ENCAISSEMENT", "150000.00", None)]
    assert all(row.keys() == {"evenement", "date", "montant", "motif", "id_paiement"} for row in answer["historique"])


@pytest.mark.skipif(not browsers.installed(), reason="Chromium is not installed")
def test_only_its_resident_can_print_the_receipt_of_a_deposit(http, db, awa):
    declared, collected = get(http, awa, "caution")["historique"]
    assert declared["id_paiement"] is None
    receipt = get(http, awa, f"paiements/{collected['id_paiement']}/recu")
    assert (receipt["type"], receipt["montant"], receipt["facture"]) == ("AUTRE", "150000.00", None)
    words = paper.text(portal(http, awa, f"paiements/{collected['id_paiement']}/recu/pdf").content)
    assert f"pour la caution du contrat de location {awa.numero}" in words and "150 000 FCFA" in words
    assert "Facture" not in words
    db.acting(None)
    other = resident(db, "Binta")
    for path in ("recu", "recu/pdf"):
        assert portal(http, other, f"paiements/{collected['id_paiement']}/{path}").status_code == 404


def test_a_refunded_deposit_shows_the_amounts_refunded_and_retained_and_has_no_receipt(http, db, awa):
    db.call("residence.contrat_resilier", id_contrat=awa.contrat)
    refund = {"id_moyen": builders.moyen(db), "retenue": "30000", "motif_retenue": "Peinture"}
    db.call("residence.caution_rembourser", id_contrat=awa.contrat, **refund)
    answer = get(http, awa, "caution")
    restored = [answer["caution"][key] for key in ("statut", "montant_restitue", "retenue", "motif_retenue")]
    assert restored == ["RESTITUEE", "120000.00", "30000.00", "Peinture"]
    returned = answer["historique"][-1]
    assert returned["evenement"] == "REMBOURSEMENT"
    assert portal(http, awa, f"paiements/{returned['id_paiement']}/recu").status_code == 404


def test_the_deposit_of_the_lease_in_force_is_shown_before_that_of_a_later_lease(http, db, awa):
    dates = {"date_debut": month(awa.mois[3], 6), "date_fin_prevue": None}
    later = builders.contrat(db, actif=False, id_client=awa.client, **dates)
    db.call("residence.caution_creer", id_contrat=later, montant="70000")
    assert get(http, awa, "caution")["caution"]["id_caution"] == str(awa.caution)
    assert get(http, awa, "resume")["contrat_en_cours"]["id_contrat"] == str(awa.contrat)


def test_the_inventory_lists_the_photos_of_entry_and_exit(http, db, awa):
    photo = {"type": "SORTIE", "cle_objet": "etat-lieux/1-a.jpg"}
    sortie = db.call("residence.etat_des_lieux_ajouter", id_contrat=awa.contrat, **photo)
    answer = get(http, awa, "etat-des-lieux")["photos"]
    assert [row["id_photo"] for row in answer] == [str(awa.photo), str(sortie["id_photo"])]
    assert answer[0].pop("date_ajout").endswith("Z")
    assert answer[0] == {
        "id_photo": str(awa.photo), "id_contrat": str(awa.contrat), "type": "ENTREE", "piece": "Cuisine",
        "cle_objet": "etat-lieux/Kouassi.jpg", "commentaire": "Évier de Kouassi", "numero_contrat": awa.numero,
    }  # fmt: skip


def test_every_route_refuses_an_account_without_client(http, db, awa):
    user = http.as_admin()
    for path in [*LISTS, *paths(awa)]:
        answer = user.get(f"/residence/portail/{path}")
        assert (answer.status_code, answer.json()["code"]) == (403, "SANS_CLIENT"), path
        assert not [secret for secret in awa.secrets if secret in answer.text]
