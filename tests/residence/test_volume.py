"""3,000 leases and 72,000 instalments: the plans of the lists, and the statements of the nightly job."""

import re

import pytest

from tests.conftest import connected

LEASES = 3_000
MONTHS = 24
# Leases without end that began 23 months ago: 24 instalments up to the current month. One in ten is unpaid in the
# last two months, and all older instalments are paid.
FILL = f"""
set session_replication_role = replica;
insert into residence.batiment (code, nom) select 'B' || n, 'Bâtiment ' || n from generate_series(1, 100) n;
insert into residence.logement (numero, type, tarif, statut, id_batiment)
select 'L' || n, 'CHAMBRE', 95000, 'OCCUPE', 1 + n % 100 from generate_series(1, {LEASES}) n;
insert into client.client (code, nom, prenoms, type_client, tel_principal)
select 'X-CL-' || n, 'Nom ' || n, 'Prénom', 'LOCATAIRE', '+2250700000000' from generate_series(1, {LEASES}) n;
insert into residence.contrat_location (numero_contrat, id_client, id_logement, date_debut, type_location,
                                        loyer_initial, statut)
select 'CON-2020-' || n, n, n,
       (date_trunc('month', core.aujourdhui()::timestamp) - interval '{MONTHS - 1} months')::date,
       'MENSUEL', 95000, 'ACTIF'
  from generate_series(1, {LEASES}) n;
insert into residence.occupation (id_logement, periode, id_contrat)
select c.id_logement, tstzrange(c.date_debut, null), c.id_contrat from residence.contrat_location c;
insert into residence.echeance (id_contrat, date_echeance, date_fin, montant, montant_paye)
select c.id_contrat, d, (d + interval '1 month')::date - 1, 95000,
       case when m < {MONTHS - 2} or c.id_contrat % 10 > 0 then 95000 else 0 end
  from residence.contrat_location c
 cross join generate_series(0, {MONTHS - 1}) m
 cross join lateral (select (c.date_debut + make_interval(months => m))::date as d) x
 order by m, c.id_contrat;
set session_replication_role = origin;
vacuum analyze residence.batiment;
vacuum analyze residence.logement;
vacuum analyze client.client;
vacuum analyze residence.contrat_location;
vacuum analyze residence.echeance
"""


@pytest.fixture(scope="module")
def many(module_url):
    with connected(module_url, autocommit=True) as db:
        for statement in FILL.split(";\n"):
            db.execute(statement)
        yield db


COUNTED = 10_001  # where core._liste stops counting


def most_read(plan):
    """The largest number of instalments that one node of a plan returned, with its loops."""
    nodes = re.findall(r"Scan[^\n]* on echeance[^\n]*\(actual rows=([\d.]+) loops=(\d+)\)", plan)
    return max(float(rows) * int(loops) for rows, loops in nodes)


def plans(db, function, **arguments):
    """The plans of every statement of a call, which auto_explain sends as notices."""
    messages = []

    def collect(notice):
        if "Query Text" in (notice.message_primary or ""):
            messages.append(notice.message_primary)

    db.connection.add_notice_handler(collect)
    try:
        with db.connection.transaction(force_rollback=True):
            db.execute("load 'auto_explain'")
            db.execute("set local client_min_messages = log")
            for setting in ("min_duration = 0", "analyze = on", "timing = off", "nested_statements = on"):
                db.execute(f"set local auto_explain.log_{setting}")
            rows = db.rows(function, **arguments)
    finally:
        db.connection.remove_notice_handler(collect)
    assert any("Plan" in text or "cost=" in text for text in messages)
    return rows, "\n".join(messages)


@pytest.mark.parametrize("function, arguments, expected", [
    ("residence.suivi_lister", {}, 50),
    ("residence.suivi_lister", {"offset": 500}, 50),
    ("residence.suivi_lister", {"statut": "IMPAYE"}, 50),
    ("residence.suivi_lister", {"annee": "year", "mois": "month"}, 50),
    ("residence.suivi_lister", {"client": "nom 77"}, 50),
    ("residence.suivi_lister", {"numero_contrat": "con-2020-2777"}, 24),
    ("residence.impaye_lister", {}, 50),
    ("residence.impaye_lister", {"statut": "PARTIEL"}, 0),
    ("residence.impaye_lister", {"id_client": 10}, 2),
    ("residence.impaye_lister", {"client": "nom 10"}, 24),
])  # fmt: skip
def test_a_page_of_50_does_not_scan_the_table_of_instalments(many, function, arguments, expected):
    today = many.today()
    values = {"year": today.year, "month": today.month}
    rows, plan = plans(many, function, limit=50, **{key: values.get(value, value) for key, value in arguments.items()})
    assert len(rows) == expected
    page = plan[plan.index("CTE page") : plan.index("CTE lues")]
    assert " on echeance" in page and "Seq Scan on echeance" not in page, page
    assert most_read(plan) <= COUNTED, plan


def test_the_occupation_reads_no_instalment(many):
    rows, plan = plans(many, "residence.occupation_lister")
    assert len(rows) == 100 and sum(row["occupes"] for row in rows) == LEASES
    assert " on echeance" not in plan


def test_the_detail_and_a_payment_in_a_lot_read_the_instalments_of_one_lease(many):
    for function, arguments in [
        ("residence.contrat_detail", {"id_contrat": 2321}),
        ("residence.contrat_encaisser_loyer_lot", {"id_contrat": 2320, "montant": "100000", "id_moyen": 1}),
    ]:
        _, plan = plans(many, function, **arguments)
        assert "Seq Scan on echeance" not in plan, plan


def test_the_nightly_job_inserts_all_instalments_in_one_statement(many):
    """The journal is written once a statement, so a loop shows."""
    with many.connection.transaction(force_rollback=True):
        many.execute("set local track_functions = 'pl'")
        result = many.call("jobs.generer_echeances")
        assert result["contrats"] == LEASES and result["echeances"] >= 11 * LEASES
        calls = many.one("select calls from pg_stat_xact_user_functions where funcname = '_t90_journal'")
        scans = many.one("select seq_scan + idx_scan from pg_stat_xact_user_tables where relname = 'echeance'")
        assert calls == 1 and scans < 1.1 * LEASES
        assert many.call("jobs.generer_echeances")["echeances"] == 0
