"""Seals: verification reports each entry changed, deleted or inserted outside the operations, and nothing else."""

import random
import threading
from concurrent.futures import ThreadPoolExecutor
from itertools import count

import psycopg
import pytest

from app.vault import restoration
from app.vault.backup import BackupError
from tests import builders, commands
from tests.conftest import Db, connected, refused
from tests.preuve import selon
from tests.server import environment, eventually

KEYS = {
    "journal": ("audit.journal", "id_trace"),
    "facture": ("facturation.facture", "id_facture"),
    "paiement": ("finances.paiement", "id_paiement"),
    "application_paiement": ("finances.application_paiement", "id_application"),
}


def seal(db):
    return db.call("audit.sceller")


def findings(db, **arguments):
    return [(row["nature"], row["registre"], row["ids"]) for row in db.rows("audit.verifier", **arguments)]


def pay(db, facture=None, montant="10", **fields):
    target = {"id_activite": builders.activite(db)} if facture is None else {"id_facture": facture}
    return builders.payer(db, montant, **target | fields)


def write(db):
    """Create two invoices, each paid in part by a payment that names it and by a part of another."""
    invoices = [builders.facture(db, "500") for _ in range(2)]
    other = pay(db)
    for invoice in invoices:
        pay(db, invoice)
        builders.part(db, other, invoice)


def key(db, registre, place):
    """Return the identifier at this position among the sealed entries of a register; -1 is the last."""
    ids = db.all("select unnest(ids) as id from audit.sceau where registre = %s::audit.registre order by 1", [registre])
    return int(ids[place]["id"])


tamper = Db.tamper


@pytest.fixture
def sealed(db):
    """Seal three times, with new entries in each register. Return the last seal."""
    for _ in range(3):
        write(db)
        last = seal(db)
    return last


@pytest.fixture
def other(database_url):
    """A second connection, with its own transaction."""
    with connected(database_url) as db:
        yield db


# ---- sealing


def test_sealing_covers_every_entry_and_sealing_again_changes_nothing(db, sealed):
    assert sealed["complet"] and sealed["rang"] == 12 and len(sealed["empreinte"]) == 64
    for registre, (table, column) in KEYS.items():
        rows = db.all(f"select {column} as id from {table} order by 1")
        assert rows == db.all(
            "select unnest(ids) as id from audit.sceau where registre = %s::audit.registre order by 1", [registre]
        )
    assert seal(db) == sealed | {"entrees": 0}
    assert findings(db) == []
    write(db)
    assert seal(db)["rang"] == 16
    assert findings(db, attendu=sealed["empreinte"]) == []


def test_a_seal_covers_ten_thousand_identifiers(db):
    db.execute(
        """insert into audit.journal (module, operation, entite)
           select 'core', 'INSERT', 'essai' from generate_series(1, 10001)"""
    )
    seal(db)
    ranges = db.all("select du_id, au_id, cardinality(ids) as n from audit.sceau order by rang")
    assert [row["du_id"] for row in ranges] == [1, *(row["au_id"] + 1 for row in ranges[:-1])]
    assert max(row["n"] for row in ranges) <= 10_000 < sum(row["n"] for row in ranges)
    assert findings(db) == []
    assert findings(db, du_rang=1, au_rang=1) == []


def test_the_fingerprint_is_the_same_in_every_session(db, sealed):
    for setting in (
        "timezone = 'Pacific/Auckland'", "datestyle = 'German, DMY'", "intervalstyle = 'iso_8601'",
        "bytea_output = 'escape'", "extra_float_digits = -5", "lc_numeric = 'C'", "quote_all_identifiers = on",
    ):  # fmt: skip
        db.execute(f"set local {setting}")
    assert findings(db) == []


# ---- tampering


CHANGES = [
        ("journal", "apres = apres || '{\"montant\": 1}'"), ("journal", "id_utilisateur = 1"),
        ("journal", "date_heure = date_heure + interval '1 microsecond'"),
        ("facture", "montant_total = montant_total + 1"), ("facture", "numero = numero || '9'"),
        ("facture", "remise = remise + 1, montant_total = montant_total - 1"),
        ("facture", "date = date - interval '1 day'"), ("facture", "id_client = 7"), ("facture", "source_id = 7"),
        ("paiement", "montant = montant + 0.01"), ("paiement", "type = 'DECAISSEMENT'"),
        ("paiement", "id_utilisateur = 7"), ("paiement", "id_caisse = 7, id_periode = 7"),
        ("paiement", "id_paiement_origine = 1"), ("paiement", "id_facture = 7"), ("paiement", "id_facture = null"),
        ("application_paiement", "montant = montant + 1"), ("application_paiement", "id_facture = 7"),
]  # fmt: skip
LINES = (
    "update facturation.facture_ligne set prix_unitaire = 1 where id_facture = %s",
    "delete from facturation.facture_ligne where id_facture = %s",
    "insert into facturation.facture_ligne (id_facture, libelle, prix_unitaire, total) values (%s, 'Ajout', 1, 1)",
)


def after(db, statement, *parameters):
    """The findings after this statement, which is then rolled back."""
    with db.connection.transaction(force_rollback=True):
        tamper(db, statement, *parameters)
        return findings(db)


def test_a_changed_entry_is_reported_and_a_changed_line_with_its_invoice(db, sealed):
    for registre, change in CHANGES:
        (table, column), target = KEYS[registre], key(db, registre, 2)
        reported = after(db, f"update {table} set {change} where {column} = %s", target)
        assert reported == [("CHANGEE", registre, [target])], change
    target = key(db, "facture", 2)
    for statement in LINES:
        assert after(db, statement, target) == [("CHANGEE", "facture", [target])], statement


def test_a_deleted_entry_is_reported(db, sealed):
    for registre, (table, column) in KEYS.items():
        for target in (key(db, registre, place) for place in (0, 3, -1)):
            reported = after(db, f"delete from {table} where {column} = %s", target)
            assert reported == [("MANQUANTE", registre, [target])]


@pytest.mark.parametrize("below", [False, True])
def test_an_entry_inserted_under_an_old_identifier_is_reported(db, below):
    write(db)
    free = db.one("select nextval('finances.paiement_id_paiement_seq')")
    write(db)
    seal(db)
    target = -5 if below else free
    copy = "select %s, date, jour, montant, id_moyen from finances.paiement limit 1"
    columns = "id_paiement, date, jour, montant, id_moyen"
    tamper(db, f"insert into finances.paiement ({columns}) overriding system value {copy}", target)
    for _ in range(2):
        assert findings(db) == [("AJOUTEE", "paiement", [target])]
        seal(db)


def test_a_changed_or_deleted_seal_is_reported(db, sealed):
    changes = ("date = date + interval '1 second'", "du_id = du_id - 1", "ids[1] = ids[1] - 1",
               "empreintes[1] = sha256('x')", "empreinte = sha256('x')")  # fmt: skip
    statements = {f"update audit.sceau set {change} where rang = 5": ("SCEAU_ROMPU", 5) for change in changes}
    statements |= {f"delete from audit.sceau where rang = {rang}": ("SCEAU_MANQUANT", rang + 1) for rang in (1, 6)}
    for statement, expected in statements.items():
        with db.connection.transaction(force_rollback=True):
            tamper(db, statement)
            assert expected in [(row["nature"], row["rang"]) for row in db.rows("audit.verifier")], statement


def test_a_recomputed_seal_breaks_the_next_seal(db, sealed):
    """An attacker who knows the algorithm can rewrite an entry and its seal, but not the next seals."""
    tamper(db, "update finances.paiement set montant = 9 where id_paiement = %s", key(db, "paiement", 3))
    tamper(
        db,
        """update audit.sceau s set empreintes = (
             select array_agg(audit._engager(x.sel, e.empreinte, e.enonce) order by e.id)
               from audit.empreinte_vue e
               join audit.feuillage f on f.rang = s.rang
              cross join unnest(s.ids, f.sels) x (id, sel)
              where e.registre = s.registre and e.id = x.id) where rang = 7""",
    )
    tamper(
        db,
        """update audit.sceau s set empreinte = audit._sceau_empreinte(
             (select p.empreinte from audit.sceau p where p.rang = 6), s) where rang = 7""",
    )
    assert [(row["nature"], row["rang"]) for row in db.rows("audit.verifier")] == [("SCEAU_ROMPU", 8)]


@pytest.mark.parametrize(
    "statement",
    [
        "with f as (delete from audit.feuillage where rang > 11) delete from audit.sceau where rang > 11",
        "truncate audit.sceau cascade",
    ],
)
def test_a_chain_cut_at_its_end_is_reported_against_an_exported_seal(db, sealed, statement):
    tamper(db, statement)
    assert findings(db) == []  # the remaining chain is consistent
    for _ in range(2):
        assert findings(db, attendu=sealed["empreinte"]) == [("SCEAU_ATTENDU_ABSENT", None, None)]
        seal(db)  # a new seal does not hide the loss


def test_verification_reads_only_the_requested_ranks(db, sealed):
    target = key(db, "paiement", -1)
    tamper(db, "update finances.paiement set montant = 9 where id_paiement = %s", target)
    assert findings(db, au_rang=10) == []
    assert findings(db, du_rang=11) == [("CHANGEE", "paiement", [target])]


# ---- legitimate changes


def test_sealing_waits_for_the_commit_of_an_earlier_transaction(committed, other, database_url):
    late = pay(other)
    early = pay(committed)
    assert early > late
    with connected(database_url, autocommit=True) as third, ThreadPoolExecutor(1) as pool:
        sealing = pool.submit(seal, third)
        waits = "select count(*) from pg_stat_activity where wait_event = 'PgSleep' and datname = current_database()"
        eventually(lambda: committed.one(waits))
        other.connection.commit()
        assert sealing.result()["complet"]
    assert {key(committed, "paiement", 0), key(committed, "paiement", 1)} == {late, early}
    assert findings(committed) == []


def test_an_open_transaction_postpones_sealing_and_is_not_reported_as_tampering(committed, other):
    late = pay(other)
    pay(committed)
    answer = seal(committed)
    assert (answer["complet"], answer["entrees"], answer["rang"]) == (False, 0, None)
    other.connection.commit()
    assert seal(committed)["complet"]
    assert key(committed, "paiement", 0) == late
    assert findings(committed) == []


def test_a_rolled_back_payment_and_a_read_only_transaction_do_not_postpone_sealing(committed, other):
    pay(other)
    other.connection.rollback()
    other.one("select count(*) from finances.paiement, audit.journal")
    pay(committed)
    assert seal(committed)["complet"]
    assert findings(committed) == []


def test_concurrent_sealings_make_one_chain(committed, database_url):
    write(committed)

    def run(_):
        with connected(database_url, autocommit=True) as db:
            return int(seal(db)["entrees"])

    with ThreadPoolExecutor(4) as pool:
        sealed_by = list(pool.map(run, range(4)))
    assert sorted(sealed_by)[:3] == [0, 0, 0] and max(sealed_by) > 0
    assert committed.one("select count(*) from audit.sceau") == 4
    assert findings(committed) == []


def test_concurrent_operations_are_not_reported(committed, database_url):
    """Four connections pay, cancel and correct while the test seals."""
    bills = [builders.facture(committed, "100000000") for _ in range(8)]
    enough = threading.Event()  # set after three seals

    def work(n):
        rng = random.Random(n)
        with connected(database_url, autocommit=True) as db:
            for turn in count():
                if turn >= selon(10, 40) and enough.is_set():
                    break
                payment = pay(db, bills[rng.randrange(4)])
                if turn % 4 == 0:
                    db.call("finances.paiement_modifier", id_paiement=payment, champs={"motif": "Corrigé"})
                if turn % 10 == 0:
                    with db.connection.transaction(force_rollback=True):
                        pay(db, bills[0])
            db.one("select finances._facture_annuler(%s, 'Erreur')", [bills[4 + n]])

    with ThreadPoolExecutor(4) as pool:
        workers = [pool.submit(work, n) for n in range(4)]
        try:
            seals = 0
            while seals < 3 and not any(worker.done() for worker in workers):
                seals += seal(committed)["entrees"] > 0
                assert findings(committed) == []
        finally:
            enough.set()
        for worker in workers:
            worker.result()
    assert seal(committed)["complet"]
    assert findings(committed) == []
    for table, column in KEYS.values():
        missing = f"select count(*) from {table} where {column} not in (select unnest(ids) from audit.sceau)"
        assert committed.one(missing) == 0


def test_sealing_refuses_a_repeatable_read_transaction(other):
    other.connection.isolation_level = psycopg.IsolationLevel.REPEATABLE_READ
    with refused("ISOLATION_IMPREVUE", 409, other.connection):
        seal(other)


# ---- permissions


def test_the_journal_and_the_seals_refuse_every_rewrite(db, sealed):
    for table, column in (("audit.journal", "entite"), ("audit.sceau", "empreinte")):
        for statement in (
            f"update {table} set {column} = {column}",
            f"delete from {table}",
            f"truncate {table} cascade",
        ):
            with refused("REGISTRE_FIGE", 409):
                db.execute(statement)
            with pytest.raises(psycopg.errors.InsufficientPrivilege), db.connection.transaction():
                db.execute("set local role comptoir_code")
                db.execute(statement)


def test_the_read_only_role_reads_the_seals_and_verifies(db, sealed):
    db.execute("set local role comptoir_lecture")
    assert db.one("select encode(empreinte, 'hex') from audit.sceau order by rang desc limit 1") == sealed["empreinte"]
    assert findings(db) == []
    for statement in ("select audit.sceller()", "delete from audit.sceau", "select from audit.journal"):
        with pytest.raises(psycopg.errors.InsufficientPrivilege), db.connection.transaction():
            db.execute(statement)


def test_the_seal_routes_report_tampering(db, http):
    admin = http.as_admin()
    write(db)
    made = admin.post("/audit/sceller").json()
    assert list(made) == ["entrees", "complet", "rang", "date", "empreinte"]
    assert admin.post("/audit/sceller").json() == made | {"entrees": "0"}
    assert admin.get("/audit/verifier", params={"attendu": made["empreinte"]}).json() == []
    target = key(db, "paiement", 0)
    tamper(db, "update finances.paiement set montant = 9 where id_paiement = %s", target)
    [row] = admin.get("/audit/verifier").json()
    assert (row["nature"], row["registre"], row["nombre"], row["ids"]) == ("CHANGEE", "paiement", 1, [str(target)])
    assert row["message"].endswith(f"1 entrée changée : {target}.")
    for cut in ("zz", made["empreinte"][:-1]):
        assert admin.get("/audit/verifier", params={"attendu": cut}).status_code == 400


# ---- the commands


def check(url, *words):
    return commands.run(environment({"DATABASE_URL": url}), "check", *words)


def test_check_prints_the_last_seal_and_each_discrepancy(committed, database_url):
    write(committed)
    completed = check(database_url)
    assert (completed.returncode, completed.stdout.splitlines()[0]) == (0, "Rien n'est scellé."), completed.stderr
    fingerprint = seal(committed)["empreinte"]
    completed = check(database_url, "--sceau", fingerprint)
    assert completed.returncode == 0 and f", {fingerprint}\n" in completed.stdout
    assert completed.stdout.startswith("Dernier sceau : n° 4, ")
    completed = check(database_url, "--sceau", "00" * 32)
    assert completed.returncode == 1 and "n'est plus dans la chaîne." in completed.stdout
    for wrong in ("zz" * 32, fingerprint[:8]):
        completed = check(database_url, "--sceau", wrong)
        assert completed.returncode == 1 and "64 chiffres" in completed.stderr
    with committed.connection.transaction():
        tamper(committed, "delete from facturation.facture where id_facture = %s", key(committed, "facture", 0))
    completed = check(database_url)
    assert completed.returncode == 1 and "1 entrée disparue" in completed.stdout and "2 écarts." in completed.stdout
    assert "n'est pas ce que dit sa dernière entrée au journal" in completed.stdout


def test_restoration_verifies_the_seals_of_the_restored_database(committed, database_url):
    write(committed)
    seal(committed)
    restoration._verify(database_url)
    with committed.connection.transaction():
        tamper(committed, "update audit.journal set entite_id = '0' where id_trace = %s", key(committed, "journal", 1))
    with pytest.raises(BackupError, match="Registre journal, sceau 1"):
        restoration._verify(database_url)
