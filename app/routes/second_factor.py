"""Handlers of the second factor, and of the open sessions of a user."""

import msgspec
import pyotp

from app.auth import codes, encrypted
from app.auth.passwords import in_thread
from app.auth.throttle import account_key
from app.base.refusal import unauthorized
from app.documents.templates import qr_code
from app.http.answer import Answer
from app.http.request import Request
from app.jobs import letters
from app.routes import tries


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
    secret = pyotp.random_base32()  # 160 bits
    chiffre = request.services.secrets.encrypt(secret, encrypted.second_factor(request.signed_in.sub))
    account = await request.call("auth.second_facteur_preparer", [chiffre])
    address = pyotp.TOTP(secret).provisioning_uri(name=account["login"], issuer_name=account["organisation"])
    return Answer(200, msgspec.json.encode(SecondFacteur(secret, address, str(qr_code(address)))))


async def confirm(request: Request) -> Answer:
    """Active le second facteur par un premier code de l'application, et rend dix codes de secours.

    Les autres sessions prennent fin, et le titulaire est averti.
    """
    secret = await _verify(request)
    recovery = codes.new_recovery_codes()
    hashes = await in_thread(lambda: [codes.recovery_hash(code, secret) for code in recovery])
    queueing = request.services.settings.queueing
    values: list[str | None] = [msgspec.json.encode(hashes).decode(), "true" if queueing else "false"]
    await _deny(request, await request.call("auth.second_facteur_confirmer", values))
    if not queueing:
        request.services.background.later(tries.warn(request, letters.FACTOR, request.signed_in.login, {}))
    return Answer(200, msgspec.json.encode(CodesSecours(recovery)))


async def remove(request: Request) -> Answer:
    """Retire le second facteur, contre un code ; toutes les sessions du compte prennent fin."""
    await _verify(request)
    await request.call("auth.second_facteur_retirer", [])
    return Answer(204)


async def _verify(request: Request) -> str:
    """Raise a Refusal unless the body has a valid code of the signed-in user. Return the secret of the factor."""
    [code] = await request.fields()
    factor = await request.call("auth.second_facteur_lire", [])
    claims = request.signed_in
    return await verify(request, claims.sub, claims.login, factor["secret"], code, "Ce code n'est pas valable.")


async def verify(request: Request, user: str, login: str, stored: str, code: str, message: str) -> str:
    """Raise 401 unless the code is valid and has not served yet. A valid code is marked as served.

    `stored` is the encrypted secret of the factor. Return the secret.
    """
    secret = request.services.secrets.decrypt(stored, encrypted.second_factor(user))
    key = account_key(f"code {user}", None)
    seconds = await tries.attempt(request, key, tries.CODE)
    if not await _accept(request, user, secret, code):
        request.services.background.later(tries.failed(request, user, login, code=True))
        raise tries.pause(request, seconds, tries.CODE) if seconds else unauthorized(message)
    await request.services.store.forgive(key)
    return secret


async def _accept(request: Request, user: str, secret: str, code: str) -> bool:
    step = codes.step_of(secret, code)
    if step is not None:
        return bool(await request.call("auth.second_facteur_servir", [user, str(step)]))
    hashes = await in_thread(codes.recovery_hashes, code, secret)
    return bool(hashes) and bool(await request.call("auth.code_secours_servir", [user, msgspec.json.encode(hashes).decode()]))


async def sessions(request: Request) -> Answer:
    """Sessions ouvertes de l'utilisateur, la dernière utilisée d'abord ; `courante` est celle qui pose la question."""
    row = await request.operation.run(request, [request.signed_in.sid])
    return Answer(200, row["corps"])


async def end_session(request: Request) -> Answer:
    """Met fin à une session de l'utilisateur : ni ses jetons de rafraîchissement ni ses jetons d'accès ne valent plus."""
    await request.operation.read(request, request.scope["path_params"])
    await _deny(request, [request.scope["path_params"]["id_session"]])
    return Answer(204)


async def end_others(request: Request) -> Answer:
    """Met fin à toutes les autres sessions de l'utilisateur."""
    await _deny(request, await request.call("auth.sessions_autres_terminer", [request.signed_in.sid]))
    return Answer(204)


async def _deny(request: Request, families: list[str]) -> None:
    for family in families:
        await request.services.store.deny(f"session-{family}", request.services.settings.access_ttl + 1)
