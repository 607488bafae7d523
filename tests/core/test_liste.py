"""Operations that are declared: their functions are written while the code is loaded."""

from __future__ import annotations

import psycopg
import pytest

from tests.conftest import Db

DECLARED = "call core.liste('core.essai_lister', 'core.taxe_vue', 'v.id_taxe', {})"


def test_a_filter_compares_by_its_column_its_type_and_its_name(db: Db) -> None:
    filters = (
        "'recherche: code', 'nature', 'libelle core.libelle', 'debut_du: du', 'code: v.code = upper($)', "
        "'id_taxe := abs($)'"
    )
    db.execute(DECLARED.format(filters))
    signature, body = db.all(
        "select pg_get_function_arguments(oid) as s, prosrc as b from pg_proc where proname = 'essai_lister'", {}
    )[0].values()
    assert [parameter.split()[:2] for parameter in signature.split(", ")] == [
        ["p_recherche", "text"],
        ["p_sort", "text"],
        ["p_order", "core.sens"],
        ["p_limit", "core.limite"],
        ["p_offset", "core.decalage"],
        ["p_nature", "core.nature_taxe"],
        ["p_libelle", "core.libelle"],
        ["p_debut_du", "date"],
        ["p_code", "text"],
        ["p_id_taxe", "bigint"],
    ]
    for condition in (
        "core._contient(v.code, $1)",
        "v.nature = $2",
        "v.libelle = $3",
        "v.du >= $4",
        "v.code = upper($5)",
        "v.id_taxe = $6",
    ):
        assert f"is null or {condition})" in body
    assert "p_code, abs(p_id_taxe);" in body


@pytest.mark.parametrize("unknown", ["'rien'", "'code: rien'"])
def test_a_filter_without_a_column_stops_the_loading(db: Db, unknown: str) -> None:
    with pytest.raises(psycopg.errors.UndefinedColumn, match=r"« .*rien » n'a pas de colonne"):
        db.execute(DECLARED.format(unknown))


def test_a_field_without_a_column_stops_the_loading(db: Db) -> None:
    declared = "call core.creation('rh.essai_creer', 'rh.service', 'rh.service_detail', null, 'libelle', 'rien')"
    with pytest.raises(psycopg.errors.UndefinedColumn, match=r"rh\.service n'a pas de colonne rien"):
        db.execute(declared)
