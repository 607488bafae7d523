"""Random walks: operations of a slice and a till in random order. After each, the database agrees with a model."""

from decimal import Decimal
from typing import Any

from hypothesis.stateful import RuleBasedStateMachine, rule, run_state_machine_as_test
from psycopg import Error

from tests import builders
from tests.conftest import Db
from tests.examples import WALKS


class Walk(RuleBasedStateMachine):
    """Operations of one object, by a cashier whose till may be closed. The model counts what the till holds."""

    db: Db
    prefix: str  # of the functions
    activite: str

    def __init__(self) -> None:
        super().__init__()
        self.transaction = self.db.connection.transaction(force_rollback=True)
        self.transaction.__enter__()
        self.moyen = builders.moyen(self.db)
        self.till = builders.caisse(self.db, activite_code=self.activite)
        self.cashier = builders.utilisateur(self.db, caisse=self.till)
        self.open, self.till_sum, self.payments = True, Decimal(0), 0

    def teardown(self) -> None:
        self.transaction.__exit__(None, None, None)

    def attempt(self, expected: str | None, function: str, **arguments: Any) -> bool:
        """Call the function. Return whether it succeeded, after checking that its refusal is the expected one."""
        try:
            with self.db.connection.transaction():
                self.answer = self.db.call(f"{self.prefix}_{function}", **arguments)
                name = None
        except Error as error:
            name = error.diag.constraint_name
        assert name == expected, (function, arguments)
        return name is None

    def pay(self, amount: Decimal) -> None:
        self.till_sum += amount
        self.payments += bool(amount)

    @rule()
    def open_or_close_the_till(self) -> None:
        self.db.call("finances.caisse_fermer" if self.open else "finances.caisse_ouvrir", id_caisse=self.till)
        self.open = not self.open

    def check_till(self) -> None:
        query = "select finances._montant_attendu(%s, core.aujourdhui()) as attendu, count(*) as n"
        sums = self.db.one(f"{query} from finances.paiement where id_caisse = %s", [self.till, self.till])
        assert (sums["attendu"], sums["n"]) == (self.till_sum, self.payments)


def walk(machine: type[Walk], db: Db) -> None:
    run_state_machine_as_test(type("OnDatabase", (machine,), {"db": db}), settings=WALKS)
