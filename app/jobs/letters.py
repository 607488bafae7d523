"""The letters of the service, as text and HTML: links to choose a password, and warnings about an account.

A sentence is written once, in letters.toml, with placeholders in braces. In HTML each value is escaped and put into
<bdi>.
"""

import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from markupsafe import Markup

from app.auth.tokens import new_refresh_token
from app.base.settings import Settings
from app.jobs.mailer import File, Letter, Mailer

FORGOTTEN = "mot-de-passe"
REGISTRATION = "inscription"
RESIDENT = "espace-resident"
ADDRESS_CHANGED = "adresse-changee"
SIGN_IN = "connexion"
KEY = "cle"
FACTOR = "second-facteur"
WRONG_CODES = "codes-faux"
LEASE = "contrat"
ROOT = "racine"
# Seconds until the link of each letter expires. The user has just requested the first two, but not the last.
LIFE = {FORGOTTEN: 3600, REGISTRATION: 3600, RESIDENT: 7 * 86_400}
LINK = "{lien}"  # a whole paragraph

_TEXTS = tomllib.loads(Path(__file__).with_name("letters.toml").read_text("utf-8"))
_PAGE, _LINK = (Markup(_TEXTS[name]) for name in ("page", "bouton"))  # noqa: S704 - a file of this program


@dataclass(frozen=True, slots=True)
class Recipient:
    """The answer of auth.reinitialisation_demander and auth.destinataire."""

    email: str
    login: str
    nom: str
    organisation: str | None


@dataclass(frozen=True, slots=True)
class Secret:
    """A token that is only in the letter. The database keeps its hash for `seconds`."""

    token: str
    hash: str
    seconds: int


def text_of(letter: str) -> tuple[str, list[str]]:
    """The subject and the paragraphs."""
    return _TEXTS[letter]["objet"], _TEXTS[letter]["texte"].split("\n\n")


def new_secret(letter: str) -> Secret:
    return Secret(*new_refresh_token(), LIFE[letter])


def compose(
    subject: str,
    paragraphs: Sequence[str],
    names: Mapping[str, str],
    organisation: str | None,
    link: str = "",
    files: Sequence[File] = (),
) -> Letter:
    """Compose a letter of these paragraphs, signed by the organisation."""
    signed = [*paragraphs, *(["{organisation}"] if organisation else [])]
    values = {**names, "organisation": organisation or ""}
    text = "\n\n".join(paragraph.format(**values, lien=link) for paragraph in signed)
    isolated = {name: Markup("<bdi>{}</bdi>").format(value) for name, value in values.items()}
    html = [
        _LINK.format(link=link)
        if paragraph == LINK
        # The sentences are constants of letters.toml; the values are escaped above.
        else Markup("<p>{}</p>").format(Markup(paragraph.replace("\n", "<br>\n")).format(**isolated))  # noqa: S704
        for paragraph in paragraphs
    ]
    page = _PAGE.format(subject=subject, organisation=organisation or subject, paragraphs=Markup("\n").join(html))
    return Letter(subject, text, str(page), organisation or "", tuple(files))


async def send(mailer: Mailer, settings: Settings, letter: str, to: Recipient, secret: Secret) -> None:
    """Compose a letter with a link and send it. Raises MailError when it is not accepted."""
    await warn(mailer, letter, to, {}, settings.password_link(secret.token))


async def warn(mailer: Mailer, letter: str, to: Recipient, facts: Mapping[str, str], link: str = "") -> None:
    """Compose a letter, of which most have no link, and send it. Raises MailError when it is not accepted."""
    subject, paragraphs = text_of(letter)
    names = {"nom": to.nom, "login": to.login, **facts}
    await mailer.send(to.email, to.nom, compose(subject, paragraphs, names, to.organisation, link))
