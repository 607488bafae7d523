"""Exchange: sheets whose rows become rows of the business, and the whole business in a folder of files, and back.

It may import: every room.
It offers: `whole.writing.export`, for the archive of an organisation.

- **Import.** A sheet whose rows run through the real operation, each in a savepoint. Its trial is the same function,
  undone. A type of `sql/echange/` is a row of an entity: its columns and their comments make the model, the check and
  the columns that are recognised. `sql/echange/_passer.sql`, `sheets/reading.py`
- **Whole export.** The tables as CSV, the documents as PDF and the files, from one snapshot (docs/decisions/0063).
  `whole/writing.py`, `whole/reading.py`
"""

import argparse
from pathlib import Path

from app.base.command import Command, despite
from app.base.leaf import Leaf

ENTITIES = (
    "clients", "produits", "stock", "fournisseurs", "batiments", "logements", "contrats", "employes", "plats",
    "prestations", "factures",
)  # fmt: skip


def _export_options(sub: argparse.ArgumentParser) -> None:
    sub.add_argument("dossier", type=Path, metavar="DOSSIER", help="dossier à écrire, absent ou vide")
    sub.add_argument("--sans-documents", action="store_true", help="sans les factures, contrats, bulletins… en PDF")
    sub.add_argument("--sans-fichiers", action="store_true", help="sans les photos et pièces déposées")


def _import_options(sub: argparse.ArgumentParser) -> None:
    listed = ", ".join(ENTITIES)
    sub.add_argument(
        "chemin", type=Path, metavar="CHEMIN", help="feuille .xlsx ou .csv, ou dossier écrit par « comptoir export »"
    )
    sub.add_argument("--entite", metavar="ENTITE", choices=ENTITIES, help=f"ce que sont les lignes : {listed}")
    sub.add_argument("--compte", metavar="LOGIN", help="compte au nom duquel importer : ses droits valent")
    sub.add_argument("--colonnes", metavar="JSON", help='colonnes à corriger : {"Nom de colonne": "champ"}')
    sub.add_argument("--valider", action="store_true", help="importer les lignes que l'essai accepte")
    sub.add_argument("--tout", action="store_true", help="ne rien importer si une ligne est refusée")
    sub.add_argument("--sans-fichiers", action="store_true", help="d'un dossier : sans ses photos et pièces")
    despite(sub)


LEAF = Leaf(
    commands={
        "export": Command(
            "whole.writing:run",
            "écrire toute l'entreprise dans un dossier : tables en CSV, documents en PDF, fichiers",
            "comptoir export entreprise-2026", _export_options, __name__,
        ),
        "import": Command(
            "command:run", "importer une feuille (.xlsx, .csv), ou remettre un export dans une base neuve",
            "comptoir import clients.xlsx --entite clients --compte awa --valider", _import_options, __name__,
        ),
    },
    before="cle",
    routes={"echange": f"{__name__}.routes"},
)  # fmt: skip
