"""The letters by which somebody chooses a password, and the link in them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from app.auth.tokens import new_refresh_token
from app.mailer import Mailer
from app.settings import Settings

FORGOTTEN = "mot-de-passe"
REGISTRATION = "inscription"
RESIDENT = "espace-resident"
# Seconds that the link of each letter is good for: one was asked for just now, the other comes unasked.
LIFE = {FORGOTTEN: 3600, RESIDENT: 7 * 86_400}


@dataclass(frozen=True, slots=True)
class Recipient:
    """What auth.reinitialisation_demander answers."""

    email: str
    login: str
    nom: str
    organisation: str | None


@dataclass(frozen=True, slots=True)
class Secret:
    """A token that only the letter shows; the database keeps its hash, for so many seconds."""

    token: str
    hash: str
    seconds: int


def new_secret(letter: str) -> Secret:
    return Secret(*new_refresh_token(), LIFE[letter])


async def send(mailer: Mailer, settings: Settings, letter: str, to: Recipient, secret: Secret) -> None:
    """Write one of LETTERS and send it; MailError if it is not accepted."""
    subject, text = LETTERS[letter](to, settings.password_link(secret.token))
    await mailer.send(to.email, to.nom, subject, text)


async def tell_moved(mailer: Mailer, to: Recipient) -> None:
    """Tell the former address of an account that another one has taken its place. It carries no link."""
    text = (
        f"Bonjour {to.nom},\n\nL'adresse du compte {to.login} vient d'être changée : celle-ci n'y sert plus, et "
        "les liens qui y ont été envoyés ne valent plus.\n\n"
        "Si vous ne l'avez pas demandé, adressez-vous aussitôt à nous.\n\n"
        f"{to.organisation}"
    )
    await mailer.send(to.email, to.nom, "L'adresse de votre compte a changé", text)


def _registration(to: Recipient, link: str) -> tuple[str, str]:
    return (
        "Confirmez votre adresse",
        f"Bonjour {to.nom},\n\nUn compte vient d'être ouvert avec cette adresse, sous l'identifiant {to.login}.\n"
        f"Confirmez qu'elle est la vôtre en choisissant votre mot de passe dans l'heure, ici :\n\n{link}\n\n"
        "Votre espace s'ouvre ensuite. Passé ce délai, demandez un nouveau lien par « Mot de passe oublié ».\n"
        "Si vous n'avez rien demandé, ignorez ce message : rien ne vous sera rattaché.\n\n"
        f"{to.organisation}",
    )


def _forgotten(to: Recipient, link: str) -> tuple[str, str]:
    return (
        "Votre nouveau mot de passe",
        f"Bonjour,\n\nUn nouveau mot de passe a été demandé pour le compte {to.login}.\n"
        f"Choisissez-le dans l'heure, à cette adresse :\n\n{link}\n\n"
        "Si vous n'avez rien demandé, ignorez ce message : rien ne change.",
    )


def _resident(to: Recipient, link: str) -> tuple[str, str]:
    return (
        "Votre espace résident",
        f"Bonjour {to.nom},\n\nVotre espace résident est ouvert, sous l'identifiant {to.login}.\n"
        f"Choisissez votre mot de passe dans les sept jours, à cette adresse :\n\n{link}\n\n"
        "Passé ce délai, demandez un nouveau lien par « Mot de passe oublié ».\n\n"
        f"{to.organisation}",
    )


LETTERS: dict[str, Callable[[Recipient, str], tuple[str, str]]] = {
    FORGOTTEN: _forgotten,
    REGISTRATION: _registration,
    RESIDENT: _resident,
}
