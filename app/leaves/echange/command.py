"""import: the folder of an export into a new database, or a sheet, tried and imported in the name of an account."""

import argparse
import hashlib
from contextlib import closing
from functools import partial
from pathlib import Path
from typing import Any, LiteralString

import msgspec
import psycopg

from app.base.failure import Failure
from app.base.settings import Settings
from app.commands.application import read_catalogue
from app.commands.command import command, despite
from app.commands.place import migrated_database
from app.database import schema
from app.database.pool import ROLE
from app.leaves.echange.prepared import Prepared, prepare
from app.leaves.echange.sheets import columns
from app.leaves.echange.whole import reading

ENTITIES = (
    "clients", "produits", "stock", "fournisseurs", "batiments", "logements", "contrats", "employes", "plats",
    "prestations", "factures",
)  # fmt: skip
_LISTED = ", ".join(ENTITIES)
SHOWN = 20  # errors on the screen; the report of the API has all


def _import_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "chemin", type=Path, metavar="CHEMIN", help="feuille .xlsx ou .csv, ou dossier écrit par « comptoir export »"
    )
    parser.add_argument("--entite", metavar="ENTITE", choices=ENTITIES, help=f"ce que sont les lignes : {_LISTED}")
    parser.add_argument("--compte", metavar="LOGIN", help="compte au nom duquel importer : ses droits valent")
    parser.add_argument("--colonnes", metavar="JSON", help='colonnes à corriger : {"Nom de colonne": "champ"}')
    parser.add_argument("--valider", action="store_true", help="importer les lignes que l'essai accepte")
    parser.add_argument("--tout", action="store_true", help="ne rien importer si une ligne est refusée")
    parser.add_argument("--sans-fichiers", action="store_true", help="d'un dossier : sans ses photos et pièces")
    despite(parser)


@command("comptoir import clients.xlsx --entite clients --compte awa --valider", _import_options)
def run(settings: Settings, arguments: argparse.Namespace) -> int:
    """Import a folder, or try a sheet and import it with --valider. Return 1 when a row of the sheet is refused."""
    if arguments.chemin.is_dir():
        return reading.run(settings, arguments)
    if not arguments.chemin.is_file():
        raise Failure(f"{arguments.chemin} n'existe pas : donnez une feuille, ou le dossier d'un export.")
    if arguments.entite is None or arguments.compte is None:
        raise Failure("Une feuille s'importe avec --entite (ce que sont ses lignes) et --compte (au nom de qui).")
    with migrated_database(settings) as url, arguments.chemin.open("rb") as file:
        entity = read_catalogue(url).named(f"echange.{arguments.entite}")
        digest = hashlib.file_digest(file, "sha256").hexdigest()
        with (
            closing(prepare(file, entity, columns.parse_given(arguments.colonnes))) as prepared,
            psycopg.connect(url, autocommit=True) as connection,
        ):
            return _bring_in(connection, arguments, prepared, digest)


def _bring_in(connection: schema.Session, arguments: argparse.Namespace, prepared: Prepared, digest: str) -> int:
    """The whole reception, then each lot, is a transaction that acts as the account."""
    account = connection.execute(
        "select p.id_utilisateur, p.role from auth.perimetre_vue p join auth.utilisateur u using (id_utilisateur)"
        " where lower(u.login) = lower(%s) and p.actif",
        [arguments.compte],
    ).fetchone()
    if account is None:
        raise Failure(f"Aucun compte actif ne s'appelle « {arguments.compte} ».")
    connection.execute(f"set role {ROLE}")
    call = partial(_call, connection, account)
    headers, fields = (msgspec.json.encode(value).decode() for value in (prepared.headers, prepared.columns))
    with connection.transaction():
        create: LiteralString = "echange.import_creer(%s::echange.entite, %s, %s, %s::jsonb, %s::jsonb)"
        number = call(create, arguments.entite, arguments.chemin.name[:200], digest, headers, fields)
        for batch in prepared.batches():
            call("echange.import_remplir(%s, %s::jsonb)", number, batch)
        call("echange.import_commencer(%s)", number)
    while (state := call("echange.import_essayer(%s)", number))["etat"] == "EN_ESSAI":
        pass
    _show(prepared.columns, state)
    if not arguments.valider:
        print("Rien n'est importé : « --valider » importe les lignes acceptées.")
        return int(state["refusees"] > 0)
    call("echange.import_valider(%s, %s)", number, arguments.tout)
    while call("jobs.import_avancer(%s)", number):
        state = call("echange.import_detail(%s)", number)
        print(f"  {state['fait']} lignes sur {state['total']}", flush=True)
    state = call("echange.import_detail(%s)", number)
    if state["etat"] != "FAIT":
        raise Failure(state["message"] or f"L'import {number} s'est arrêté.")
    print(f"Import {number} : {state['acceptees']} lignes importées.")
    return int(state["refusees"] > 0)


def _call(connection: schema.Session, account: tuple[Any, ...], call: LiteralString, *values: Any) -> Any:
    """The answer of an operation, as JSON."""
    try:
        with connection.transaction():
            connection.execute("select core.contexte(%s, %s, null, 'comptoir import')", account)
            statement: LiteralString = f"select to_jsonb(r) from {call} r"  # noqa: S608 - calls of this module
            row = connection.execute(statement, values).fetchone()
    except psycopg.Error as error:
        if (error.sqlstate or "").startswith("HT"):
            raise Failure(error.diag.message_primary or str(error)) from error
        raise
    return row and row[0]


def _show(fields: dict[str, str | None], state: dict[str, Any]) -> None:
    for header, field in fields.items():
        print(f"  {header} → {field or '(laissée de côté)'}")
    accepted, known, refused = (state[name] for name in ("acceptees", "deja", "refusees"))
    print(f"{state['lignes']} lignes : {accepted} acceptées, {known} déjà là, {refused} refusées.")
    for error in state["erreurs"][:SHOWN]:
        field = f", {error['champ']}" if error["champ"] else ""
        print(f"  ligne {error['ligne']}{field} : {error['message']}")
    if len(state["erreurs"]) > SHOWN:
        print(f"  … et {len(state['erreurs']) - SHOWN} autres.")
