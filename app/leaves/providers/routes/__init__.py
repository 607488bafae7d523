"""Routes that speak to providers or read what they wrote: keys, demands, public notices, statements."""

import base64
import hashlib
from contextlib import suppress
from functools import partial

import msgspec

from app.auth.encrypted import SecretError, Secrets, provider_keys
from app.auth.throttle import Throttle
from app.base.failure import Failure
from app.base.refusal import validation
from app.documents.thread import IMPORTS, off_loop
from app.http import uploads
from app.http.answer import Answer
from app.http.request import Request
from app.http.route import ACTIVITY, COMPANY, CREATE, GET, POST, PUT, STATEMENTS
from app.http.services import Services
from app.http.write import write
from app.jobs.outside import Lost
from app.leaves.providers import exchange
from app.leaves.providers.adapter import Access, Notice
from app.leaves.providers.statement import read

HEADERS = ("content-type", "wave-signature", "x-token", "x-signature")  # of a notice, kept
RECEIVED = b'{"recu":true}'
FIELDS = Access.__struct_fields__[:-1]


class Recu(msgspec.Struct):
    """L'avis est arrivé, ou peut arriver ici."""

    recu: bool


async def set_keys(request: Request) -> Answer:
    """Donne à un compte les clés de son fournisseur, que rien ne rend ensuite. L'adresse de ses avis reste la même.

    `cle` : clé d'API ; `secret` : celle qui signe les avis ; `identifiant` : le site chez CinetPay, le client OAuth 2
    chez PI-SPI ; `adresse`, `adresse_jeton` : celles de l'API et de ses jetons ; `unite` : celle des montants.
    """
    settings, account = request.services.settings, request.scope["path_params"]["id_compte"]
    *values, unit = await request.fields()
    access = Access(*values)
    if former := (await request.call("tresorerie.acces_lire", [account]))["secret"]:
        with suppress(SecretError):  # the former keys are lost, and the address with them
            access.jeton = exchange.opened(settings, account, former).jeton
    sealed = Secrets.of_accounts(settings).encrypt(msgspec.json.encode(access).decode(), provider_keys(account))
    supplied = {"chiffre": sealed, "hash": hashlib.sha256(access.jeton.encode()).hexdigest(), "unite": unit or None}
    row, headers = await write(request, "PUT", supplied=supplied, digest="")
    answer = msgspec.json.decode(row["corps"]) | {"url_avis": access.notices(settings)}
    return Answer(200, msgspec.json.encode(answer), headers)


async def ask(request: Request) -> Answer:
    row, headers = await write(request, supplied={"en_file": request.services.settings.queueing})
    if request.services.settings.queueing or headers:  # neither a replay nor a rehearsal sends
        return Answer(201, row["corps"], headers)
    return await _exchanged(request, msgspec.json.decode(row["corps"])["id_demande"], 201)


async def verify(request: Request) -> Answer:
    """Demande maintenant au fournisseur où en est une demande, et rend la demande."""
    await request.raw_body()
    number = (await request.operation.read(request, request.scope["path_params"]))["id_demande"]
    return await _exchanged(request, number, 200)


async def _exchanged(request: Request, number: str, status: int) -> Answer:
    await exchange.speak(partial(_run, request.services), request.services.settings, exchange.DEMAND, number)
    row = await request.services.operation("tresorerie.demande_detail").run(request, [number])
    return Answer(status, row["corps"])


async def _run(services: Services, name: str, values: list[str | None]) -> object:
    """An operation as the process itself: the money of an account is of no till."""
    return await services.operation(name).ask(services, values)


async def receive(request: Request) -> Answer:
    """Reçoit l'avis d'un fournisseur : gardé tel quel, une fois, il réveille ; le fait est la réponse du fournisseur.

    Un avis mal signé est gardé et ne réveille rien. Un jeton inconnu reçoit 404.
    """
    request.body_limit = 64 * 1024
    services, settings = request.services, request.services.settings
    body, account = await request.raw_body(), await _account(request)
    headers = {name: value for name in HEADERS if (value := request.header(name.encode())) is not None}
    provider = exchange.ADAPTERS[account["fournisseur"]]
    try:
        names = provider.notice(exchange.opened(settings, account["id_compte"], account["secret"]), headers, body)
    except Lost:
        names = []
    content, kept = base64.b64encode(body).decode(), msgspec.json.encode(headers).decode()
    for place, named in enumerate(names or [Notice()]):
        own = {"jeton": account["hash"], "rang": place, "corps": content, "entetes": kept, "en_file": settings.queueing}
        values = request.operation.arguments.check(own | msgspec.structs.asdict(named), None)
        woken = await request.operation.ask(services, values, quick=True)
        if woken is not None and not settings.queueing:
            services.background.later(exchange.speak(partial(_run, services), settings, exchange.NOTICE, str(woken)))
    status = getattr(provider, "ANSWERED", 200)
    return Answer(status, RECEIVED if status == 200 else b"")


async def answers(request: Request) -> Answer:
    """Répond qu'un fournisseur peut envoyer ses avis ici. Un jeton inconnu reçoit 404."""
    await _account(request)
    return Answer(200, RECEIVED)


async def _account(request: Request) -> dict[str, str]:
    operation, token = request.services.operation("tresorerie.avis_compte"), request.scope["path_params"]["jeton"]
    account: dict[str, str] = await operation.ask(request.services, [hashlib.sha256(token.encode()).hexdigest()])
    return account


async def take(request: Request) -> Answer:
    """Envoie le relevé d'un compte : camt.053, MT940, OFX, classeur .xlsx ou texte .csv, de 10 Mio au plus. Ses lignes se rapprochent de ce qui est ici. Une ligne que le compte a déjà n'est pas reprise."""
    services = request.services
    account = await services.operation("tresorerie.compte_detail").read(request, request.scope["path_params"])
    provider = exchange.ADAPTERS.get(account["fournisseur"])
    reader = provider.statement if provider else partial(read, words={})
    async with uploads.received(request, limit=10 * 1024 * 1024, kind=lambda _: "") as form:
        try:
            work = off_loop(reader, form.file, services.catalogue.named("tresorerie.feuille"), thread=IMPORTS)
            kind, parts = await services.turns.take(request.signed_in.sub, request.receive, work, long=True)
        except Failure as problem:
            raise validation({"file": [str(problem)]}) from None
        name, digest = form.name.replace("\0", "")[:200], await form.digest()
        supplied = {"fichier": name, "empreinte": digest, "format": kind, "parties": parts}
        row, headers = await write(request, supplied=supplied, digest=digest)
    return Answer(201, row["corps"], headers)


PREFIX = "/api/v1/tresorerie"
BOUNDS = ACTIVITY
KEYS = (*((name, "core.texte") for name in FIELDS), ("unite", "tresorerie.unite_montant"))
OFTEN = Throttle(600, 60)
READ = ("rang", "corps", "entetes", "evenement", "authentique", "reference", "identifiant", "en_file")  # of a notice
ROUTES = [
    PUT("/comptes/{id_compte}/acces", "tresorerie.acces_poser", "FINANCES.MODIFIER", "AccesCompteDto", handler=set_keys, fields=KEYS, optional=(*FIELDS[1:], "unite")),
    CREATE("/demandes", "tresorerie.demande_creer", "FINANCES.CREER", "CreerDemandeDto", handler=ask, supplied=("en_file",), rehearsable=True),
    POST("/demandes/{id_demande}/verifier", "tresorerie.demande_detail", "FINANCES.CREER", handler=verify),
    POST("/avis/{jeton}", "tresorerie.avis_recevoir", None, public=True, bounds=COMPANY, handler=receive, supplied=READ, answer=Recu, throttle=OFTEN),
    GET("/avis/{jeton}", "tresorerie.avis_compte", None, public=True, bounds=COMPANY, handler=answers, answer=Recu, throttle=OFTEN),
    CREATE("/comptes/{id_compte}/releves", "tresorerie.releve_creer", "FINANCES.CREER", handler=take, supplied=("fichier", "empreinte", "format", "parties"), form=(), accepts=STATEMENTS, rehearsable=True, costly=True),
]
EXAMPLES = {"AccesCompte.cle": "wave_ci_prod_Ab12", "ReleveRecu.fichier": "releve-2026-10.csv"}
