"""import: tries a sheet, and imports it, in the name of an account."""

from __future__ import annotations

import argparse
import hashlib
from collections.abc import Sequence
from typing import Any, LiteralString

import msgspec
import psycopg

from app.base.failure import Failure
from app.base.settings import Settings
from app.commands.application import read_catalogue
from app.commands.place import database
from app.database import schema
from app.database.pool import ROLE
from app.leaves.echange.prepared import Prepared, prepare
from app.leaves.echange.sheets import columns

SHOWN = 20  # errors on the screen; the report of the API has all


def bring_in(settings: Settings, arguments: argparse.Namespace) -> int:
    """Try a sheet, print what would happen, and import it with --valider. Returns 1 when a row is refused."""
    if arguments.entite is None or arguments.compte is None:
        raise Failure("Une feuille s'importe avec --entite (ce que sont ses lignes) et --compte (au nom de qui).")
    with database(settings) as url:
        schema.refuse_unmigrated(url, settings.database_patience)
        entity = read_catalogue(url).named(f"echange.{arguments.entite}")
        with arguments.chemin.open("rb") as file:
            digest = hashlib.file_digest(file, "sha256").hexdigest()
            prepared = prepare(file, entity, columns.parse_given(arguments.colonnes))
            try:
                with psycopg.connect(url, autocommit=True) as connection:
                    return _Import(connection, arguments).run(prepared, digest)
            finally:
                prepared.close()


class _Import:
    """One import, step by step: the whole reception, then each lot, is a transaction that acts as the account."""

    def __init__(self, connection: psycopg.Connection[tuple[Any, ...]], arguments: argparse.Namespace) -> None:
        self._connection, self._arguments = connection, arguments
        account = connection.execute(
            "select p.id_utilisateur, p.role from auth.perimetre_vue p join auth.utilisateur u using (id_utilisateur)"
            " where lower(u.login) = lower(%s) and p.actif",
            [arguments.compte],
        ).fetchone()
        if account is None:
            raise Failure(f"Aucun compte actif ne s'appelle « {arguments.compte} ».")
        self._account: tuple[Any, ...] = account
        connection.execute(f"set role {ROLE}")

    def run(self, prepared: Prepared, digest: str) -> int:
        names = [msgspec.json.encode(value).decode() for value in (prepared.headers, prepared.columns)]
        values = [self._arguments.entite, self._arguments.chemin.name[:200], digest, *names]
        with self._connection.transaction():
            number = self._call("echange.import_creer(%s::echange.entite, %s, %s, %s::jsonb, %s::jsonb)", values)
            for batch in prepared.batches():
                self._call("echange.import_remplir(%s, %s::jsonb)", [number, batch])
            self._call("echange.import_commencer(%s)", [number])
        state = self._call("echange.import_essayer(%s)", [number])
        while state["etat"] == "EN_ESSAI":
            state = self._call("echange.import_essayer(%s)", [number])
        _show_columns(prepared.columns)
        _show(state)
        if not self._arguments.valider:
            print("Rien n'est importé : « --valider » importe les lignes acceptées.")
            return int(state["refusees"] > 0)
        self._call("echange.import_valider(%s, %s)", [number, self._arguments.tout])
        while self._call("jobs.import_avancer(%s)", [number]):
            state = self._call("echange.import_detail(%s)", [number])
            print(f"  {state['fait']} lignes sur {state['total']}", flush=True)
        state = self._call("echange.import_detail(%s)", [number])
        if state["etat"] != "FAIT":
            raise Failure(state["message"] or f"L'import {number} s'est arrêté.")
        print(f"Import {number} : {state['acceptees']} lignes importées.")
        return int(state["refusees"] > 0)

    def _call(self, call: LiteralString, values: Sequence[Any]) -> Any:
        """The answer of an operation, as JSON."""
        try:
            with self._connection.transaction():
                self._connection.execute("select core.contexte(%s, %s, null, 'comptoir import')", self._account)
                statement: LiteralString = f"select to_jsonb(r) from {call} r"  # noqa: S608 - calls of this module
                row = self._connection.execute(statement, values).fetchone()
        except psycopg.Error as error:
            if (error.sqlstate or "").startswith("HT"):
                raise Failure(error.diag.message_primary or str(error)) from error
            raise
        return row and row[0]


def _show_columns(fields: dict[str, str | None]) -> None:
    for header, field in fields.items():
        print(f"  {header} → {field or '(laissée de côté)'}")


def _show(state: dict[str, Any]) -> None:
    accepted, known, refused = (state[name] for name in ("acceptees", "deja", "refusees"))
    print(f"{state['lignes']} lignes : {accepted} acceptées, {known} déjà là, {refused} refusées.")
    for error in state["erreurs"][:SHOWN]:
        field = f", {error['champ']}" if error["champ"] else ""
        print(f"  ligne {error['ligne']}{field} : {error['message']}")
    if len(state["erreurs"]) > SHOWN:
        print(f"  … et {len(state['erreurs']) - SHOWN} autres.")
