"""Settings: list, create, read and modify. The time zone and the organisation code are checked."""

import pytest

from tests.conftest import refused


def test_settings_are_listed_by_key_and_searched_by_key_and_value(db):
    keys = [row["cle"] for row in db.rows("core.parametre_lister")]
    assert keys == sorted(keys) and {"CODE_ORGANISATION", "DEVISE_DEFAUT", "FUSEAU_HORAIRE"} <= set(keys)
    assert [row["cle"] for row in db.rows("core.parametre_lister", cle="devise_def")] == ["DEVISE_DEFAUT"]
    assert [row["cle"] for row in db.rows("core.parametre_lister", recherche="fcfa")] == ["DEVISE_DEFAUT"]
    assert [row["cle"] for row in db.rows("core.parametre_lister", limit=1, offset=1)] == keys[1:2]


def test_a_setting_is_created_and_read(db):
    made = db.call("core.parametre_creer", cle="DELAI_RELANCE", valeur="15", description="En jours.")
    assert (made["cle"], made["valeur"], made["description"]) == ("DELAI_RELANCE", "15", "En jours.")
    assert db.call("core.parametre_detail", cle="DELAI_RELANCE") == made


def test_a_new_value_keeps_the_description_unless_the_request_has_one(db):
    before = db.call("core.parametre_detail", cle="DEVISE_DEFAUT")
    after = db.call("core.parametre_modifier", cle="DEVISE_DEFAUT", valeur="XOF")
    assert (after["valeur"], after["description"]) == ("XOF", before["description"])
    assert db.call("core.parametre_modifier", cle="DEVISE_DEFAUT", valeur="XOF", description="")["description"] is None


def test_the_database_sets_the_modification_date(db):
    for write in (
        "insert into core.parametre (cle, valeur, date_maj) values ('X', 'y', '2020-01-01')",
        "update core.parametre set valeur = 'z', date_maj = '2020-01-01' where cle = 'X'",
    ):
        assert db.one(f"{write} returning date_maj = now()") is True, write


@pytest.mark.utc
def test_a_known_time_zone_is_accepted_and_an_unknown_one_refused(db):
    for zone in ("Mars/Olympus", "", "xof", "Africa/Abidjan "):
        with refused("FUSEAU_HORAIRE_INCONNU", status=400):
            db.call("core.parametre_modifier", cle="FUSEAU_HORAIRE", valeur=zone)
    db.call("core.parametre_modifier", cle="FUSEAU_HORAIRE", valeur="Europe/Paris")
    assert db.one("select core.debut_du_jour('2026-07-01') = '2026-06-30T22:00Z'") is True


@pytest.mark.utc
@pytest.mark.parametrize(
    ("write", "zone"),
    [
        ("update core.parametre set valeur = 'Asia/Tokyo' where cle = 'FUSEAU_HORAIRE'", "Asia/Tokyo"),
        ("delete from core.parametre where cle = 'FUSEAU_HORAIRE'", "UTC"),
        ("update core.parametre set valeur = 'XOF' where cle = 'DEVISE_DEFAUT'", "Africa/Abidjan"),
    ],
)
def test_a_request_follows_the_time_zone_that_it_writes(db, write, zone):
    """The context reads the parameter once. A later write in the same transaction counts at once."""
    db.execute("select core.contexte(null, null, '192.0.2.1', 'essai')")
    assert db.one("select core.fuseau()") == "Africa/Abidjan"
    db.execute(write)
    assert db.one("select core.fuseau()") == zone


def test_the_context_replaces_a_time_zone_that_the_session_set(db):
    db.execute("select set_config('comptoir.fuseau', 'Asia/Tokyo', false)")
    db.execute("select core.contexte(null, null, '192.0.2.1', 'essai')")
    assert db.one("select core.fuseau() = valeur from core.parametre where cle = 'FUSEAU_HORAIRE'")
    db.execute("select set_config('comptoir.fuseau', '', false)")


def test_the_next_numbers_begin_with_the_organisation_code_which_is_a_valid_prefix(db):
    for code in ("gsg", "G", "ABCDEFGHIJK", "A-B", "GSG\n", ""):
        with refused("CODE_ORGANISATION_INVALIDE", status=400):
            db.call("core.parametre_modifier", cle="CODE_ORGANISATION", valeur=code)
    db.call("core.parametre_modifier", cle="CODE_ORGANISATION", valeur="AB2")
    assert db.one("select core._numeroter('ESSAI')") == "AB2-ESSAI-001"


def test_setting_operations_refuse_invalid_arguments(db):
    for function, arguments, rule, status in (
        ("core.parametre_creer", {"cle": "DEVISE_DEFAUT", "valeur": "XOF"}, "PARAMETRE_EXISTANT", 409),
        ("core.parametre_creer", {"cle": "é", "valeur": "x"}, "CLE_MAL_FORMEE", 400),
        ("core.parametre_creer", {"cle": "LONG", "valeur": "x" * 5001}, "TEXTE_TROP_LONG", 400),
        ("core.parametre_modifier", {"cle": "INCONNU", "valeur": "x"}, "NOT_FOUND", 404),
        ("core.parametre_detail", {"cle": "pas une clé"}, "NOT_FOUND", 404),
    ):
        with refused(rule, status=status):
            db.call(function, **arguments)
