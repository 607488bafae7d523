"""Handlers of the second factor, and of the open sessions of a user."""

from __future__ import annotations

from typing import Any

import msgspec

from app.auth import codes
from app.auth.throttle import Throttle, hit, too_many_attempts
from app.base.refusal import unauthorized
from app.database.catalogue import Parameter
from app.documents.templates import qr_code
from app.http import limits
from app.http.answer import Answer
from app.http.arguments import Arguments
from app.http.request import Request
from app.http.route import Fields

CODE_FIELDS: Fields = (("code", "core.texte"),)
CODES = Throttle(5, 60)  # codes for one account


class SecondFacteur(msgspec.Struct):
    """Un second facteur à confirmer : le secret, l'adresse que lit l'application du téléphone, et son QR code en SVG."""

    secret: str
    uri: str
    qr: str


class CodesSecours(msgspec.Struct):
    """Les codes qui remplacent le téléphone, chacun une fois ; ils ne sont montrés que cette fois."""

    codes_secours: list[str]


async def prepare(request: Request) -> Answer:
    """Prépare un second facteur : l'application du téléphone lit le QR code, puis `confirmer` l'active par un premier code."""
    await request.raw_body()
    secret = codes.new_secret()
    account = await _call(request, "auth.second_facteur_preparer", [secret])
    address = codes.uri(secret, account["login"], account["organisation"])
    return Answer(200, msgspec.json.encode(SecondFacteur(secret, address, str(qr_code(address)))))


async def confirm(request: Request) -> Answer:
    """Active le second facteur par un premier code de l'application, et rend dix codes de secours."""
    await _verify(request)
    recovery = codes.new_recovery_codes()
    hashes = msgspec.json.encode([codes.recovery_hash(code) for code in recovery]).decode()
    await _call(request, "auth.second_facteur_confirmer", [hashes])
    return Answer(200, msgspec.json.encode(CodesSecours(recovery)))


async def remove(request: Request) -> Answer:
    """Retire le second facteur, contre un code ; toutes les sessions du compte prennent fin."""
    await _verify(request)
    await _call(request, "auth.second_facteur_retirer", [])
    return Answer(204)


async def _verify(request: Request) -> None:
    """Raise a Refusal unless the body has a valid code of the signed-in user."""
    [(name, type_name)] = CODE_FIELDS
    await count(request, request.signed_in.sub)
    arguments = Arguments([Parameter(name, request.services.catalogue.named(type_name), True, None)], None)
    [code] = arguments.check({}, await request.json())
    factor = await _call(request, "auth.second_facteur_lire", [])
    if not await accept(request, request.signed_in.sub, factor["secret"], code or ""):
        raise unauthorized("Ce code n'est pas valable.")


async def count(request: Request, user: str) -> None:
    """Count a try at a code of this account. The login has a quota of its own, and names this one only in a refusal."""
    counted = await hit(request.services.store, CODES, "a2f", user)
    if request.claims is not None or not counted.allowed:
        limits.announce(request.scope, "a2f", CODES, counted)
    if not counted.allowed:
        raise too_many_attempts(counted.retry_after)


async def accept(request: Request, user: str, secret: str, code: str) -> bool:
    """Whether the code is valid and has not served yet. It is marked as served."""
    step = codes.step_of(secret, code)
    if step is not None:
        return bool(await _call(request, "auth.second_facteur_servir", [user, str(step)]))
    return bool(await _call(request, "auth.code_secours_servir", [user, codes.recovery_hash(code)]))


async def sessions(request: Request) -> Answer:
    """Sessions ouvertes de l'utilisateur, la dernière utilisée d'abord ; `courante` est celle qui pose la question."""
    operation = request.services.operation("auth.session_lister")
    row = await operation.run(request, [request.signed_in.sid])
    return Answer(200, row["corps"])


async def end_session(request: Request) -> Answer:
    """Met fin à une session de l'utilisateur : ni ses jetons de rafraîchissement ni ses jetons d'accès ne valent plus."""
    operation = request.services.operation("auth.session_terminer")
    [session] = operation.arguments.check(request.scope["path_params"], None)
    await operation.run(request, [session])
    await _deny(request, [session or ""])
    return Answer(204)


async def end_others(request: Request) -> Answer:
    """Met fin à toutes les autres sessions de l'utilisateur."""
    await _deny(request, await _call(request, "auth.sessions_autres_terminer", [request.signed_in.sid]))
    return Answer(204)


async def _deny(request: Request, families: list[str]) -> None:
    for family in families:
        await request.services.store.deny(f"session-{family}", request.services.settings.access_ttl + 1)


async def _call(request: Request, name: str, values: list[str | None]) -> Any:
    return await request.services.operation(name).answer(request, values)
