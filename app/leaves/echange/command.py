"""import: the folder of an export into a new database, or a sheet in the name of an account."""

from __future__ import annotations

import argparse
from pathlib import Path

from app.base.failure import Failure
from app.base.settings import Settings
from app.commands.command import command, despite
from app.leaves.echange import account_import
from app.leaves.echange.whole import reading

ENTITIES = (
    "clients", "produits", "stock", "fournisseurs", "batiments", "logements", "contrats", "employes", "plats",
    "prestations", "factures",
)  # fmt: skip
_LISTED = ", ".join(ENTITIES)


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
    if arguments.chemin.is_dir():
        return reading.run(settings, arguments)
    if not arguments.chemin.is_file():
        raise Failure(f"{arguments.chemin} n'existe pas : donnez une feuille, ou le dossier d'un export.")
    return account_import.bring_in(settings, arguments)
