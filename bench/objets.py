"""The list of invoices as most services make it, for comparison: rows become objects, objects become JSON.

Server, number of connections, function, context and the single round trip are the same as in the API. Only the
conversion of rows to bytes differs, and the pool, which here is asyncpg's own.
"""

import dataclasses
import json
import os
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import datetime
from decimal import Decimal
from typing import Any

import asyncpg
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

ROWS = """
select r.* from (select core.contexte(1, 'ADMINISTRATEUR', '127.0.0.1', 'bench') offset 0) c,
       facturation.facture_lister(p_limit => 50) r"""


@dataclasses.dataclass
class Facture:
    id_facture: int
    numero: str
    date: datetime
    date_emission: datetime
    id_client: int | None
    id_activite: int | None
    id_utilisateur: int | None
    libelle: str | None
    remise: Decimal
    montant_total: Decimal
    montant_paye: Decimal
    reste: Decimal
    statut: str
    source_type: str
    source_id: int | None
    client_nom: str | None
    client_prenoms: str | None
    motif_annulation: str | None
    montant_avoirs: Decimal
    montant_ht: Decimal
    montant_taxe: Decimal
    mode_prix: str | None
    ticket: str | None


async def factures(request: Request) -> Response:
    rows = await request.app.state.pool.fetch(ROWS)
    invoices = [dataclasses.asdict(Facture(**row)) for row in rows]
    return Response(json.dumps(invoices, default=_plain), media_type="application/json")


def _plain(value: Any) -> str:
    return value.isoformat() if isinstance(value, datetime) else str(value)


@asynccontextmanager
async def lifespan(app: Starlette) -> AsyncIterator[None]:
    role = {"role": "comptoir_app"}
    async with asyncpg.create_pool(
        os.environ["DATABASE_URL"], min_size=1, max_size=6, server_settings=role
    ) as app.state.pool:
        yield


app = Starlette(routes=[Route("/factures", factures)], lifespan=lifespan)
