"""All that is kept of a client, on request of the client or of an administrator."""

import pytest
from psycopg.types.json import Jsonb

from tests import builders
from tests.conftest import ok

OTHERS = 20_000
# Entries about other clients, as an open month holds them: the summaries of its pages are made as it grows.
FILL = """
insert into audit.journal (date_heure, module, operation, entite, entite_id, avant, apres)
select clock_timestamp(), 'client', 'UPDATE', 'client', (1000000 + n)::text,
       jsonb_build_object('id_client', 1000000 + n),
       jsonb_build_object('id_client', 1000000 + n, 'nom', repeat('x', 200))
  from generate_series(1, %s) n
"""
SUMMARIES = """
select i.indexrelid::regclass::text from pg_index i join pg_class c on c.oid = i.indexrelid
  join pg_am a on a.oid = c.relam join pg_inherits h on h.inhrelid = i.indrelid
 where a.amname = 'brin' and h.inhparent = 'audit.journal'::regclass
"""
MOVED = """
insert into audit.journal (module, operation, entite, entite_id, avant, apres)
select 'market', 'UPDATE', 'vente', '77', jsonb_build_object('id_client', %s::bigint),
       jsonb_build_object('id_client', %s::bigint)
"""
READ = """
select coalesce(sum(coalesce(s.seq_tup_read, 0) + coalesce(s.idx_tup_fetch, 0)), 0) from pg_stat_xact_user_tables s
 where s.schemaname = 'audit' and s.relname like 'journal%%'"""


@pytest.fixture
def resident(http, db):
    client = builders.client(db, nom="Exemple")
    return http.as_user(builders.utilisateur(db, role="RESIDENT", id_client=client)), client


def test_the_journal_of_a_client_is_read_by_index(http, db, resident):
    portal, client = resident
    db.execute(FILL, [OTHERS])
    for row in db.all(SUMMARIES):  # rolled back entries of earlier tests fill them
        db.execute(f"reindex index {row['indexrelid']}")
    before = db.one(READ)
    answer = ok(portal.get("/client/portail/donnees"))
    assert {(row["entite"], row["identifiant"]) for row in answer["journal"]} >= {("Client", str(client))}
    # A summary may name a group of pages in vain. Without the index, each of several scans reads every entry.
    assert db.one(READ) - before < OTHERS * 3 / 4


def test_the_journal_of_a_client_names_rows_that_were_linked_to_him_for_a_time(http, db):
    first, second = (builders.client(db) for _ in range(2))
    db.execute(MOVED, [first, second])
    for client in (first, second):
        journal = http.as_admin().get(f"/client/clients/{client}/donnees").json()["journal"]
        assert [row["identifiant"] for row in journal if row["operation"] == "UPDATE"] == ["77"]


def test_the_data_of_a_client_takes_turns(http, resident, monkeypatch):
    portal, client = resident
    taken = []
    take = http.services.turns.take

    async def taking(user, *arguments, long):
        taken.append((user, long))
        return await take(user, *arguments, long=long)

    monkeypatch.setattr(http.services.turns, "take", taking)
    assert portal.get("/client/portail/donnees").status_code == 200
    assert http.as_admin().get(f"/client/clients/{client}/donnees").status_code == 200
    assert [long for _, long in taken] == [True, True]


def test_the_data_of_a_client_names_no_row_of_a_sheet_about_someone_else(http, db):
    """Any visitor signs up with the login, the name and the phone number that he wants."""
    victim, phone = builders.client(db), "+22507010203"
    sheets = (
        ("employes", ["Traoré", "Awa", "CAISSIER", "2024-01-01", "450000"], "FAITE", builders.employe(db)),
        ("clients", ["Koné", "Issa", phone, "Bouaké", "1980-02-03"], "FAITE", victim),
        ("clients", ["Koné", "Ali", "07 01 02 03", "Bouaké"], "REFUSEE", None),
    )
    for kind, cells, issue, key in sheets:
        sheet = db.one(
            "insert into echange.import (entite, fichier, empreinte, entetes, colonnes, etat)"
            " values (%s, 'feuille.csv', 'x', '{nom}', '{}', 'FAIT') returning id_import",
            [kind],
        )
        db.execute(
            "insert into echange.ligne (id_import, ligne, cellules, donnees, issue, id_entite)"
            " values (%s, 2, %s, '{}', %s, %s)",
            [sheet, Jsonb(cells), issue, key],
        )
    stranger = builders.client(db, nom="Koné", prenoms="Ali", tel_principal=phone)
    account = builders.utilisateur(db, role="CLIENT", id_client=stranger, login="CAISSIER")
    for answer in (
        ok(http.as_user(account).get("/client/portail/donnees")),
        ok(http.as_admin().get(f"/client/clients/{stranger}/donnees")),
    ):
        assert answer["feuilles_importees"] is None
    own = ok(http.as_admin().get(f"/client/clients/{victim}/donnees"))["feuilles_importees"]
    assert [row["cellules"][1] for row in own] == ["Issa"]
