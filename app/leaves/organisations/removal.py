"""comptoir organisation supprimer: the archive of an organisation, then the end of its files and of its database."""

import argparse
import asyncio
import sys
from importlib.util import find_spec
from pathlib import Path

from app.base.settings import Settings, SettingsError
from app.commands.backups import end_on_sigterm
from app.commands.place import own_objects
from app.files.storage import Storage
from app.leaves.organisations.making import drop
from app.leaves.organisations.moving import accept
from app.leaves.organisations.organisation import Organisation, settings_of
from app.leaves.organisations.registry import Registry, RegistryError
from app.vault import restoration

REMOVAL = "Cette organisation est en cours de suppression."


def remove(registry: Registry, arguments: argparse.Namespace) -> None:
    """Export the organisation, then delete its files and its database. The operator writes its code again.

    A failure before the archive is complete changes nothing. After it, the next call goes on from there.
    """
    if find_spec("app.leaves.echange") is None:
        raise SettingsError("Supprimer une organisation l'archive d'abord : il y faut le dossier app/leaves/echange.")
    end_on_sigterm()
    code = registry.find(arguments.code).code
    if not arguments.confirmation and not sys.stdin.isatty():
        raise SettingsError("Sans terminal, donnez le code par --confirmation.")
    question = f"Écrivez le code {code} pour supprimer cette organisation : "
    typed = arguments.confirmation or input(question).strip()
    if typed != code:
        raise SettingsError(f"« {typed} » n'est pas {code} : rien n'est fait.")
    with registry.alone(code), own_objects(registry.settings):
        one = registry.find(code)
        own = settings_of(registry.settings, one)
        if not Storage(own).configured:
            raise SettingsError(
                "Le stockage des fichiers n'est pas réglé : donnez à cette commande S3_ENDPOINT, S3_ACCESS_KEY et "
                "S3_SECRET_KEY, pour qu'elle y efface ceux de l'organisation."
            )
        registry.move_to(code, "SUPPRESSION", reason=REMOVAL)
        if one.version is not None and registry.archive(code) is None:
            _archive(registry, own, one, arguments.archive)
        asyncio.run(_delete_files(own))
        drop(registry, one)
        registry.forget(code)
    print(f"{code} est supprimée. « comptoir import » remet son archive dans une organisation neuve.")


def _archive(registry: Registry, own: Settings, one: Organisation, folder: Path) -> None:
    """Export the organisation, and close its database before the locks end: no late request writes after the export."""
    from app.leaves.echange.whole import manifest, writing

    with registry.connect(one.address) as admin:
        accept(admin, one.database, True)  # a killed removal may have closed it
        try:
            with registry.connect(one.address, one.database) as present, restoration.frozen(present, print):
                archive = writing.export(own, registry.on_server(one.address, one.database), folder, prints=False)
                if archive.manquants:
                    names = manifest.listed(archive.manquants)
                    raise RegistryError(f"L'archive est incomplète, rien n'est supprimé :\n{names}")
                accept(admin, one.database, False)
                restoration.end_connections(admin, one.database, present.info.backend_pid)
                registry.archived(one.code, str(folder.absolute()))
        except BaseException:
            if registry.archive(one.code) is None:
                renounce(registry, one.code)
            raise
    print(f"Archive : {folder} ({len(archive.tables)} tables, {len(archive.fichiers)} fichiers).")


def renounce(registry: Registry, code: str) -> None:
    """End a removal that deleted nothing: the organisation takes up its former state."""
    registry.renounce(code)
    one = registry.find(code)
    with registry.connect(one.address) as admin:
        accept(admin, one.database, True)


async def _delete_files(settings: Settings) -> None:
    async with Storage(settings) as storage:
        await storage.clear()
