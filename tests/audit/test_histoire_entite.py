"""The history of a row: its changes in order, the fields that differ, what it cannot say, and its PDF."""

import pytest

from app.documents.texts import recorded
from tests import builders
from tests.audit.test_instant import entry
from tests.conftest import refusal, refused
from tests.documents import browsers, paper


@pytest.fixture
def changed(db):
    """A client that two users changed and one deleted."""
    author, other = builders.utilisateur(db, role="ADMINISTRATEUR"), builders.utilisateur(db, role="DIRIGEANT")
    db.acting(author)
    client = builders.client(db, nom="Kouassi", ville="Bouaké")
    db.acting(other)
    db.call("client.client_modifier", id_client=client, champs={"nom": "Koné", "ville": None})
    db.acting(None)
    db.execute("delete from client.client where id_client = %s", [client])
    return author, other, client


def history(db, entite, key, **arguments):
    return db.rows("audit.histoire_lister", entite=entite, id=str(key), **arguments)


def test_a_history_has_each_change_with_its_author_and_the_fields_that_differ(db, http, changed):
    author, other, client = changed
    answer = http.as_admin().get(f"/audit/entites/client/{client}/histoire")
    created, updated, deleted = answer.json()
    assert answer.headers["x-total-count"] == "3"
    first, second = (db.account(user)["login"] for user in (author, other))
    changes = [(row["operation"], row["login"]) for row in answer.json()]
    assert changes == [("INSERT", first), ("UPDATE", second), ("DELETE", None)]
    assert updated["differences"] == [
        {"champ": "nom", "avant": "Kouassi", "apres": "Koné"},
        {"champ": "ville", "avant": "Bouaké", "apres": None},
    ]
    assert (created["requete"], created["cle"]) == ("essai", None)
    assert (created["module"], created["entite_id"]) == ("client", str(client))
    assert {"champ": "nom", "avant": None, "apres": "Kouassi"} in created["differences"]
    assert {"champ": "nom", "avant": "Koné", "apres": None} in deleted["differences"]
    assert "photo" not in {x["champ"] for x in created["differences"] + deleted["differences"]}


def test_the_fields_of_a_change_come_in_the_order_of_the_columns(db, http):
    key = db.one("insert into core.parametre (cle, valeur) values ('ESSAI', 'un') returning id_parametre")
    before, after = ({"retiree": n, "valeur": n, "cle": n} for n in (1, 2))
    entry(db, "core.parametre", key, before, after)
    *_, last = http.as_admin().get(f"/audit/entites/parametre/{key}/histoire").json()
    assert [x["champ"] for x in last["differences"]] == ["cle", "valeur", "retiree"]


def test_a_name_that_two_slices_have_needs_its_module(db, http):
    service = builders.prestation(db)
    with refused("ENTITE_AMBIGUE", status=400) as refusal:
        history(db, "prestation", service)
    assert "dites lequel, par exemple" in refusal["message"]
    expected = history(db, "prestation", service, module="facturation")
    assert [row["operation"] for row in expected] == ["INSERT"]
    assert history(db, "facturation.prestation", service) == expected
    assert history(db, "pressing.prestation", service) != expected
    assert http.as_admin().get(f"/audit/entites/facturation.prestation/{service}").json()["libelle"] == "Prestation"


def test_an_entity_that_the_journal_does_not_keep_is_refused(http):
    admin = http.as_admin()
    for entite in ("inconnue", "journal", "core.client", "secret'; drop table x", "connexion", "client.client.x"):
        for path in ("", "/histoire"):
            answer = admin.get(f"/audit/entites/{entite}/1{path}")
            assert (answer.status_code, answer.json()["code"]) == (404, "ENTITE_INCONNUE"), (entite, answer.text)


def test_a_row_without_an_entry_has_an_empty_history(db, http):
    admin = http.as_admin()
    assert admin.get("/audit/entites/client/987654/histoire").json() == []
    assert admin.get("/audit/entites/client/987654").json()["changements"] == "0"


def test_a_secret_is_masked_at_every_depth_of_a_history(db, http):
    before = {"nom": "Boîte", "reglages": {"serveur": {"password": "p1", "port": 1}}, "mot_de_passe": "***"}
    after = {"nom": "Boîte", "reglages": {"serveur": {"password": "p2", "port": 2}}, "mot_de_passe": "***"}
    entry(db, "client.client", 7, before, after)
    answer = http.as_admin().get("/audit/entites/client/7/histoire")
    (change,) = answer.json()
    assert [x["champ"] for x in change["differences"]] == ["reglages"]
    assert "p1" not in answer.text and "p2" not in answer.text and "***" in change["differences"][0]["avant"]


def test_the_limits_of_a_history_are_in_its_answer(db, http):
    user = builders.utilisateur(db)
    admin = http.as_admin()
    db.execute(
        "insert into audit.archive (partie, du, au, entrees, ids, du_rang, au_rang, chemin, taille_octets, sha256)"
        " values ('journal_2025_03', '2025-03-01Z', '2025-04-01Z', 1, '{}', 1, 1, 'x', 1, '')"
    )
    answer = admin.get(f"/audit/entites/secret/{user}", params={"module": "auth"}).json()
    assert answer["portee"]["depuis"] is not None
    assert answer["portee"]["mois_archives"] == ["2025-03"]
    assert answer["portee"]["champs_masques"] == ["mot_de_passe"]


def test_a_narrowed_reader_sees_the_history_that_the_journal_shows(db, http):
    own, other = builders.caisse(db), builders.caisse(db)
    reader, colleague = (builders.utilisateur(db, role="DIRIGEANT", caisse=till) for till in (own, other))
    for user, till in ((reader, own), (colleague, other)):
        db.acting(user)
        db.call("finances.caisse_modifier", id_caisse=till, champs={"libelle": f"Guichet {till}"})
    db.acting(None)
    client = http.as_user(reader)
    listed = client.get("/audit/journal", params={"entite": "caisse"}).json()
    shown = client.get(f"/audit/entites/caisse/{own}/histoire").json()
    assert [row["id_trace"] for row in shown] == [row["id_trace"] for row in listed]
    for path in ("", "/histoire", "/histoire/pdf"):
        assert refusal(client.get(f"/audit/entites/caisse/{other}{path}")) == (404, "NOT_FOUND"), path


def test_a_history_is_printed_with_its_labels_and_its_limits(db, http, changed):
    browsers.needed()
    _, other, client = changed
    entry(db, "client.client", client, {"nom": "[effacé]"}, {"nom": "[effacé]"})  # as an erasure leaves both
    answer = http.as_admin().get(f"/audit/entites/client/{client}/histoire/pdf")
    assert answer.headers["content-type"] == "application/pdf", answer.text
    assert f'filename="histoire-client-{client}.pdf"' in answer.headers["content-disposition"]
    text = paper.text(answer.content)
    for part in ("Client n°", "4 changements", "Création", "Modification", "Suppression", "Prénoms", "Kouassi", "Koné",
                 "Par le système", db.account(other)["login"], "il commence le",
                 "Ce qui a changé est masqué, ou effacé depuis."):  # fmt: skip
        assert part in text, part


def test_a_printed_change_stands_with_its_heading(db, http):
    """No page ends with the author of a change whose fields are on the next one."""
    browsers.needed()
    client = builders.client(db)
    for n in range(40):
        nom = " ".join([f"Nom {n}"] * (n % 9 + 1))
        db.execute("update client.client set nom = %s where id_client = %s", [nom, client])
    pages = paper.pages(http.as_admin().get(f"/audit/entites/client/{client}/histoire/pdf").content)
    assert len(pages) > 3
    for page in pages:
        *lines, foot = [line.strip() for line in page.splitlines() if line.strip()]
        assert foot.startswith("Histoire") and not lines[-1].startswith(("Par", "Modification")), page


@pytest.mark.parametrize(
    ("field", "value", "words"),
    [
        ("date_debut", "2026-10-17", "17/10/2026"), ("montant_loyer", "160000.00", "160\N{NO-BREAK SPACE}000"),
        ("date_creation", "2026-10-17T23:30:00.25+00:00", "18/10/2026 00:30:00"), ("preavis", "false", "non"),
        ("statut", "EN_ATTENTE", "En attente"), ("type_location", "MENSUEL", "Mensuel"), ("nom", "KONE", "KONE"),
        ("numero_contrat", "CON-2026-013", "CON-2026-013"),
    ],
)  # fmt: skip
def test_a_printed_history_writes_values_as_french_does(field, value, words):
    assert recorded(value, field, "Africa/Lagos") == words


@pytest.mark.parametrize(
    "text",
    ["2026-02-31", "2026-99-99", "٢٠٢٦-٠١-٠١", "2026-02-31T10:00:00+00:00", "0001-01-01T00:00:00+14:00",
     "2026-01-01T10:00:00+99:99", "9" * 40 + ".00"],
)  # fmt: skip
def test_a_text_that_only_resembles_a_date_or_an_amount_is_printed_as_it_is(text):
    assert recorded(text, "notes", "Africa/Lagos") == text


def test_a_text_that_resembles_a_date_does_not_keep_a_history_from_being_printed(db, http):
    browsers.needed()
    client = builders.client(db, profession="2026-02-31")
    answer = http.as_admin().get(f"/audit/entites/client/{client}/histoire/pdf")
    assert answer.status_code == 200 and "2026-02-31" in paper.text(answer.content)
