"""Every table that names a client takes part in the erasure of one and in the file of all that is kept of him."""

import re

import pytest

from tests.conftest import Db
from tests.house.rule import holds

# Texts that stay in a table that names a client. The first group is numbers and states. Labels and reasons of documents
# are sealed with them (docs/decisions/0072-effacer.md).
KEPT = {
    "client.client": {"code"},
    "facturation.avoir": {"numero", "motif"},
    "facturation.facture": {"numero", "libelle", "ticket"},
    "finances.paiement": {"reference"},
    "pressing.commande": {"numero_commande"},
    "residence.abonnement": {"service"},
    "residence.charge_facturee": {"compteur_numero", "periode"},
    "residence.contrat_location": {"numero_contrat", "periodicite"},
    "residence.sejour_court": {"duree"},
    "salle_fete.reservation": {"type_manifestation"},
    "signalement.signalement": {"type_signalement"},
}
REFERRING = """
select distinct k.conrelid::regclass::text as name from pg_constraint k
 where k.contype = 'f' and k.confrelid = 'client.client'::regclass order by 1
"""
TEXTS = """
select a.attname::text as name
  from pg_attribute a join pg_type t on t.oid = a.atttypid
  left join pg_type b on b.oid = t.typbasetype left join pg_type c on c.oid = b.typbasetype
 where a.attrelid = %s::regclass and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
   and 'text' in (t.typname, b.typname, c.typname)
"""

# Columns whose JSON has the texts, by other names.
IN_JSON = {"finances.exception_caisse": {"operation", "corrections", "reponse", "motif"}}


def body(db: Db, *functions: str) -> str:
    return " ".join(str(db.one("select prosrc from pg_proc where oid = %s::regproc", [name])) for name in functions)


def referring(db: Db) -> list[str]:
    return [row["name"] for row in db.all(REFERRING) if row["name"] != "audit.effacement"]


def test_every_text_of_a_table_that_names_a_client_is_erased_or_kept_for_a_reason(db: Db) -> None:
    lines = []
    for table in ["client.client", *referring(db)]:
        slice_, _, name = table.partition(".")
        erased = set(db.one("select audit._champs_personnels(%s, %s)", [slice_, name]) or ())
        for row in db.all(TEXTS, [table]):
            if row["name"] not in erased | KEPT.get(table, set()):
                lines.append(f"{table}.{row['name']}")
    holds(
        "A text of a table that names a client is erased with him, or is a number, a state or a sealed text.",
        lines,
        "add the column to audit._champs_personnels and to sql/client/au_dessus/_effacement.sql, or to KEPT",
    )


def test_every_table_that_names_a_client_is_in_the_file_of_a_client(db: Db) -> None:
    tables = set(re.findall(r"\b(?:from|join) ([a-z_]+\.[a-z_]+)", body(db, "client._donnees")))
    holds(
        "A table that names a client is in the file of all that is kept of him.",
        sorted(set(referring(db)) - tables),
        "add the table to sql/client/au_dessus/_donnees.sql",
    )


def test_every_table_that_names_a_client_can_forbid_his_erasure(db: Db) -> None:
    """A document counts for the retention, something open forbids the erasure, and the rest is the client's file."""
    text = body(db, "client._effacement_verifier") + "".join(
        str(db.one("select pg_get_functiondef(%s::regproc)", [name]))
        for name in ("client._derniere_operation", "client._en_cours")
    )
    file = {"client.contact_urgence", "client.piece_identite"}
    holds(
        "A table that names a client counts for the retention, or says that something is open.",
        sorted(set(referring(db)) - set(re.findall(r"[a-z_]+\.[a-z_]+", text)) - file),
        "add the table to client._derniere_operation or client._en_cours",
    )


def test_every_column_that_the_journal_loses_is_written_by_the_erasure(db: Db) -> None:
    writers = ("client._compte_effacer", "client._textes_effacer", "client._copies_effacer")
    text = body(db, *writers) + str(db.one("select pg_get_functiondef('client._fiche_effacer'::regproc)"))
    tables = db.all(
        """select n.nspname || '.' || c.relname as name, audit._champs_personnels(n.nspname, c.relname) as columns
             from pg_class c join pg_namespace n on n.oid = c.relnamespace
            where c.relkind = 'r' and audit._champs_personnels(n.nspname, c.relname) is not null"""
    )
    missing = []
    for row in tables:
        # PostgreSQL 15 writes « as » before the alias, 18 does not.
        update = re.search(
            rf"update {re.escape(row['name'])} (?:as )?\w+\s+set (.*?)\bwhere\b", text, re.DOTALL | re.IGNORECASE
        )
        deleted = re.search(rf"delete from {re.escape(row['name'])}\b", text, re.IGNORECASE)
        keys = {"login", "adresse", "appareil"} if row["name"] == "notification.notification" else set()
        columns = IN_JSON.get(row["name"], set(row["columns"]) - keys)
        for column in columns if not deleted else ():
            if update is None or not re.search(rf"\b{column}\s*=", update[1]):
                missing.append(f"{row['name']}.{column}")
    assert len(tables) == 23
    holds(
        "The erasure writes each column whose text the journal loses.",
        missing,
        "write the column in sql/client/au_dessus/_effacement.sql",
    )


@pytest.mark.parametrize("table", ["client.client", "facturation.facture", "auth.utilisateur"])
def test_a_table_that_names_a_client_refuses_an_erased_one(db: Db, table: str) -> None:
    guard = (
        "select count(*) from pg_trigger t join pg_proc p on p.oid = t.tgfoid"
        " where t.tgrelid = %s::regclass and p.prosrc ~ 'audit\\._client_vivant_exiger'"
    )
    assert db.one(guard, [table]) >= 1
