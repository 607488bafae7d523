"""The loading computes what each operation may refuse (sql/core/_refus.sql); few declarations correct it.

Refusals of the HTTP layer (permission, token, body, throttle) belong to the route; no operation has them.
"""

import pytest

from app import routes
from tests.conftest import Db, Http
from tests.house.rule import holds

OF_THE_HANDLER = {
    "UNAUTHORIZED", "OPERATION_TROP_LONGUE", "REPETITION_IMPOSSIBLE", "REPONSES_TROP_LONGUES",
    "REFERENCE_SANS_VALEUR", "REFERENCES_TROP_LONGUES",
}  # fmt: skip
UNREADABLE = r"""
select e.fonction || ' : ' || left(e.instruction, 60) as line
  from core._ecriture_vue e where to_regclass(e.entite) is null
union all
select c.nom || ' : ' || m[1]
  from core._corps_vue c
 cross join lateral regexp_matches(c.texte, '(core\.refuser\((?!\s*\d+,\s*''\w+'').{0,40})', 'g') m
 where c.nom <> 'core._t20_refuser'
union all
select c.nom || ' : ' || m[1]
  from core._corps_vue c
 cross join lateral regexp_matches(c.texte, '(''(?:[^'']|'''')*'')', 'g') m
 where m[1] ~* '\m(?:insert\s+into|delete\s+from|merge\s+into|update\s+\S+\s+set)\M'
"""
MISNAMED = r"""
select t.tgrelid::regclass || '.' || t.tgname || ' : ' || min(r.regle) as line
  from pg_trigger t
  join core._declencheur_vue d on d.oid = t.oid
  join core._regle_vue r on r.fonction = d.fonction
 where t.tgname ~ '^t[23]0_'
   and t.tgrelid <> all ('{finances.paiement, finances.application_paiement, facturation.facture,
                          facturation.facture_ligne, facturation.facture_ligne_taxe}'::regclass[])
 group by t.oid, t.tgrelid, t.tgname
having count(distinct r.regle) = 1 and t.tgname !~ ('^t[23]0_' || lower(min(r.regle)) || '(_|$)')
"""
BELOW = """
select r.fonction, r.regle from core._regle_vue r
union
select a.appelante, r.regle from core._appel_vue a join core._refus_vue r on r.fonction = a.appelee
"""
COMPUTED = """
select s.operation, s.regle from core._saisie_vue s
union
select a.appelante, r.regle
  from core._appel_vue a join core._refus_vue r on r.fonction = a.appelee and r.champ is null
"""
RULES = r"""
select k.regle from core._contrainte_vue k
union
select m[1] from core._corps_vue c
 cross join lateral regexp_matches(c.texte, 'core\.refuser\(\s*\d+,\s*''(\w+)''', 'g') m
"""


@pytest.fixture
def planned(db: Db) -> Db:
    """A session that plans the views as the loading does."""
    db.execute("set local enable_nestloop = off")
    return db


def pairs(db: Db, query: str) -> set[tuple[str, str]]:
    return {(name, rule) for name, rule in (row.values() for row in db.all(query))}


def declared(db: Db, kind: str) -> set[tuple[str, str]]:
    return pairs(db, f"select objet, nom from core.declaration where genre = '{kind}'")


def test_every_refusal_and_every_write_is_read(planned: Db) -> None:
    holds(
        "each refusal names its status and its rule, and each write names its table, outside of texts",
        [row["line"] for row in planned.all(UNREADABLE)],
        "write the statement so that sql/core/_refus.sql reads it",
    )


def test_a_trigger_that_refuses_by_one_rule_bears_its_name(planned: Db) -> None:
    """Not on the tables of the settlement. A trigger t30 refuses only what no trigger t20 refuses."""
    holds(
        "a trigger t20 or t30 whose function refuses by one rule is named after it, with a suffix for a second one",
        [row["line"] for row in planned.all(MISNAMED)],
        "rename the trigger",
    )


def test_a_function_excludes_only_rules_that_it_or_a_function_below_it_raises(planned: Db) -> None:
    limits = declared(planned, "SANS_REFUS") | declared(planned, "REFUS_DU_CHAMP")
    holds(
        "a function excludes only rules that it or the functions below it raise",
        [f"{name} excludes {rule}" for name, rule in sorted(limits - pairs(planned, BELOW)) if rule != "*"],
        "remove the rule from `call core.ne_refuse_pas(…)` or `call core.ne_refuse_que(…)` of this function",
    )


def test_a_function_adds_only_rules_that_exist_and_are_not_computed(planned: Db) -> None:
    added, computed = declared(planned, "REFUS_AJOUTE"), pairs(planned, COMPUTED)
    rules = {row["regle"] for row in planned.all(RULES)}
    holds(
        "a function adds only rules that exist and that are not computed",
        [f"{name} adds {rule}" for name, rule in sorted(added) if (name, rule) in computed or rule not in rules],
        "remove the rule from `call core.peut_refuser(…)` of this function",
    )


def test_a_handler_declares_only_rules_of_the_operations_that_it_calls(http: Http) -> None:
    table, functions = routes.load(), http.services.catalogue.functions
    called = functions.keys() - {route.function for route in table.routes}
    known = {rule for name in called for rule in functions[name].refusals} | OF_THE_HANDLER
    holds(
        "a route line with a handler names only rules of the operations that handlers call",
        [
            f"app/routes/{r.slice}.py: {r.path} names {set(r.refuses) - known}"
            for r in table.routes
            if set(r.refuses) - known
        ],
        "remove the rule from `refuses=`",
    )


CREATE = """
create function core.essai_{number}({parameters}) returns void
language plpgsql security definer set search_path = pg_catalog as $$
declare
  v text;
begin
  {body}
end $$
"""
CHANGE = "update core.parametre set valeur = 'x' where cle = 'DEVISE_DEFAUT';"
UPSERT = """insert into core.parametre as p (cle, valeur) values ('DEVISE_DEFAUT', 'a; b')
  on conflict (cle) do update set (valeur) = row(coalesce(excluded.valeur, 'x'));"""
ADD = "insert into core.parametre (cle, valeur) values ({}, p_valeur);"
LIST = "perform * from core._liste('core.taxe_vue', 'true', 'v.code', {});"
OF_THE_ZONE = "FUSEAU_HORAIRE_INCONNU"  # raised by a trigger of core.parametre.valeur
# A case → the parameters and the body of a function, and a refusal that is computed, or is not.
COMPUTED_OF = {
    "own rule": ("", "perform core.refuser(409, 'ESSAI', 'Non.');", "ESSAI"),
    "strict read": ("", "select p.valeur into strict v from core.parametre p;", "NOT_FOUND"),
    "rule of a field that it has": ("p_sort text", LIST.format("p_sort"), "TRI_INCONNU"),
    "call in a text": ("", "execute 'select core.parametre_detail(''x'')';", "NOT_FOUND"),
    "trigger of a written column": ("", CHANGE, OF_THE_ZONE),
    "write inside a query": ("", f"with x as ({CHANGE[:-1]} returning cle) select cle into v from x;", OF_THE_ZONE),
    "upsert": ("", UPSERT, OF_THE_ZONE),
    "constraint of given columns": ("p_cle text, p_valeur text", ADD.format("p_cle"), "PARAMETRE_EXISTANT"),
}
NOT_COMPUTED_OF = {
    "comment": ("", "-- perform core.refuser(409, 'ESSAI', 'Non.');", "ESSAI"),
    "rule of a field that it lacks": ("p_tri text", LIST.format("p_tri"), "TRI_INCONNU"),
    "column that no trigger watches": ("", "update core.parametre set description = valeur;", OF_THE_ZONE),
    "lock": ("", "perform from core.parametre p for no key update;", OF_THE_ZONE),
    "constraint of a column that it fills": ("p_valeur text", ADD.format("'X'"), "PARAMETRE_EXISTANT"),
    "domain": ("p_montant core.montant_du_reglement", "null;", "MONTANT_STRICTEMENT_POSITIF"),
    "rule of every entry": ("", "update client.client set ville = 'x';", "CLIENT_EFFACE"),
}


def test_a_refusal_is_found_in_what_an_operation_does(planned: Db) -> None:
    cases = COMPUTED_OF | NOT_COMPUTED_OF
    planned.execute("set local role comptoir_code")
    for number, (parameters, body, _) in enumerate(cases.values()):
        planned.execute(CREATE.format(number=number, parameters=parameters, body=body))
    planned.execute("delete from core.declaration where genre = 'REFUS'; call core._refus_inscrire()")
    refusals = declared(planned, "REFUS")
    rules = [(name, (f"core.essai_{number}", rule)) for number, (name, (_, _, rule)) in enumerate(cases.items())]
    assert [name for name, refusal in rules if refusal in refusals] == list(COMPUTED_OF)


def test_not_found_comes_first_and_the_other_refusals_by_name(db: Db) -> None:
    of_a_withdrawal = "genre = 'REFUS' and objet = 'pressing.commande_retirer'"
    names = [row["nom"] for row in db.all(f"select nom from core.declaration where {of_a_withdrawal} order by rang")]
    assert names[0] == "NOT_FOUND" and names[1:] == sorted(names[1:]) and "SOLDE_INCOMPLET" in names
