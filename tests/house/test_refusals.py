"""Compares the declared refusals of an operation with the refusals that its body and its calls can raise.

An operation declares each rule that `core.refuser` can raise in its own body, in the helpers that it calls and in the
triggers of the tables that these write. A function that never reaches a rule of its helpers declares this with
`core.ne_refuse_pas`; its callers then do not declare the rule. Two kinds of refusal have special rules:

- An operation declares NOT_FOUND if its path has a key; any other operation may declare it.
- Constraints of tables and domains, MONTANT_TROP_GRAND, which every amount can raise, and CLIENT_EFFACE, which every
  write that names a client can raise, are validation: an operation may declare a constraint that it can break.

Refusals of the HTTP layer (permission, token, body, throttle) belong to the route; no operation declares them.
"""

from __future__ import annotations

import pytest

from app import routes
from app.database.catalogue import Catalogue
from app.database.release import SLICES
from app.http.route import RouteTable
from tests.conftest import Db, Http
from tests.house.bodies import Bodies
from tests.house.rule import holds

VALIDATION = {"MONTANT_TROP_GRAND", "CLIENT_EFFACE"}
OF_THE_HANDLER = {
    "UNAUTHORIZED", "OPERATION_TROP_LONGUE", "REPETITION_IMPOSSIBLE", "REPONSES_TROP_LONGUES",
    "REFERENCE_SANS_VALEUR", "REFERENCES_TROP_LONGUES",
}  # fmt: skip


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
    holds(
        "an operation declares every rule that it can refuse by",
        sorted(missing.values()),
        "add the rule to `call core.peut_refuser(…)` in this file; if the function never reaches the rule of a helper, "
        "declare that by `call core.ne_refuse_pas(…)`",
    )


def test_an_operation_declares_no_rule_that_it_cannot_raise(bodies: Bodies, catalogue: Catalogue) -> None:
    lines = [
        f"{name} declares {rule}"
        for name, function in catalogue.functions.items()
        for rule in set(function.refusals) - bodies.refusals(name).keys() - bodies.constraints(name)
    ]
    holds(
        "an operation declares only rules that it can refuse by",
        sorted(lines),
        "remove the rule from `call core.peut_refuser(…)` in this file: no function that it calls raises it",
    )


def test_a_function_excludes_only_rules_that_its_calls_raise(bodies: Bodies) -> None:
    lines = [
        f"{name} excludes {rule}"
        for name, body in bodies.bodies.items()
        for rule in body.excluded - set().union(*(bodies.bodies[below].refusals for below in bodies.below(name)))
    ]
    holds(
        "a function excludes only rules that the functions below it raise",
        sorted(lines),
        "remove the rule from `call core.ne_refuse_pas(…)` in this file",
    )


def test_a_handler_declares_only_rules_of_the_operations_that_it_calls(catalogue: Catalogue, table: RouteTable) -> None:
    declared = {rule for name in table.plumbing for rule in catalogue.functions[name].refusals} | OF_THE_HANDLER
    holds(
        "a route line with a handler names only rules of the operations that handlers call",
        [
            f"app/routes/{r.slice}.py: {r.path} names {set(r.refuses) - declared}"
            for r in table.routes
            if set(r.refuses) - declared
        ],
        "remove the rule from `refuses=`, or add it to `call core.peut_refuser(…)` of the operation that raises it",
    )


def test_calls_writes_and_triggers_are_read_from_the_bodies(bodies: Bodies) -> None:
    """A refusal is found in a helper, in a trigger of a written table, in an upsert, a constraint and a domain."""
    ways = bodies.refusals("pressing.commande_retirer")
    assert ways["SOLDE_INCOMPLET"][0] == "pressing.commande_retirer"
    assert any(name.startswith("finances._t10_") for name in ways["CAISSE_INACTIVE"])
    assert "core._t20_transition" in bodies.refusals("residence.abonnement_modifier")["TRANSITION_INTERDITE"]
    assert "CATEGORIE_ABONNEMENT_EXISTANTE" in bodies.constraints("abonnement.categorie_abonnement_creer")
    assert "MONTANT_STRICTEMENT_POSITIF" in bodies.constraints("salle_fete.reservation_confirmer")
