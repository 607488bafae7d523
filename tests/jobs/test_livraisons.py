"""Webhooks sent by a real worker to a real receiver: order, retries, failures, and the rights of the owner."""

import asyncio
from collections.abc import Iterator
from ipaddress import ip_network
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from psycopg.types.json import Jsonb

from app.auth.encrypted import WEBHOOK, Secrets
from app.jobs.webhooks import Sender, deliver, new_key
from app.jobs.worker import connection_pool
from tests import builders
from tests.conftest import Db, connected
from tests.examples import EXAMPLES
from tests.receiver import AT_ONCE, Delivery, Receiver, genuine, receiving
from tests.server import SECRETS, eventually, worker


@pytest.fixture(scope="module")
def sending(module_url: str, valkey_url: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A database whose events a worker sends."""
    extra = {"DATABASE_URL": module_url, "KVSTORE_URL": valkey_url, "WEBHOOK_RESEAUX": "127.0.0.0/8"}
    with worker(tmp_path_factory.mktemp("travailleur"), **extra):
        yield module_url


@pytest.fixture
def live(sending: str) -> Iterator[Db]:
    """A connection to it that commits each statement. No webhook is left to the next test."""
    with connected(sending, autocommit=True) as db:
        yield db
        db.execute("delete from evenement.webhook")


@pytest.fixture
def receiver() -> Iterator[Receiver]:
    with receiving() as receiver:
        yield receiver


def hook(db: Db, url: str, *types: str, owner: int | None = None, **fields: Any) -> Any:
    """Make a webhook for these types, as an administrator."""
    user = owner or builders.utilisateur(db, role="ADMINISTRATEUR")
    with db.connection.transaction():
        db.acting(user)
        key = new_key()
        encrypted = SECRETS.encrypt(key, WEBHOOK)
        made = db.call("evenement.webhook_creer", url=url, types=list(types), chiffre=encrypted, **fields)
    return made | state(db, made) | {"secret": key}


def state(db: Db, made: Any) -> Any:
    return db.one("select * from evenement.webhook_vue where id_webhook = %s", [made["id_webhook"]])


def events(db: Db, made: Any) -> list[int]:
    """The events that the webhook has to receive."""
    query = "select id_evenement from evenement.evenement where id_evenement > %s and type = any (%s) order by 1"
    return [row["id_evenement"] for row in db.all(query, [made["dernier_evenement"], made["types"]])]


def invoices(db: Db, count: int) -> None:
    for _ in range(count):
        builders.facture(db, "321.50")


def test_events_arrive_signed_and_in_order(live: Db, receiver: Receiver) -> None:
    builders.facture(live)  # before the webhook: not sent
    made = hook(live, receiver.url, "facture.emise", "client.cree")
    invoices(live, 120)
    builders.client(live)
    live.call("finances.paiement_creer", montant="5", id_moyen=1, id_facture=builders.facture(live))
    expected = events(live, made)
    eventually(lambda: len(receiver.deliveries) >= len(expected))
    assert receiver.numbers == expected and len(expected) == 122
    first = receiver.deliveries[0]
    assert genuine(first, [made["secret"]]) and first.id == f"evt_{expected[0]}"
    read = live.rows("evenement.evenement_lister", apres=expected[0] - 1, limit=1)
    assert first.event["donnees"] == read[0]["donnees"]
    eventually(lambda: state(live, made)["dernier_evenement"] >= expected[-1])
    rows = live.all("select issue::text, code, tentatives, reponse from evenement.livraison")
    assert {tuple(row.values()) for row in rows} == {("REUSSIE", 200, 1, "bien recu")} and len(rows) == 122


def test_a_failing_event_holds_up_its_own_webhook_only(live: Db, receiver: Receiver) -> None:
    with receiving() as healthy:
        first, second = hook(live, receiver.url, "facture.emise"), hook(live, healthy.url, "facture.emise")

        def refuse_the_third(delivery: Delivery) -> int:
            number, earlier = int(delivery.event["id"]), receiver.numbers
            return 503 if len({*earlier} - {number}) == 2 and earlier.count(number) < 2 else 200

        receiver.answer = refuse_the_third
        invoices(live, 5)
        expected = events(live, first)
        eventually(lambda: healthy.numbers == expected)
        eventually(lambda: state(live, first)["tentatives"] == 1)
        assert receiver.numbers == expected[:3]
        query = "select extract(epoch from date_essai - now()) from evenement.webhook_suite where tentatives = 1"
        assert 0 < live.one(query) <= 5
        row = live.one("select issue::text, code from evenement.livraison where issue <> 'REUSSIE'")
        assert tuple(row.values()) == ("EN_ATTENTE", 503)
        live.execute(AT_ONCE)
        eventually(lambda: state(live, first)["tentatives"] == 2)
        live.execute(AT_ONCE)
        eventually(lambda: receiver.accepted() == expected and receiver.numbers[-1] == expected[-1])
        assert receiver.numbers == [*expected[:2], *[expected[2]] * 3, *expected[3:]]
        assert len({delivery.id for delivery in receiver.deliveries}) == 5
        assert state(live, second)["tentatives"] == 0


def test_a_delivery_whose_key_does_not_open_says_what_is_missing(
    database_url: str, committed: Db, receiver: Receiver
) -> None:
    async def run() -> None:
        sender = Sender([ip_network("127.0.0.0/8")], Secrets("another key of the service"), encrypted=False)
        async with connection_pool(database_url) as pool:
            await deliver(pool, sender, made["id_webhook"])
        await sender.close()

    made = hook(committed, receiver.url, "facture.emise")
    invoices(committed, 2)
    asyncio.run(run())
    assert receiver.deliveries == [] and state(committed, made)["tentatives"] == 1
    [row] = committed.all("select issue::text, code, reponse from evenement.livraison")
    assert (row["issue"], row["code"]) == ("EN_ATTENTE", None) and "SECRETS_CLE" in row["reponse"]


@EXAMPLES
@given(batches=st.lists(st.integers(0, 3), min_size=1, max_size=20))
def test_the_pause_grows_only_with_the_misses_of_one_event(db: Db, batches: list[int]) -> None:
    """Each batch has some accepted events, then a miss, and comes six hours after the one before."""
    with db.connection.transaction(force_rollback=True):
        made = hook(db, "https://receveur.example.com/", "facture.emise")
        place, missed = state(db, made)["dernier_evenement"], 0
        for accepted in batches:
            rows = [{"id_evenement": place + n, "reussi": n <= accepted, "code": 200 if n <= accepted else 503,
                     "duree_ms": 1, "reponse": ""} for n in range(1, accepted + 2)]  # fmt: skip
            earlier = "update evenement.webhook_suite set date_echec = date_echec - interval '6 hours'"
            db.execute(f"{earlier} where id_webhook = %s", [made["id_webhook"]])
            sent = "array(select e from jsonb_populate_recordset(null::jobs.webhook_envoi, %s) e)"
            values = [made["id_webhook"], Jsonb(rows), place, place + accepted]
            goes_on = db.one(f"select jobs.webhook_noter(%s, {sent}, %s, %s)", values)
            place, missed = place + accepted, 1 if accepted else missed + 1
            pause = [5, 30, 120, 600, 3600, 6 * 3600, 12 * 3600][min(missed, 7) - 1]
            row = state(db, made)
            assert row["tentatives"] == missed
            assert db.one("select %s - now() = make_interval(secs => %s)", [row["prochain_essai"], pause])
            # The pause of the next attempt would end more than three days after the first miss.
            assert goes_on == ((missed - 1) * 6 * 3600 + pause <= 72 * 3600), (missed, pause)
            if not goes_on:
                return


@pytest.mark.parametrize("reason", ["gone", "three days"])
def test_a_receiver_that_wants_no_more_events_stops_its_webhook(live: Db, receiver: Receiver, reason: str) -> None:
    made = hook(live, receiver.url, "facture.emise")
    receiver.answer = lambda _: 410 if reason == "gone" else 500
    invoices(live, 2)
    if reason == "three days":
        eventually(lambda: state(live, made)["tentatives"] == 1)
        live.execute(
            "update evenement.webhook_suite set tentatives = 11, date_essai = now(),"
            " date_echec = now() - interval '71 hours'"
        )
    eventually(lambda: state(live, made)["etat"] == "EN_PANNE")
    query = "select permission from notification.notification where evenement = 'webhook.en_panne' and donnees = %s"
    assert live.one(query, [Jsonb({"id_webhook": str(made["id_webhook"])})]) == "ADMIN.VOIR"
    receiver.answer = lambda _: 200
    live.call("evenement.webhook_modifier", id_webhook=made["id_webhook"], champs={"actif": True})
    eventually(lambda: receiver.numbers[-2:] == events(live, made))


def test_the_deliveries_of_a_killed_worker_go_on_at_once(live: Db, receiver: Receiver) -> None:
    """Its job stays « doing » until a worker recovers it, in a minute or two."""
    made = hook(live, receiver.url, "facture.emise")
    live.execute(
        "insert into queue.procrastinate_jobs (queue_name, task_name, args, status)"
        " values ('svc-webhooks', 'livrer', jsonb_build_object('id_webhook', %s::bigint), 'doing')",
        [made["id_webhook"]],
    )
    invoices(live, 2)
    eventually(lambda: len(receiver.deliveries) == 2)


def test_replay_sends_again_under_the_same_ids(live: Db, receiver: Receiver) -> None:
    made = hook(live, receiver.url, "facture.emise")
    invoices(live, 3)
    expected = events(live, made)
    eventually(lambda: receiver.numbers == expected)
    eventually(lambda: state(live, made)["dernier_evenement"] >= expected[-1])
    live.call("evenement.webhook_rejouer", id_webhook=made["id_webhook"], apres=expected[0])
    eventually(lambda: receiver.numbers == [*expected, *expected[1:]])
    assert [delivery.id for delivery in receiver.deliveries[3:]] == [d.id for d in receiver.deliveries[1:3]]


def test_the_present_rights_of_the_owner_decide(live: Db, receiver: Receiver) -> None:
    owner = builders.utilisateur(live, role="DIRIGEANT")
    made = hook(live, receiver.url, "facture.emise", "client.cree", owner=owner)
    invoices(live, 1)
    eventually(lambda: len(receiver.deliveries) == 1)
    live.execute(
        "update auth.utilisateur u set id_role = r.id_role from auth.role r"
        " where r.code = 'RH' and u.id_utilisateur = %s",
        [owner],
    )
    invoices(live, 2)
    last = live.one("select max(id_evenement) from evenement.evenement")
    eventually(lambda: state(live, made)["dernier_evenement"] >= last)
    assert len(receiver.deliveries) == 1
