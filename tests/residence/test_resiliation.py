"""Termination: for any start and end, the instalments cover each day of the lease once and add up to its price."""

from calendar import monthrange
from datetime import date, timedelta
from decimal import ROUND_HALF_UP, Decimal
from itertools import pairwise

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from tests import builders
from tests.conftest import ok, refusal, refused, values_of
from tests.examples import EXAMPLES
from tests.residence.leases import collect, empty, instalments, lot, room_of, terminate

BEGINNINGS = [date(2026, 1, 1), date(2025, 12, 17), date(2024, 2, 29), date(2026, 1, 30), date(2025, 12, 31)]


def rows(db, lease):
    return [row for row in instalments(db, lease) if not row["annulee"]]


def total(db, lease):
    return sum(row["montant"] for row in rows(db, lease))


def assert_covers(instalments, start, end):
    """Check that the instalments cover each day of the lease once."""
    assert instalments[0]["date_echeance"] == start and instalments[-1]["date_fin"] == end
    assert all((after["date_echeance"] - before["date_fin"]).days == 1 for before, after in pairwise(instalments))


def plus(day, months):
    """The same day a number of months later, or the last day of that month."""
    month = day.year * 12 + day.month - 1 + months
    year, month = divmod(month, 12)
    return date(year, month + 1, min(day.day, monthrange(year, month + 1)[1]))


def unit(kind, day):
    """The first and last day of the month or year of this day."""
    if kind == "MENSUEL":
        return day.replace(day=1), day.replace(day=monthrange(day.year, day.month)[1])
    return date(day.year, 1, 1), date(day.year, 12, 31)


def days(kind, rent, start, end):
    """The rent for these days of one month or one year."""
    first, last = unit(kind, start)
    if (first, last) == (start, end):
        return rent
    share = rent * ((end - start).days + 1) / ((last - first).days + 1)
    return min(rent, share.quantize(Decimal(1), ROUND_HALF_UP))


# ---- every lease can be terminated


@pytest.mark.parametrize(("kind", "start", "ends", "when"), [
    ("MENSUEL", BEGINNINGS[0], "durée", "avant"), ("MENSUEL", BEGINNINGS[1], "entier", "aujourd'hui"),
    ("MENSUEL", BEGINNINGS[2], "17", "plus tard"), ("MENSUEL", BEGINNINGS[3], "ouvert", "avant"),
    ("ANNUEL", BEGINNINGS[4], "ouvert", "aujourd'hui"), ("ANNUEL", BEGINNINGS[2], "durée", "avant"),
    ("ANNUEL", BEGINNINGS[1], "17", "plus tard"),
])  # fmt: skip
def test_a_lease_ends_on_the_requested_day(db, kind, start, ends, when):
    now = db.today()
    end = {
        "durée": plus(start, 12 * (now.year + 2 - start.year)) - timedelta(days=1),
        "entier": date(now.year + 1, 12, 31),
        "17": date(now.year + 1, 9, 17),
        "ouvert": None,
    }[ends]
    day = {"aujourd'hui": now, "avant": start + timedelta(days=137), "plus tard": now + timedelta(days=41)}[when]
    lease = builders.contrat(db, type_location=kind, date_debut=start, date_fin_prevue=end)
    whole = rows(db, lease)
    assert_covers(whole, start, end or whole[-1]["date_fin"])
    answer = terminate(db, lease, day)
    assert (answer["date_resiliation"], answer["montant_a_rembourser"]) == (day, 0)
    remaining = rows(db, lease)
    assert_covers(remaining, start, day)
    # Instalments before the termination keep their amount. The running one is due by day, and never costs more.
    assert [row["montant"] for row in remaining[:-1]] == [row["montant"] for row in whole[: len(remaining) - 1]]
    assert remaining[-1]["montant"] <= max(row["montant"] for row in whole)
    assert db.all("select * from jobs._controler()") == []
    assert db.one("select statut from residence.contrat_location where id_contrat = %s", [lease]) == "RESILIE"


@pytest.mark.parametrize(("kind", "end"), [("MENSUEL", -1), ("ANNUEL", 0)])
def test_a_lease_terminated_after_its_planned_end_owes_its_whole_price(db, kind, end):
    last = db.today() + timedelta(days=end)
    lease = builders.contrat(db, type_location=kind, date_debut=last - timedelta(days=400), date_fin_prevue=last)
    before = total(db, lease)
    assert db.call("residence.contrat_resilier", id_contrat=lease)["date_resiliation"] == db.today()
    assert total(db, lease) == before
    assert_covers(rows(db, lease), last - timedelta(days=400), last)


# ---- the price


lease_days = st.dates(date(2023, 1, 1), date(2028, 12, 31))


@EXAMPLES
@given(
    kind=st.sampled_from(["MENSUEL", "ANNUEL"]),
    start=st.one_of(lease_days, st.sampled_from(BEGINNINGS)),
    length=st.integers(0, 1500),
    rent=st.decimals(min_value=1, max_value=2_000_000, places=2),
    early=st.booleans(),
)
@example("MENSUEL", date(2028, 2, 29), 29, Decimal(29000), False)  # 1 of 29 days, then the rest of one rent
@example("MENSUEL", date(2028, 2, 29), 30, Decimal(29000), True)
@example("ANNUEL", date(2026, 4, 1), 730, Decimal(366_000), False)
@example("ANNUEL", date(2027, 9, 1), 365, Decimal(100_000), True)
def test_instalments_cover_a_lease_and_cost_their_days(db, kind, start, length, rent, early):
    """The end is planned from the start, or a lease without end is terminated on that day."""
    end = start + timedelta(days=length)
    early = early and length > 0  # a lease that ends as it begins owes nothing
    rent += 5000 if early else 0  # a termination cancels the instalments that cost nothing
    with db.connection.transaction(force_rollback=True):
        terms = {"type_location": kind, "montant_loyer": rent, "date_debut": start}
        lease = builders.contrat(db, **terms, date_fin_prevue=None if early else end)
        if early:
            terminate(db, lease, end)
        instalments = rows(db, lease)
    assert_covers(instalments, start, end)
    for row in instalments[:-1]:
        assert row["montant"] == days(kind, rent, row["date_echeance"], row["date_fin"])
    last = instalments[-1]
    price_by_day = days(kind, rent, last["date_echeance"], last["date_fin"])
    first = instalments[0]["montant"]
    if start == unit(kind, start)[0] or len(instalments) == 1 or end == unit(kind, end)[1]:
        assert last["montant"] == price_by_day
    else:
        # The last instalment is due by day, with one bound: together with the first it costs at most one rent for
        # less than a whole month or year, and at least one rent for more.
        step = 1 if kind == "MENSUEL" else 12
        last_unit = next(
            plus(start, step * n) for n in range(60) if unit(kind, plus(start, step * n)) == unit(kind, end)
        )
        eve, missing = last_unit - timedelta(days=1), rent - first
        expected = missing if end == eve else min(price_by_day, missing) if end < eve else max(price_by_day, missing)
        assert last["montant"] == expected


@pytest.mark.parametrize(("kind", "start", "end", "left", "price"), [
    ("MENSUEL", "2026-01-01", "2026-12-17", "2026-03-10", 95000 * 2 + 30645),  # 10 days of 31
    ("MENSUEL", "2026-01-17", None, "2026-02-16", 95000),
    ("MENSUEL", "2026-01-17", None, "2026-02-10", 45968 + 33929),  # 15 of 31, 10 of 28
    ("MENSUEL", "2026-01-17", None, "2026-01-25", 27581),  # 9 of 31
    ("ANNUEL", "2026-01-01", None, "2026-01-10", 2603),  # 10 of 365
    ("ANNUEL", "2025-09-17", "2026-09-16", "2026-01-10", 27589 + 2603),  # 106 and 10 of 365
    ("ANNUEL", "2025-09-01", "2026-08-31", "2026-08-31", 95000),
    ("ANNUEL", "2024-02-29", None, "2025-02-27", 95000),
])  # fmt: skip
def test_a_lease_terminated_early_costs_its_days(db, kind, start, end, left, price):
    lease = builders.contrat(db, type_location=kind, date_debut=start, date_fin_prevue=end)
    terminate(db, lease, left)
    assert total(db, lease) == price


def test_a_part_paid_instalment_is_cut_by_day_from_its_own_rent(db):
    lease = builders.contrat(db, montant_loyer="31000")
    collect(db, rows(db, lease)[2], "1")
    db.call("residence.contrat_reviser_loyer", id_contrat=lease, nouveau_montant="62000", date_effet="2026-03-01")
    terminate(db, lease, "2026-03-10")
    assert total(db, lease) == 31000 * 2 + 10000
    assert db.all("select * from jobs._controler()") == []


# ---- payments and refunds


def refund(db, lease, moyen="Espèces"):
    return db.call("residence.contrat_rembourser", id_contrat=lease, id_moyen=builders.moyen(db, moyen))


def invoices(db, lease):
    return db.all(
        "select f.montant_total, f.montant_paye, f.reste, f.statut::text from facturation.facture f"
        " join residence.echeance e on f.source_type = 'LOCATION' and e.id_echeance = f.source_id"
        " where e.id_contrat = %s order by e.date_echeance",
        [lease],
    )


def test_rent_paid_beyond_the_last_day_is_answered_and_refunded(http, db):
    lease = builders.contrat(db, montant_loyer="31000")
    first = lot(db, lease, "100000.50")["id_paiement"]  # three months and 7,000.50 of the fourth
    lot(db, lease, "10000")
    admin, path = http.as_admin(), f"/residence/contrats/{lease}"

    def give_back(**body):
        return admin.post(f"{path}/rembourser", json={"id_moyen": str(builders.moyen(db, "Mobile Money"))} | body)

    assert admin.get(path).json()["montant_a_rembourser"] == "0.00"
    answer = admin.post(f"{path}/resilier", json={"date_resiliation": "2026-03-10"}).json()
    # 21 days of March, and all of April.
    assert (answer["montant_a_rembourser"], answer["nb_echeances_a_rembourser"]) == ("38000.50", 2)
    assert admin.get(path).json()["montant_a_rembourser"] == "38000.50"
    assert [row["montant"] for row in rows(db, lease)] == [31000, 31000, 10000]
    assert db.all("select * from jobs._controler()") == []
    over = give_back(montant="38000.51")
    assert refusal(over) == (409, "REMBOURSEMENT_EXCESSIF")
    assert over.json()["details"] == {"montant_a_rembourser": "38000.50"}

    part = ok(give_back(montant="12000"))
    assert (part["montant_rembourse"], part["montant_a_rembourser"]) == ("12000.00", "26000.50")
    # The latest month is refunded first, and within April the latest payment first.
    assert [(row["montant"], row["id_paiement_origine"]) for row in part["paiements"]] == [
        ("2000.00", str(first)), ("10000.00", str(first + 1)),
    ]  # fmt: skip
    assert db.all("select * from jobs._controler()") == []
    rest = give_back().json()
    assert (rest["montant_rembourse"], rest["montant_a_rembourser"]) == ("26000.50", "0.00")
    assert refusal(give_back()) == (409, "RIEN_A_REMBOURSER")

    # January, February and ten days of March, as if no more had been paid.
    assert [row["montant"] for row in rows(db, lease)] == [31000, 31000, 10000]
    assert [(row["montant_total"], row["montant_paye"], row["statut"]) for row in invoices(db, lease)] == [
        (31000, 31000, "PAYEE"), (31000, 31000, "PAYEE"), (31000, 10000, "PAYEE"), (31000, 0, "ANNULEE"),
    ]  # fmt: skip
    refunds = db.all("select type::text, montant from finances.paiement where id_paiement_origine is not null")
    assert sum(row["montant"] for row in refunds) == Decimal("38000.50")
    assert {row["type"] for row in refunds} == {"DECAISSEMENT"}
    assert db.all("select * from jobs._controler()") == []


def test_a_month_cut_by_a_termination_is_payable_up_to_its_days(db):
    lease = builders.contrat(db, montant_loyer="31000")
    march = rows(db, lease)[2]
    collect(db, march, "4000")
    terminate(db, lease, "2026-03-10")
    assert invoices(db, lease) == [{"montant_total": 31000, "montant_paye": 4000, "reste": 6000, "statut": "PARTIELLE"}]
    with refused("SURPAIEMENT", 409):
        collect(db, march, "6000.01")
    collect(db, march, "6000")
    assert rows(db, lease)[-1]["montant_paye"] == 10000
    with refused("RIEN_A_REMBOURSER", 409):
        refund(db, lease)


def test_a_rent_refund_uses_the_till_of_the_user_and_an_active_method(db):
    lease = builders.contrat(db, montant_loyer="31000")
    lot(db, lease, "62000")
    terminate(db, lease, "2026-01-10")
    db.execute("update finances.moyen_paiement set actif = false where libelle = 'Chèque'")
    with refused("MOYEN_PAIEMENT_INACTIF", 409):
        refund(db, lease, "Chèque")
    till = builders.caisse(db, ouverte=False, activite_code="LOCATION_RESIDENTIEL")
    db.acting(builders.utilisateur(db, role="ADMINISTRATEUR", caisse=till))
    with refused("PERIODE_CAISSE_FERMEE", 409):
        refund(db, lease)
    db.call("finances.caisse_ouvrir", id_caisse=till)
    assert refund(db, lease)["montant_rembourse"] == 52000
    assert db.one("select id_caisse from finances.paiement where type = 'DECAISSEMENT'") == till


# ---- termination on a future day


def test_a_future_termination_keeps_the_room_until_its_day(db):
    lease = builders.contrat(db, date_debut=db.today() - timedelta(days=40), date_fin_prevue=None)
    room, last = room_of(db, lease)["id_logement"], db.today() + timedelta(days=20)
    terminate(db, lease, last)
    assert room_of(db, lease)["statut"] == "OCCUPE"
    # A user frees the room by hand to sign the next lease. The days stay occupied.
    empty(db, room)
    for day in (db.today(), last):
        with refused("LOGEMENT_DEJA_OCCUPE", 409):
            builders.contrat(db, id_logement=room, date_debut=day, date_fin_prevue=None)
    builders.contrat(db, id_logement=room, date_debut=last + timedelta(days=1), date_fin_prevue=None)


def test_the_nightly_job_frees_the_room_after_the_last_day_of_a_notice(db):
    last, tenant = db.today() + timedelta(days=1), builders.client(db)
    lease = builders.contrat(db, id_client=tenant, date_debut=last - timedelta(days=40), date_fin_prevue=None)
    terminate(db, lease, last)
    assert db.call("jobs.transition_contrats_expires")["logements"] == 0
    # The tenant still lives in the room, so charges go to the tenant.
    category = db.call("residence.categorie_charge_creer", libelle="Eau")["id_categorie_charge"]
    charge = {"id_logement": room_of(db, lease)["id_logement"], "periode": "2026-08", "montant": "1000"}
    assert db.call("residence.charge_creer", id_categorie_charge=category, **charge)["id_client"] == tenant
    db.execute("update residence.contrat_location set date_resiliation = core.aujourdhui() - 1")
    assert db.call("jobs.transition_contrats_expires") == {"contrats": 0, "logements": 1, "numeros": [], "sejours": 0}
    assert room_of(db, lease)["statut"] == "EN_NETTOYAGE"
    assert db.one("select titre from notification.notification") == "Préavis arrivé à terme"
    assert db.call("jobs.transition_contrats_expires") == {"contrats": 0, "logements": 0, "numeros": [], "sejours": 0}


@pytest.mark.parametrize(
    ("kind", "paid"), [("MENSUEL", "0"), ("MENSUEL", "40000"), ("ANNUEL", "5000"), ("MENSUEL", "150000")]
)
def test_a_notice_that_is_shortened_leaves_what_one_termination_leaves(db, kind, paid):
    start, last = db.today() - timedelta(days=40), plus(db.today().replace(day=3), 1)
    fields = {"type_location": kind, "date_debut": start, "date_fin_prevue": None, "montant_loyer": "31007"}
    leases = [builders.contrat(db, **fields) for _ in range(2)]
    for lease in leases:
        if paid != "0":
            lot(db, lease, paid)
        if paid == "40000":  # this reaches no instalment that is cut twice: the part of a part is rounded twice
            db.call("residence.contrat_reviser_loyer", id_contrat=lease, nouveau_montant="45001", date_effet=start)
    once, twice = leases
    terminate(db, once, last)
    for day in (plus(last, 400), plus(last, 1), last.replace(day=20), last):
        terminate(db, twice, day)
    left = [
        [values_of(row, "date_echeance date_fin montant montant_paye") for row in rows(db, lease)]
        + invoices(db, lease) + [room_of(db, lease)["statut"], db.one("select residence._a_rembourser(%s)", [lease])]
        for lease in leases
    ]  # fmt: skip
    assert left[0] == left[1]
    for day in (last, plus(last, 1)):
        with refused("TRANSITION_INTERDITE", 409):
            terminate(db, twice, day)
    terminate(db, twice)
    assert room_of(db, twice)["statut"] == "EN_NETTOYAGE" and rows(db, twice)[-1]["date_fin"] == db.today()
    with refused("TRANSITION_INTERDITE", 409):
        terminate(db, twice, db.today() - timedelta(days=1))
    assert db.all("select * from jobs._controler()") == []


def test_a_resident_sees_the_lease_until_a_future_termination(http, db):
    client = builders.client(db)
    lease = builders.contrat(db, id_client=client, date_debut=db.today() - timedelta(days=40), date_fin_prevue=None)
    resident = http.as_user(db.one("select id_utilisateur from auth.utilisateur where id_client = %s", [client]))
    terminate(db, lease, db.today() + timedelta(days=20))
    assert resident.get("/residence/portail/resume").json()["contrat_en_cours"]["id_contrat"] == str(lease)


def test_a_termination_after_the_planned_end_keeps_the_room_until_the_planned_end(db):
    end = db.today() + timedelta(days=10)
    lease = builders.contrat(db, date_debut=end - timedelta(days=50), date_fin_prevue=end)
    terminate(db, lease, end + timedelta(days=30))
    room = room_of(db, lease)["id_logement"]
    empty(db, room)
    with refused("LOGEMENT_DEJA_OCCUPE", 409):
        builders.contrat(db, id_logement=room, date_debut=end, date_fin_prevue=None)
    builders.contrat(db, id_logement=room, date_debut=end + timedelta(days=1), date_fin_prevue=None)
