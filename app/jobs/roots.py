"""The job that publishes the signed root of the books.

A subscriber is noted once its letter is accepted, so a job that is repeated writes only to the others.
"""

import asyncio

from psycopg import AsyncConnection

from app.base.settings import Settings
from app.jobs import letters
from app.jobs.mailer import File, Letter, Mailer, MailError
from app.seals import publishing
from app.seals.publishing import Root

_SUBSCRIBERS = """
select trim(a.adresse), core.parametre('NOM_ORGANISATION')
  from regexp_split_to_table(core.parametre('SCEAU_ABONNES'), ',') a (adresse)
 where a.adresse <> '' and not exists (
   select from audit.publication_envoi e where e.jour = %s and e.adresse = trim(a.adresse))
"""
_SENT = "insert into audit.publication_envoi (jour, adresse) values (%s, %s) on conflict do nothing"


async def publish(settings: Settings, mailer: Mailer) -> None:
    """Publish the root of the day, and send it to the subscribers that do not have it yet.

    Raises MailError after every subscriber was tried, if one of them was refused.
    """
    url = settings.owner_url or ""
    root = await asyncio.to_thread(publishing.publish, settings, url)
    if root is None:
        return
    async with await AsyncConnection.connect(url, autocommit=True) as connection:
        subscribers = await connection.execute(_SUBSCRIBERS, [root.jour])
        failures = []
        for address, organisation in await subscribers.fetchall():
            try:
                await mailer.send(address, address, _letter(root, organisation))
            except MailError as error:
                failures.append(f"{_masked(address)} : {error}")
            else:
                await connection.execute(_SENT, [root.jour, address])
    if failures:
        raise MailError(" ".join(["La racine n'est pas partie à tous ses abonnés.", *failures]))


def _masked(address: str) -> str:
    """An address as the log may have it: its owner recognises it."""
    return f"{address[0]}…@{address.rpartition('@')[2]}"


def _letter(root: Root, organisation: str | None) -> Letter:
    file = File(root.file.rpartition("/")[2], root.texte.encode())
    names = {"jour": f"{root.jour:%d/%m/%Y}"}
    subject, paragraphs = letters.text_of(letters.ROOT)
    return letters.compose(subject.format(**names), paragraphs, names, organisation, files=[file])
