"""Outgoing e-mail through Brevo's HTTP API. Without a key, in development, letters go to the log."""

import base64
import logging
from dataclasses import dataclass
from email.utils import parseaddr

import aiohttp

TIMEOUT = 10.0  # seconds for the whole exchange
SENDER_NAME = "Comptoir"

logger = logging.getLogger("comptoir.mail")


class MailError(RuntimeError):
    """The e-mail was not accepted. The message is French and reveals nothing of the letter."""


@dataclass(frozen=True, slots=True)
class File:
    """An attachment of a letter."""

    name: str
    content: bytes


@dataclass(frozen=True, slots=True)
class Letter:
    """A letter as text and HTML, with the name of its sender and its attachments."""

    subject: str
    text: str
    html: str = ""
    sender: str = ""
    files: tuple[File, ...] = ()


class Mailer:
    """Sends e-mails from one address (`adresse` or `Nom <adresse>`). The default name is the letter's sender."""

    def __init__(self, api_key: str, url: str, sender: str) -> None:
        self._api_key = api_key
        self._url = url
        self._name, self._address = parseaddr(sender)
        self._session: aiohttp.ClientSession | None = None

    async def send(self, to: str, name: str, letter: Letter) -> None:
        if not self._api_key:
            attachments = "".join(f"\nPièce jointe : {file.name} ({len(file.content)} octets)" for file in letter.files)
            log = "E-mail (MAILER_API_KEY est vide)\nÀ : %s\nObjet : %s%s\n\n%s"
            logger.info(log, to, letter.subject, attachments, letter.text)
            return
        recipient = {"email": to, "name": name} if name else {"email": to}  # Brevo refuses an empty name
        sender = {"name": self._name or letter.sender or SENDER_NAME, "email": self._address}
        message: dict[str, object] = {
            "sender": sender,
            "to": [recipient],
            "subject": letter.subject,
            "textContent": letter.text,
        }
        if letter.html:
            message["htmlContent"] = letter.html
        if letter.files:
            message["attachment"] = [
                {"name": file.name, "content": base64.b64encode(file.content).decode()} for file in letter.files
            ]
        if self._session is None:
            self._session = aiohttp.ClientSession(timeout=aiohttp.ClientTimeout(TIMEOUT), trust_env=True)
        headers = {"api-key": self._api_key}
        # The text holds secrets, such as a reset link: no part of it goes to the log or into an error.
        try:
            async with self._session.post(self._url, json=message, headers=headers, allow_redirects=False) as answer:
                status = answer.status
        except (aiohttp.ClientError, OSError, ValueError) as error:
            raise MailError(f"Le service d'e-mail ne répond pas ({type(error).__name__}).") from error
        if not 200 <= status < 300:
            raise MailError(f"Le service d'e-mail a refusé l'envoi ({status}).")

    async def close(self) -> None:
        if self._session is not None:
            await self._session.close()
