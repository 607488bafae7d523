"""Seals the books and signs the root of their tree with Ed25519.

The private key is in audit.cle_sceau, which only the account that owns the tables may read: neither the API nor the
code in the database can sign. PostgreSQL makes each text to sign (sql/audit/_tete.sql).
"""

from typing import Any, LiteralString

import psycopg
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from psycopg.rows import tuple_row

from app.database import schema

_SIGNED = "insert into audit.tete (taille, rang, racine, date, id_cle, signature) values (%s, %s, %s, %s, %s, %s)"
LOCK = "select pg_advisory_xact_lock(core._verrou('SCEAU'), 0)"  # one sealing, signature or new key at a time


def seal(url: str) -> None:
    """Seal what is not sealed yet, and sign the root if it is new. The first call makes the tree's name and its key."""
    with schema.connect(url, 5.0) as connection:
        connection.execute("set application_name = 'comptoir worker'")
        connection.execute("select audit._sceller()")
        sign(connection)


def sign(connection: psycopg.Connection[Any]) -> None:
    with connection.transaction():
        connection.execute(LOCK)
        number, private = _key(connection)
        for size, rank, root, date, text in _read(connection, "select * from audit._tete_a_signer()"):
            connection.execute(_SIGNED, [size, rank, root, date, number, private.sign(text.encode())])


def replace_key(connection: psycopg.Connection[Any]) -> None:
    """Put a new key into service, signed by the present one, whose private part is erased."""
    with connection.transaction():
        connection.execute(LOCK)
        number, former = _key(connection)
        private = Ed25519PrivateKey.generate()
        ((start, text),) = _read(
            connection, "select d, audit._cle_texte(%s, d) from audit._cle_debut() d", _public(private)
        )
        connection.execute("update audit.cle_sceau set au = %s, graine = null where id_cle = %s", [start, number])
        _add(connection, private, start, former.sign(text.encode()))


def _key(connection: psycopg.Connection[Any]) -> tuple[int, Ed25519PrivateKey]:
    """The key in service. The first one comes with the name of the tree."""
    query = "select id_cle, graine from audit.cle_sceau where au is null"
    if not _read(connection, query):
        connection.execute("insert into audit.arbre (origine) values (gen_random_uuid())")
        ((start,),) = _read(connection, "select audit._cle_debut()")
        _add(connection, Ed25519PrivateKey.generate(), start, None)
    ((number, seed),) = _read(connection, query)
    return number, Ed25519PrivateKey.from_private_bytes(seed)


def _add(connection: psycopg.Connection[Any], private: Ed25519PrivateKey, since: Any, signature: bytes | None) -> None:
    connection.execute(
        "insert into audit.cle_sceau (publique, graine, du, signature) values (%s, %s, %s, %s)",
        [_public(private), private.private_bytes_raw(), since, signature],
    )


def _read(connection: psycopg.Connection[Any], query: LiteralString, *values: Any) -> list[tuple[Any, ...]]:
    return connection.cursor(row_factory=tuple_row).execute(query, values).fetchall()


def _public(private: Ed25519PrivateKey) -> bytes:
    return private.public_key().public_bytes_raw()
