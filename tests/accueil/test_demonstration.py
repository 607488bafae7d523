"""The demonstration is made through the operations, breaks no rule, and refuses a database in use."""

import argparse
import asyncio
import os
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from dataclasses import replace
from datetime import date, timedelta
from urllib.parse import urlsplit

import psycopg
import pytest

from app.base.failure import Failure
from app.base.settings import Settings, SettingsError
from app.database import schema
from app.files.storage import Storage
from app.leaves.demonstration import filling, photos
from tests import addition, builders, livre
from tests.accord import disagreements
from tests.conftest import _clone, connected
from tests.dearest import BOUND, Walk, not_parallel
from tests.documents import browsers, paper
from tests.preuve import LONGUE, selon
from tests.server import SECRETS, eventually, running

ACTIVITIES = """
select (select count(*) from market.vente), (select count(*) from pressing.commande where statut = 'RETIRE'),
       (select count(*) from restaurant.commande), (select count(*) from salle_fete.reservation),
       (select count(*) from residence.contrat_location where statut = 'ACTIF'), (select count(*) from rh.paie),
       (select count(*) from residence.sejour_court), (select count(*) from finances.depense),
       (select count(*) from finances.tirage),
       (select count(*) from residence.sejour_court where origine = 'PORTAIL'),
       (select count(*) from salle_fete.reservation where origine = 'PORTAIL'),
       (select count(*) from market.vente where origine = 'PORTAIL' and statut = 'PAYEE'),
       (select count(*) from restaurant.commande where origine = 'PORTAIL' and statut = 'PAYEE'),
       (select count(*) from pressing.commande where origine = 'PORTAIL' and date_depot is not null),
       (select count(*) from signalement.signalement where id_client is not null)
"""


def one(url, query):
    with psycopg.connect(url) as connection:
        return connection.execute(query).fetchone()


# Queries that count what is wrong with a demonstration.
WRONG = {
    "an account without its password": f"""select count(*) from auth.utilisateur u left join auth.secret s
        using (id_utilisateur) where u.actif and s.mot_de_passe is distinct from '{builders.PASSWORD_HASH}'""",
    "a payment outside the period of its till": """select count(*) from finances.paiement p
        join finances.periode_caisse c using (id_periode) where p.date not between c.ouverture and c.fermeture""",
    "a till that was open and not counted for a week": """select count(*) from finances.periode_caisse p
        where not exists (select from finances.tirage t where t.id_caisse = p.id_caisse
                           and t.date between core.jour(p.ouverture) - 6 and core.jour(p.ouverture) + 6)""",
    "a till that is still open": "select count(*) from finances.periode_caisse where fermeture is null",
    "an invoice whose number has another year":
        "select count(*) from facturation.facture where numero !~ to_char(date, 'YYYY')",
    "a change of today": "select count(*) from audit.journal where date_heure > now() - interval '30 seconds'",
    "a document without a seal": """select count(*) from facturation.facture
        where id_facture > (select max(au_id) from audit.sceau where registre = 'facture')""",
    "a seal without a signed root": """select (max(t.taille) <> (select max(s.taille) from audit.sceau s))::integer
        from audit.tete t""",
    "a meal of a past day that is not over, beside the requests of the last evening":
        """select count(*) from restaurant.commande
            where statut not in ('PAYEE', 'ANNULEE') and core.jour(date) < core.aujourdhui()
              and not (statut = 'EN_ATTENTE' and core.jour(date) = core.aujourdhui() - 1)""",
    "the simulated clock": """select count(*) + (to_regnamespace('demo') is not null)::integer
        from pg_proc where prosrc ~ 'demo\\.maintenant'""",
    "a setting of the organisation without a value": """select count(*) from core.parametre
        where valeur = '' and (cle like '%ORGANISATION' or cle = 'MENTIONS_LEGALES')""",
}  # fmt: skip


@pytest.fixture(scope="module")
def demo_url(worker_id):
    """A database for this module with two months of activity and few customers."""
    with _clone(f"essai_{worker_id}_demo", zone=None) as url:
        filling.write(url, 2, 2, builders.PASSWORD_HASH, SECRETS)
        yield url


def test_two_loads_of_the_code_leave_the_same_rights_whatever_the_plans(database_url):
    """The statistics of the catalogue change while days are played, and with them the order of unordered rows."""
    schema.migrate(database_url, lambda _: None, reload=True)
    with psycopg.connect(database_url, autocommit=True) as connection:
        connection.execute("analyze")
    schema.load_edited(database_url, str)
    assert schema.drift(database_url) == []


def test_a_vacuum_and_a_load_of_the_code_do_not_deadlock(database_url):
    """A vacuum holds the lock of its table and looks at other tables of the catalogue, which a load changes."""
    with psycopg.connect(database_url) as vacuum, ThreadPoolExecutor(1) as pool:
        vacuum.execute("lock table audit.journal in share update exclusive mode")
        loading = pool.submit(schema.load_edited, database_url, str)
        eventually(lambda: one(database_url, "select count(*) > 0 from pg_locks where not granted") == (True,))
        vacuum.execute(
            "lock table core.parametre_vue, finances.paiement_vue, residence.logement_vue in access share mode"
        )
        vacuum.commit()
        loading.result()


def test_every_activity_has_rows_in_the_demonstration(demo_url):
    counts = one(demo_url, ACTIVITIES)
    assert all(counts), str(counts)
    first, last, today = one(demo_url, "select min(jour), max(jour), core.aujourdhui() from finances.paiement")
    assert 58 <= (today - first).days <= 63 and (today - last).days == 1


def test_the_month_of_each_account_is_reconciled_but_for_three_lines(demo_url):
    state = """select to_jsonb(tresorerie.rapprochement(%s,
        p_au => (date_trunc('month', core.aujourdhui()::timestamp) - interval '1 day')::date))"""
    with psycopg.connect(demo_url) as connection:
        for account in (1, 2):
            [answer] = connection.execute(state, [account]).fetchone()
            assert len(answer["ici_seul"]) == 1 and len(answer["rapproches"]) > 1
            assert [row["montant"] for row in answer["releve_seul"]] == [-2500, 15000]
            assert answer["difference"] == answer["ici_seul"][0]["montant"] - 12500


def test_the_demonstration_passes_every_consistency_check(demo_url):
    with psycopg.connect(demo_url) as connection:
        assert connection.execute("select * from jobs._controler()").fetchall() == []
        assert connection.execute("select message from audit.verifier()").fetchall() == []
    assert schema.drift(demo_url) == []


@pytest.mark.parametrize("wrong", WRONG)
def test_nothing_of_the_demonstration_is_wrong(demo_url, wrong):
    assert one(demo_url, WRONG[wrong]) == (0,)


def test_till_gaps_are_only_the_amounts_that_the_demonstration_simulates(demo_url):
    """A count covers all days since the last count, so a day without a count adds no gap."""
    query = "select array_agg(distinct ecart::integer order by ecart::integer) from finances.tirage"
    (gaps,) = one(demo_url, query)
    assert set(gaps) <= {-2000, -500, 0, 500, 1000}


@pytest.mark.parametrize("program", addition.PROGRAMS)
def test_other_programs_add_up_the_demonstration_as_its_balance_does(walked_url, tmp_path, program):
    settings = {"DATABASE_URL": walked_url, "TRUSTED_PROXIES": "127.0.0.1"}
    with connected(walked_url, autocommit=True) as db, running(tmp_path, **settings) as service:
        admin = Walk(service, db).signed_in("admin", 1)
        years = db.all("select distinct extract(year from date)::integer as year from compta.ecriture_vue")
        assert years and [line for row in years for line in addition.differences(admin, program, row["year"])] == []
        # On the first days of a year, the accounts of its result have no line yet.
        ends = [min(db.today(), date(row["year"], 12, 31)) for row in years]
        assert max(len(addition.balances(admin, end)) for end in ends) > 10


def test_figures_of_the_same_name_agree_in_every_report(demo_url):
    with connected(demo_url) as db:
        first, last = db.all("select min(jour) as a, max(jour) as b from finances.paiement")[0].values()
        month = first.replace(day=1) + timedelta(days=32)
        for du, au in ((first, last), (month.replace(day=1), last), (last, last)):
            assert disagreements(db, str(du), str(au)) == []


def test_the_ledger_of_the_demonstration_agrees_with_its_documents_before_and_after_a_closing(demo_url):
    with connected(demo_url) as db:
        assert livre.wrong(db) == []
        months = db.all("""select distinct to_char(e.date, 'YYYY-MM') as periode from compta.ecriture_vue e
                            where e.date < date_trunc('month', core.aujourdhui()) order by 1""")
        closed = [db.call("compta.periode_cloturer", **month) for month in months]
        assert sum(month["nombre"] for month in closed) > 100
        assert all(month["total_debit"] == month["total_credit"] > 0 for month in closed)
        assert livre.wrong(db) == []
        db.connection.rollback()


def test_the_demonstration_fills_every_screen(demo_url):
    """Screens show more than money: buyers, ends of leases, subscriptions, today's attendance."""
    shown = one(
        demo_url,
        """select (select count(*) from market.vente where id_client is not null),
                  (select count(*) from residence.contrat_location where date_fin_prevue is not null),
                  (select count(distinct date_debut) from residence.contrat_location),
                  (select count(*) from residence.abonnement), (select count(*) from client.piece_identite),
                  (select count(*) from rh.pointage where date = core.aujourdhui()),
                  (select count(*) from market.produit where quantite_stock < seuil_alerte),
                  (select count(*) from market.produit where code_barre is not null),
                  (select count(*) from pressing.commande where mode_tarification = 'POIDS' and statut = 'RETIRE'),
                  (select count(*) from pressing.commande_ligne where not hors_catalogue),
                  (select count(*) from salle_fete.reservation where not hors_catalogue),
                  (select count(*) from abonnement.mouvement where id_commande_restaurant is not null),
                  (select count(*) from abonnement.mouvement where id_commande_pressing is not null),
                  (select count(*) from facturation.facture_ligne_taxe),
                  (select count(*) from evenement.webhook), (select count(*) from auth.cle),
                  (select count(distinct type) > 15 from evenement.evenement)::integer,
                  (select count(distinct date::date) > 30 from evenement.evenement)::integer,
                  (select count(distinct id_utilisateur) > 3 from evenement.evenement)::integer""",
    )
    assert all(shown), shown


def test_the_logins_that_the_command_prints_are_those_of_every_till_and_of_a_resident(demo_url):
    with psycopg.connect(demo_url) as connection:
        printed = {login for _, logins in connection.execute(filling.ACCOUNTS) for login in logins.split(", ")}
    [tills, residents] = one(
        demo_url,
        """select array_agg(u.login::text) filter (where a.id_caisse > 0),
                  array_agg(u.login::text) filter (where r.code = 'RESIDENT')
             from auth.utilisateur u join auth.role r using (id_role)
             left join finances.affectation_caisse a using (id_utilisateur)""",
    )
    assert set(tills) <= printed and printed & {*residents}


def test_every_photo_is_a_picture_of_the_demonstration(demo_url):
    [keys] = one(
        demo_url,
        """select array_agg(distinct k::text) from (
             select image_url from restaurant.plat union all select image_url from market.produit
             union all select photo from client.client union all select cle_objet from residence.etat_des_lieux
             union all select cle_objet from signalement.photo) t (k)""",
    )
    assert None not in keys and len(keys) > 8
    assert set(keys) <= {photos.key(name) for name in photos.PHOTOS}


def test_the_pictures_are_stored_under_their_keys():
    settings = Settings.from_environment({"COMPTOIR_ETAT": os.environ["ESSAIS_ETAT"]})

    async def first_bytes():
        await photos.deposit(settings)
        await photos.deposit(settings)  # a second deposit keeps the stored objects
        storage = Storage(settings)
        try:
            objects = [await storage.get(photos.key(name)) for name in photos.PHOTOS]
            return {b"".join([chunk async for chunk in chunks])[:8] for chunks in objects}
        finally:
            await storage.close()

    assert asyncio.run(first_bytes()) == {b"\x89PNG\r\n\x1a\n"}


def test_a_used_database_is_refused_and_left_unchanged(database_url):
    with connected(database_url) as db:
        builders.client(db)
    with pytest.raises(Failure, match=r"client\.client : 1.*« comptoir demo --remplacer »"):
        filling.fill(database_url, 1, 1, builders.PASSWORD_HASH, SECRETS, replace=False)
    assert one(database_url, "select count(*) from client.client") == (1,)


def test_the_command_is_refused_in_production():
    settings = replace(Settings.from_environment({}), production=True)
    with pytest.raises(SettingsError, match=r"^NODE_ENV vaut production"):
        filling.demo.run(settings, argparse.Namespace())


@pytest.fixture(scope="module")
def walked_url(demo_url, worker_id):
    """A copy of the demonstration of this module; a demonstration of the default size in the long form."""
    if not LONGUE:
        with _clone(f"essai_{worker_id}_couts", urlsplit(demo_url).path[1:]) as url:
            yield url
        return
    with schema.scratch(os.environ["ESSAIS_POSTGRES"], f"essai_{worker_id}_couts") as url:
        filling.write(url, 20, 6, builders.PASSWORD_HASH, SECRETS)
        yield url


@pytest.mark.promesse(
    "Sur la démonstration, aucun GET ne coûte une demi-seconde de processeur, sauf ceux qui ont leur tour"
)
@pytest.mark.timeout(selon(600, 3000))
def test_no_get_costs_half_a_second_of_processor_unless_it_takes_turns(walked_url, tmp_path, record_property):
    """The long form prints the table of SECURITY.md, with an account of each role."""
    settings = {"DATABASE_URL": walked_url, "TRUSTED_PROXIES": "127.0.0.1"}
    with connected(walked_url, autocommit=True) as db, ExitStack() as stack:
        not_parallel(db)
        walk = Walk(stack.enter_context(running(tmp_path, **settings)), db)
        if LONGUE:
            walk.add_accounts()
        answered = 0
        for number, (role, login) in enumerate(walk.accounts().items()):
            client = walk.signed_in(login, number)
            costs = list(walk.costs(client))
            assert [str(cost) for cost in costs if cost.seconds > BOUND] == [], role
            answered += sum(cost.status == 200 for cost in costs)
            if LONGUE:
                in_turn = max(walk.costs_in_turn(client), key=lambda cost: cost.seconds)
                record_property(role, f"{walk.exact(client, costs)} | {in_turn}")
        assert answered > 200


def test_reports_and_documents_print_typographic_apostrophes_and_each_word_in_its_place(walked_url, tmp_path):
    browsers.needed()
    settings = {"DATABASE_URL": walked_url, "TRUSTED_PROXIES": "127.0.0.1"}
    with connected(walked_url, autocommit=True) as db, running(tmp_path, **settings) as service:
        walk, printed, wrong = Walk(service, db), set(), []
        for number, role in enumerate(("ADMINISTRATEUR", "RESIDENT")):
            for route, answer in walk.papers(walk.signed_in(walk.accounts()[role], number)):
                is_page = route.media == "text/html"
                text = paper.page_text(answer.text) if is_page else paper.text(answer.content)
                wrong += [f"{route.path}: {word}" for word in text.split() if "'" in word]
                wrong += [f"{route.path}: {word}" for word in (paper.misplaced(answer.content) if route.report else ())]
                printed.add(route.template or route.path)
    assert wrong == []
    assert len(printed) >= 20, sorted(printed)  # reports, and templates of documents
