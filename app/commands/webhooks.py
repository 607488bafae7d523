"""webhook: sends a trial event from this machine, without a database."""

import argparse
import asyncio

from app.auth.encrypted import WEBHOOK, Secrets
from app.base.failure import Failure
from app.base.settings import Settings
from app.commands.command import command
from app.jobs.webhooks import TRIAL, Sender, Sent, new_key


def _webhook_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("action", choices=["essayer"], help="essayer : envoyer un événement d'essai")
    parser.add_argument("url", metavar="URL", help="adresse du destinataire")
    parser.add_argument("--cle", metavar="whsec_…", help="clé qui signe ; sans elle, une clé neuve, qui s'affiche")


@command("comptoir webhook essayer https://compta.example.com/comptoir", _webhook_options)
def webhook(settings: Settings, arguments: argparse.Namespace) -> int:
    """Send a signed trial event to an address and print the answer."""
    key = arguments.cle or new_key()
    if not arguments.cle:
        print(f"clé       {key}")
    sent = asyncio.run(_send(settings, arguments.url, key))
    if sent.code is None:
        raise Failure(sent.text)
    print(f"réponse   {sent.code} en {sent.milliseconds} ms")
    print(sent.text)
    return 0 if sent.accepted else 1


async def _send(settings: Settings, url: str, key: str) -> Sent:
    secrets = Secrets.of(settings)
    sender = Sender(settings.webhook_networks, secrets, encrypted=settings.production)
    try:
        return await sender.send(url, [secrets.encrypt(key, WEBHOOK)], 0, TRIAL)
    finally:
        await sender.close()
