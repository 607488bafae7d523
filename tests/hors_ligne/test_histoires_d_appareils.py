"""Random histories of a till with three devices: requests and answers that are lost, repeated, reordered or cut by a
kill, and prices that change meanwhile. Each operation is once a sale or an exception, and the cash adds up."""

import itertools
import random
from contextlib import ExitStack
from unittest.mock import patch

import pytest

from app.base.refusal import unavailable
from app.http.transaction import Transaction
from app.leaves.hors_ligne import lots, routes
from tests import builders
from tests.conftest import ok, refusal
from tests.hors_ligne.appareil import inscribe, shop
from tests.linear import Call, unexplained
from tests.livre import wrong
from tests.preuve import selon

HISTORIES, TOGETHER = selon(50, 10_000), 10
DEVICES, OPERATIONS = 3, 4  # of a history; of a device, at most: in the model a till has at most 5 ** 3 = 125 states
BALANCE = "select tresorerie._caisse_solde(%(till)s, 'infinity') + finances._argent_en_exception(%(till)s, 'infinity')"
NUMBERS = "select count(*) as count, max(substring(numero from '[0-9]+$')::int) as last from facturation.facture"


def till_of_devices(state, call):
    """The model: the money of a till, and how many operations of each device have arrived, in their order.

    An operation takes effect once, after the one before it, as a sale or as an exception. A reading shows the money.
    """
    balance, arrived = state
    if call.name == "read":
        return state if call.shown == balance else None
    device, sequence = call.shown
    if arrived[device] != sequence - 1:
        return None
    return balance + call.delta, (*arrived[:device], sequence, *arrived[device + 1 :])


class History:
    def __init__(self, http, db, seed):
        self.db, self.rng, self.clock = db, random.Random(seed), itertools.count()
        admin, self.till = http.as_admin(), shop(db)
        self.devices = [inscribe(admin, self.till) for _ in range(DEVICES)]
        self.products = [builders.produit(db, stock, "50") for stock in ("0", "2", "30")]
        self.kind = str(builders.categorie_depense(db, f"Essai {seed}"))
        self.prices, self.money, self.begun, self.answers, self.calls = {}, {}, {}, {}, []
        for device in self.devices:
            self.look(device)

    def look(self, device):
        """The device reads what it sells. It charges these prices until it reads again."""
        for row in device.update()["produits"]:
            self.prices[device.id, int(row["id_produit"])] = str(int(float(row["prix"])))

    def act(self, device):
        """The device does something without a network."""
        kind = self.rng.randrange(8)
        product = self.rng.choice(self.products)
        price = self.prices[device.id, product]
        if kind < 3:
            made, money = device.sell(product, price, ticket=self.ticket(device)), int(price)
        elif kind == 3:
            made, money = device.sell(product, "33"), 33  # a price that never was
        elif kind == 4:
            body = {"montant": "7", "libelle": "Thé", "id_categorie_depense": self.kind}
            made, money = device.do("POST", "/finances/depenses", body), -7
        elif kind == 5:
            made, money = device.do("POST", "/client/clients", builders.CLIENT), 0
        elif kind == 6 and device.queue:
            named = self.rng.choice(device.queue)
            made, money = device.sell(product, price, refs=[named["id"]], ticket=self.ticket(device)), int(price)
        else:
            sold = [one for one in device.queue if one["chemin"].endswith("/ventes")]
            if not sold:
                return
            named = self.rng.choice(sold)
            back = -int(float(named["corps"]["paiement"]["montant"]))
            path, ticket = f"/market/ventes/{{{named['id']}/vente/id_vente}}/annuler", {"montant": str(back)}
            if any(one["chemin"].endswith(path) for one in device.queue):
                return
            made, money = device.do("POST", path, {"motif": "Rendu"}, ticket=ticket), back
        self.money[made["id"]] = money

    def ticket(self, device):
        return {"numero": f"{device.prefix}-{device.sequence + 1:06}", "version": str(device.version)}

    def change(self):
        """A price changes, or a device reads what it sells."""
        product = self.rng.choice(self.products)
        if self.rng.random() < 0.5:
            self.db.execute("update market.produit set prix_vente = prix_vente + 10 where id_produit = %s", [product])
        else:
            self.look(self.rng.choice(self.devices))

    def read(self):
        begin = next(self.clock)
        shown = int(self.db.one(BALANCE, {"till": self.till}))
        self.calls.append(Call("read", begin, next(self.clock), shown=shown))

    def exchange(self, device):
        """The device sends some of what it did, over a bad network to a service that may be killed."""
        waiting = [one for one in device.queue if one["id"] not in self.answers]
        if not waiting:
            return
        fault = self.rng.randrange(8)
        known = [one for one in device.queue if one["id"] in self.answers]
        batch = self.rng.sample(known, min(len(known), self.rng.randrange(3))) + waiting[: self.rng.randrange(1, 5)]
        if fault == 0:
            return  # the request is lost
        for one in batch:
            self.begun.setdefault(one["id"], next(self.clock))
        if fault == 1:
            self.rng.shuffle(batch)
        with ExitStack() as kills:
            if fault == 2:
                kills.enter_context(patch.object(routes, "send", self.dying(lots.send, self.rng.randrange(4))))
            elif fault == 3:
                call = self.dying(Transaction.call, self.rng.randrange(12))
                kills.enter_context(patch.object(Transaction, "call", call))
            answer = device.post(*batch, derniere_sequence=str(device.sequence))
        if fault == 4:
            return  # the answer is lost
        if answer.status_code != 200:
            assert refusal(answer) in ((503, "INDISPONIBLE"), (409, "SEQUENCE_MANQUANTE")), answer.text
            return
        for one, shown in zip(batch, ok(answer)["operations"], strict=True):
            first = self.answers.setdefault(one["id"], shown)
            expected = first if first is shown or first["etat"] == "EXCEPTION" else first | {"etat": "CONNUE"}
            assert shown == expected
            if first is shown:
                place = (self.devices.index(device), int(one["sequence"]))
                begin, money = self.begun[one["id"]], self.money[one["id"]]
                self.calls.append(Call("operation", begin, next(self.clock), money, shown=place))

    @staticmethod
    def dying(function, calls):
        """The function, which is cut at a call: its transaction is rolled back, as when the process is killed."""
        left = itertools.count(calls, -1)

        async def cut(*arguments):
            if next(left) == 0:
                raise unavailable()
            return await function(*arguments)

        return cut

    def run(self):
        for _ in range(self.rng.randrange(8, 24)):
            device = self.rng.choice(self.devices)
            if device.sequence < OPERATIONS:
                self.act(device)
            self.rng.choice((self.exchange, self.exchange, lambda _: self.change(), lambda _: self.read()))(device)
        for device in self.devices:
            while any(one["id"] not in self.answers for one in device.queue):
                self.exchange(device)
        self.read()

    def check(self):
        db, sent = self.db, [one for device in self.devices for one in device.queue]
        states = {one["id"]: self.answers[one["id"]]["etat"] for one in sent}
        refused = [identity for identity, state in states.items() if state == "EXCEPTION"]
        rows = db.all("select id_operation::text as id, etat::text as etat from finances.operation_appareil"
                      " where id_appareil = any(%s)", [[device.id for device in self.devices]])  # fmt: skip
        assert sorted(row["id"] for row in rows) == sorted(states)
        assert sorted(row["id"] for row in rows if row["etat"] == "EXCEPTION") == sorted(refused)
        query = "select id_operation::text as id, code, montant from finances.exception_caisse where id_caisse = %s"
        kept = db.all(query, [self.till])
        assert len(kept) == len(refused)
        assert sum(row["montant"] for row in kept) == sum(self.money[identity] for identity in refused)
        # A price that the device saw is charged, whatever the price is when the sale arrives.
        assert {self.money[row["id"]] for row in kept if row["code"] == "PAIEMENT_DIFFERENT_DU_TOTAL"} <= {33}
        sales = [one for one in sent if one["chemin"].endswith("/ventes") and one["id"] not in refused]
        made = "select count(*) from finances.paiement where id_caisse = %s and type = 'ENCAISSEMENT'"
        assert db.one(made, [self.till]) == len(sales)
        numbers = db.one(NUMBERS)
        assert numbers["count"] == (numbers["last"] or 0)
        total = sum(self.money.values())
        counted = db.call("finances.tirage_creer", montant_compte=max(total, 0), id_caisse=self.till)
        assert counted["montant_attendu"] == total
        assert counted["montant_en_exception"] == sum(self.money[identity] for identity in refused)
        assert unexplained(self.calls, till_of_devices, (0, (0,) * DEVICES)) is None


@pytest.mark.promesse("Hors ligne : chaque opération est une fois une vente ou une exception, et l'argent est juste")
@pytest.mark.parametrize("first", range(0, HISTORIES, TOGETHER))
def test_each_operation_is_once_a_sale_or_an_exception(http, db, first):
    for seed in range(first, first + TOGETHER):
        history = History(http, db, seed)
        history.run()
        history.check()
    ok(http.as_admin().get("/finances/caisses"))  # a device sees only the books of its activity
    assert wrong(db) == [] and db.all("select * from jobs._controler()") == []


def test_the_model_refuses_an_operation_that_takes_effect_twice_or_never():
    sale, again = (Call("operation", 0, 1, 50, shown=(0, n)) for n in (1, 2))
    for shown, order in ((50, [sale]), (100, [sale, again])):
        read = Call("read", 2, 3, shown=shown)
        assert unexplained([*order, read], till_of_devices, (0, (0,) * DEVICES)) is None
        for other in (0, shown + 50):
            read = Call("read", 2, 3, shown=other)
            assert unexplained([*order, read], till_of_devices, (0, (0,) * DEVICES)) is not None
    assert unexplained([again], till_of_devices, (0, (0,) * DEVICES)) is not None
