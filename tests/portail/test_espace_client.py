"""A client sees the own record and the own invoices, and no data of any other client."""

from dataclasses import replace

import pytest

from tests import builders
from tests.conftest import ok, refusal
from tests.portail.demandes import without_conditions, without_row_level_security
from tests.portail.residents import resident

LOGIN = "mariam.diallo"
PERSON = {"nom": "Diallo", "prenoms": "Mariam", "tel_principal": "+2250700000001"}
INVOICES = "/facturation/portail/factures"


def signed_up(http, db, **fields):
    """Sign up a new client, and return an HTTP client with the token of that account."""
    db.acting(None)
    body = {"login": LOGIN, "mot_de_passe": "un mot de passe d'essai"} | PERSON | fields
    return replace(http, token=ok(http.post("/auth/inscription", json=body), 201)["accessToken"])


def client_of(db):
    return int(db.one("select id_client from auth.utilisateur where login = %s", [LOGIN]))


def invoice(db, client, paid="4000.50"):
    return builders.facturer(db, "15000.50", montant=paid, id_client=client)


def confirm(http, db):
    db.call("auth.reinitialisation_demander", login=LOGIN, hash="lien", duree=3600)
    db.call("auth.reinitialisation_appliquer", hash="lien", mot_de_passe=builders.PASSWORD_HASH)
    return http.as_user(db.one("select id_utilisateur from auth.utilisateur where login = %s", [LOGIN]))


def confirmed(http, db):
    signed_up(http, db, email="mariam@exemple.ci")
    return confirm(http, db)


def test_the_record_of_a_client_shows_data_added_by_staff_once_the_email_address_is_confirmed(http, db):
    client = signed_up(http, db, email="mariam@exemple.ci")
    db.execute("update client.client set adresse = 'Rue 12' where id_client = %s", [client_of(db)])
    record = ok(client.get("/client/portail"))
    assert "-CL-" in record["code"] and record["type_client"] == "PASSAGE"
    expected = PERSON | {"id_client": str(client_of(db)), "adresse": None, "a_confirmer": True}
    assert {name: record[name] for name in expected} == expected
    record = confirm(http, db).get("/client/portail").json()
    assert (record["adresse"], record["a_confirmer"]) == ("Rue 12", False)


LISTS = [
    INVOICES,
    "/abonnement/portail/souscriptions",
    "/residence/portail/sejours",
    "/restaurant/portail/commandes",
    "/pressing/portail/commandes",
    "/market/portail/ventes",
    "/salle-fete/portail/reservations",
    "/signalements/portail",
]


@pytest.mark.parametrize("fields", [{}, {"email": "mariam@exemple.ci"}], ids=["without-email", "with-email"])
def test_an_account_without_confirmed_address_reads_empty_lists_and_writes_nothing(http, db, fields):
    """A stranger signs up under a client's name, and staff then serves that client. The stranger sees nothing of it."""
    stranger = signed_up(http, db, **fields)
    client, room = client_of(db), builders.logement(db)
    issued = invoice(db, client)
    builders.contrat(db, id_client=client)
    builders.souscription(db, id_client=client)
    dish = builders.plat(db)
    for path in LISTS:
        answer = stranger.get(path)
        assert (answer.status_code, answer.json()) == (200, []), path
    rooms = stranger.get("/residence/portail/sejours/logements").json()
    assert str(room) in [row["id_logement"] for row in rooms]
    assert stranger.get("/salle-fete/portail/disponibilites?date=2031-05-17").status_code == 200
    meal = {"type": "SUR_PLACE", "lignes": [{"id_plat": str(dish), "quantite": 1}]}
    for answer in (
        stranger.get(f"{INVOICES}/{issued['id_facture']}/pdf"),
        stranger.post("/pressing/portail/commandes", json={}),
        stranger.post("/restaurant/portail/commandes", json=meal),
        stranger.post("/signalements/portail", json={"titre": "Fuite", "description": "Sous l'évier"}),
    ):
        assert refusal(answer) == (403, "ADRESSE_A_CONFIRMER"), answer.request.url


def test_a_confirmed_client_sees_the_own_invoices(http, db):
    client = confirmed(http, db)
    invoices = [invoice(db, client_of(db), paid) for paid in ("0", "4000.50", "15000.50")]
    response = client.get(INVOICES)
    assert response.status_code == 200, response.text
    keys = [str(issued["id_facture"]) for issued in invoices]
    rows = {row["id_facture"]: (row["statut"], row["reste"]) for row in response.json()}
    states = [("IMPAYEE", "15000.50"), ("PARTIELLE", "11000.00"), ("PAYEE", "0.00")]
    assert rows == dict(zip(keys, states, strict=True))
    assert response.headers["x-total-count"] == "3"
    page = client.get(f"{INVOICES}?limit=1&offset=1")
    assert [row["id_facture"] for row in page.json()] == [keys[1]]
    assert 'rel="next"' in page.headers["link"]


def test_an_invoice_without_an_activity_is_in_the_list_of_its_client(http, db):
    client = confirmed(http, db)
    service = {"libelle": "Transport", "prix": "20000"}
    service = ok(http.as_admin().post("/facturation/prestations", json=service))["id_prestation"]
    body = {"montant": "0", "id_moyen": str(builders.moyen(db)), "id_client": str(client_of(db))}
    issued = ok(http.as_admin().post(f"/facturation/prestations/{service}/facturer", json=body))
    [row] = ok(client.get(INVOICES))
    assert (row["numero"], row["activite"], row["reste"]) == (issued["numero"], None, "20000.00")
    assert client.get(f"{INVOICES}/{row['id_facture']}/pdf").status_code == 200


def test_only_its_client_can_print_an_invoice(http, db):
    client = confirmed(http, db)
    own, foreign = invoice(db, client_of(db)), invoice(db, builders.client(db, nom="Traore"))
    printed = client.get(f"{INVOICES}/{own['id_facture']}/pdf")
    assert (printed.status_code, printed.headers["content-type"]) == (200, "application/pdf")
    for key in (foreign["id_facture"], 987654321):
        assert client.get(f"{INVOICES}/{key}/pdf").status_code == 404


@pytest.fixture
def two_residents(db):
    return resident(db, "Kouassi"), resident(db, "Traore")


def read(http, person, path):
    return http.as_user(person.user).get(path)


def assert_isolated(http, reader, owner):
    record = read(http, reader, "/client/portail").json()
    listed = read(http, reader, INVOICES)
    assert record["nom"] == reader.nom
    assert {row["id_facture"] for row in listed.json()} == {str(key) for key in reader.factures.values()}
    for text in (str(record), listed.text):
        assert not [secret for secret in owner.secrets if secret in text]
    for key in owner.factures.values():
        assert read(http, reader, f"{INVOICES}/{key}/pdf").status_code == 404


def test_residents_see_only_their_own_invoices_by_each_guard_alone(http, db, two_residents):
    assert_isolated(http, *two_residents)
    assert_isolated(http, *reversed(two_residents))
    with db.connection.transaction(force_rollback=True):
        assert without_row_level_security(db) > 0
        assert_isolated(http, *two_residents)
    assert without_conditions(db) > 0
    assert_isolated(http, *two_residents)


def test_an_account_without_client_is_refused(http, db):
    loose = http.as_user(builders.utilisateur(db, role="CLIENT"))
    for path in ("/client/portail", INVOICES):
        assert refusal(loose.get(path)) == (403, "SANS_CLIENT")
