"""Settlements: Comptoir's functions, and the service over HTTP, against the bare function of sql/bare.sql."""

import statistics
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import asdict
from functools import partial
from threading import Event
from typing import Any

import psycopg

from app.seals import signing
from bench import donnees, outils
from bench.goal import ROUNDS, Bench, Goal, ratio, say, take_turns
from bench.outils import CONNECTIONS, Rate
from bench.peer import postgraphile

CLIENTS = (1, 4, 64)  # besides the 16 of the goals


def settlement(bench: Bench) -> Iterator[Goal]:
    """Every fourth call creates an invoice with a part payment; the other calls pay a part of an open invoice."""
    sides = {
        "nue": lambda: bench.direct("bare.sql"),
        "fonctions": lambda: bench.direct("reglement.sql"),
        "fonctions à 4": lambda: bench.direct("reglement.sql", 4),
        "fonctions à 1": lambda: bench.direct("reglement.sql", 1),
        "nue à 1": lambda: bench.direct("bare.sql", 1),
    }
    with bench.service() as service, postgraphile(bench) as peer:
        sides["HTTP"] = lambda: bench.ask(service, "reglement.lua")
        for number in CLIENTS:
            sides[f"HTTP à {number}"] = partial(bench.ask, service, "reglement.lua", connections=number)
        if peer is not None:
            sides["PostGraphile"] = lambda: outils.wrk(bench.wrk, peer, "postgraphile.lua", bench.token)
        turns = take_turns("règlement", sides)
    against = "divisés par ceux de la fonction nue (écritures seules, sans règle, caisse ni journal), 16 connexions"
    yield ratio("settlement-bare", turns, "fonctions", "nue", 0.30, f"Règlements des fonctions par pgbench, {against}.")
    yield ratio("settlement-http", turns, "HTTP", "nue", 0.30, f"Règlements par HTTP, tout compris, {against}.")
    text = "Règlements par HTTP divisés par ceux des mêmes fonctions appelées par pgbench, 16 connexions."
    yield ratio("settlement", turns, "HTTP", "fonctions", 0.55, text)
    text = "Règlements des fonctions par 16 connexions divisés par ceux d'une seule."
    yield ratio("settlement-scaling", turns, "fonctions", "fonctions à 1", 1.9, text)
    text = "Règlements des fonctions par 16 connexions divisés par ceux de 4 : davantage de guichets ne ralentit rien."
    yield ratio("settlement-16-4", turns, "fonctions", "fonctions à 4", 1, text)
    if peer is not None:
        text = (
            "Règlements par HTTP, tout compris, divisés par ceux de PostGraphile 5 sur la fonction nue, 16 connexions."
        )
        yield ratio("peer", turns, "HTTP", "PostGraphile", 1.3, text)
    for number in CLIENTS:
        gain = statistics.median(turn[f"HTTP à {number}"].per_second / turn["HTTP"].per_second for turn in turns)
        say(f"règlement, HTTP à {number} clients ÷ 16 : {gain:.2f}")
    for side in ("fonctions", "nue"):
        gain = statistics.median(turn[side].per_second / turn[f"{side} à 1"].per_second for turn in turns)
        say(f"settlement-scaling, {side} : {gain:.2f}")


def slow_disk(bench: Bench) -> Iterator[Goal]:
    """The simulated disk takes five milliseconds for each wait."""
    slow = "-c commit_delay=5000 -c commit_siblings=0"
    turns = take_turns(
        "disque lent",
        {
            "après": lambda: bench.direct("reglement.sql", options=slow),
            "pendant": lambda: bench.direct("reglement_synchrone.sql", options=slow),
        },
    )
    text = (
        "Règlements dont la validation n'attend pas le disque, attendu ensuite, divisés par ceux qui tiennent leurs"
        " verrous pendant l'attente, 16 connexions, disque de 5 ms."
    )
    yield ratio("slow-disk", turns, "après", "pendant", 3, text)


def rate(
    bench: Bench, state: Callable[[str], AbstractContextManager[None]] = lambda _: nullcontext()
) -> Callable[[], Rate]:
    """Measure settlements by pgbench while the database is in this state."""

    def measure() -> Rate:
        with state(bench.url):
            return bench.direct("reglement.sql")

    return measure


def journal_cost(bench: Bench) -> Iterator[Goal]:
    turns = take_turns("journal", {"avec": rate(bench), "sans": rate(bench, without_journal)})
    text = "Règlements des fonctions sans les déclencheurs du journal divisés par les mêmes avec, 16 connexions."
    yield ratio("journal-cost", turns, "sans", "avec", 1.15, text, at_least=False)


def event_cost(bench: Bench) -> Iterator[Goal]:
    events_off = partial(without, schema="evenement")
    turns = take_turns("événements", {"avec": rate(bench), "sans": rate(bench, events_off)})
    text = "Règlements des fonctions avec les événements divisés par les mêmes sans leurs déclencheurs, 16 connexions."
    yield ratio("events", turns, "avec", "sans", 0.93, text)


def shares(bench: Bench) -> Iterator[Goal]:
    """Settlements with taxed lines, after a closed month, or beside endless sealing, against settlements alone."""
    sides = {"taxes": taxed, "clôture": closed, "sceaux": sealed}
    turns = take_turns("parts", {"sans": rate(bench), **{name: rate(bench, state) for name, state in sides.items()}})
    against = "divisés par les mêmes sans cela, 16 connexions"
    yield ratio("taxes", turns, "taxes", "sans", None, f"Règlements dont les lignes ont une taxe, {against}.")
    yield ratio("closing", turns, "clôture", "sans", None, f"Règlements d'après un mois clôturé, {against}.")
    yield ratio("seals", turns, "sceaux", "sans", None, f"Règlements scellés sans cesse, {against}.")


@contextmanager
def taxed(url: str) -> Iterator[None]:
    """Give the activity of the settlements a code of tax."""
    with psycopg.connect(url, autocommit=True) as connection:
        if donnees.value(connection, "select count(*) from core.taxe where code = 'BANC'") == 0:
            connection.execute("select core.taxe_creer('BANC', 'TVA', 18, 'TAUX', current_date - 60)")
        connection.execute("update core.activite set code_taxe = 'BANC' where id_activite = 1")
        yield
        connection.execute("update core.activite set code_taxe = null where id_activite = 1")


@contextmanager
def closed(url: str) -> Iterator[None]:
    """Close last month, and open it again."""
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute("select compta.periode_cloturer(to_char(current_date - interval '1 month', 'YYYY-MM'))")
        yield
        connection.execute("set session_replication_role = replica")
        connection.execute("delete from compta.periode")


@contextmanager
def sealed(url: str) -> Iterator[None]:
    """Seal the books again and again, where the service does every ten minutes."""
    ended = Event()

    def work() -> None:
        while not ended.is_set():
            signing.seal(url)

    with ThreadPoolExecutor(1) as executor:
        sealing = executor.submit(work)
        try:
            yield
        finally:
            ended.set()
        sealing.result()


@contextmanager
def without_journal(url: str) -> Iterator[None]:
    """Disable the journal. bare.sans_journal gets the payments made meanwhile."""
    with psycopg.connect(url, autocommit=True) as connection:
        last = connection.execute("select max(id_paiement) from finances.paiement").fetchone()
        with without(url, "audit"):
            yield
        connection.execute(
            "insert into bare.sans_journal select p.id_paiement from finances.paiement p where p.id_paiement > %s", last
        )


@contextmanager
def without(url: str, schema: str) -> Iterator[None]:
    """Disable the triggers whose functions are t00 or t90 of a schema, then enable them."""
    with psycopg.connect(url, autocommit=True) as connection:
        triggers = connection.execute(
            """select format('alter table %%s %%%%s trigger %%I', t.tgrelid::regclass, t.tgname)
                 from pg_trigger t join pg_proc p on p.oid = t.tgfoid
                where p.pronamespace = %s::regnamespace and t.tgname ~ '^t[09]0_' and t.tgenabled = 'O'""",
            [schema],
        ).fetchall()
        for (trigger,) in triggers:
            connection.execute(trigger % "disable")
        try:
            yield
        finally:
            for (trigger,) in triggers:
                connection.execute(trigger % "enable")


def slowest(bench: Bench) -> Iterator[Goal]:
    """p99 ÷ p50 of settlements at half the highest load. Pauses between the calls halve the load."""
    rounds: list[dict[str, Any]] = []
    with bench.service() as service:
        for _ in range(ROUNDS):
            full = bench.ask(service, "reglement.lua")
            pause = 2000 * CONNECTIONS / full.per_second - half_wait(full)
            half = bench.ask(service, "reglement.lua", PAUSE=str(pause))
            rounds.append({"full": asdict(full), "half": asdict(half), "value": half.p99_ms / half.p50_ms})
            rates = f"{full.per_second:.0f}/s, à mi-charge {half.per_second:.0f}/s"
            say(f"p99 : {rates}, p50 {half.p50_ms:.1f} ms, p99 {half.p99_ms:.1f} ms")
    text = "Durée du centième règlement le plus lent divisée par la durée médiane, par HTTP à mi-charge."
    yield Goal("p99", statistics.median(r["value"] for r in rounds), 6, text, at_least=False, rounds=rounds)


def half_wait(full: Rate) -> float:
    """The expected duration of a call at half the load, where it waits for fewer other calls."""
    return full.p50_ms / 2
