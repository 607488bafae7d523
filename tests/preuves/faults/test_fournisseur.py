"""Our payments and those in the book of a provider stay the same while processes die and the provider lies."""

import asyncio
import base64
import json
import random
from collections import Counter
from collections.abc import Iterable, Sequence
from contextlib import ExitStack
from functools import partialmethod
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

import msgspec
import pytest

from app.auth.encrypted import Secrets, provider_keys
from app.base.settings import Settings
from app.jobs.outside import Lost, decoded
from app.leaves.providers import exchange
from app.leaves.providers.adapter import Access, Claim
from tests import builders
from tests.conftest import Db, connected
from tests.deployment import Deployment
from tests.preuve import selon
from tests.server import eventually
from tests.tresorerie.fournisseur import (
    ALIAS,
    KEY,
    SIGNS,
    Book,
    cinetpay_notice,
    pispi_notice,
    providing,
    wave_notice,
)  # fmt: skip

HISTORIES, FLOOR = selon(150, 2000), selon(5, 166)
STEPS = 14
AMOUNTS = ("1000", "1000", "1000", "1000", "400", "1500")
METHODS = {"WAVE": "Mobile Money", "CINETPAY": "Chèque", "PI_SPI": "Virement"}
SINCE = """
    select coalesce((select max(id_encaissement) from tresorerie.encaissement), 0) as money,
           coalesce((select max(id_paiement) from finances.paiement), 0) as payments"""
SETTLED = "select count(*) from tresorerie.demande where id_compte = %s and statut = 'PAYEE'"
WHY = """
    select e.transaction::text as transaction, e.montant::text as montant, e.devise::text as devise, e.motif,
           d.statut::text as statut, p.montant::text as paye
      from tresorerie.encaissement e
      left join tresorerie.demande d on d.id_demande = e.id_demande
      left join finances.paiement p on p.id_paiement = e.id_paiement and p.reference = e.transaction
     where e.id_encaissement > %s"""
LATER = """
    update tresorerie.demande_suite set prise_le = prise_le - interval '2 minutes', essai_le = now()
     where essai_le is not null or prise is not null;
    update tresorerie.avis set prise_le = prise_le - interval '2 minutes', essai_le = now() - interval '2 minutes'
     where etat = 'RECU'"""


def pay(book: Book, kind: str, reference: str, **fields: Any) -> None:
    """A customer pays. At CinetPay a reference is paid once, and names the transaction."""
    book.pay(reference, **fields | ({"transaction": reference} if kind == "CINETPAY" else {}))


def notice_of(kind: str, reference: str | None, session: str | None, event: str, key: str = SIGNS) -> Any:
    """The body and the headers of a notice. Wave names the session in it."""
    if kind == "WAVE":
        return wave_notice(reference, event, key, session=session)
    return (cinetpay_notice if kind == "CINETPAY" else pispi_notice)(reference, key=key)


class Killed(Exception):
    """The process died here."""


class History:
    """Demands, payments and notices in a random order. Each step may die before, inside or after its transaction."""

    def __init__(
        self, db: Db, book: Book, settings: Settings, kind: str, account: int, rng: random.Random
    ) -> None:  # fmt: skip
        self.db, self.book, self.settings, self.rng = db, book, settings, rng
        self.kind, self.account = kind, account
        self.harm = rng.choice((0.05, 0.2, 0.5))  # how often a process dies or an answer is lost
        self.demands: list[dict[str, Any]] = []
        self.steps: list[str] = []

    async def run(self, name: str, values: list[str | None]) -> Any:
        """Call an operation in its own transaction, as the worker does."""
        death = self.rng.choice(("before", "inside", "after")) if self.rng.random() < self.harm else ""
        if death == "before":
            raise Killed
        places = ", ".join(["%s"] * len(values))
        with self.db.connection.transaction():
            answer = self.db.one(f"select to_json({name}({places}))::text", values)
            if death == "inside":
                raise Killed
        if death == "after":
            raise Killed
        return msgspec.json.decode(answer) if answer else None

    async def call(self, method: str, url: str, _headers: Any, json: Any = None) -> Any:
        """The provider, in memory. The process may die before or after the provider has acted."""
        lie = self.rng.choice(("500", "cut", "dead", "dead before")) if self.rng.random() < self.harm else ""
        if lie == "dead before":
            raise Killed
        place = urlsplit(url)
        raw = msgspec.json.encode(json) if json else b""
        status, answer = self.book.answer(method, place.path, parse_qs(place.query), raw)
        if lie == "dead":
            raise Killed
        if lie:
            raise Lost(lie)
        return status, decoded(msgspec.json.encode(answer))

    def ask(self) -> None:
        fields = {"id_facture": builders.facture(self.db, "1000"), "id_compte": self.account, "montant": "1000"}
        if self.rng.random() < 0.5:  # without one, PI-SPI has nothing to send
            fields["telephone"] = "+2250700000000"
        self.demands.append(self.db.call("tresorerie.demande_creer", **fields))

    def exchange(self) -> None:
        self.speak(exchange.DEMAND, self.demand()["id_demande"])

    def speak(self, steps: tuple[str, str], number: int) -> None:
        asyncio.run(exchange.speak(self.run, self.settings, steps, str(number)))

    def demand(self) -> dict[str, Any]:
        if not self.demands:
            self.ask()
        return self.rng.choice(self.demands)

    def pay(self) -> None:
        """A customer pays a session that is open, or the code of a demand, which PI-SPI learns with the payment."""
        payable = [demand for demand in self.demands if self.payable(demand)]
        if not payable:
            return self.exchange()
        currency = "USD" if self.rng.random() < 0.1 and self.kind != "PI_SPI" else "XOF"
        reference = self.rng.choice(payable)["reference"]
        return self.paid(reference, amount=self.rng.choice(AMOUNTS), currency=currency)

    def payable(self, demand: dict[str, Any]) -> bool:
        if key := self.book.named(demand["reference"]):
            return bool(self.book.sessions[key].state == "open")
        return self.kind == "PI_SPI" and demand["telephone"] is None

    def paid(self, reference: str, **fields: Any) -> None:
        pay(self.book, self.kind, reference, **fields)

    def unknown(self) -> None:
        """Money that no demand asked for. At Wave it has no reference of ours."""
        reference = f"AUTRE-{self.book.name}-{len(self.book.sessions)}"
        self.paid(reference, amount="700")
        key = self.book.named(reference) or ""
        if self.kind == "WAVE":
            self.book.sessions[key].reference = None
        self.notify(key)

    def cancel(self) -> None:
        self.db.execute("update tresorerie.demande set statut = 'ANNULEE' where id_demande = %s and"
                        " tresorerie._en_cours(statut)", [self.demand()["id_demande"]])  # fmt: skip

    def cash(self) -> None:
        bill = self.db.one("select f.id_facture from facturation.facture f join tresorerie.demande d using (id_facture)"
                           " where d.id_demande = %s and f.reste > 0", [self.demand()["id_demande"]])  # fmt: skip
        if bill is not None:
            rest = self.db.one("select reste from facturation.facture where id_facture = %s", [bill])
            builders.payer(self.db, rest, id_facture=bill)

    def end(self) -> None:
        key = self.book.named(self.demand()["reference"])
        if key and self.book.sessions[key].state == "open":
            self.book.sessions[key].state = self.rng.choice(("refused", "expired"))

    def notify(self, session: str | None = None) -> None:
        """A notice: of a payment or of none, genuine or forged, alone or again."""
        reference = self.book.sessions[session].reference if session else self.demand()["reference"]
        event = f"ev-{self.rng.randrange(10**9)}"
        notice = notice_of(self.kind, reference, session, event, self.rng.choice((SIGNS, SIGNS, "fausse")))
        for _ in range(self.rng.choice((1, 1, 3))):
            self.receive(*notice)

    def receive(self, body: bytes, headers: dict[str, str]) -> None:
        [named] = exchange.ADAPTERS[self.kind].notice(Access(KEY, SIGNS), headers, body)
        content = base64.b64encode(body).decode()
        values = [self.kind, 0, content, json.dumps(headers), named.evenement, named.authentique, named.reference]
        self.db.one(f"select tresorerie.avis_recevoir({', '.join(['%s'] * 8)})", [*values, named.identifiant])

    def wake(self) -> None:
        """The worker takes one notice that waits."""
        waiting = "select id_avis from tresorerie.avis where etat = 'RECU' order by random() limit 1"
        if (number := self.db.one(waiting)) is not None:
            self.speak(exchange.NOTICE, number)

    def step(self) -> None:
        usual = (self.ask, self.exchange, self.pay, self.pay, self.notify, self.wake)
        seldom = (self.cancel, self.cash, self.end, self.unknown)
        action = self.rng.choice(usual if self.rng.random() < 0.85 else seldom)
        self.steps.append(action.__name__)
        try:
            action()
        except Killed:
            self.steps.append("killed")

    def recover(self) -> None:
        """No process dies any more, claims of dead ones have ended, and the provider repeats its notices."""
        self.harm = 0
        for demand in self.demands:
            if self.payable(demand) and self.rng.random() < 0.5:
                self.paid(demand["reference"], amount="1000")
        for key, session in list(self.book.sessions.items()):
            self.receive(*notice_of(self.kind, session.reference, key, f"last-{key}"))
        for _ in range(3):
            self.db.execute(LATER)
            for demand in self.demands:
                self.speak(exchange.DEMAND, demand["id_demande"])
            for row in self.db.all("select id_avis from tresorerie.avis where etat = 'RECU'"):
                self.speak(exchange.NOTICE, row["id_avis"])


def since(db: Db) -> list[int]:
    """The last transaction and the last payment of our books."""
    return list(db.all(SINCE)[0].values())


def difference(db: Db, book: Book, before: Sequence[int] = (0, 0)) -> list[str]:
    """The lines of the provider's book and of ours, from then on, that do not agree."""
    ours = {row["transaction"]: row for row in db.all(WHY, before[:1])}
    paid = {s.transaction: s for s in book.sessions.values() if s.state == "paid"}
    lines = [f"{name} is in one book only" for name in sorted({*ours} ^ {*paid})]
    for name, row in ours.items():
        session = paid.get(name)
        if session is None:
            continue
        amount = f"{float(session.amount):.2f}"
        foreign = session.currency != "XOF"
        if (row["montant"], row["devise"], row["paye"]) != (amount, session.currency, None if foreign else amount):
            lines.append(f"{name}: {row} and {session}")
        if (row["motif"] is None) != (row["statut"] == "PAYEE") or (row["motif"] is None and amount != "1000.00"):
            lines.append(f"{name} does not say why: {row}")
    numbered = "select count(*) from finances.paiement where reference is not null and id_paiement > %s"
    counted = db.one(numbered, before[1:])
    unpaid = db.one("select count(*) from tresorerie.demande d where d.statut = 'PAYEE' and not exists (select from"
                    " tresorerie.encaissement e where e.id_demande = d.id_demande and e.motif is null)")  # fmt: skip
    if unpaid:
        lines.append(f"{unpaid} demands are paid by no money")
    if counted != sum(s.currency == "XOF" for s in paid.values()):
        lines.append(f"{counted} payments")
    return lines


@pytest.mark.bref
@pytest.mark.timeout(selon(180, 3600))
@pytest.mark.promesse("Fournisseur : histoires au hasard, morts à chaque pas ; ses paiements et les nôtres, une fois")
def test_random_histories_with_deaths_keep_both_books_the_same(
    committed: Db, tmp_path: Path, seed: int, monkeypatch: pytest.MonkeyPatch, record_property: Any
) -> None:
    rng, settings = random.Random(seed), Settings.from_environment({"COMPTOIR_ETAT": str(tmp_path)})
    accounts = {kind: account(committed, settings, kind) for kind in METHODS}
    steps = Counter[str]()
    for number in range(HISTORIES):
        book, before = Book(f"h{number}"), since(committed)
        kind = [*METHODS][number % len(METHODS)]
        history = History(committed, book, settings, kind, accounts[kind], rng)
        monkeypatch.setattr(Claim, "call", partialmethod(_through, history))
        for _ in range(STEPS):
            history.step()
        history.recover()
        steps.update(history.steps)
        assert not (lines := difference(committed, book, before)), (kind, number, seed, history.steps, lines)
    assert steps["killed"] > HISTORIES / 2
    record_property("histoires", HISTORIES)
    record_property("morts", steps["killed"])
    for kind, number in accounts.items():
        settled = committed.one(SETTLED, [number])
        assert settled > FLOOR, (kind, settled)  # of which each was looked at again, three times
        record_property(f"demandes payées {kind}", settled)


async def _through(_claim: Claim, history: History, *arguments: Any, **named: Any) -> Any:
    return await history.call(*arguments, **named)


def account(db: Db, settings: Settings, kind: str) -> int:
    """The key of an account with a provider, whose token has the hash `kind`."""
    fields = {"libelle": kind, "genre": "MOBILE", "fournisseur": kind, "identifiant": ALIAS}
    method = builders.moyen(db, METHODS[kind])
    number: int = db.call("tresorerie.compte_creer", **fields, id_moyen=method)["id_compte"]
    access = msgspec.json.encode(Access(KEY, SIGNS, jeton="jeton")).decode()
    sealed = Secrets.of_accounts(settings).encrypt(access, provider_keys(number))
    db.execute("select tresorerie.acces_poser(%s, %s, %s)", [number, sealed, kind])
    return number


@pytest.mark.promesse("Fournisseur qui ment : API, travailleur et base tués, chaque paiement réglé une fois")
@pytest.mark.timeout(600)
def test_kills_of_processes_beside_a_provider_that_lies_settle_each_payment_once(
    tmp_path: Path, seed: int, record_property: Any
) -> None:
    rng = random.Random(seed)
    with ExitStack() as stack:
        provider = stack.enter_context(providing())
        deployment = Deployment(tmp_path, stack, WEBHOOK_RESEAUX="127.0.0.0/8")
        admin, accounts, kinds, kind_of = deployment.service.login(), {}, [*METHODS], {}
        with connected(deployment.postgres.url(), autocommit=True) as db:
            bills = [builders.facture(db, "1000") for _ in range(selon(12, 60))]
            methods = {kind: str(builders.moyen(db, method)) for kind, method in METHODS.items()}
        for kind, method in methods.items():
            names = {"libelle": kind, "genre": "MOBILE", "fournisseur": kind, "identifiant": ALIAS, "id_moyen": method}
            account = admin.post("/tresorerie/comptes", json=names).json()["id_compte"]
            body = {"cle": KEY, "secret": SIGNS, "identifiant": "site-7", "adresse": provider.url}
            accounts[kind] = (account, admin.put(f"/tresorerie/comptes/{account}/acces", json=body).json()["url_avis"])
        victims = deployment.victims()
        for number, bill in enumerate(bills):
            kind = kinds[number % len(kinds)]
            account, _ = accounts[kind]
            provider.lies = rng.choices(["", "", "500", "half", "cut", "html"], k=4)
            fields = {"id_compte": account, "montant": "1000", "id_facture": str(bill), "telephone": "+2250700000000"}
            made = eventually(lambda fields=fields: _posted(deployment, admin.headers, fields))
            kind_of[made["reference"]] = kind
            eventually(lambda: all(provider.named(reference) for reference in _sent(deployment)))
            if number < len(victims) or rng.random() < 0.2:
                victims[number % len(victims)](rng)
            for reference in still_open(provider, kind_of):
                pay(provider, kind_of[reference], reference)
                key = provider.named(reference)
                notice = notice_of(kind_of[reference], reference, key, f"ev-{reference}")
                url = accounts[kind_of[reference]][1]
                eventually(lambda notice=notice, url=url: _noticed(deployment, url, notice))
        provider.lies = []

        def settled() -> bool:
            with connected(deployment.postgres.url(), autocommit=True) as db:
                db.execute(LATER)
                db.execute("select jobs.suivre_demandes()")
                for reference in still_open(provider, kind_of):
                    pay(provider, kind_of[reference], reference)
                done = db.one("select count(*) from tresorerie.demande where statut = 'PAYEE'")
                return bool(done == len(bills))

        eventually(settled, 240)
        with connected(deployment.postgres.url(), autocommit=True) as db:
            assert not difference(db, provider)
        record_property("demandes", len(bills))


def still_open(provider: Book, references: Iterable[str]) -> list[str]:
    """The references of sessions that the provider knows as open."""
    keys = {reference: provider.named(reference) for reference in references}
    return [reference for reference, key in keys.items() if key and provider.sessions[key].state == "open"]


def _posted(deployment: Deployment, headers: Any, fields: dict[str, str]) -> Any:
    """A demand, under a key: a request that dies is repeated."""
    named = {"Idempotency-Key": f"demande-{fields['id_facture']}", "Authorization": headers["authorization"]}
    try:
        answer = deployment.service.client.post("/tresorerie/demandes", json=fields, headers=named)
    except OSError:
        return None
    except Exception as error:  # httpx: the service died
        assert "httpx" in type(error).__module__
        return None
    return answer.json() if answer.status_code == 201 else None


def _sent(deployment: Deployment) -> list[str]:
    with connected(deployment.postgres.url(), autocommit=True) as db:
        return [
            row["reference"]
            for row in db.all("select reference::text from tresorerie.demande where statut = 'ENVOYEE'")
        ]


def _noticed(deployment: Deployment, url: str, notice: tuple[bytes, dict[str, str]]) -> bool:
    try:
        path = urlsplit(url).path.removeprefix("/api/v1")
        return bool(deployment.service.client.post(path, content=notice[0], headers=notice[1]).is_success)
    except Exception as error:
        assert "httpx" in type(error).__module__
        return False
