"""SQLSTATE → HTTP: the only place that knows both."""

from collections.abc import Mapping
from dataclasses import dataclass

import asyncpg
import msgspec

from app.base.refusal import Refusal, not_found, unavailable, validation

# A connection is lost or cannot be opened. asyncpg raises InternalClientError as well when no server of an address
# accepts writes, and when a server disappears in the middle of an exchange.
LOST = (asyncpg.InterfaceError, asyncpg.InternalClientError, OSError)
_NATIVE = {
    "23505": (409, "Cette valeur existe déjà."),
    "23P01": (409, "Ce créneau est déjà pris."),
    "23503": (422, "Un élément lié n'existe pas, ou sert encore."),
    "23514": (400, "Une valeur n'est pas permise."),
}
# Temporary: database closed to connections (a restore swaps it), query cancelled, out of resources, shutdown, database
# missing (swap), connection lost, account refused (its password is being changed), standby, serialization, deadlock.
_PASSING = ("55000", "57014", "53", "57P", "3D000", "08", "28", "25006", "40001", "40P01")
# A statement that waited for an upgrade continues with the names or OIDs of the dropped code. A process older than the
# database gets the same SQLSTATEs.
_BEING_UPDATED = ("42883", "42P01", "3F000", "42704")
_GONE = ("cache lookup failed", "could not open relation with OID")  # messages of XX000, never localised
_CONFLICT = (asyncpg.SerializationError, asyncpg.DeadlockDetectedError)


@dataclass(eq=False)
class RoleChanged(Exception):
    """The user no longer has the role whose permissions were checked. `role` is the present one."""

    role: str


def from_database(error: BaseException, sentences: Mapping[str, str]) -> Refusal | RoleChanged | None:
    """Translate an exception of the driver. Return None for one that the user must not see (500)."""
    if not isinstance(error, asyncpg.PostgresError):
        return unavailable() if isinstance(error, LOST) else None
    state = error.sqlstate or ""
    if state == "HTR00":
        return RoleChanged(_text(error, "message"))
    if state.startswith("HT"):
        status, detail = int(state[2:]), _text(error, "detail")
        return Refusal(
            status,
            _text(error, "constraint_name") or "REFUS",
            _text(error, "message"),
            msgspec.json.decode(detail) if detail else None,
            {"WWW-Authenticate": "Bearer"} if status == 401 else None,
        )
    if state in _NATIVE:
        rule, (status, message) = _text(error, "constraint_name"), _NATIVE[state]
        return Refusal(status, rule.upper() or "CONTRAINTE", sentences.get(rule, message))
    if state == "23502":
        return validation({_text(error, "column_name"): ["Ce champ est obligatoire."]})
    if state.startswith("22"):
        return Refusal(400, "VALEUR_INVALIDE", "Une valeur n'a pas la forme ou la taille attendue.")
    if state == "P0002":
        return not_found()
    if state == "55P03":  # LOCK_TIMEOUT of app/database/pool.py
        return unavailable(
            "DONNEES_OCCUPEES",
            "Une autre opération tient ces données (mise à jour, restauration ou saisie en cours) : réessayez.",
        )
    if state.startswith(_PASSING):
        return unavailable()
    if _of_dropped_code(error):
        return unavailable("MISE_A_JOUR", "Le service est en cours de mise à jour, réessayez dans un instant.")
    return None


def is_retryable(error: BaseException) -> bool:
    """Whether a retry may succeed: the statement failed because of another transaction or an upgrade."""
    return isinstance(error, _CONFLICT) or (isinstance(error, asyncpg.PostgresError) and _of_dropped_code(error))


def _of_dropped_code(error: asyncpg.PostgresError) -> bool:
    """Whether a statement failed because an upgrade exchanged the code that it used. The same statement then works."""
    return error.sqlstate in _BEING_UPDATED or (error.sqlstate == "XX000" and _text(error, "message").startswith(_GONE))


def _text(error: asyncpg.PostgresError, name: str) -> str:
    return str(getattr(error, name, None) or "")
