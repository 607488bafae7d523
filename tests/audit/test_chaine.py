"""The control names a broken chain of entries, and a rectification repairs it without a change to any entry."""

import pytest

from tests import builders
from tests.audit.test_instant import NOW, past
from tests.conftest import refused

ENTRIES = "select id_trace, date_heure, avant, apres from audit.journal order by id_trace"


@pytest.fixture
def client(db):
    key = builders.client(db, nom="Avant", ville="Thiès")
    db.execute("set constraints all immediate")
    return key


def breaks(db):
    return [row["_controle_journal"] for row in db.rows("jobs._controle_journal")]


def repaired(db):
    rows = db.all("select * from audit._journal_rectifier('Écrit avant la version 1.0')")
    return [(row["entite"], row["entite_id"], row["ordres"], row["ecarts"], row["entrees"]) for row in rows]


def unjournaled(db, statement, client):
    db.execute("alter table client.client disable trigger user")
    db.execute(statement, [client])
    db.execute("alter table client.client enable trigger user")


@pytest.fixture
def inverted(db, client):
    """Three versions written by two nested updates, as bases did whose journal was written last."""
    db.execute(
        """create function client._t50_essai() returns trigger language plpgsql as $$
           begin update client.client set ville = 'Bouaké' where id_client = new.id_client; return null; end $$;
           create trigger t50_essai after update of nom on client.client
             for each row execute function client._t50_essai();
           alter trigger t00_journal_modification on client.client rename to t90_journal_modification"""
    )
    instant = db.one(f"select {NOW}")
    db.execute("update client.client set nom = 'Après' where id_client = %s", [client])
    return client, instant


def test_a_journal_that_follows_the_rows_says_nothing(db, client):
    db.call("client.client_modifier", id_client=client, champs={"nom": "Après"})
    assert breaks(db) == [] == repaired(db)


def test_the_keys_of_a_webhook_are_no_chain(db):
    """The journal has the same masked key for each of them."""
    query = """insert into evenement.webhook (url, types, id_utilisateur)
        values ('https://example.com/', array['client.cree'], %s) returning id_webhook"""
    webhook = db.one(query, [builders.utilisateur(db)])
    for secret in ("whsec_un", "whsec_deux"):
        db.execute("insert into evenement.webhook_secret (id_webhook, secret) values (%s, %s)", [webhook, secret])
    db.execute("delete from evenement.webhook_secret where secret = 'whsec_un'")
    assert breaks(db) == []


def test_entries_in_the_wrong_order_are_named_and_read_in_the_right_one(db, inverted):
    client, instant = inverted
    entries = db.all(ENTRIES)
    assert len(breaks(db)) == 3 and all(f"igne {client} de client.client" in line for line in breaks(db))
    assert past(db, "client.client_detail", instant, id_client=client)[0]["nom"] == "Après"
    assert repaired(db) == [("client", str(client), 1, 0, 0)]
    assert breaks(db) == [] == repaired(db)
    then = past(db, "client.client_detail", instant, id_client=client)[0]
    assert (then["nom"], then["ville"]) == ("Avant", "Thiès")
    assert db.all(ENTRIES)[: len(entries)] == entries


def test_the_order_of_entries_older_than_the_row_is_found_too(db, inverted):
    """The INSERT may be in an archive: the images of the two entries still say which one came first."""
    updates = "from audit.journal j where entite = 'client' and operation = 'UPDATE'"
    ids = db.one(f"select array_agg(id_trace order by id_trace) {updates}")
    order = f"select audit._ordre_retrouver(array_agg(j order by j.id_trace), null, true, null) {updates}"
    assert len(ids) == 2 and db.one(order) == ids[::-1]


def test_a_row_changed_without_an_entry_is_named_and_gets_one(db, client):
    unjournaled(db, "update client.client set nom = 'Sans trace' where id_client = %s", client)
    assert len(breaks(db)) == 1 and f"La ligne {client} de client.client" in breaks(db)[0]
    assert repaired(db) == [("client", str(client), 0, 0, 1)]
    assert breaks(db) == [] == repaired(db)
    last = db.all("select * from audit.journal where entite = 'client' order by id_trace desc limit 1")[0]
    assert (last["operation"], last["requete"]) == ("UPDATE", "rectification")
    assert (last["avant"]["nom"], last["apres"]["nom"]) == ("Avant", "Sans trace")
    unjournaled(db, "delete from client.client where id_client = %s", client)
    assert len(breaks(db)) == 1
    assert repaired(db) == [("client", str(client), 0, 0, 1)] and breaks(db) == []


def test_a_change_without_an_entry_between_two_others_is_noted(db, client):
    unjournaled(db, "update client.client set ville = 'Bamako' where id_client = %s", client)
    db.call("client.client_modifier", id_client=client, champs={"nom": "Après"})
    assert len(breaks(db)) == 1 and "ne se suivent pas" in breaks(db)[0]
    assert repaired(db) == [("client", str(client), 0, 1, 0)]
    assert breaks(db) == [] == repaired(db)


def test_a_column_added_or_dropped_and_a_masked_secret_break_no_chain(db, client):
    user = builders.utilisateur(db, role="DIRIGEANT")
    hashed = "$2b$10$" + "a" * 53
    db.execute("update auth.secret set mot_de_passe = %s where id_utilisateur = %s", [hashed, user])
    db.alter("alter table client.client add column essai text default 'neuf'")
    assert breaks(db) == []
    db.call("client.client_modifier", id_client=client, champs={"nom": "Après"})
    db.alter("alter table client.client drop column essai")
    assert breaks(db) == []


def test_a_rectification_does_not_change(db, inverted):
    repaired(db)
    for statement in ("update audit.rectification set motif = 'autre'", "delete from audit.rectification"):
        with refused("REGISTRE_FIGE", 409):
            db.execute(statement)
    assert db.one("select count(*) from audit.journal where entite = 'rectification'") == 1


def test_the_time_zone_of_a_session_breaks_no_chain(db):
    """An image has its times in the zone of the session that wrote it: the service's, a worker's or a DBA's."""
    for written in ("Africa/Lagos", "UTC", "America/St_Johns"):
        db.execute(f"set local timezone = '{written}'")
        builders.contrat(db)
        db.execute("update client.client set ville = '2026-02-31T10:00:00+01:00'")
        db.execute("update residence.occupation set periode = tstzrange(lower(periode), 'infinity')")
    db.execute("set constraints all immediate")
    for zone in ("UTC", "Africa/Lagos", "Asia/Kathmandu"):
        db.execute(f"set local timezone = '{zone}'")
        assert breaks(db) == []
        assert db.one("show timezone") == zone
