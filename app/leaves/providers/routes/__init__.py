"""Routes that speak to providers: the keys of an account, a demand and its verification, and the public notices."""

import base64
import hashlib
import secrets
from contextlib import suppress
from functools import partial

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
_KNOWN: dict[tuple[str, str], dict[str, str]] = {}  # accounts by the organisation and the hash of their token
RECEIVED = b'{"recu":true}'
FIELDS = ("cle", "secret", "identifiant", "adresse", "adresse_jeton")


class Acces(msgspec.Struct):
    """Les clés sont posées ; rien ne les rend. Donnez `url_avis` au fournisseur."""

    id_compte: str
    fournisseur: str
    unite: str
    url_avis: str


class Recu(msgspec.Struct):
    """L'avis est arrivé, ou peut arriver ici."""

    recu: bool


async def set_keys(request: Request) -> Answer:
    """Donne à un compte les clés de son fournisseur, que rien ne rend ensuite. L'adresse de ses avis reste la même.

    `cle` : clé d'API ; `secret` : celle qui signe les avis ; `identifiant` : le site chez CinetPay, le client OAuth 2
    chez PI-SPI ; `adresse`, `adresse_jeton` : celles de l'API et de ses jetons ; `unite` : celle des montants.
    """
    services, account = request.services, request.scope["path_params"]["id_compte"]
    *values, unit = await request.fields()
    access = Access(**dict(zip(FIELDS, values, strict=True)), jeton=secrets.token_urlsafe(32))
    kept = await request.call("tresorerie.acces_lire", [account])
    if kept["secret"]:
        with suppress(SecretError):  # the former keys are lost, and the address with them
            access.jeton = exchange.opened(services.settings, account, kept["secret"]).jeton
    sealed = Secrets.of_accounts(services.settings).encrypt(msgspec.json.encode(access).decode(), provider_keys(account))
    supplied = {"chiffre": sealed, "hash": hashlib.sha256(access.jeton.encode()).hexdigest(), **({"unite": unit} if unit else {})}
    row, headers = await write(request, "PUT", supplied=supplied, digest="")
    answer = msgspec.json.decode(row["corps"]) | {"url_avis": exchange.notices_url(services.settings, access)}
    return Answer(200, msgspec.json.encode(answer), headers)


async def ask(request: Request) -> Answer:
    services = request.services
    row, headers = await write(request, supplied={"en_file": services.settings.queueing})
    if services.settings.queueing or headers:  # neither a replay nor a rehearsal sends
        return Answer(201, row["corps"], headers)
    return await _exchanged(request, msgspec.json.decode(row["corps"])["id_demande"], 201)


async def verify(request: Request) -> Answer:
    """Demande maintenant au fournisseur où en est une demande, et rend la demande."""
    await request.raw_body()
    number = (await request.operation.read(request, request.scope["path_params"]))["id_demande"]
    return await _exchanged(request, number, 200)


async def _exchanged(request: Request, number: str, status: int) -> Answer:
    await exchange.demand(partial(_run, request.services), request.services.settings, number)
    detail = request.services.operation("tresorerie.demande_detail")
    return Answer(status, (await detail.run(request, [number]))["corps"])


async def receive(request: Request) -> Answer:
    """Reçoit l'avis d'un fournisseur : gardé tel quel, une fois, il réveille ; le fait est la réponse du fournisseur.

    Un avis mal signé est gardé et ne réveille rien. Un jeton inconnu reçoit 404.
    """
    request.body_limit = NOTICE_LIMIT
    body = await request.raw_body()
    headers = {name: value for name in HEADERS if (value := request.header(name.encode())) is not None}
    account = _KNOWN.get((request.organisation, _hash(request))) or await _account(request)
    try:
        return await _store(request, account, headers, body)
    except Refusal as refusal:
        if refusal.code != "ACCES_CHANGE":
            raise
        return await _store(request, await _account(request), headers, body)


async def _store(request: Request, account: dict[str, str], headers: dict[str, str], body: bytes) -> Answer:
    services, queueing = request.services, request.services.settings.queueing
    provider = exchange.adapter(account["fournisseur"])
    try:
        read = provider.notice(exchange.opened(services.settings, account["id_compte"], account["secret"]), headers, body)
    except Lost:
        read = []
    for place, named in enumerate(read or [Notice()]):
        # A forged notice takes neither the number of an event nor the place of the same bytes.
        forged = named.genuine is False
        event = named.event if named.event and not forged else f"{hashlib.sha256(body).hexdigest()} {place}{' fausse' * forged}"
        signature = {True: "VALIDE", False: "FAUSSE", None: "ABSENTE"}[named.genuine]
        content, kept = base64.b64encode(body).decode(), msgspec.json.encode(headers).decode()
        values = [_hash(request), account["secret"], event, content, kept, signature, named.reference, named.identifier]
        woken = await request.operation.ask(services, [*values, "true" if queueing else "false"], quick=True)
        if woken is not None and not queueing:
            services.background.later(exchange.notice(partial(_run, services), services.settings, str(woken)))
    return Answer(provider.ANSWERED, RECEIVED if provider.ANSWERED == 200 else b"")


async def answers(request: Request) -> Answer:
    """Répond qu'un fournisseur peut envoyer ses avis ici. Un jeton inconnu reçoit 404."""
    await _account(request)
    return Answer(200, RECEIVED)


async def _account(request: Request) -> dict[str, str]:
    operation = request.services.operation("tresorerie.avis_compte")
    account: dict[str, str] = await operation.ask(request.services, [_hash(request)])
    if len(_KNOWN) > 1000:
        _KNOWN.clear()
    _KNOWN[request.organisation, _hash(request)] = account
    return account


def _hash(request: Request) -> str:
    return hashlib.sha256(request.scope["path_params"]["jeton"].encode()).hexdigest()


async def _run(services: Services, name: str, values: list[str | None]) -> object:
    """An operation as the process itself: the money of an account is of no till."""
    return await services.operation(name).ask(services, values)


PREFIX = "/api/v1/tresorerie"
BOUNDS = ACTIVITY
KEYS = (*((name, "core.texte") for name in FIELDS), ("unite", "tresorerie.unite_montant"))
OFTEN = Throttle(600, 60)
READ = ("acces", "evenement", "corps", "entetes", "signature", "reference", "identifiant", "en_file")  # of a notice
ROUTES = [
    PUT("/comptes/{id_compte}/acces", "tresorerie.acces_poser", "FINANCES.MODIFIER", "AccesCompteDto", handler=set_keys, fields=KEYS, optional=(*FIELDS[1:], "unite"), answer=Acces),
    CREATE("/demandes", "tresorerie.demande_creer", "FINANCES.CREER", "CreerDemandeDto", handler=ask, supplied=("en_file",), rehearsable=True),
    POST("/demandes/{id_demande}/verifier", "tresorerie.demande_detail", "FINANCES.CREER", handler=verify),
    POST("/avis/{jeton}", "tresorerie.avis_recevoir", None, public=True, bounds=COMPANY, handler=receive, supplied=READ, answer=Recu, throttle=OFTEN),
    GET("/avis/{jeton}", "tresorerie.avis_compte", None, public=True, bounds=COMPANY, handler=answers, answer=Recu, throttle=OFTEN),
]
EXAMPLES = {"AccesCompteDto.cle": "wave_ci_prod_Ab12"}
