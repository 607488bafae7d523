"""Names of the database are read as French words: each word of a name has its accents in core.mot."""

import re
from collections.abc import Iterator

import pytest

from app import routes
from app.database.catalogue import PgType
from app.database.words import WORDS, label, missing, row_of, spelled
from tests.conftest import Db, Http
from tests.house.rule import ROOT, holds

JSON_KEYS = re.compile(r"^\s*(?:select jsonb_build_object\()?\s*'([a-z_]+)', ", re.MULTILINE)


def columns(pg_type: PgType, visited: set[int]) -> Iterator[str]:
    """Yield the column names of an answer and of its nested types."""
    if id(pg_type) not in visited:
        visited.add(id(pg_type))
        if pg_type.element is not None:
            yield from columns(pg_type.element, visited)
        for attribute in pg_type.attributes:
            yield attribute.name
            yield from columns(attribute.type, visited)


def headings(db: Db, http: Http) -> set[str]:
    """Columns of reports, of lists as files and of the history of a row; states; indicators."""
    names: set[str] = set()
    for route in routes.load().routes:
        returns = http.services.operation(route.function).function.returns if route.function else None
        if returns is not None and route.report:
            names |= {*columns(returns, set())}
        elif returns is not None and http.services.operation(route.function).function.returns_set:
            names |= {attribute.name for attribute in returns.attributes}
    # The code reads these enums itself: no report prints them.
    states = """select distinct enumlabel from pg_enum where enumlabel ~ '^[A-Z_]{2,}$'
                   and enumtypid <> all ('{core.genre_declaration, core.genre_mot, core.nom_verrou, evenement.limite,
                                           compta.cas, compta.journal, compta.type_ecriture}'::regtype[])"""
    names |= {row["enumlabel"] for row in db.all(states)}
    history = """select distinct a.attname from pg_trigger t
                   join pg_attribute a on a.attrelid = t.tgrelid and a.attnum > 0 and not a.attisdropped
                  where t.tgname = 't90_journal_insertion'"""
    return (
        names
        | {row["attname"] for row in db.all(history)}
        | {*JSON_KEYS.findall((ROOT / "sql/rapports/activite.sql").read_text())}
    )


def rows(db: Db) -> set[str]:
    """Tables of the journal and keys of paths, without the schema and `id_`."""
    journaled = "select distinct tgrelid::regclass::text as name from pg_trigger where tgfoid = %s::regproc"
    keys = {key for route in routes.load().routes for key in re.findall(r"{(id_\w+)}", route.path)}
    return {row["name"] for row in db.all(journaled, ["audit._t90_journal"])} | keys


def test_every_word_of_a_name_has_its_accents_in_one_file(db: Db, http: Http) -> None:
    unnamed = {name for name in headings(db, http) if ("TITRE", name) not in WORDS}
    for name in rows(db):
        bare = re.sub(r"^(.*\.|id_)", "", name)
        if row_of(name) == spelled(bare):
            unnamed.add(bare)
    words = {(word, name) for name in unnamed for word in name.lower().split("_") if word}
    assert {("confirmee", "CONFIRMEE"), ("loyers", "loyers")} & words
    holds(
        "Every word that people read is listed with its accents.",
        sorted(f"{word} (of {name})" for word, name in words if ("MOT", word) not in WORDS),
        "add the word as French writes it to sql/core/_mots.sql, or the whole name: LIGNE of a row, else TITRE",
    )


def test_the_headings_of_a_list_differ(http: Http) -> None:
    for function in http.services.catalogue.functions.values():
        if function.returns_set:
            labels = [label(attribute.name) for attribute in function.returns.attributes]
            assert len(set(labels)) == len(labels), function.qualified


@pytest.mark.parametrize(
    "name, words",
    [
        ("CONFIRMEE", "Confirmée"),
        ("heure_debut", "Heure de début"),
        ("recettes_jour", "Recettes du jour"),
        ("recettes_mois", "Recettes"),
        ("decaissements", "Décaissements"),
        ("SALLE_FETE", "Salle de fête"),
        ("EN_PREPARATION", "En préparation"),
        ("absents_aujourd_hui", "Absents aujourd’hui"),
        ("login", "Utilisateur"),
        ("market.stock.alertes", "Stock, alertes"),
        ("impayes.montant", "Impayés, montant"),
        ("residence.recettes_mois", "Résidence, recettes"),
        ("residence.impayes.montant", "Loyers échus ce jour, montant"),
        ("par_type.CDD", "Par type, CDD"),
        ("Client <x>", "Client <x>"),
    ],
)
def test_a_heading_is_written_in_french(http: Http, name: str, words: str) -> None:
    assert label(name) == words


@pytest.mark.parametrize(
    "kind, name, words",
    [
        ("LIGNE", "pressing.commande", "Commande du pressing"),
        ("LIGNE", "rh.paie", "Bulletin de paie"),
        ("LIGNE", "residence.batiment", "Bâtiment"),
        ("LIGNE", "essai.sans_entree", "Sans entrée"),
        ("ETAT", "EN_PREPARATION", "en préparation"),
        ("ETAT", "DEPOSE", "déposée"),
    ],
)
def test_the_database_writes_the_same_words(db: Db, kind: str, name: str, words: str) -> None:
    assert db.one("select mots from core.en_mots(%s, %s)", [kind, name]) == words


def test_a_404_names_the_object_and_its_number(http: Http) -> None:
    admin = http.as_admin()
    for path, words in (
        ("/facturation/factures/999999", "Facture n° 999999 introuvable."),
        ("/residence/contrats/999999", "Contrat n° 999999 introuvable."),
        ("/core/parametres/SANS_NOM", "Paramètre « SANS_NOM » introuvable."),
        ("/market/produits/scan/3017620422003", "Code-barres « 3017620422003 » introuvable."),
        ("/rien", "Cette route n'existe pas."),
    ):
        answer = admin.get(path)
        assert (answer.status_code, answer.json()["code"], answer.json()["message"]) == (404, "NOT_FOUND", words)


def test_a_404_names_the_last_key_of_the_path(http: Http) -> None:
    assert missing({"id_client": "1", "id_piece": "2"}) == "Pièce d'identité n° 2 introuvable."
    assert missing({"id_client": "1", "jeton": "2"}) == "Client n° 1 introuvable."
    assert missing({"cle": "x" * 500}) == f"Paramètre « {'x' * 60} » introuvable."
    assert missing({}) == "Ce que désigne la requête est introuvable."
