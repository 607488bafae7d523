"""Handlers of the auth routes, which create, compare or send a secret outside the database.

The docstring of a handler, or of an answer, is its description in the OpenAPI document, so it is French.
"""

import logging
import time
from typing import Any

import msgspec

from app.auth.passwords import hash_password, verify_password
from app.auth.throttle import account_key
from app.auth.tokens import new_refresh_token, token_hash
from app.base.refusal import unauthorized, validation
from app.base.settings import DEVELOPMENT_PASSWORD
from app.http.answer import Answer
from app.http.request import Request
from app.jobs import letters
from app.routes import second_factor, shown_key, tries

log = logging.getLogger("comptoir.auth")

BAD_CREDENTIALS = "Identifiants invalides"
WRONG_PASSWORD = "Ce n'est pas votre mot de passe actuel."  # noqa: S105
RESET_SENT = "Si ce compte existe et a une adresse, un lien de réinitialisation vient de lui être envoyé."


class SessionUtilisateur(msgspec.Struct):
    id: str
    login: str
    role: str


class Session(msgspec.Struct):
    """Les deux jetons, chacun avec sa vie en secondes, et qui s'est connecté."""

    accessToken: str
    accessExpiresIn: int
    refreshToken: str
    refreshExpiresIn: int
    utilisateur: SessionUtilisateur


class AccessToken(msgspec.Struct):
    """Un jeton d'accès, et sa vie en secondes."""

    accessToken: str
    accessExpiresIn: int


class Message(msgspec.Struct):
    message: str


class CleFaite(msgspec.Struct):
    """Une clé d'API, montrée cette fois seulement ; null quand la requête est répétée sous sa clé d'idempotence."""

    id_cle: str
    prefixe: str
    cle: str | None


async def login(request: Request) -> Answer:
    """Ouvre une session : jeton d'accès, jeton de rafraîchissement.

    Du sixième mot de passe faux en 15 minutes pour un même compte, 429 avec Retry-After, de 1 à 60 secondes. Un compte qui
    a un second facteur reçoit 401 A2F_REQUIS tant que `code` manque : les six chiffres de son téléphone, ou un code de
    secours.
    """
    name, password, code = await request.fields()
    rows = await request.call("auth.identifiants", [name, request.address])
    account = rows[0] if rows else None
    known_address = account is not None and account["adresse_connue"]
    key = account_key(account["login"] if account else name, request.address if known_address else None)
    hash = account["mot_de_passe"] if account else None
    pause = await tries.attempt(request, key)
    matches = await verify_password(password, hash)
    if account is None or not matches or not account["actif"] or _is_development_password(request, password):
        if account is not None:
            request.services.background.later(tries.failed(request, account["id_utilisateur"], account["login"]))
        raise tries.pause(request, pause) if pause else unauthorized(BAD_CREDENTIALS)
    await request.services.store.forgive(key)
    user, secret = account["id_utilisateur"], account["second_facteur"]
    proven = secret is not None and code != ""
    if proven:
        await second_factor.verify(request, user, account["login"], secret, code, BAD_CREDENTIALS)
    return await _open_session(request, user, 200, proven=proven)


async def inscription(request: Request) -> Answer:
    """Crée un compte de rôle CLIENT et sa fiche client, et ouvre sa session.

    Son espace s'ouvre quand le lien envoyé à son adresse a servi.
    """
    body, operation = await request.json(), request.operation
    row = await operation.run(request, await operation.checked({}, body))
    if body.get("email") is not None:
        await _write_to(request, letters.REGISTRATION, body["login"])
    return await _open_session(request, msgspec.json.decode(row["corps"]), 201)


async def create_key(request: Request) -> Answer:
    made, key, headers = await shown_key.make(request)
    return Answer(201, msgspec.json.encode(CleFaite(made["id_cle"], made["prefixe"], key)), headers)


async def refresh(request: Request) -> Answer:
    """Échange un jeton de rafraîchissement contre un nouveau couple.

    Le rejouer révoque toute sa famille.
    """
    [token] = await request.fields()
    successor, successor_hash = new_refresh_token()
    ttl = request.services.settings.refresh_ttl
    renewed = await request.call("auth.session_renouveler", [token_hash(token), successor_hash, str(ttl), request.address])
    if renewed["rejeu"]:
        log.warning("Jeton de rafraîchissement rejoué : sa famille est révoquée (requête %s)", request.id)
    if renewed["session"] is None:
        raise unauthorized("Session expirée : reconnectez-vous.")
    return _session(request, renewed["session"], successor, 200)


async def logout(request: Request) -> Answer:
    """Révoque le jeton de rafraîchissement et, s'il est donné, le jeton d'accès."""
    [token] = await request.fields()
    await request.call("auth.session_fermer", [token_hash(token)])
    claims = request.services.tokens.bearer(request.header(b"authorization"))
    if claims is not None:
        await request.services.store.deny(claims.jti, max(1, int(claims.exp - time.time()) + 1))
    return Answer(200, b"{}")


async def forgotten(request: Request) -> Answer:
    """Envoie un lien de réinitialisation, valable une heure ; ne dit jamais si le compte existe."""
    [name] = await request.fields()
    await _write_to(request, letters.FORGOTTEN, name)
    return Answer(200, msgspec.json.encode(Message(RESET_SENT)))


async def _write_to(request: Request, letter: str, login: str) -> None:
    """Queue a letter for the worker. Without a worker, this process sends it after the answer."""
    if request.services.settings.queueing:
        await request.call("jobs.courriel_demander", [login, letter])
    else:
        request.services.background.later(send_link(request, letter, login))


async def send_link(request: Request, letter: str, login: str) -> None:
    """Send the account of this login or address, if there is one, a link to choose a password."""
    services = request.services
    secret = letters.new_secret(letter)
    rows = await request.call("auth.reinitialisation_demander", [login, secret.hash, str(secret.seconds)])
    if rows:
        await letters.send(services.mailer, services.settings, letter, letters.Recipient(**rows[0]), secret)


async def reset(request: Request) -> Answer:
    """Change le mot de passe par un jeton de réinitialisation, qui ne sert qu'une fois."""
    token, password = await request.fields()
    operation = request.services.operation("auth.reinitialisation_appliquer")
    values = await operation.hash_passwords([token_hash(token), password])
    await operation.run(request, values)
    await request.services.database.changed_accounts()
    return Answer(200, msgspec.json.encode(Message("Mot de passe changé : connectez-vous.")))


async def change_password(request: Request) -> Answer:
    """Change le mot de passe de l'utilisateur connecté, qui dit d'abord l'ancien. Ses autres sessions prennent fin.

    Ses clés d'API aussi, sauf celles que `cles_gardees` nomme par leur `id_cle`. Les jetons d'accès déjà émis ne valent plus : la
    réponse en porte un nouveau. Le jeton de rafraîchissement de cette session vaut toujours. Du sixième ancien mot de passe faux en 15 minutes, 429.
    """
    key = account_key(f"compte {request.signed_in.sub}", None)
    tries.announce(request, await request.services.store.tried(key))
    old, new, kept = await request.fields()
    hash = await _prove(request, "ancien", old)
    values = [hash, await hash_password(new), request.signed_in.sid, kept or None]
    session = await request.call("auth.mot_de_passe_changer", values)
    return Answer(200, msgspec.json.encode(AccessToken(*_access_token(request, session))))


async def prove(request: Request) -> Answer:
    """Redonne le mot de passe de l'utilisateur connecté : pendant cinq minutes, cette session peut faire ce que PREUVE_REQUISE refuse.

    Une connexion de moins de cinq minutes n'en a pas besoin. Du sixième mot de passe faux en 15 minutes, 429.
    """
    [password] = await request.fields()
    await request.call("auth.preuve_donner", [await _prove(request, "mot_de_passe", password)])
    return Answer(200, msgspec.json.encode(Message("C'est bien vous : vous avez cinq minutes.")))


async def _prove(request: Request, field: str, password: str) -> str:
    """Verify the password of the signed-in user, of this field of the body, and return its hash."""
    claims, store = request.signed_in, request.services.store
    key = account_key(f"compte {claims.sub}", None)
    hash = await request.call("auth.mot_de_passe_hache", [])
    seconds = await tries.attempt(request, key)
    if not await verify_password(password, hash):
        request.services.background.later(tries.failed(request, claims.sub, claims.login))
        raise tries.pause(request, seconds) if seconds else validation({field: [WRONG_PASSWORD]})
    await store.forgive(key)
    tries.announce(request, await store.tried(key))
    return str(hash)


def _is_development_password(request: Request, password: str) -> bool:
    """Whether this is the development password, which production refuses."""
    if not request.services.settings.production or password != DEVELOPMENT_PASSWORD:
        return False
    log.warning("Connexion refusée : un compte porte le mot de passe de développement (requête %s)", request.id)
    return True


async def _open_session(request: Request, id_utilisateur: str, status: int, *, proven: bool = False) -> Answer:
    """Open a session. `proven`: the second factor of the account was verified."""
    token, hashed = new_refresh_token()
    ttl = str(request.services.settings.refresh_ttl)
    queueing = request.services.settings.queueing
    flags = ["true" if flag else "false" for flag in (proven, queueing)]
    values = [id_utilisateur, hashed, ttl, request.address, tries.agent(request), *flags]
    session = await request.call("auth.session_ouvrir", values)
    await request.services.database.wrote(id_utilisateur)
    if session["inhabituelle"] and not queueing:
        facts = {"adresse": request.address, "appareil": tries.agent(request) or "inconnu"}
        request.services.background.later(tries.warn(request, letters.SIGN_IN, session["login"], facts))
    return _session(request, session, token, status)


def _session(request: Request, session: dict[str, Any], refresh_token: str, status: int) -> Answer:
    access, ttl = _access_token(request, session)
    user = SessionUtilisateur(session["id"], session["login"], session["role"])
    body = Session(access, ttl, refresh_token, session["duree"], user)
    return Answer(status, msgspec.json.encode(body))


def _access_token(request: Request, session: dict[str, Any]) -> tuple[str, int]:
    identity = (session["id"], session["login"], session["role"], session["epoque"], session["famille"])
    return request.services.tokens.issue(*identity, second_factor=session["second_facteur"])
