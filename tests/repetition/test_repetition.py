"""A list of calls as one transaction, rehearsed or done."""

from time import process_time
from urllib.parse import parse_qs, quote, urlsplit

import pytest

from tests import builders
from tests.conftest import refusal
from tests.rehearsed import tables

PERSON = {"nom": "Exemple", "prenoms": "Awa", "tel_principal": "+2250700000001", "type_client": "PASSAGE"}


def call(methode, chemin, corps=None):
    return {"methode": methode, "chemin": f"/api/v1{chemin}", **({} if corps is None else {"corps": corps})}


def rehearse(http, *calls, headers=None, **fields):
    return http.post("/repetition", json={"appels": list(calls), **fields}, headers=headers)


def statuses(answer):
    return [reponse["statut"] for reponse in answer.json()["reponses"]]


def nested(depth):
    """Lists within lists."""
    inner = []
    for _ in range(depth):
        inner = [inner]
    return inner


CREATED = call("POST", "/client/clients", PERSON)
SERVICE = call("POST", "/facturation/prestations", {"libelle": "Salle", "prix": "12500.50", "id_activite": "1"})
BILLED = call(
    "POST",
    "/facturation/prestations/{1/id_prestation}/facturer",
    {"id_client": {"$ref": "0/id_client"}, "montant": "7300.25", "id_moyen": "1"},
)


def test_a_later_call_uses_the_answers_of_earlier_ones_and_nothing_stays(http, db):
    admin = http.as_admin()
    before = tables(db)
    answer = rehearse(admin, CREATED, SERVICE, BILLED)
    assert answer.status_code == 200 and statuses(answer) == [201, 201, 201]
    assert answer.json()["reponses"][2]["corps"]["montant_paye"] == "7300.25"
    assert tables(db) == before


@pytest.mark.parametrize("kept", [{}, {"valider": True}])
def test_a_list_reads_before_it_writes(http, db, kept):
    """A reading may take long, and a write holds its locks until the end of the list."""
    admin = http.as_admin()
    before = tables(db)
    answer = rehearse(admin, CREATED, call("GET", "/client/clients"), **kept)
    assert (answer.status_code, answer.json()["details"][0]["property"]) == (400, "appels.1.methode")
    assert tables(db) == before
    assert statuses(rehearse(admin, call("GET", "/client/clients"), CREATED, **kept)) == [200, 201]


def test_a_user_rehearses_ten_times_a_minute(http, db):
    """One call, or a list. Writes and kept lists do not count, and another user has a count of its own."""
    admin = http.as_admin()
    for _ in range(5):
        assert admin.post("/client/clients", json=PERSON, headers={"Prefer": "tx=rollback"}).status_code == 201
        assert rehearse(admin, CREATED).status_code == 200
    alone = admin.post("/client/clients", json=PERSON, headers={"Prefer": "tx=rollback"})
    for refused in (rehearse(admin, CREATED), alone):
        assert (refused.status_code, refused.json()["code"]) == (429, "TOO_MANY_REQUESTS")
        assert 0 < int(refused.headers["retry-after"]) <= 60
    assert admin.post("/client/clients", json=PERSON).status_code == 201
    assert rehearse(admin, CREATED, valider=True).status_code == 200
    assert rehearse(http.as_user(builders.utilisateur(db, role="DIRIGEANT")), CREATED).status_code == 200


def test_the_list_is_done_whole_with_valider(http, db):
    answer = rehearse(http.as_admin(), CREATED, SERVICE, BILLED, valider=True)
    assert (answer.status_code, statuses(answer)) == (200, [201, 201, 201])
    assert db.one("select numero from facturation.facture") == answer.json()["reponses"][2]["corps"]["numero"]
    assert db.one("select count(*) from evenement.evenement where type = 'facture.emise'") == 1


def test_a_refusal_ends_the_list(http, db):
    admin = http.as_admin()
    paid = call("POST", "/finances/paiements", {"id_facture": "999999", "montant": "1", "id_moyen": "1"})
    rehearsed = rehearse(admin, CREATED, paid, SERVICE)
    assert rehearsed.status_code == 200 and len(statuses(rehearsed)) == 2
    refused = rehearsed.json()["reponses"][1]
    assert refused["statut"] == admin.post(paid["chemin"], json=paid["corps"]).status_code
    assert refused["corps"]["success"] is False
    before = tables(db)
    done = rehearse(admin, CREATED, paid, SERVICE, valider=True)
    assert done.status_code == refused["statut"] and done.json()["code"] == refused["corps"]["code"]
    assert statuses(done) == [201, refused["statut"]]
    assert tables(db) == before


def test_a_missing_row_is_named(http):
    answer = rehearse(http.as_admin(), call("GET", "/client/clients/999999"))
    assert answer.json()["reponses"][0]["corps"]["message"] == "Client n° 999999 introuvable."


@pytest.mark.parametrize(
    ("calls", "place"),
    [
        ([], "appels"),
        ([CREATED] * 101, "appels"),
        ([call("GET", "/nulle/part")], "appels.0.chemin"),
        ([{"methode": "GET", "chemin": "/client/clients"}], "appels.0.chemin"),
        ([{"methode": "VOLER", "chemin": "/api/v1/client/clients"}], "appels.0.methode"),
        ([{"methode": "GET"}], "appels.0.chemin"),
        ([call("GET", "/client/clients?nom=" + "a" * 4096)], "appels.0.chemin"),
        ([{**CREATED, "en_plus": 1}], "appels.0.en_plus"),
        ([call("DELETE", "/client/clients")], "appels.0.methode"),
        ([call("GET", "/client/clients", {"nom": "x"})], "appels.0.corps"),
        ([call("GET", "/client/clients/{0/id_client}")], "appels.0.chemin"),
        ([call("GET", "/client/clients/{1/id_client}"), CREATED], "appels.0.chemin"),
        ([CREATED, call("GET", "/client/clients/{id_client}")], "appels.1.chemin"),
        ([CREATED, call("POST", "/client/clients", {**PERSON, "nom": {"$ref": "1/nom"}})], "appels.1.corps.nom"),
        ([CREATED, call("POST", "/client/clients", {**PERSON, "nom": {"$ref": 0}})], "appels.1.corps.nom"),
        ([CREATED, call("POST", "/client/clients", {"$ref": "0/nom", "x": 1})], "appels.1.corps"),
        ([call("POST", "/client/clients", {"nom": nested(101)})], f"appels.0.corps.nom{'.0' * 100}"),
    ],
)
def test_a_malformed_list_is_refused_before_anything_runs(http, db, calls, place):
    answer = rehearse(http.as_admin(), *calls, valider=True)
    assert (answer.status_code, answer.json()["code"]) == (400, "VALIDATION_ERROR")
    assert [detail["property"] for detail in answer.json()["details"]] == [place]
    assert db.one("select count(*) from client.client") == 0


@pytest.mark.parametrize(
    "outside",
    [
        call("POST", "/repetition", {"appels": []}),
        call("POST", "/auth/cles", {"nom": "caisse"}),
        call("POST", "/jobs/generer-echeances"),
        call("POST", "/admin/sauvegardes/declencher"),
        call("GET", "/evenements"),
        call("GET", "/facturation/factures/1/pdf"),
        call("GET", "/rapports/financier?du=2026-01-01&au=2026-01-31&format=csv"),
        {"methode": "GET", "chemin": "/verifier/racines"},  # a throttled route
    ],
)
def test_an_effect_outside_the_database_is_refused_before_anything_runs(http, db, outside):
    answer = rehearse(http.as_admin(), CREATED, outside, valider=True)
    assert (answer.status_code, answer.json()["code"]) == (400, "REPETITION_IMPOSSIBLE")
    assert outside["methode"] in answer.json()["message"] and db.one("select count(*) from client.client") == 0


def test_braces_in_a_body_are_text(http):
    named = call("POST", "/client/clients", {**PERSON, "nom": "{0/id_client} {nom}"})
    assert rehearse(http.as_admin(), CREATED, named).json()["reponses"][1]["corps"]["nom"] == "{0/id_client} {nom}"


def test_a_reference_without_a_value_ends_the_list(http):
    for name in ("inconnu", "nom/0", "id_client/x"):
        answer = rehearse(http.as_admin(), CREATED, call("PATCH", f"/client/clients/{{0/{name}}}", {"ville": "Man"}))
        assert statuses(answer) == [201, 400]
        assert answer.json()["reponses"][1]["corps"]["code"] == "REFERENCE_SANS_VALEUR"
    named = call("POST", "/client/clients", {**PERSON, "nom": {"$ref": "0/" + "9" * 5000}})
    answer = rehearse(http.as_admin(), call("GET", "/client/clients"), named)
    assert answer.json()["reponses"][1]["corps"]["code"] == "REFERENCE_SANS_VALEUR"


def test_references_insert_a_bounded_text(http):
    """A reference of twenty bytes may name a whole answer, and a body has room for thousands of references."""
    listed = call("GET", "/core/parametres")
    many = call("POST", "/client/clients", {**PERSON, "nom": [{"$ref": "0/0"}] * 20_000})
    answer = rehearse(http.as_admin(), listed, many)
    assert statuses(answer) == [200, 400]
    assert answer.json()["reponses"][1]["corps"]["code"] == "REFERENCES_TROP_LONGUES"


def test_the_answers_of_a_list_are_bounded_together(http, monkeypatch):
    listed = call("GET", "/core/parametres")
    one = len(http.as_admin().get("/core/parametres").content)
    monkeypatch.setattr("app.leaves.repetition.calls.ANSWERED", 2 * one)
    answer = rehearse(http.as_admin(), *[listed] * 4)
    assert statuses(answer) == [200, 200, 400]
    assert answer.json()["reponses"][2]["corps"]["code"] == "REPONSES_TROP_LONGUES"
    assert rehearse(http.as_admin(), *[listed] * 3, valider=True).json()["code"] == "REPONSES_TROP_LONGUES"


def test_a_long_name_is_not_copied_for_each_value_below_it(http):
    body = {"n" * 400_000: [0] * 250_000}
    before = process_time()
    answer = rehearse(http.as_admin(), call("POST", "/client/clients", body))
    assert answer.status_code == 200 and process_time() - before < 2


def test_a_reference_reaches_into_a_list_and_cannot_change_the_route(http, db):
    admin = http.as_admin()
    client = builders.client(db, nom="../portail")
    answer = rehearse(
        admin,
        call("GET", f"/client/clients/{client}"),
        call("GET", "/client/clients"),
        call("GET", "/client/clients/{1/0/id_client}"),
        call("GET", "/client/clients/{0/nom}"),
    )
    assert statuses(answer) == [200, 200, 200, 400]
    assert answer.json()["reponses"][2]["corps"]["nom"] == "../portail"


def test_each_call_needs_its_own_permission(http, db):
    till = http.as_user(builders.utilisateur(db, role="CAISSIER"))
    forbidden = call("POST", "/admin/roles", {"code": "CHEF", "libelle": "Chef"})
    answer = rehearse(till, call("GET", "/finances/moyens-paiement"), forbidden)
    assert (answer.status_code, statuses(answer)) == (200, [200, 403])
    refused = rehearse(till, CREATED, valider=True)
    assert (refused.status_code, refused.json()["message"]) == (403, "Votre rôle n'a pas la permission ADMIN.MODIFIER.")


def test_the_refusal_of_a_call_names_the_key(http, db):
    user = builders.utilisateur(db, role="DIRIGEANT")
    made = http.as_user(user).post("/auth/cles", json={"libelle": "Caisse", "permissions": ["FINANCES.VOIR"]}).json()
    calls = [call("GET", "/finances/moyens-paiement"), call("GET", "/client/clients")]
    answer = http.request("POST", "/repetition", token=made["cle"], json={"appels": calls})
    assert statuses(answer) == [200, 403]
    assert answer.json()["reponses"][1]["corps"]["message"].startswith("Cette clé n'a pas la permission CLIENT.VOIR")


def test_a_list_is_read_from_its_cursor(http, db):
    for number in range(3):
        builders.client(db, nom=f"Exemple {number}")
    admin = http.as_admin()
    page = admin.get("/client/clients", params={"limit": 2, "sort": "nom"})
    cursor = parse_qs(urlsplit(page.links["next"]["url"]).query)["apres"][0]
    answer = rehearse(admin, call("GET", f"/client/clients?limit=2&sort=nom&apres={quote(cursor)}"))
    [body] = [reponse["corps"] for reponse in answer.json()["reponses"]]
    assert [row["nom"] for row in body] == ["Exemple 2"]


def test_a_list_that_is_done_is_done_once_for_each_key(http, db):
    admin, key = http.as_admin(), {"Idempotency-Key": "une fois"}
    rehearse(admin, CREATED, headers=key)  # a rehearsal does not use the key
    first = rehearse(admin, CREATED, valider=True, headers=key)
    again = rehearse(admin, CREATED, valider=True, headers=key)
    assert again.content == first.content and again.headers["idempotency-replayed"] == "true"
    assert db.one("select count(*) from client.client") == 1
    assert refusal(rehearse(admin, SERVICE, valider=True, headers=key)) == (422, "CLE_IDEMPOTENCE_REUTILISEE")


def test_a_rehearsal_does_not_use_up_the_idempotency_key(http, db):
    admin, key = http.as_admin(), {"Idempotency-Key": "une fois"}
    rehearsal = admin.post("/client/clients", json=PERSON, headers={**key, "Prefer": "respond-async, TX=rollback"})
    assert rehearsal.status_code == 201 and db.one("select count(*) from client.client") == 0
    real = admin.post("/client/clients", json=PERSON, headers=key)
    assert real.json()["code"] == rehearsal.json()["code"] and "idempotency-replayed" not in real.headers


@pytest.mark.parametrize("preference", ["tx=rolback", "tx", "tx=commit, tx=rollback"])
def test_a_misspelt_preference_writes_nothing(http, db, preference):
    answer = http.as_admin().post("/client/clients", json=PERSON, headers={"Prefer": preference})
    assert (answer.status_code, answer.json()["details"][0]["property"]) == (400, "Prefer")
    assert db.one("select count(*) from client.client") == 0


def test_a_deferred_rule_refuses_in_a_rehearsal(http, db):
    db.alter(
        "create function client._essai() returns trigger language plpgsql security definer as "
        "$$ begin perform core.refuser(409, 'ESSAI', 'Refusé à la validation.'); return null; end $$"
    )
    db.execute(
        "create constraint trigger essai after insert on client.client deferrable initially deferred "
        "for each row execute function client._essai()"
    )
    admin = http.as_admin()
    assert refusal(admin.post("/client/clients", json=PERSON, headers={"Prefer": "tx=rollback"})) == (409, "ESSAI")
    assert rehearse(admin, CREATED, SERVICE).json()["reponses"][0]["corps"]["code"] == "ESSAI"
