"""The command line: comptoir serve, worker, migrate, demo, backup, restore, export, import, check and more (--help)."""

from __future__ import annotations

import argparse
import os
import pkgutil
import sys
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import psycopg

from app.base.failure import Failure
from app.base.french import speak_french
from app.base.settings import Settings

MORE = "« --verbose » montre la trace."
EXIT_CODES = """codes de sortie :
  0  fait ; pour check, rien à redire
  1  refusé : la ligne d'erreur dit quoi faire ; pour check, un écart au moins
  2  ligne de commande mal écrite
  70 erreur imprévue ; --verbose en montre la trace"""


def main() -> int:
    """Run one command. A Failure prints one French line on standard error and exits with code 1."""
    parser = _parser()
    arguments = parser.parse_args()
    if arguments.organisation and arguments.command in OF_ALL:
        parser.error(f"--organisation ne vaut pas pour {arguments.command}, qui s'occupe de toutes")
    try:
        settings = Settings.from_environment()
        if arguments.organisation:
            settings = pkgutil.resolve_name("app.commands.organisations:chosen")(settings, arguments.organisation)
        run = pkgutil.resolve_name(f"app.commands.{COMMANDS[arguments.command].run}")
        return int(run(settings, arguments))
    except KeyboardInterrupt:
        return 130
    except BrokenPipeError:  # `comptoir openapi | head`
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 141
    except Exception as error:
        if arguments.verbose:
            raise
        text, status = _explained(error)
        print(f"comptoir : {text}", file=sys.stderr)
        return status


def _explained(error: Exception) -> tuple[str, int]:
    """The French line for an error, and the exit code."""
    if isinstance(error, Failure):
        return str(error), 1
    if isinstance(error, psycopg.errors.InsufficientPrivilege):
        text = (
            f"Ce compte de PostgreSQL n'en a pas le droit ({error.diag.message_primary}) : donnez à DATABASE_OWNER_URL "
            f"celui qui possède la base (docs/operations.md, « Comptes PostgreSQL »). {MORE}"
        )
        return text, 1
    cause = (str(error).strip() or type(error).__name__).splitlines()[0]
    if isinstance(error, psycopg.OperationalError):
        return f"PostgreSQL ne répond pas comme il faut ({cause}) : voyez DATABASE_URL. {MORE}", 1
    return f"erreur imprévue ({type(error).__name__} : {cause}). {MORE}", 70


def _parser() -> argparse.ArgumentParser:
    speak_french()
    parser = argparse.ArgumentParser(
        prog="comptoir", description="La gestion d'une entreprise à plusieurs activités.", epilog=EXIT_CODES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )  # fmt: skip
    parser.add_argument("--verbose", action="store_true", help="montrer la trace d'une erreur")
    parser.add_argument("--organisation", metavar="CODE", help="l'organisation de l'annuaire dont il s'agit")
    commands = parser.add_subparsers(dest="command", required=True, metavar="commande")
    for name, command in COMMANDS.items():
        sub = _action(commands, name, command.text, f"exemple :\n  {command.example}\n\n")
        if command.options is not None:
            command.options(sub)
    return parser


def _action(
    actions: argparse._SubParsersAction[argparse.ArgumentParser], name: str, text: str, example: str = ""
) -> argparse.ArgumentParser:
    """The parser of a command, or of an action of one."""
    action = actions.add_parser(
        name, help=text, description=f"{text[0].upper()}{text[1:]}.", epilog=f"{example}{EXIT_CODES}",
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )  # fmt: skip
    # Without a default, so that it does not undo a --verbose before the command.
    action.add_argument(
        "--verbose", action="store_true", default=argparse.SUPPRESS, help="montrer la trace d'une erreur"
    )
    return action


def _check_options(sub: argparse.ArgumentParser) -> None:
    sub.add_argument("--sceau", metavar="EMPREINTE", help="empreinte d'un sceau gardée hors de la base")


def _demo_options(sub: argparse.ArgumentParser) -> None:
    sub.add_argument("--taille", type=_count, default=20, metavar="N", help="clients par jour (20)")
    sub.add_argument("--mois", type=_count, default=6, metavar="N", help="mois racontés, jusqu'à hier (6)")
    sub.add_argument("--remplacer", action="store_true", help="prendre la place d'une base qui a des données")


def _count(text: str) -> int:
    if not text.isascii() or not text.isdigit() or not 1 <= int(text) <= 1000:
        raise argparse.ArgumentTypeError(f"« {text} » : donnez un nombre de 1 à 1000")
    return int(text)


def _admin_options(sub: argparse.ArgumentParser) -> None:
    sub.add_argument("login", help="login du premier administrateur")


def _backup_options(sub: argparse.ArgumentParser) -> None:
    sub.add_argument("fichier", type=Path, nargs="?", help="fichier à écrire ; sans lui, le stockage")
    sub.add_argument("--remplacer", action="store_true", help="écraser un fichier qui existe")


def _restore_options(sub: argparse.ArgumentParser) -> None:
    source = sub.add_mutually_exclusive_group(required=True)
    source.add_argument("fichier", type=Path, nargs="?", help="fichier de la sauvegarde")
    source.add_argument("--sauvegarde", type=int, metavar="ID", help="sauvegarde de la liste, lue du stockage")
    sub.add_argument("--confirmation", action="store_true", help="remplacer vraiment la base en place")
    _despite(sub)


def _despite(sub: argparse.ArgumentParser) -> None:
    sub.add_argument(
        "--malgre", action="append", default=[], metavar="CONTROLE",
        help="accepter les écarts que ce contrôle nomme ; se répète",
    )  # fmt: skip


def _archive_options(sub: argparse.ArgumentParser) -> None:
    sub.add_argument("mois", nargs="?", metavar="MOIS", help="mois du journal, AAAA-MM ; sans lui, leur liste")
    action = sub.add_mutually_exclusive_group()
    action.add_argument("--verifier", action="store_true", help="relire ce mois, ou tous, et le comparer aux sceaux")
    action.add_argument("--restaurer", action="store_true", help="remettre ce mois dans la base")
    action.add_argument(
        "--age", type=int, default=12, metavar="N", help="n'archiver qu'un mois fini depuis N mois au moins (12)"
    )


def _seal_options(sub: argparse.ArgumentParser) -> None:
    actions = sub.add_subparsers(dest="action", required=True, metavar="action")
    _action(actions, "publier", "publier la racine signée du jour, et l'afficher")
    verify = _action(actions, "verifier", "vérifier les sceaux, et que la base continue des racines gardées")
    verify.add_argument(
        "--racine", type=Path, action="append", default=[], metavar="FICHIER", help="racine gardée ; se répète"
    )
    _action(actions, "cle", "remplacer la clé qui signe les racines")


def _export_options(sub: argparse.ArgumentParser) -> None:
    sub.add_argument("dossier", type=Path, metavar="DOSSIER", help="dossier à écrire, absent ou vide")
    sub.add_argument("--sans-documents", action="store_true", help="sans les factures, contrats, bulletins… en PDF")
    sub.add_argument("--sans-fichiers", action="store_true", help="sans les photos et pièces déposées")


def _migrate_options(sub: argparse.ArgumentParser) -> None:
    many = sub.add_mutually_exclusive_group()
    many.add_argument("--toutes", action="store_true", help="toutes les organisations de l'annuaire")
    many.add_argument("--repetition", metavar="CODE", help="essayer sur une copie de cette organisation")
    sub.add_argument("--ensemble", type=_count, default=4, metavar="N", help="mises à jour à la fois (4)")


def _organisation_options(sub: argparse.ArgumentParser) -> None:
    actions = sub.add_subparsers(dest="action", required=True, metavar="action")
    create = _action(actions, "creer", "créer des organisations, leurs bases comprises")
    create.add_argument("codes", nargs="+", metavar="CODE", help="nom court de chacune")
    create.add_argument("--serveur", metavar="NOM", help="serveur qui la portera ; sans lui, le moins chargé")
    create.add_argument("--hote", action="append", metavar="NOM", help="nom d'hôte auquel elle répond ; se répète")
    create.add_argument("--ensemble", type=_count, default=2, metavar="N", help="créations à la fois (2)")
    _action(actions, "lister", "nommer les organisations, avec leur état, leur serveur et leur version")
    for name, text in (
        ("nommer", "donner à une organisation ses noms d'hôte"),
        ("suspendre", "ne plus répondre pour une organisation"),
        ("reprendre", "répondre de nouveau pour une organisation"),
        ("deplacer", "mettre une organisation sur un autre serveur"),
        ("supprimer", "archiver une organisation, puis supprimer sa base et ses fichiers"),
    ):
        action = _action(actions, name, text)
        action.add_argument("code", metavar="CODE", help="nom court de l'organisation")
        if name == "nommer":
            action.add_argument("hotes", nargs="*", metavar="HÔTE", help="tous ses noms ; sans eux, aucun")
        elif name == "suspendre":
            action.add_argument("--motif", metavar="PHRASE", help="phrase que lit celui qui appelle")
        elif name == "deplacer":
            action.add_argument("--vers", required=True, metavar="NOM", help="serveur d'arrivée")
            _despite(action)
        elif name == "supprimer":
            action.add_argument(
                "--archive", type=Path, required=True, metavar="DOSSIER", help="dossier neuf de l'archive"
            )
            action.add_argument("--confirmation", metavar="CODE", help="son code une seconde fois, sans terminal")


def _server_options(sub: argparse.ArgumentParser) -> None:
    actions = sub.add_subparsers(dest="action", required=True, metavar="action")
    add = _action(actions, "ajouter", "ajouter un serveur, ou changer son adresse")
    add.add_argument("nom", metavar="NOM", help="nom court du serveur")
    add.add_argument("adresse", metavar="HÔTE:PORT", help="du primaire, ou du relais qui le suit")
    add.add_argument("--replique", action="append", metavar="HÔTE:PORT", help="réplique ; se répète")
    _action(actions, "lister", "nommer les serveurs, avec le nombre de leurs organisations")
    _action(actions, "retirer", "retirer un serveur qui ne porte rien").add_argument(
        "nom", metavar="NOM", help="nom court du serveur"
    )


def _pgbouncer_options(sub: argparse.ArgumentParser) -> None:
    sub.add_argument("fichier", type=Path, nargs="?", help="fichier à écrire ; sans lui, la sortie standard")
    sub.add_argument("--suivre", action="store_true", help="l'écrire à chaque changement, et que PgBouncer le relise")


def _webhook_options(sub: argparse.ArgumentParser) -> None:
    sub.add_argument("action", choices=["essayer"], help="essayer : envoyer un événement d'essai")
    sub.add_argument("url", metavar="URL", help="adresse du destinataire")
    sub.add_argument("--cle", metavar="whsec_…", help="clé qui signe ; sans elle, une clé neuve, qui s'affiche")


ENTITIES = (
    "clients", "produits", "stock", "fournisseurs", "batiments", "logements", "contrats", "employes", "plats",
    "prestations", "factures",
)  # fmt: skip
_LISTED = ", ".join(ENTITIES)


def _import_options(sub: argparse.ArgumentParser) -> None:
    sub.add_argument(
        "chemin", type=Path, metavar="CHEMIN", help="feuille .xlsx ou .csv, ou dossier écrit par « comptoir export »"
    )
    sub.add_argument("--entite", metavar="ENTITE", choices=ENTITIES, help=f"ce que sont les lignes : {_LISTED}")
    sub.add_argument("--compte", metavar="LOGIN", help="compte au nom duquel importer : ses droits valent")
    sub.add_argument("--colonnes", metavar="JSON", help='colonnes à corriger : {"Nom de colonne": "champ"}')
    sub.add_argument("--valider", action="store_true", help="importer les lignes que l'essai accepte")
    sub.add_argument("--tout", action="store_true", help="ne rien importer si une ligne est refusée")
    sub.add_argument("--sans-fichiers", action="store_true", help="d'un dossier : sans ses photos et pièces")
    _despite(sub)


class Command(NamedTuple):
    """`run` names a function below app/commands. Its module is imported only when it runs, so --help stays fast."""

    run: str
    text: str
    example: str
    options: Callable[[argparse.ArgumentParser], None] | None = None


COMMANDS = {
    "serve": Command("service:serve", "servir l'API (make run)", "PORT=8001 comptoir serve"),
    "worker": Command(
        "service:worker", "exécuter les tâches de la file (demande KVSTORE_URL)",
        "KVSTORE_URL=redis://127.0.0.1:6379/0 comptoir worker",
    ),
    "backup": Command(
        "backups:save", "sauvegarder toute la base, dans le stockage ou dans un fichier", "comptoir backup nuit.dump",
        _backup_options,
    ),
    "restore": Command(
        "backups:restore", "remettre la base d'une sauvegarde à la place de celle en place",
        "comptoir restore nuit.dump --confirmation", _restore_options,
    ),
    "archive": Command(
        "archives:archive", "mettre un mois clos du journal dans le stockage, le relire, le remettre",
        "comptoir archive 2025-01", _archive_options,
    ),
    "sceau": Command(
        "seal:run", "publier la racine des livres, la comparer à celles gardées ailleurs, changer de clé",
        "comptoir sceau verifier --racine racine-2026-11-23.txt", _seal_options,
    ),
    "export": Command(
        "whole.writing:run", "écrire toute l'entreprise dans un dossier : tables en CSV, documents en PDF, fichiers",
        "comptoir export entreprise-2026", _export_options,
    ),
    "import": Command(
        "imports:run", "importer une feuille (.xlsx, .csv), ou remettre un export dans une base neuve",
        "comptoir import clients.xlsx --entite clients --compte awa --valider", _import_options,
    ),
    "cle": Command(
        "backups:new_key", "écrire une clé de sauvegarde neuve, pour SAUVEGARDE_CLE", "comptoir cle"
    ),
    "migrate": Command(
        "database:migrate", "mettre la base à jour : tables de migrations/, code de sql/",
        "DATABASE_URL=postgresql://postgres@base/comptoir comptoir migrate", _migrate_options,
    ),
    "organisation": Command(
        "organisations:organisation", "créer, lister, suspendre, déplacer, supprimer des organisations (ANNUAIRE_URL)",
        "comptoir organisation creer acme --hote acme.example.com", _organisation_options,
    ),
    "serveur": Command(
        "organisations:server", "ajouter, lister, retirer les serveurs de l'annuaire",
        "comptoir serveur ajouter un 10.0.0.5:5432", _server_options,
    ),
    "pgbouncer": Command(
        "pgbouncer:pgbouncer", "écrire la section [databases] de PgBouncer depuis l'annuaire",
        "comptoir pgbouncer /etc/pgbouncer/organisations.ini", _pgbouncer_options,
    ),
    "check": Command(
        "database:check", "nommer chaque écart entre la base, les fichiers et les routes, et vérifier les sceaux",
        "comptoir check --sceau EMPREINTE", _check_options,
    ),
    "openapi": Command(
        "database:openapi", "écrire le document OpenAPI sur la sortie standard", "comptoir openapi > comptoir.json"
    ),
    "webhook": Command(
        "webhooks:webhook", "envoyer un événement d'essai à une adresse, et dire ce qu'elle répond",
        "comptoir webhook essayer https://compta.example.com/comptoir", _webhook_options,
    ),
    "demo": Command(
        "demonstration:fill", "mettre en place six mois d'une entreprise inventée",
        "comptoir demo --taille 40 --mois 3", _demo_options,
    ),
    "watch": Command("service:watch", "servir, et recommencer à chaque changement du code", "comptoir watch"),
    "psql": Command("database:psql", "ouvrir psql sur la base", "comptoir psql"),
    "admin": Command("accounts:admin", "créer le premier administrateur", "comptoir admin awa", _admin_options),
}  # fmt: skip

OF_ALL = ("serve", "worker", "watch", "organisation", "serveur", "pgbouncer")  # never one organisation of the registry

if __name__ == "__main__":
    sys.exit(main())
