"""Routes that speak to providers: the keys of an account, a demand and its verification, and notices, which are public."""

import base64
import hashlib
import secrets

import msgspec

from app.auth.encrypted import SecretError, Secrets, provider_keys
from app.auth.throttle import Throttle
from app.base.refusal import Refusal
from app.http.answer import Answer
from app.http.request import Request
from app.http.route import ACTIVITY, COMPANY, CREATE, GET, POST, PUT
from app.http.services import Services
from app.http.write import write
from app.leaves.providers import exchange
from app.leaves.providers.adapter import Access, Lost, Notice

NOTICE_LIMIT = 64 * 1024  # bytes
HEADERS = ("content-type", "wave-signature", "x-token", "x-signature")  # of a notice, kept
FIELDS = ("cle", "secret", "identifiant", "adresse", "adresse_jeton")


class Acces(msgspec.Struct):
    """Les clés sont posées ; rien ne les rend. Donnez `url_avis` au fournisseur."""

    id_compte: str
    fournisseur: str
    unite: str
    url_avis: str


async def set_keys(request: Request) -> Answer:
    """Donne à un compte les clés de son fournisseur, que rien ne rend ensuite. L'adresse de ses avis reste la même.

    `cle` : la clé d'API ; `secret` : celle qui signe les avis ; `identifiant` : le site chez CinetPay, le client OAuth 2
    chez PI-SPI ; `adresse`, `adresse_jeton` : celles de l'API et de ses jetons ; `unite` : celle des montants.
    """
    services, account = request.services, request.scope["path_params"]["id_compte"]
    *values, unit = await request.fields()
    check = services.operation("tresorerie.acces_lire")
    kept = await check.read(request, request.scope["path_params"])
    vault = Secrets.of_accounts(services.settings)
    access = Access(**dict(zip(FIELDS, values, strict=True)))
    try:
        former = exchange.opened(services.settings, account, kept["secret"]).jeton if kept["secret"] else ""
    except SecretError:
        former = ""
    access.jeton = former or secrets.token_urlsafe(32)
    sealed = vault.encrypt(msgspec.json.encode(access).decode(), provider_keys(account))
    row = await request.call("tresorerie.acces_poser", [account, sealed, _hash(access.jeton), unit or None])
    row["url_avis"] = exchange.notices_url(services.settings, access.jeton)
    return Answer(200, msgspec.json.encode(row))


async def ask(request: Request) -> Answer:
    queueing = request.services.settings.queueing
    row, headers = await write(request, supplied={"en_file": queueing})
    number = msgspec.json.decode(row["corps"])["id_demande"]
    if queueing or headers:  # neither a replay nor a rehearsal sends
        return Answer(201, row["corps"], headers)
    await exchange.demand(_within(request.services), request.services.settings, number)
    return Answer(201, await _demand(request, number))


async def verify(request: Request) -> Answer:
    """Demande maintenant au fournisseur où en est une demande, et rend la demande."""
    await request.raw_body()
    number = request.scope["path_params"]["id_demande"]
    await _demand(request, number)  # the caller sees it
    await exchange.demand(_within(request.services), request.services.settings, number)
    return Answer(200, await _demand(request, number))


async def receive(request: Request) -> Answer:
    """Reçoit l'avis d'un fournisseur : gardé tel quel, une fois ; il réveille, et le fait est la réponse du fournisseur.

    Un avis mal signé est gardé et ne réveille rien. Un jeton inconnu reçoit 404.
    """
    services, request.body_limit = request.services, NOTICE_LIMIT
    token, body = request.scope["path_params"]["jeton"], await request.raw_body()
    account = await request.call("tresorerie.avis_compte", [_hash(token)])
    provider, number = exchange.adapter(account["fournisseur"]), account["id_compte"]
    headers = {name: value for name in HEADERS if (value := request.header(name.encode())) is not None}
    digest, queueing = f"sha256:{hashlib.sha256(body).hexdigest()}", services.settings.queueing
    try:
        read = provider.notice(exchange.opened(services.settings, number, account["secret"]), headers, body)
    except Lost:
        read = []
    for place, named in enumerate(read or [Notice(None, None, None, None)]):
        # A forged notice takes neither the number of an event nor the place of the same bytes.
        forged = named.genuine is False
        event = named.event if named.event and not forged else f"{digest} {place}{' fausse' if forged else ''}"
        values = [
            number, event, base64.b64encode(body).decode(), msgspec.json.encode(headers).decode(),
            {True: "VALIDE", False: "FAUSSE", None: "ABSENTE"}[named.genuine], named.reference, named.identifier,
            "true" if queueing else "false",
        ]  # fmt: skip
        woken = await services.operation("tresorerie.avis_recevoir").ask(services, values)
        if woken is not None and not queueing:
            services.background.later(exchange.notice(_within(services), services.settings, str(woken)))
    return Answer(provider.ANSWERED)


async def answers(request: Request) -> Answer:
    """Répond qu'un fournisseur peut envoyer ses avis ici. Un jeton inconnu reçoit 404."""
    await request.call("tresorerie.avis_compte", [_hash(request.scope["path_params"]["jeton"])])
    return Answer(200)


def _hash(token: str) -> str:
    return hashlib.sha256(token.encode()).hexdigest()


def _within(services: Services) -> exchange.Run:
    """Operations as the process itself: the money of an account is of no till, whoever asks."""

    async def run(name: str, values: list[str | None]) -> object:
        return await services.operation(name).ask(services, values)

    return run


async def _demand(request: Request, number: str) -> bytes:
    operation = request.services.operation("tresorerie.demande_detail")
    return bytes((await operation.run(request, [number]))["corps"])


PREFIX = "/api/v1/tresorerie"
BOUNDS = ACTIVITY
KEYS = (
    ("cle", "core.texte"), ("secret", "core.texte"), ("identifiant", "core.texte"), ("adresse", "core.texte"),
    ("adresse_jeton", "core.texte"), ("unite", "tresorerie.unite_montant"),
)  # fmt: skip
OFTEN = Throttle(600, 60)
ROUTES = [
    PUT("/comptes/{id_compte}/acces", None, "FINANCES.MODIFIER", "AccesCompteDto", handler=set_keys, fields=KEYS, optional=(*FIELDS[1:], "unite"), answer=Acces, refuses=("COMPTE_SANS_FOURNISSEUR", "PREUVE_REQUISE", "TRESORERIE_CLE_ABSENTE")),
    CREATE("/demandes", "tresorerie.demande_creer", "FINANCES.CREER", "CreerDemandeDto", handler=ask, supplied=("en_file",), rehearsable=True),
    POST("/demandes/{id_demande}/verifier", "tresorerie.demande_detail", "FINANCES.CREER", handler=verify),
    POST("/avis/{jeton}", None, None, public=True, bounds=COMPANY, handler=receive, throttle=OFTEN),
    GET("/avis/{jeton}", None, None, public=True, bounds=COMPANY, handler=answers, throttle=OFTEN),
]
EXAMPLES = {"AccesCompteDto.cle": "wave_ci_prod_…"}
