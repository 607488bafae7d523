"""Long imports: lots of rows, progress, a process killed in the middle, and the rights of the account."""

import signal
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import psycopg
import pytest

from app.leaves.echange.routes import receiving
from tests import builders
from tests.conftest import refusal
from tests.server import blocks, eventually, running, worker
from tests.sheets import counts, done, errors, send, text, tried


def people(number, start=0):
    rows = ((f"Nom{n}", "Ama", f"07{n:08d}") for n in range(start, start + number))
    return text(("Nom", "Prénoms", "Téléphone"), *rows)


def numbered(number):
    rows = ((f"C{n}", f"Nom{n}", "Ama", f"07{n:08d}") for n in range(number))
    return text(("code", "nom", "prenoms", "tel_principal"), *rows)


def form(content):
    return {"data": {"entite": "clients"}, "files": {"file": ("clients.csv", content)}}


def named(answer, *fields):
    return tuple(answer[field] for field in fields)


def made(db):
    return int(db.one("select count(*) from client.client where nom like 'Nom%%'"))


# Lots of a tenth of the rows: what is tried here does not depend on their size.
LOTS = """create or replace function echange._taille_de_lot() returns integer
language sql immutable parallel safe return 100"""

# Another transaction waits for each row.
AWAITED = """create or replace function echange._patience() returns interval
language sql immutable parallel safe return interval '0';
create or replace function echange._est_attendu() returns boolean
language sql stable return true"""


@pytest.fixture
def lots(db, monkeypatch):
    db.execute(LOTS)
    monkeypatch.setattr(receiving, "AT_ONCE", 500)


@pytest.fixture
def admin(http, lots):
    return http.as_admin()


def test_a_long_import_is_accepted_and_then_done(admin, db):
    sheet = people(120) + b"Nom3;Ama;0700000003\r\nBad;;x\r\n"
    answer = tried(admin, sheet)
    assert (answer["lignes"], counts(answer)) == (122, (120, 1, 1))
    path = f"/imports/{answer['id_import']}"
    begun = admin.post(f"{path}/valider", headers={"idempotency-key": "once"})
    assert (begun.status_code, *named(begun.json(), "etat", "fait", "total")) == (202, "EN_COURS", 0, 120)
    state = admin.get(path).json()
    assert (*named(state, "etat", "fait", "total"), counts(state)) == ("FAIT", 120, 120, (120, 1, 1))
    assert made(db) == 120
    titles = [row["titre"] for row in admin.get("/notifications").json() if row["evenement"].startswith("import.")]
    assert titles[0] == "Import fini"
    again = admin.post(f"{path}/valider")
    assert (again.status_code, again.json()["etat"], made(db)) == (200, "FAIT", 120)
    repeated = tried(admin, sheet)
    assert counts(repeated) == (0, 121, 1)
    assert admin.post(f"/imports/{repeated['id_import']}/valider").status_code == 200
    assert made(db) == 120


def test_the_trial_of_a_very_long_sheet_goes_on_after_the_answer(admin, db):
    answer = send(admin, people(501))
    assert (answer.status_code, answer.json()["etat"], answer.json()["total"]) == (202, "EN_ESSAI", 501)
    state = admin.get(f"/imports/{answer.json()['id_import']}").json()
    assert (state["etat"], counts(state), state["fait"], made(db)) == ("ESSAYE", (501, 0, 0), 501, 0)


@pytest.mark.parametrize("awaited", [False, True])
def test_a_sheet_has_the_same_report_and_rows_in_lots_of_any_size(http, db, awaited):
    """In one lot, or in lots of one row."""
    if awaited:
        db.execute(AWAITED)
    admin, tomorrow = http.as_admin(), db.one("select core.aujourdhui() + 1")
    code = db.one("select code from client.client where id_client = %s", [builders.client(db)])
    rows = [
        (code, "Solde 1", "100", ""),
        (code, "Solde 2", "200", ""),
        (code, "solde 1", "100", ""),
        ("Nobody", "Solde 3", "300", ""),
        (code, "Solde 4", "400", tomorrow),
        (code, "Solde 5", "x", ""),
        (code, "Solde 6", "600", ""),
    ]
    answer = tried(admin, text(("client", "libelle", "montant", "date"), *rows), "factures")
    assert (counts(answer), answer["fait"]) == ((3, 1, 3), 6)
    assert errors(answer) == [(5, "client"), (6, "date"), (7, "montant")]
    path = f"/imports/{answer['id_import']}"
    made = admin.post(f"{path}/valider")
    assert (made.status_code, *named(made.json(), "etat", "fait", "total")) == (200, "FAIT", 3, 3)
    assert (counts(made.json()), errors(made.json())) == (counts(answer), errors(answer))
    query = """select f.libelle, right(f.numero, 3)::integer as rang from facturation.facture f
                where f.libelle ilike 'Solde%%' order by f.numero"""
    invoices = [(row["libelle"], row["rang"] - db.all(query)[0]["rang"]) for row in db.all(query)]
    assert invoices == [("Solde 1", 0), ("Solde 2", 1), ("Solde 6", 2)]
    assert admin.post(f"{path}/annuler").json()["etat"] == "ANNULE"
    assert db.one("select count(*) from facturation.facture where libelle ilike 'Solde%%' and not annulee") == 0


def test_a_lot_ends_when_another_transaction_waits_for_it(admin, db):
    number = tried(admin, people(3))["id_import"]
    untried(db, number, 0)
    db.execute(AWAITED)
    db.acting(db.one("select id_utilisateur from echange.import where id_import = %s", [number]))
    passed = [named(db.call("echange.import_essayer", id_import=number), "etat", "fait") for _ in range(3)]
    assert passed == [("EN_ESSAI", 1), ("EN_ESSAI", 2), ("ESSAYE", 3)]


def untried(db, number, after):
    """Put a trial back to where it was after so many rows, as if its process had been killed there."""
    db.execute("update echange.import set etat = 'EN_ESSAI', fait = %s where id_import = %s", [after, number])
    db.execute("update echange.ligne set issue = 'A_ESSAYER' where id_import = %s and ligne > %s", [number, after + 1])


def queued(db):
    rows = db.all("select args ->> 'id_import' as number from queue.procrastinate_jobs where task_name = 'importer'")
    return [row["number"] for row in rows]


def test_the_confirmation_of_an_unfinished_trial_is_refused_and_continues_it(admin, db):
    number = tried(admin, people(210))["id_import"]
    untried(db, number, 100)
    path, once = f"/imports/{number}/valider", {"idempotency-key": "once"}
    assert refusal(admin.post(path, headers=once)) == (409, "IMPORT_EN_ESSAI")
    state = admin.get(f"/imports/{number}").json()
    assert (state["etat"], state["fait"], counts(state), made(db)) == ("ESSAYE", 210, (210, 0, 0), 0)
    assert admin.post(path, headers=once).status_code == 202
    assert (admin.get(f"/imports/{number}").json()["etat"], made(db)) == ("FAIT", 210)


def test_an_import_whose_rows_have_not_arrived_is_not_tried(admin, db):
    number = tried(admin, people(2))["id_import"]
    db.execute("update echange.import set etat = 'RECEPTION'")
    assert refusal(admin.post(f"/imports/{number}/valider")) == (409, "IMPORT_EN_ESSAI")
    assert admin.get(f"/imports/{number}").json()["etat"] == "RECEPTION"


def test_a_trial_that_continues_waits_once_in_the_queue(admin, db):
    number = tried(admin, people(2))["id_import"]
    untried(db, number, 0)
    db.acting(db.one("select id_utilisateur from echange.import where id_import = %s", [number]))
    for _ in range(2):
        db.call("echange.import_essayer", id_import=number, en_file=True)
    assert queued(db) == [number]


def test_a_very_long_trial_that_stopped_continues_when_its_sheet_is_sent_again(admin, db):
    sheet, key = form(people(501)), {"idempotency-key": "long"}
    number = admin.post("/imports", headers=key, **sheet).json()["id_import"]
    untried(db, number, 300)
    again = admin.post("/imports", headers=key, **sheet)
    assert (again.status_code, again.json()["id_import"], again.json()["fait"]) == (202, number, 300)
    state = admin.get(f"/imports/{number}").json()
    assert (state["etat"], state["fait"], counts(state)) == ("ESSAYE", 501, (501, 0, 0))


def test_an_import_that_stopped_continues_under_the_key_of_its_confirmation(admin, db, monkeypatch):
    path = f"/imports/{tried(admin, people(120))['id_import']}"
    with monkeypatch.context() as killed:
        killed.setattr(receiving, "advance", stopped)
        assert admin.post(f"{path}/valider", headers={"idempotency-key": "once"}).status_code == 202
        assert (admin.get(path).json()["etat"], made(db)) == ("EN_COURS", 0)
    assert admin.post(f"{path}/valider", headers={"idempotency-key": "once"}).status_code == 202
    assert (admin.get(path).json()["etat"], made(db)) == ("FAIT", 120)


async def stopped(*_):
    """In the place of a task whose process was killed."""


def test_a_lot_that_stopped_continues_where_it_was(admin, db):
    number = tried(admin, people(210))["id_import"]
    author = db.one("select id_utilisateur from echange.import where id_import = %s", [number])
    db.acting(author)
    db.call("echange.import_valider", id_import=number, en_file=True)
    assert queued(db) == [number]
    db.acting(None)
    assert db.one("select jobs.import_avancer(%s)", [number]) is True
    db.acting(author)
    assert (made(db), admin.get(f"/imports/{number}").json()["fait"]) == (100, 100)
    db.execute("update echange.import set etat = 'ECHEC'")
    assert admin.post(f"/imports/{number}/valider").status_code == 202
    state = admin.get(f"/imports/{number}").json()
    assert (state["etat"], state["fait"], made(db)) == ("FAIT", 210, 210)


def test_all_or_nothing_holds_for_a_long_import(admin, db):
    rows = ((f"R{n}", "Savon", "5", f"X{n}") for n in range(150))
    number = tried(admin, text(("reference", "nom", "prix_vente", "code_barre"), *rows), "produits")["id_import"]
    builders.produit(db, code_barre="X149")
    assert admin.post(f"/imports/{number}/valider", params={"tout": "true"}).status_code == 202
    state = admin.get(f"/imports/{number}").json()
    assert (state["etat"], state["fait"]) == ("ECHEC", 0) and "rien n'est importé" in state["message"]
    assert db.one("select count(*) from market.produit where reference like 'R%%'") == 0


@pytest.mark.usefixtures("lots")
def test_the_job_acts_as_the_account_and_stops_when_it_may_no_longer(http, db):
    shop = builders.activite(db, "VENTE_MARCHANDISES")
    builders.utilisateur(db, role="ADMINISTRATEUR")  # the last one stays active
    author = builders.utilisateur(db, role="ADMINISTRATEUR", activite=shop)
    number = tried(http.as_user(author), people(101))["id_import"]
    db.acting(author)
    db.call("echange.import_valider", id_import=number)
    db.acting(None)
    db.one("select jobs.import_avancer(%s)", [number])
    journal = """select distinct id_utilisateur, requete from audit.journal
                  where entite = 'client' and operation = 'INSERT'"""
    assert {"id_utilisateur": author, "requete": f"import {number}"} in db.all(journal)
    db.acting(None)
    db.execute("update auth.utilisateur set actif = false where id_utilisateur = %s", [author])
    assert db.one("select jobs.import_avancer(%s)", [number]) is False
    state = db.all("select etat::text as etat, message from echange.import where id_import = %s", [number])
    assert state == [{"etat": "ECHEC", "message": "Le compte ou la clé qui l'a envoyé n'en a plus le droit."}]


@pytest.mark.usefixtures("lots")
@pytest.mark.parametrize(
    "end",
    ["delete from auth.cle", "update auth.cle set expire_le = now()", "update auth.cle set permissions = '{RH.VOIR}'"],
)
def test_a_long_import_of_a_key_stops_with_the_key(http, db, end):
    user = builders.utilisateur(db, role="ADMINISTRATEUR")
    body = {"libelle": "Caisse", "permissions": ["CLIENT.CREER"], "reseaux": ["127.0.0.0/8"]}
    key = replace(http, token=http.as_user(user).post("/auth/cles", json=body).json()["cle"])
    number = tried(key, people(210))["id_import"]
    db.acting(user)
    db.call("echange.import_valider", id_import=number)
    db.acting(None)
    assert db.one("select jobs.import_avancer(%s)", [number]) is True
    db.acting(None)
    db.execute(end)
    assert db.one("select jobs.import_avancer(%s)", [number]) is False
    assert db.one("select etat::text || fait from echange.import where id_import = %s", [number]) == "ECHEC100"


def test_the_night_forgets_trials_and_the_cells_of_old_imports(admin, db):
    kept = done(admin, people(1))["id_import"]
    tried(admin, people(1, 5))
    db.execute("update echange.import set date_creation = now() - interval '31 days'")
    db.acting(None)
    db.call("jobs.menage")
    assert db.all("select id_import::text from echange.import") == [{"id_import": kept}]
    assert db.all("select cellules, donnees, repere, issue::text as issue from echange.ligne") == [
        {"cellules": [], "donnees": {}, "repere": None, "issue": "FAITE"}
    ]


def test_two_confirmations_at_once_make_the_rows_once(tmp_path, database_url):
    with (
        running(tmp_path, DATABASE_URL=database_url) as service,
        psycopg.connect(database_url, autocommit=True) as connection,
        ThreadPoolExecutor(2) as threads,
    ):
        admin = service.login()
        path = f"/imports/{admin.post('/imports', **form(people(300))).json()['id_import']}/valider"
        answers = list(threads.map(lambda _: admin.post(path), range(2)))
        assert [(answer.status_code, answer.json()["etat"]) for answer in answers] == [(200, "FAIT")] * 2
        row = connection.execute("select count(*) from client.client where nom like 'Nom%'").fetchone()
        assert row == (300,)


def test_a_worker_killed_in_the_middle_doubles_nothing(tmp_path, database_url, valkey_url):
    """The second lot waits for a lock when the worker dies. Another worker takes the import up."""
    addresses = {"DATABASE_URL": database_url, "KVSTORE_URL": valkey_url}
    silence = "update queue.procrastinate_workers set last_heartbeat = now() - interval '1 minute'"
    with (
        running(tmp_path, **addresses) as service,
        psycopg.connect(database_url) as holder,
        psycopg.connect(database_url, autocommit=True) as connection,
    ):
        connection.execute(LOTS)

        def value(query):
            row = connection.execute(query).fetchone()
            return row and row[0]

        admin = service.login()
        number = admin.post("/imports", **form(numbered(250))).json()["id_import"]
        # A code of the second lot is being given by this transaction, so that the worker dies while it waits for it.
        holder.execute(
            "insert into client.client (code, nom, prenoms, tel_principal, type_client)"
            " values ('C150', 'Other', 'Ama', '0700009999', 'AUTRE')"
        )
        answer = admin.post(f"/imports/{number}/valider")
        assert (answer.status_code, answer.json()["etat"]) == (202, "EN_COURS")
        with worker(tmp_path, **addresses) as (process, _):
            eventually(lambda: blocks(holder, connection))
            process.send_signal(signal.SIGKILL)
            process.wait()
        holder.rollback()
        assert value("select count(*) from client.client where nom like 'Nom%'") == 100
        connection.execute(silence)
        connection.execute("select core._differer('rattraper')")
        with worker(tmp_path, **addresses):
            eventually(lambda: value("select etat::text from echange.import") == "FAIT")
        assert value("select fait from echange.import") == 250
        assert value("select (count(*), count(distinct code))::text from client.client where nom like 'Nom%'") == (
            "(250,250)"
        )
        assert admin.get(f"/imports/{number}").json()["acceptees"] == 250
