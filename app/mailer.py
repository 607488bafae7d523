"""Outgoing e-mail through Brevo's HTTP API; without a key, in development, the log is the letter box."""

from __future__ import annotations

import asyncio
import logging
from email.utils import parseaddr

import httpx

TIMEOUT = 10.0  # seconds, the whole exchange
SENDER_NAME = "Comptoir"

logger = logging.getLogger("comptoir.mail")


class MailError(RuntimeError):
    """The e-mail was not accepted. The message is French and tells nothing of its content."""


class Mailer:
    """Sends text e-mails from one sender, written `adresse` or `Nom <adresse>`."""

    def __init__(self, api_key: str, url: str, sender: str, client: httpx.AsyncClient | None = None) -> None:
        self._api_key = api_key
        self._url = url
        name, address = parseaddr(sender)
        self._sender = {"name": name or SENDER_NAME, "email": address}
        self._client = client

    async def send(self, to: str, name: str, subject: str, text: str) -> None:
        if not self._api_key:
            logger.info("E-mail (MAILER_API_KEY est vide)\nÀ : %s\nObjet : %s\n\n%s", to, subject, text)
            return
        recipient = {"email": to, "name": name} if name else {"email": to}  # Brevo refuses an empty name
        message = {"sender": self._sender, "to": [recipient], "subject": subject, "textContent": text}
        self._client = self._client or httpx.AsyncClient(timeout=TIMEOUT)
        # The text holds secrets, such as a reset link: nothing of it goes to the log or into an error.
        try:
            async with asyncio.timeout(TIMEOUT):
                answer = await self._client.post(self._url, json=message, headers={"api-key": self._api_key})
        except (httpx.HTTPError, httpx.InvalidURL, TimeoutError) as error:
            raise MailError(f"Le service d'e-mail ne répond pas ({type(error).__name__}).") from error
        if not answer.is_success:
            raise MailError(f"Le service d'e-mail a refusé l'envoi ({answer.status_code}).")

    async def close(self) -> None:
        if self._client is not None:
            await self._client.aclose()
