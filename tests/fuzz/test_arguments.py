"""The argument checker: it turns each value into text that PostgreSQL can cast, or refuses it with its name."""

import json

import asyncpg
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from app import routes
from app.base.refusal import Refusal
from app.database import wire
from app.database.catalogue import Parameter, PgType
from app.http.arguments import EXPONENT, Arguments, decode_body
from tests.preuve import LONGUE

pytestmark = [
    pytest.mark.filterwarnings("ignore::hypothesis.errors.HypothesisWarning"),  # about a long repr of a strategy
    pytest.mark.timeout(7200 if LONGUE else 600),
]
CASES = settings(
    max_examples=150 if LONGUE else 8,
    database=None,
    deadline=None,
    derandomize=not LONGUE,
    suppress_health_check=list(HealthCheck),
)

# Values that decode_body may return: no lone surrogate, no NaN, no exponent beyond the limit.
numbers = st.one_of(
    st.integers(),
    st.decimals(allow_nan=False, allow_infinity=False).filter(lambda number: abs(number.adjusted()) <= EXPONENT),
    st.sampled_from([2**31, 2**63, -(2**63) - 1, 10**40]),
)
moments = st.one_of(
    st.one_of(st.dates(), st.datetimes(), st.times()).map(lambda moment: moment.isoformat()), st.uuids().map(str)
)
NEARLY = (
    "\0|a\0|\u202e| 1|1 |١٢|1_000|infinity|-infinity|NaN|now|today|epoch|{}|2026-02-30|24:00|23:59:60|0000-01-01|"
    "2026-08-20 20:00:00+99|2026-08-20T20:00:00+23:59|1e5|0x10|1e-999999|0e999999999999999999999"
)
texts = st.one_of(
    st.text(max_size=40),
    st.sampled_from(NEARLY.split("|")),
    st.builds("{}e{}".format, st.integers(-9, 9), st.integers(-(10**20), 10**20)),
    numbers.map(str),
    moments,
)
anything = st.recursive(
    st.one_of(st.none(), st.booleans(), numbers, texts),
    lambda inner: st.one_of(st.lists(inner, max_size=4), st.dictionaries(texts, inner, max_size=4)),
    max_leaves=8,
)


def fitting(pg_type):
    """Values of nearly the right shape. Some of them are invalid."""
    if pg_type.kind == "array" and pg_type.element:
        return st.lists(fitting(pg_type.element), max_size=3)
    if pg_type.kind == "composite":
        return st.fixed_dictionaries(
            {}, optional={a.name: st.one_of(fitting(a.type), anything) for a in pg_type.attributes}
        )
    if pg_type.kind == "enum":
        return st.sampled_from(pg_type.labels)
    return st.one_of(texts, numbers, moments) if pg_type.root.name != "bool" else st.booleans()


def operations(http):
    """Return each route with the parameters of its function and the type of its PATCH fields."""
    catalogue = http.services.catalogue
    return [
        (route, catalogue.functions[route.function].accepted, catalogue.types[route.champs] if route.champs else None)
        for route in routes.load().routes
        if route.function
    ]


def types(catalogue, route_operations):
    """Return every type of a parameter or of a PATCH field."""
    kinds = [parameter.type for _, parameters, _ in route_operations for parameter in parameters]
    kinds += [champs for _, _, champs in route_operations if champs]
    return {kind.sql: kind for kind in kinds}


def refusal_of(attempt):
    try:
        attempt()
    except Refusal as refusal:
        return refusal
    return None


def assert_validation_error(refusal):
    """Assert that the refusal names properties in sentences, and that it can be serialised."""
    assert (refusal.status, refusal.code) == (400, "VALIDATION_ERROR")
    assert refusal.details and all(m.endswith((".", ").")) for d in refusal.details for m in d["messages"])
    assert refusal.body("/", "essai")


def cast(http, pg_type, text):
    """Cast a text that the checker accepted. Return the refusal of PostgreSQL, or None."""
    statement = f"select {wire._from_text('$1::text', pg_type)}"
    try:
        http.runner.run(http.services.database.value(statement, [text]))
    except Refusal as refusal:
        return refusal
    except asyncpg.PostgresError as error:
        pytest.fail(f"{error.sqlstate} {error} for {pg_type.sql} {text!r}: a 500")
    return None


def test_each_value_is_cast_or_refused_with_the_name_of_its_field(http):
    """For each type: PostgreSQL casts the text, or VALIDATION_ERROR names the field."""

    def check_type(pg_type):
        checker = Arguments([Parameter("champ", pg_type, True, None)], None)

        @CASES
        @given(st.one_of(fitting(pg_type), anything).filter(lambda value: value is not None))
        def check_value(value):
            texts = []
            refusal = refusal_of(lambda: texts.extend(checker.check({}, {"champ": value})))
            if refusal is not None:
                assert_validation_error(refusal)
                assert all(detail["property"].split(".")[0] == "champ" for detail in refusal.details)
            elif cast_refusal := cast(http, pg_type, texts[0] or ""):
                assert cast_refusal.status == 400, (cast_refusal, value)

        check_value()

    for pg_type in types(http.services.catalogue, operations(http)).values():
        check_type(pg_type)


def test_a_body_of_any_shape_is_accepted_or_refused_by_field(http):
    """For each operation: known names with any value, and unknown names."""

    def check_operation(checker, shape):
        body = st.fixed_dictionaries({}, optional={n: st.one_of(fitting(k), anything) for n, k in shape.items()})

        @settings(CASES, max_examples=max(3, CASES.max_examples // 10))
        @given(st.one_of(body, st.dictionaries(texts, anything, max_size=5)))
        def check_body(value):
            if refusal := refusal_of(lambda: checker.check({}, value)):
                assert_validation_error(refusal)

        check_body()

    for route, parameters, champs in operations(http):
        if route.body is not None:
            fields = champs.attributes if champs else parameters
            check_operation(Arguments(parameters, champs), {field.name: field.type for field in fields})


@CASES
@given(
    st.one_of(
        st.binary(max_size=60),
        anything.map(lambda value: json.dumps({"a": value}, default=str).encode(errors="surrogatepass")),
        st.from_regex(rb'\{"a":-?[0-9]{1,40}(\.[0-9]{0,40})?([eE][+-]?[0-9]{1,30})?\}', fullmatch=True),
    )
)
def test_any_bytes_decode_to_an_object_or_are_refused(body):
    refusal = refusal_of(lambda: decode_body(body))
    assert refusal is None or (refusal.status, refusal.code) == (400, "JSON_INVALIDE")


@pytest.mark.parametrize(
    "number", ["1e999999999999999999999", "1e101", "1e-101", "0e999999999", "0e-999999999", "0E1000000000000000000"]
)
def test_a_number_with_a_large_exponent_is_not_expanded(number):
    refusal = refusal_of(lambda: decode_body(b'{"a":%s}' % number.encode()))
    assert refusal is not None and refusal.code == "JSON_INVALIDE"
    checker = Arguments([Parameter("montant", PgType("pg_catalog", "numeric", "base"), True, None)], None)
    try:
        assert len(checker.check({}, {"montant": number})[0] or "") < 120
    except Refusal as refused:
        assert refused.code == "VALIDATION_ERROR"


@pytest.mark.parametrize("text", ["5e-5000000", "-5e-1000027", "5E-60", "1.5e-999999999"])
def test_an_amount_with_too_many_decimals_is_refused_before_expansion(http, text):
    kinds = types(http.services.catalogue, operations(http)).values()
    amounts = [kind for kind in kinds if kind.root.name == "numeric"]
    assert amounts
    for kind in amounts:
        checker = Arguments([Parameter("champ", kind, True, None)], None)
        refusal = refusal_of(lambda checker=checker: checker.check({}, {"champ": text}))
        assert refusal is not None and "décimales au plus" in refusal.details[0]["messages"][0]
