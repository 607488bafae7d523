"""What an operation declares that it may refuse, compared with what its body and all that it calls can refuse.

An operation declares each rule that `core.refuser` can raise below it: in its own body, in the helpers that it calls,
in the triggers of the tables that these write. A function below which a rule is never raised declares that with
`core.ne_refuse_pas`: its callers then leave the rule out. Two kinds of refusal follow one rule for all operations:

- NOT_FOUND is declared by an operation whose path names what it looks for; another may declare it.
- A constraint with its sentence, of a table or of a domain, and MONTANT_TROP_GRAND, which holds for every amount, are
  validation: an operation may declare one that it can break.

What the HTTP layer refuses (permission, token, body, throttle) is the route's, and no operation declares it.
"""

from __future__ import annotations

from collections.abc import Iterable

import pytest

from app import routes
from app.database.catalogue import Catalogue
from app.database.release import SLICES
from app.http.route import RouteTable
from tests.conftest import Db, Http
from tests.house.bodies import Bodies

VALIDATION = {"MONTANT_TROP_GRAND"}
OF_THE_HANDLER = {"UNAUTHORIZED"}
SHOWN = 12


def listed(what_to_do: str, lines: Iterable[str]) -> str:
    return "\n  ".join([what_to_do, *sorted(lines)[:SHOWN]])


@pytest.fixture
def bodies(db: Db) -> Bodies:
    return Bodies(db, list(SLICES))


@pytest.fixture
def catalogue(http: Http) -> Catalogue:
    return http.services.catalogue


@pytest.fixture
def table(http: Http) -> RouteTable:
    return routes.load()


def test_an_operation_declares_every_rule_that_it_can_refuse_by(
    bodies: Bodies, catalogue: Catalogue, table: RouteTable
) -> None:
    missing = {}
    for route in table.routes:
        for name in filter(None, (route.function, route.document)):
            ways = bodies.refusals(name)
            free = VALIDATION if "{" in route.path else VALIDATION | {"NOT_FOUND"}
            for rule in ways.keys() - free - set(catalogue.functions[name].refusals):
                missing[name, rule] = f"{name} can refuse by {rule} ({' → '.join(ways[rule])}) and does not declare it"
    assert not missing, listed(
        "Declare these beside the function: core.peut_refuser, or core.ne_refuse_pas.", missing.values()
    )


def test_an_operation_declares_no_rule_that_nothing_below_it_raises(bodies: Bodies, catalogue: Catalogue) -> None:
    vain = [
        f"{name} declares {rule}"
        for name, function in catalogue.functions.items()
        for rule in set(function.refusals) - bodies.refusals(name).keys() - bodies.constraints(name)
    ]
    assert not vain, listed("Nothing below raises these rules. Take them out of core.peut_refuser.", vain)


def test_a_function_excludes_only_rules_that_stand_below_it(bodies: Bodies) -> None:
    vain = [
        f"{name} excludes {rule}"
        for name, body in bodies.bodies.items()
        for rule in body.excluded - set().union(*(bodies.bodies[below].refusals for below in bodies.below(name)))
    ]
    assert not vain, listed("Nothing below raises these rules. Take them out of core.ne_refuse_pas.", vain)


def test_a_handler_names_rules_of_the_operations_that_it_calls(catalogue: Catalogue, table: RouteTable) -> None:
    declared = {rule for name in table.plumbing for rule in catalogue.functions[name].refusals} | OF_THE_HANDLER
    assert [route.path for route in table.routes if set(route.refuses) - declared] == []


def test_calls_writes_and_triggers_are_read_from_the_bodies(bodies: Bodies) -> None:
    """The reading finds each way: a helper, a trigger of a written table, an upsert, a constraint, a domain."""
    ways = bodies.refusals("pressing.commande_retirer")
    assert ways["SOLDE_INCOMPLET"][0] == "pressing.commande_retirer"
    assert any(name.startswith("finances._t10_") for name in ways["CAISSE_INACTIVE"])
    assert "core._t20_transition" in bodies.refusals("residence.abonnement_modifier")["TRANSITION_INTERDITE"]
    assert "CATEGORIE_ABONNEMENT_EXISTANTE" in bodies.constraints("abonnement.categorie_abonnement_creer")
    assert "MONTANT_STRICTEMENT_POSITIF" in bodies.constraints("salle_fete.reservation_confirmer")
