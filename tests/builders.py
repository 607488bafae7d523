"""The smallest valid thing, by keyword. Names are invented."""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from tests.conftest import Db

PASSWORD = "motdepasse"
PASSWORD_HASH = "$2b$10$1ZGp63s/eqWgPOvxjN/TWOrvUIc1dljwelbL9Y9QezR4MsupHhghC"
_numbers = itertools.count(1)


def client(db: Db, **fields: Any) -> int:
    fields = {
        "nom": "Exemple",
        "prenoms": "Awa",
        "tel_principal": "+2250700000000",
        "type_client": "PASSAGE",
    } | fields
    return _insert(db, "client.client", "id_client", fields)


def utilisateur(
    db: Db, role: str = "CAISSIER", caisse: int | None = None, activite: int | None = None, **fields: Any
) -> int:
    """A user whose password is PASSWORD."""
    n = next(_numbers)
    id_role = db.one("select id_role from auth.role where code = %s", [role])
    fields = {
        "login": f"essai.{n}.{role.lower()}",
        "id_role": id_role,
        "id_activite_scope": activite,
    } | fields
    found = _insert(db, "auth.utilisateur", "id_utilisateur", fields)
    db.execute("insert into auth.secret (id_utilisateur, mot_de_passe) values (%s, %s)", [found, PASSWORD_HASH])
    if caisse is not None:
        db.execute(
            "insert into finances.affectation_caisse (id_utilisateur, id_caisse) values (%s, %s)",
            [found, caisse],
        )
    return found


def activite(db: Db, code: str = "PRESSING") -> int:
    return int(db.one("select id_activite from core.activite where code = %s", [code]))


def caisse(db: Db, ouverte: bool = True, activite_code: str = "PRESSING", **fields: Any) -> int:
    fields = {"libelle": f"Caisse {next(_numbers)}", "id_activite": activite(db, activite_code)} | fields
    found = _insert(db, "finances.caisse", "id_caisse", fields)
    if ouverte:
        db.execute("insert into finances.periode_caisse (id_caisse) values (%s)", [found])
    return found


def moyen(db: Db, libelle: str = "Espèces") -> int:
    return int(db.one("select id_moyen from finances.moyen_paiement where libelle = %s", [libelle]))


def prestation(db: Db, prix: str = "15000.00", **fields: Any) -> int:
    fields = {"libelle": "Location de chaises", "prix": prix, "id_activite": activite(db)} | fields
    return _insert(db, "facturation.prestation", "id_prestation", fields)


def facture(db: Db, total: str = "15000.00") -> int:
    """An unpaid invoice of this total."""
    result = db.call(
        "facturation.prestation_facturer",
        id_prestation=prestation(db, total),
        montant="0",
        id_moyen=moyen(db),
    )
    return int(result["id_facture"])


def _insert(db: Db, table: str, key: str, fields: dict[str, Any]) -> int:
    columns = ", ".join(fields)
    marks = ", ".join(["%s"] * len(fields))
    return int(db.one(f"insert into {table} ({columns}) values ({marks}) returning {key}", list(fields.values())))
