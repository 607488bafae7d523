"""Whatever an invoice bills and whatever is credited of it, every total equals the sum of its parts."""

import json
from collections import defaultdict
from decimal import ROUND_HALF_UP, Decimal

import psycopg
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests import builders
from tests.examples import EXAMPLES
from tests.facturation.test_taxe import rate

RATES = {"TVA18": Decimal(18), "TVA9": Decimal("9.5"), "EXO": Decimal(0), None: None}
price = st.one_of(
    st.integers(0, 3000).map(Decimal),
    st.decimals(0, 500, places=2),
    st.sampled_from([Decimal("0.4"), Decimal("0.5"), Decimal(1)]),
)
line = st.tuples(price, st.sampled_from([Decimal(1), Decimal(3), Decimal("2.5")]), st.sampled_from(list(RATES)))


@pytest.fixture
def moyen(db):
    for code, taux in RATES.items():
        if code is not None:
            rate(db, code, str(taux))
    return builders.moyen(db)


@EXAMPLES
@given(
    lines=st.lists(line, min_size=1, max_size=8),
    discount=st.decimals(0, 1, places=2),
    decimals=st.sampled_from([0, 2]),
    rounding=st.sampled_from(["LIGNE", "FACTURE"]),
    prices=st.sampled_from(["TTC", "HT"]),
    credits=st.lists(st.tuples(st.integers(0, 7), st.decimals("0.01", "1.2", places=2), st.booleans()), max_size=6),
    rest=st.one_of(st.none(), st.lists(st.decimals("0.3", 3, places=2), min_size=1, max_size=4)),
)
def test_totals_equal_the_sum_of_their_parts(db, moyen, lines, discount, decimals, rounding, prices, credits, rest):
    with db.connection.transaction(force_rollback=True):
        for key, value in [("DEVISE_DECIMALES", str(decimals)), ("TAXES_ARRONDI", rounding), ("TAXES_PRIX", prices)]:
            db.execute("update core.parametre set valeur = %s where cle = %s and valeur <> %s", [value, key, value])
        unit = Decimal(1).scaleb(-decimals)
        billed = sum((round_to(quantity * amount, Decimal("0.01")) for amount, quantity, _ in lines), Decimal(0))
        id_facture = issue(db, moyen, lines, round_to(billed * discount, Decimal("0.01")))
        invoice, rows = check_invoice(db, id_facture, billed)
        check_rates(rows, unit, rounding, prices)
        for rank, part, by_quantity in credits:
            credit(db, rows[rank % len(rows)], part, by_quantity)
            check_credits(db, id_facture)
        for row in rows if rest else []:
            credit_rest(db, row["id_ligne"], id_facture, rest)
        if rest:
            check_credits(db, id_facture)
            mirror(db, invoice, rows)
        elif db.one(
            "select montant_avoirs < montant_total from facturation.facture where id_facture = %s", [id_facture]
        ):
            db.one("select finances._facture_annuler(%s, 'Fin')", [id_facture])
            check_credits(db, id_facture)
            mirror(db, invoice, rows)


def round_to(amount, unit):
    return amount.quantize(unit, ROUND_HALF_UP)


def issue(db, moyen, lines, discount):
    db.execute("set constraints all deferred")
    return db.one(
        """select (finances._sources_regler(array[row('PRESTATION', 1, 'Essai', (
                     select array_agg(facturation._ligne('Ligne', q, p, c) order by n)
                       from unnest(%s::numeric[], %s::numeric[], %s::text[]) with ordinality as l (q, p, c, n)), %s, 0)
                     ::facturation.source_a_regler], null, null, 0, %s)).factures[1]""",
        [[q for _, q, _ in lines], [p for p, _, _ in lines], [c for _, _, c in lines], discount, moyen],
    )


def check_invoice(db, id_facture, billed):
    invoice = db.one("select * from facturation.facture where id_facture = %s", [id_facture])
    rows = db.all(
        """select c.id_ligne, l.quantite, c.montant, l.total, l.code_taxe, x.base,
                  coalesce(x.montant, 0) as taxe, t.taux
             from facturation._lignes_creditables(%s) c join facturation.facture_ligne l on l.id_ligne = c.id_ligne
             left join facturation.facture_ligne_taxe x on x.id_ligne = c.id_ligne
             left join core.taxe t on t.id_taxe = x.id_taxe order by 1""",
        [id_facture],
    )
    assert invoice["montant_taxe"] == sum(row["taxe"] for row in rows)
    assert invoice["montant_total"] == sum(row["montant"] for row in rows)
    on_top = invoice["montant_taxe"] if invoice["mode_prix"] == "HT" else 0
    assert invoice["montant_total"] == billed - invoice["remise"] + on_top
    for row in rows:
        assert row["montant"] <= row["total"] + (row["taxe"] if invoice["mode_prix"] == "HT" else 0)
        assert (row["base"] is None) == (row["code_taxe"] is None)
        if row["base"] is not None:
            assert row["base"] >= 0 and row["base"] + row["taxe"] == row["montant"]
    taxes = db.one("select to_jsonb(facturation._taxes(%s))", [id_facture])
    assert sum(Decimal(str(tax["montant"])) for tax in taxes) == invoice["montant_taxe"]
    return invoice, rows


def check_rates(rows, unit, rounding, prices):
    """The tax follows the rate, rounded where the setting says."""
    groups = defaultdict(list)
    for row in rows:
        if row["base"] is not None:
            groups[row["code_taxe"]].append(row)
    for code, members in groups.items():
        rate_of = RATES[code]
        amounts = [row["base"] + (row["taxe"] if prices == "TTC" else 0) for row in members]
        exact = [amount * rate_of / (100 + (rate_of if prices == "TTC" else 0)) for amount in amounts]
        if rounding == "FACTURE":
            total = sum(amounts) * rate_of / (100 + (rate_of if prices == "TTC" else 0))
            assert sum(row["taxe"] for row in members) == round_to(total, unit)
            assert all(abs(row["taxe"] - tax) < 2 * unit for row, tax in zip(members, exact, strict=True))
        else:
            assert [row["taxe"] for row in members] == [round_to(tax, unit) for tax in exact]


def credit(db, row, part, by_quantity):
    """Credit a part of a line, or find that nothing is left of it."""
    column, whole = ("quantite", row["quantite"]) if by_quantity else ("montant", row["montant"])
    value = max(round_to(whole * part, Decimal("0.01")), Decimal("0.01"))
    id_facture = db.one("select id_facture from facturation.facture_ligne where id_ligne = %s", [row["id_ligne"]])
    before = creditable(db, id_facture, row["id_ligne"])
    try:
        with db.connection.transaction():
            note(db, id_facture, row["id_ligne"], **{column: value})
    except psycopg.Error as error:
        rule = error.diag.constraint_name
        if by_quantity and rule == "AVOIR_NUL":
            assert before["quantite_creditee"] + value <= before["quantite"]
        elif by_quantity and rule == "AVOIR_EXCESSIF" and before["montant_credite"] == 0:
            assert before["quantite_creditee"] + value > before["quantite"]
        else:
            assert rule == "AVOIR_EXCESSIF", error
            assert by_quantity or before["montant_credite"] + value > before["montant"]


def creditable(db, id_facture, id_ligne):
    query = "select * from facturation._lignes_creditables(%s) where id_ligne = %s"
    return db.all(query, [id_facture, id_ligne])[0]


def note(db, id_facture, id_ligne, **part):
    line = json.dumps({"id_ligne": id_ligne} | {key: str(value) for key, value in part.items()})
    db.one(
        "select facturation.avoir_creer("
        "%s, array[jsonb_populate_record(null::facturation.ligne_a_crediter, %s)], 'Essai')",
        [id_facture, line],
    )


def credit_rest(db, id_ligne, id_facture, parts):
    """Credit what is left of a line: the last parts are small, and the first is what remains before them."""
    line = creditable(db, id_facture, id_ligne)
    left = line["montant"] - line["montant_credite"]
    for part in [max(left - sum(parts), Decimal(0)), *parts]:
        if min(part, left):
            note(db, id_facture, id_ligne, montant=min(part, left))
            left -= min(part, left)
    if left:
        note(db, id_facture, id_ligne, montant=left)


def check_credits(db, id_facture):
    for avoir in db.all("select * from facturation.avoir where id_facture = %s", [id_facture]):
        lines = db.all("select * from facturation.avoir_ligne where id_avoir = %s", [avoir["id_avoir"]])
        assert avoir["montant_taxe"] == sum(line["montant_taxe"] for line in lines)
        taxes = db.one("select to_jsonb(facturation._avoir_taxes(%s))", [avoir["id_avoir"]])
        assert sum(Decimal(str(tax["montant"])) for tax in taxes) == avoir["montant_taxe"]


def mirror(db, invoice, rows):
    """All credit notes together credit exactly the amount and the tax of each line."""
    for row in rows:
        sums = db.one(
            "select coalesce(sum(montant), 0) as montant, coalesce(sum(montant_taxe), 0) as taxe"
            " from facturation.avoir_ligne where id_ligne = %s",
            [row["id_ligne"]],
        )
        assert (sums["montant"], sums["taxe"]) == (row["montant"], row["taxe"])
