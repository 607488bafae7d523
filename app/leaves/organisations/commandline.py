"""The command line for many organisations: the options of its commands, and which command runs."""

from __future__ import annotations

import argparse
from pathlib import Path

from app.base.command import Run, action, count, despite
from app.base.settings import Settings

OF_ALL = ("serve", "worker", "watch", "organisation", "serveur", "pgbouncer")  # never one organisation of the registry


def run(command: Run, settings: Settings, arguments: argparse.Namespace) -> int:
    """Run a command for the organisation that the line names, or for all of the registry in its place."""
    if arguments.organisation:
        if arguments.command in OF_ALL:
            text = f"--organisation ne vaut pas pour {arguments.command}, qui s'occupe de toutes"
            raise argparse.ArgumentError(None, text)
        from app.leaves.organisations.commands import chosen

        settings = chosen(settings, arguments.organisation)
    if arguments.command == "migrate" and (arguments.toutes or arguments.repetition):
        from app.leaves.organisations.commands import migrate as command
    elif arguments.command == "serve" and settings.registry_url is not None:
        from app.leaves.organisations.service import serve as command
    elif arguments.command == "worker" and settings.registry_url is not None:
        from app.leaves.organisations.service import work as command
    return command(settings, arguments)


def chosen_option(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--organisation", metavar="CODE", help="l'organisation de l'annuaire dont il s'agit")


def migrate_options(sub: argparse.ArgumentParser) -> None:
    many = sub.add_mutually_exclusive_group()
    many.add_argument("--toutes", action="store_true", help="toutes les organisations de l'annuaire")
    many.add_argument("--repetition", metavar="CODE", help="essayer sur une copie de cette organisation")
    sub.add_argument("--ensemble", type=count, default=4, metavar="N", help="mises à jour à la fois (4)")


def organisation_options(sub: argparse.ArgumentParser) -> None:
    actions = sub.add_subparsers(dest="action", required=True, metavar="action")
    create = action(actions, "creer", "créer des organisations, leurs bases comprises")
    create.add_argument("codes", nargs="+", metavar="CODE", help="nom court de chacune")
    create.add_argument("--serveur", metavar="NOM", help="serveur qui la portera ; sans lui, le moins chargé")
    create.add_argument("--hote", action="append", metavar="NOM", help="nom d'hôte auquel elle répond ; se répète")
    create.add_argument("--ensemble", type=count, default=2, metavar="N", help="créations à la fois (2)")
    action(actions, "lister", "nommer les organisations, avec leur état, leur serveur et leur version")
    for name, text in (
        ("nommer", "donner à une organisation ses noms d'hôte"),
        ("suspendre", "ne plus répondre pour une organisation"),
        ("reprendre", "répondre de nouveau pour une organisation"),
        ("deplacer", "mettre une organisation sur un autre serveur"),
        ("supprimer", "archiver une organisation, puis supprimer sa base et ses fichiers"),
    ):
        one = action(actions, name, text)
        one.add_argument("code", metavar="CODE", help="nom court de l'organisation")
        if name == "nommer":
            one.add_argument("hotes", nargs="*", metavar="HÔTE", help="tous ses noms ; sans eux, aucun")
        elif name == "suspendre":
            one.add_argument("--motif", metavar="PHRASE", help="phrase que lit celui qui appelle")
        elif name == "deplacer":
            one.add_argument("--vers", required=True, metavar="NOM", help="serveur d'arrivée")
            despite(one)
        elif name == "supprimer":
            one.add_argument("--archive", type=Path, required=True, metavar="DOSSIER", help="dossier neuf de l'archive")
            one.add_argument("--confirmation", metavar="CODE", help="son code une seconde fois, sans terminal")


def server_options(sub: argparse.ArgumentParser) -> None:
    actions = sub.add_subparsers(dest="action", required=True, metavar="action")
    add = action(actions, "ajouter", "ajouter un serveur, ou changer son adresse")
    add.add_argument("nom", metavar="NOM", help="nom court du serveur")
    add.add_argument("adresse", metavar="HÔTE:PORT", help="du primaire, ou du relais qui le suit")
    add.add_argument("--replique", action="append", metavar="HÔTE:PORT", help="réplique ; se répète")
    action(actions, "lister", "nommer les serveurs, avec le nombre de leurs organisations")
    action(actions, "retirer", "retirer un serveur qui ne porte rien").add_argument(
        "nom", metavar="NOM", help="nom court du serveur"
    )


def pgbouncer_options(sub: argparse.ArgumentParser) -> None:
    sub.add_argument("fichier", type=Path, nargs="?", help="fichier à écrire ; sans lui, la sortie standard")
    sub.add_argument("--suivre", action="store_true", help="l'écrire à chaque changement, et que PgBouncer le relise")
