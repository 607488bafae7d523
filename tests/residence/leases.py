"""Leases as several files of this folder read them."""

from __future__ import annotations

from datetime import date
from typing import Any

from tests import builders
from tests.conftest import Db


def today(db: Db) -> date:
    day: date = db.one("select core.aujourdhui()")
    return day


def instalments(db: Db, lease: int) -> list[dict[str, Any]]:
    return db.all("select * from residence.echeance where id_contrat = %s order by date_echeance", [lease])


def collect(db: Db, instalment: dict[str, Any], montant: Any) -> Any:
    """Pay this amount of the instalment in cash."""
    key = instalment["id_echeance"]
    return db.call("residence.echeance_encaisser", id_echeance=key, montant=montant, id_moyen=builders.moyen(db))


def room_of(db: Db, lease: int) -> Any:
    """The key and the status of the room of a lease."""
    return db.one(
        "select l.id_logement, l.statut::text from residence.logement l"
        " join residence.contrat_location c using (id_logement) where c.id_contrat = %s",
        [lease],
    )


def empty(db: Db, room: int) -> None:
    """Set the status of a room to free, as a user may do by hand."""
    db.execute("update residence.logement set statut = 'DISPONIBLE' where id_logement = %s", [room])


def terminate(db: Db, lease: int, day: Any = None) -> Any:
    return db.call("residence.contrat_resilier", id_contrat=lease, date_resiliation=day)


def numero(db: Db, lease: int) -> str:
    return str(db.one("select numero_contrat from residence.contrat_location where id_contrat = %s", [lease]))


def subscription(db: Db, key: int) -> dict[str, Any]:
    """The subscription as the list shows it."""
    return next(row for row in db.rows("residence.abonnement_lister") if row["id_abonnement"] == key)
