"""Answers for a past instant: refusals, headers, filters, pages, files, limits of the reader, and odd entries."""

import csv
import io

import httpx
import pytest
from psycopg.types.json import Jsonb

from tests import builders
from tests.conftest import refused

NOW = "to_char(clock_timestamp() at time zone 'UTC', 'YYYY-MM-DD\"T\"HH24:MI:SS.US\"Z\"')"


@pytest.fixture
def renamed(db):
    """A client with a new name and town, and the instant before these."""
    client = builders.client(db, nom="Avant", ville="Bouaké")
    instant = now(db)
    db.call("client.client_modifier", id_client=client, champs={"nom": "Après", "ville": None})
    return client, instant


def now(db):
    return db.one(f"select {NOW}")


def past(db, operation, instant, **arguments):
    """The rows of an operation at an instant, as a DBA reads them."""
    db.one("select audit.instant_poser(%s)", [instant])
    return db.rows(f"passe.{operation.replace('.', '__')}", **arguments)


def entry(db, table, key, before, after=None):
    """Write the entry of an update whose rows before and after are these."""
    module, entite = table.split(".")
    db.execute(
        "insert into audit.journal (module, operation, entite, entite_id, avant, apres)"
        " values (%s, 'UPDATE', %s, %s, %s, %s)",
        [module, entite, str(key), Jsonb(before), Jsonb(after or {})],
    )


def names(db, instant=None, **arguments):
    listing = "client.client_lister"
    rows = past(db, listing, instant, **arguments) if instant is not None else db.rows(listing, **arguments)
    return [row["nom"] for row in rows]


def test_an_answer_for_an_instant_names_the_instant_and_has_no_version(http, renamed):
    client, instant = renamed
    admin = http.as_admin()
    past = admin.get(f"/client/clients/{client}", params={"instant": instant})
    assert (past.json()["nom"], past.json()["ville"]) == ("Avant", "Bouaké")
    assert past.headers["memento-datetime"].endswith(" GMT") and "etag" not in past.headers
    present = admin.get(f"/client/clients/{client}")
    assert present.json()["nom"] == "Après" and "etag" in present.headers and "memento-datetime" not in present.headers


def test_a_past_instant_is_read_on_the_primary(db, http, monkeypatch):
    """A replica may answer a list of payments, but may lack what was written before the instant."""
    read = []

    async def stale_row(statement, arguments, caller, *, follows=False):
        read.append(statement)
        return await http.services.database.row(statement, arguments, caller, reading=True)

    monkeypatch.setattr(http.services.database, "stale_row", stale_row)
    admin = http.as_admin()
    assert admin.get("/finances/paiements").status_code == 200 and len(read) == 1
    assert admin.get("/finances/paiements", params={"instant": now(db)}).status_code == 200 and len(read) == 1


@pytest.mark.utc
def test_an_instant_without_a_zone_is_in_that_of_the_organisation(db, http, renamed):
    client, instant = renamed
    past = http.as_admin().get(f"/client/clients/{client}", params={"instant": instant.removesuffix("Z")})
    date = db.one("select to_char(%s::timestamp, 'Dy, DD Mon YYYY HH24:MI:SS \"GMT\"')", [instant.removesuffix("Z")])
    assert (past.json()["nom"], past.headers["memento-datetime"]) == ("Avant", date)


def test_the_filters_the_search_and_the_sort_of_a_list_read_the_past(db, renamed):
    _, instant = renamed
    builders.client(db, nom="Plus tard")
    assert names(db, recherche="avant") == [] == names(db, recherche="apres", instant=instant)
    assert names(db, recherche="avant", instant=instant) == names(db, ville="bouake", instant=instant) == ["Avant"]
    assert "Plus tard" not in names(db, sort="nom", instant=instant)


def test_a_search_by_the_number_of_an_invoice_reads_the_payments_of_the_past(db):
    payment, invoice, instant = builders.payer(db, "500"), builders.facture(db), now(db)
    db.call("finances.paiement_appliquer", id_paiement=payment, id_facture=invoice)
    numero = db.one("select numero from facturation.facture where id_facture = %s", [invoice])
    assert [row["reference"] for row in db.rows("finances.paiement_lister", recherche=numero)] == [numero]
    assert past(db, "finances.paiement_lister", instant, recherche=numero) == []
    assert past(db, "finances.paiement_lister", instant, reference=numero) == []


def test_the_pages_of_a_list_stay_at_the_instant_of_the_first(db, http):
    """The name of a client may look like SQL. The cursor carries it, and it stays a value."""
    wanted = sorted(["Aka", "Essai, from client.client c", "Essai, residence._loyer (1)", "Zadi"])
    clients = [builders.client(db, nom=name) for name in wanted]
    instant = now(db)
    admin, seen = http.as_admin(), []
    answer = admin.get("/client/clients", params={"instant": instant, "sort": "nom", "limit": "1"})
    while True:
        assert answer.headers["x-total-count"] == "4" and "memento-datetime" in answer.headers
        seen += [row["nom"] for row in answer.json()]
        db.execute("update client.client set nom = 'Autre' where id_client = %s", [clients[len(seen) - 1]])
        if "next" not in answer.links:
            break
        answer = admin.get(answer.links["next"]["url"])
    assert seen == wanted


def test_a_cursor_serves_only_its_instant(db, http):
    builders.client(db), builders.client(db)
    instant = now(db)
    admin = http.as_admin()
    link = admin.get("/client/clients", params={"instant": instant, "limit": "1"}).links["next"]["url"]
    present, other = link.replace("instant=", "autre="), link.replace(instant[:4], str(int(instant[:4]) - 1), 1)
    for url in (present, other):
        assert admin.get(url).json()["code"] == "CURSEUR_INVALIDE", url


def test_the_file_of_a_list_is_that_of_the_instant(http, renamed):
    _, instant = renamed
    answer = http.as_admin().get("/client/clients", params={"instant": instant, "format": "csv"})
    rows = list(csv.DictReader(io.StringIO(answer.text.removeprefix("\ufeff")), delimiter=";"))
    assert [row["nom"] for row in rows] == ["Avant"] and "memento-datetime" in answer.headers


def test_an_instant_that_the_journal_does_not_cover_is_refused(db, http, renamed):
    client, _ = renamed
    admin = http.as_admin()
    for moment, rule in (("+ interval '1 hour'", "INSTANT_FUTUR"), ("- interval '30 years'", "INSTANT_AVANT_JOURNAL")):
        instant = db.one(f"select {NOW.replace('clock_timestamp()', f'(clock_timestamp() {moment})')}")
        for path in (f"/client/clients/{client}", "/client/clients", "/finances/caisses"):
            answer = admin.get(path, params={"instant": instant})
            assert (answer.status_code, answer.json()["code"]) == (400, rule), path
    assert "Le journal commence le" in answer.json()["message"] and answer.json()["details"]["depuis"]
    assert admin.get("/client/clients", params={"instant": "hier"}).json()["code"] == "VALIDATION_ERROR"


def test_an_operation_that_reads_only_the_present_refuses_an_instant(db, http):
    """Otherwise the present would pass for the past."""
    client, invoice, instant = builders.client(db), builders.facture(db), now(db)
    admin = http.as_admin()
    for path in (
        "/finances/depenses", "/client/clients?format=csv&INSTANT=x", f"/facturation/factures/{invoice}/pdf",
        f"/client/clients/{client}/credit", "/rapports/taxes", "/rapports/taxes?format=xlsx",
        "/finances/depenses?format=csv", "/audit/journal", f"/audit/entites/client/{client}/histoire",
    ):  # fmt: skip
        answer = admin.get(path, params=httpx.QueryParams(path.partition("?")[2]).set("instant", instant))
        recalls = path.startswith("/client/clients?")
        assert answer.status_code == (200 if recalls else 400), path
        if not recalls:
            assert "x-ignored-parameters" not in answer.headers
            (problem,) = answer.json()["details"]
            assert (problem["property"], "ne lit que le présent" in problem["messages"][0]) == ("instant", True), path
    for path in ("/finances/depenses", "/client/clients"):
        assert admin.get(path, params={"instant": ""}).status_code == 200


def test_a_write_refuses_an_instant_and_writes_nothing(db, http):
    client, instant = builders.client(db, nom="Avant"), now(db)
    admin = http.as_admin()
    path = f"/client/clients/{client}"
    answer = admin.patch(path, params={"instant": instant}, json={"nom": "Après"})
    assert (answer.status_code, answer.json()["details"][0]["property"]) == (400, "instant")
    assert admin.get(path).json()["nom"] == "Avant"


def test_the_first_instant_that_a_refusal_names_is_accepted(db, http, renamed):
    client, _ = renamed
    admin = http.as_admin()
    db.execute("set local session_replication_role = replica")
    for moment in ("2026-03-01 00:00:00.123456Z", "2026-03-01 00:00:00.999999Z", "2026-03-01 00:00:00Z"):
        db.execute("update audit.journal set date_heure = %s", [moment])
        refusal = admin.get("/client/clients", params={"instant": "2026-02-28T00:00:00Z"}).json()
        first = refusal["details"]["depuis"]
        assert refusal["code"] == "INSTANT_AVANT_JOURNAL" and first in refusal["message"]
        for instant in (first, admin.get(f"/audit/entites/client/{client}").json()["portee"]["depuis"]):
            answer = admin.get("/client/clients", params={"instant": instant})
            assert answer.status_code == 200, (moment, instant, answer.text)
        before = db.one("select (%s::timestamptz - interval '1 millisecond')::text", [first])
        with refused("INSTANT_AVANT_JOURNAL", status=400):
            names(db, instant=before)


def archived(db, part, end):
    db.execute(
        "insert into audit.archive (partie, du, au, entrees, ids, du_rang, au_rang, chemin, taille_octets, sha256)"
        f" values (%s, {end} - interval '1 month', {end}, 1, '{{}}', 1, 1, %s, 1, '')",
        [part, part],
    )


def test_an_instant_that_needs_archived_months_names_them(db, renamed):
    _, instant = renamed
    archived(db, "journal_2025_03", "timestamptz '2025-04-01Z'")
    assert names(db, instant=instant) == ["Avant"]
    archived(db, "journal_2026_05", "clock_timestamp()")
    archived(db, "journal_suite", "clock_timestamp()")  # this part is in the base again
    with refused("JOURNAL_ARCHIVE", status=409) as refusal:
        names(db, instant=instant)
    assert "archivés : 2026-05." in refusal["message"]


def test_an_instant_after_the_archived_months_needs_no_earlier_entry(db):
    first = db.one("select min(date_heure) from audit.journal")
    builders.client(db)
    first = first or db.one("select min(date_heure) from audit.journal")
    instant = db.one("select (%s::timestamptz - interval '1 second')::text", [first])
    with refused("INSTANT_AVANT_JOURNAL", status=400):
        names(db, instant=instant)
    archived(db, "journal_2001_01", "timestamptz '2001-02-01Z'")
    assert names(db, instant=instant) == []


def test_a_column_that_an_entry_lacks_keeps_its_present_value(db, renamed):
    """An entry from before a migration has no value for the column that this migration added."""
    client, _ = renamed
    instant = now(db)
    before = db.one("select to_jsonb(c) - 'tel_principal' from client.client c where id_client = %s", [client])
    entry(db, "client.client", client, before | {"nom": "Alors"})
    then = past(db, "client.client_detail", instant, id_client=client)[0]
    assert (then["nom"], then["tel_principal"]) == ("Alors", "+2250700000000")


def test_a_column_that_an_entry_lacks_has_the_value_before_its_first_change(db, renamed):
    """The first entry is from before the migration that added the column; a later entry has its value."""
    client, _ = renamed
    query = "select to_jsonb(c) - 'tel_principal' - 'email' from client.client c where id_client = %s"
    before = db.one(query, [client])
    for values in ({"tel_principal": "+2250700000001"}, {"tel_principal": "+2250700000002", "email": "a@exemple.ci"}):
        instant = now(db)
        entry(db, "client.client", client, before | {"nom": "Alors"})
        db.call("client.client_modifier", id_client=client, champs=values)
        then = past(db, "client.client_detail", instant, id_client=client)[0]
        expected = "+2250700000000" if "email" not in values else "+2250700000001"
        assert (then["nom"], then["tel_principal"], then["email"]) == ("Alors", expected, None)
    db.execute("delete from client.client where id_client = %s", [client])
    then = past(db, "client.client_detail", instant, id_client=client)[0]
    assert (then["nom"], then["tel_principal"], then["email"]) == ("Alors", "+2250700000001", None)


def test_a_computed_column_that_an_entry_lacks_is_computed_from_its_row(db):
    invoice, instant = builders.facture(db), now(db)
    query = "select to_jsonb(f) - 'reste' - 'statut' from facturation.facture f where id_facture = %s"
    entry(db, "facturation.facture", invoice, db.one(query, [invoice]))
    expected = db.call("facturation.facture_detail", id_facture=invoice)
    db.call("finances.paiement_creer", montant="500", id_moyen=builders.moyen(db), id_facture=invoice)
    assert db.call("facturation.facture_detail", id_facture=invoice) != expected
    assert past(db, "facturation.facture_detail", instant, id_facture=invoice)[0] == expected


def test_a_row_deleted_before_a_column_was_added_has_its_default(db):
    invoice, instant = builders.facture(db), now(db)
    query = "select to_jsonb(f) - 'montant_avoirs' from facturation.facture f where id_facture = %s"
    entry(db, "facturation.facture", invoice + 1, db.one(query, [invoice]) | {"id_facture": invoice + 1})
    then = past(db, "facturation.facture_detail", instant, id_facture=invoice + 1)[0]
    assert (then["montant_avoirs"], then["montant_total"]) == (0, 15000)


def test_the_rent_and_the_instalments_of_an_instant_count_its_day(db):
    """The instant is two months ago; all entries are moved before it."""
    lease = builders.contrat(
        db, date_debut=db.one("select date_trunc('month', core.aujourdhui())::date - 150"), date_fin_prevue=None
    )
    day = db.one("select core.aujourdhui() - 30")
    db.call("residence.contrat_reviser_loyer", id_contrat=lease, nouveau_montant="120000", date_effet=day)
    db.execute("set local session_replication_role = replica")
    instant = db.one("select (now() - interval '60 days')::text")
    archived(db, "journal_2001_01", "timestamptz '2001-02-01Z'")
    db.execute("truncate audit.journal")
    detail = past(db, "residence.contrat_detail", instant, id_contrat=lease)[0]
    present = db.call("residence.contrat_detail", id_contrat=lease)
    assert [str(row["montant_loyer"]) for row in (detail, present)] == ["95000.00", "120000.00"]


def test_the_present_is_read_without_the_schema_of_the_past(db, renamed):
    """An answer without an instant costs what it did: nothing of the journal and no twin is read."""
    db.execute("drop schema passe cascade")
    client, _ = renamed
    assert db.call("client.client_detail", id_client=client)["nom"] == "Après"
    for function in ("client.client", "finances.caisse", "finances.paiement", "market.produit"):
        db.rows(f"{function}_lister")
