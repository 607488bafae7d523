"""The unit of the currency: computed amounts are rounded to it, and shares add up to the total."""

from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests import builders
from tests.conftest import refused
from tests.examples import EXAMPLES


def decimals(db, number):
    db.execute("update core.parametre set valeur = %s where cle = 'DEVISE_DECIMALES'", [str(number)])


def share(db, total, weights):
    return db.one("select core.repartir(%s::numeric, %s::numeric[])", [Decimal(total), [Decimal(w) for w in weights]])


def test_amounts_are_rounded_to_whole_francs_by_default(db):
    assert db.call("core.parametre_detail", cle="DEVISE_DECIMALES")["valeur"] == "0"
    for amount, rounded in (("0.49", "0"), ("0.5", "1"), ("-0.5", "-1"), ("149333.33", "149333")):
        assert str(db.one("select core.arrondir(%s)", [Decimal(amount)])) == rounded
    db.execute("delete from core.parametre where cle = 'DEVISE_DECIMALES'")
    assert str(db.one("select core.arrondir(1.5)")) == "2"


def test_a_currency_with_two_decimals_keeps_cents(db):
    decimals(db, 2)
    assert str(db.one("select core.arrondir(10.005)")) == "10.01"
    assert share(db, "100", [1, 1, 1]) == [Decimal("33.34"), Decimal("33.33"), Decimal("33.33")]


def test_a_total_is_shared_by_the_largest_remainder(db):
    for total, weights, parts in (
        ("100", [1, 1, 1], ["34", "33", "33"]),
        ("100", [1, 2, 4], ["14", "29", "57"]),
        ("-100", [1, 2, 4], ["-14", "-29", "-57"]),
        ("95000.50", [15, 16], ["45968", "49032.50"]),
        ("0", [3, 4], ["0", "0"]),
        ("7", [0, 1, 0], ["0", "7", "0"]),
        ("0.25", [0, 1], ["0", "0.25"]),
    ):
        assert share(db, total, weights) == [Decimal(part) for part in parts]


@EXAMPLES
@given(
    total=st.decimals(min_value=-10_000_000, max_value=10_000_000, places=2),
    weights=st.lists(st.integers(0, 400), min_size=1, max_size=13).filter(any),
    places=st.integers(0, 2),
)
def test_shares_add_up_to_the_total_and_differ_by_at_most_one_unit_from_the_exact_share(db, total, weights, places):
    with db.connection.transaction(force_rollback=True):
        decimals(db, places)
        parts = share(db, total, weights)
        unit = Decimal(1).scaleb(-places)
        assert sum(parts) == total
        for part, weight in zip(parts, weights, strict=True):
            assert abs(part - total * weight / sum(weights)) <= unit
            assert weight or part == 0


@EXAMPLES
@given(
    amounts=st.lists(st.decimals(0, 50, places=2), min_size=1, max_size=9).filter(any),
    kept=st.decimals(0, 1, places=2),
    places=st.integers(0, 2),
)
def test_a_part_of_several_amounts_exceeds_none_of_them(db, amounts, kept, places):
    with db.connection.transaction(force_rollback=True):
        decimals(db, places)
        total = (sum(amounts) * kept).quantize(Decimal("0.01"))
        parts = share(db, total, amounts)
        assert sum(parts) == total
        for part, amount in zip(parts, amounts, strict=True):
            assert 0 <= part <= amount
            assert abs(part - total * amount / sum(amounts)) <= Decimal(1).scaleb(-places)


def test_a_number_of_decimals_other_than_0_to_2_is_refused(db):
    for value in ("3", "-1", "", "deux", "0.5"):
        with refused("DEVISE_DECIMALES_INVALIDE", status=400):
            db.call("core.parametre_modifier", cle="DEVISE_DECIMALES", valeur=value)


def _expense(db):
    category = db.call("finances.categorie_depense_creer", libelle="Entretien")["id_categorie_depense"]
    db.call("finances.depense_creer", id_categorie_depense=category, montant="500", libelle="Savon")


def _payment(db):
    db.call("finances.paiement_creer", montant="500", id_moyen=builders.moyen(db), id_activite=builders.activite(db))


@pytest.mark.parametrize("money", [builders.facture, _payment, _expense])
def test_the_currency_and_the_time_zone_cannot_change_after_the_first_amount(db, money):
    settings = {
        "DEVISE_DEFAUT": ("EUR", "DEVISE_FIXE"), "DEVISE_DECIMALES": ("2", "DEVISE_FIXE"),
        "FUSEAU_HORAIRE": ("Asia/Tokyo", "FUSEAU_FIXE"),
    }  # fmt: skip
    before = {key: db.call("core.parametre_detail", cle=key)["valeur"] for key in settings}
    for key, (value, _) in settings.items():
        db.call("core.parametre_modifier", cle=key, valeur=value)
        db.call("core.parametre_modifier", cle=key, valeur=before[key])
    money(db)
    for key, (value, rule) in settings.items():
        with refused(rule, status=409):
            db.call("core.parametre_modifier", cle=key, valeur=value)
        with refused(rule, status=409):
            db.execute("delete from core.parametre where cle = %s", [key])
        # The same value with another description is accepted.
        db.call("core.parametre_modifier", cle=key, valeur=before[key], description="Dite autrement.")
        assert db.call("core.parametre_detail", cle=key)["valeur"] == before[key]


@pytest.mark.parametrize(
    ("places", "rent", "amounts"),
    [
        (0, "95000.50", ["52097.00", "95000.50", "30645.00"]),  # a full rent is not rounded
        (2, "95000", ["52096.77", "95000.00", "30645.16"]),
    ],
)
def test_a_prorated_rent_has_the_decimals_of_the_currency(db, places, rent, amounts):
    decimals(db, places)
    days = {"date_debut": "2026-01-15", "date_fin_prevue": "2026-03-10"}
    lease = builders.contrat(db, **days, montant_loyer=rent, actif=False)
    rows = db.all("select montant from residence.echeance where id_contrat = %s order by date_echeance", [lease])
    assert [str(row["montant"]) for row in rows] == amounts
