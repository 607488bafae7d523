"""SQLSTATE → HTTP: the only place that knows both."""

from __future__ import annotations

from collections.abc import Mapping

import asyncpg
import msgspec

from app.base.refusal import Refusal, not_found, unavailable, validation

# A connection is lost or cannot be opened. asyncpg raises InternalClientError as well when no server of an address
# accepts writes, and when a server disappears in the middle of an exchange.
LOST = (asyncpg.InterfaceError, asyncpg.InternalClientError, OSError)
_NATIVE_STATUS = {"23505": 409, "23P01": 409, "23503": 422, "23514": 400}
_NATIVE_MESSAGE = {
    "23505": "Cette valeur existe déjà.",
    "23P01": "Ce créneau est déjà pris.",
    "23503": "Un élément lié n'existe pas, ou sert encore.",
    "23514": "Une valeur n'est pas permise.",
}
# Temporary: database closed to connections (a restore swaps it), query cancelled, out of resources, shutdown, database
# missing (swap), connection lost, account refused (its password is being changed), standby, serialization, deadlock.
_PASSING = ("55000", "57014", "53", "57P", "3D000", "08", "28", "25006", "40001", "40P01")
# A statement that waited for an upgrade continues with the names or OIDs of the dropped code. A process older than the
# database gets the same SQLSTATEs.
_BEING_UPDATED = ("42883", "42P01", "3F000", "42704")
_GONE = ("cache lookup failed", "could not open relation with OID")  # messages of XX000, never localised
_CONFLICT = (asyncpg.SerializationError, asyncpg.DeadlockDetectedError)


class RoleChanged(Exception):
    """The user no longer has the role whose permissions were checked. `role` is the present one."""

    def __init__(self, role: str) -> None:
        super().__init__(role)
        self.role = role


def from_database(error: BaseException, sentences: Mapping[str, str]) -> Refusal | RoleChanged | None:
    """Translate an exception of the driver. Return None for one that the user must not see (500)."""
    if not isinstance(error, asyncpg.PostgresError):
        return unavailable() if isinstance(error, LOST) else None
    state = error.sqlstate or ""
    if state == "HTR00":
        return RoleChanged(_text(error, "message"))
    if state.startswith("HT"):
        return _refused(error, int(state[2:]))
    if state in _NATIVE_STATUS:
        rule = _text(error, "constraint_name")
        message = sentences.get(rule, _NATIVE_MESSAGE[state])
        return Refusal(_NATIVE_STATUS[state], rule.upper() or "CONTRAINTE", message)
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


def names_dropped_code(sqlstate: str | None, message: str) -> bool:
    """Whether a statement failed because an upgrade exchanged the code that it used. The same statement then works."""
    return sqlstate in _BEING_UPDATED or (sqlstate == "XX000" and message.startswith(_GONE))


def _of_dropped_code(error: asyncpg.PostgresError) -> bool:
    return names_dropped_code(error.sqlstate, _text(error, "message"))


def _refused(error: asyncpg.PostgresError, status: int) -> Refusal:
    detail = _text(error, "detail")
    headers = {"WWW-Authenticate": "Bearer"} if status == 401 else {}
    return Refusal(
        status,
        _text(error, "constraint_name") or "REFUS",
        _text(error, "message"),
        msgspec.json.decode(detail) if detail else None,
        headers,
    )


def _text(error: asyncpg.PostgresError, name: str) -> str:
    return str(getattr(error, name, None) or "")
