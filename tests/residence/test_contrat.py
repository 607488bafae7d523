"""Leases: creation, transitions of the status, termination and revision of the rent."""

import itertools
import json
from contextlib import nullcontext
from datetime import date, timedelta
from decimal import Decimal

import pytest

from app.base.refusal import Refusal
from tests import builders
from tests.conftest import ok, refusal, refused
from tests.documents import paper
from tests.residence.leases import collect, empty, instalments, numero, room_of, terminate


def state(db, lease):
    return db.one("select statut from residence.contrat_location where id_contrat = %s", [lease])


def amounts(db, lease):
    return {str(row["date_echeance"]): str(row["montant"]) for row in instalments(db, lease) if not row["annulee"]}


def revise(db, lease, amount, day=None, **fields):
    fields |= {"id_contrat": lease, "nouveau_montant": amount, "date_effet": day}
    db.call("residence.contrat_reviser_loyer", **fields)


def force(db, lease, statut):
    """Set the status of a lease without its triggers."""
    ended = "case when %s = 'RESILIE' then date_debut end"
    change = f"update residence.contrat_location set statut = %s, date_resiliation = {ended} where id_contrat = %s"
    db.tamper(change, statut, statut, lease)


# ---- creation


def test_a_new_lease_creates_instalments_reserves_the_room_and_opens_an_account(http, db):
    client, room = builders.client(db), builders.logement(db)
    body = {
        "id_client": str(client), "id_logement": str(room), "date_debut": "2026-01-01", "montant_loyer": "95000",
        "type_location": "MENSUEL", "date_fin_prevue": "2026-12-31", "duree_mois": "12", "date_signature": "2025-12-20",
    }  # fmt: skip
    lease = ok(http.as_admin().post("/residence/contrats", json=body), 201)
    assert lease["numero_contrat"] == f"CON-{db.today().year}-001"
    code = db.one("select lower(code) from client.client where id_client = %s", [client])
    assert lease["compte_resident"] == {"login": code, "email_envoye": False}
    assert {key: lease[key] for key in ("statut", "periodicite", "duree_mois", "montant_loyer", "date_fin_prevue")} == {
        "statut": "EN_ATTENTE", "periodicite": "MENSUEL", "duree_mois": 12, "montant_loyer": "95000.00",
        "date_fin_prevue": "2026-12-31",
    }  # fmt: skip
    assert [(row["mois"], row["annee"], row["montant"], row["montant_paye"]) for row in lease["echeances"]] == [
        (month, 2026, "95000.00", "0.00") for month in range(1, 13)
    ]
    assert lease["echeances"][7]["date_echeance"] == "2026-08-01"
    assert room_of(db, lease["id_contrat"])["statut"] == "RESERVE"
    detail = http.as_admin().get(f"/residence/contrats/{lease['id_contrat']}").json()
    assert detail == {key: value for key, value in lease.items() if key != "compte_resident"}
    account = db.one(
        "select r.code as role, s.mot_de_passe from auth.utilisateur u join auth.role r using (id_role) "
        "left join auth.secret s using (id_utilisateur) where u.id_client = %s",
        [client],
    )
    assert account == {"role": "RESIDENT", "mot_de_passe": None}


@pytest.mark.parametrize("start, months, end", [
    ("2026-01-01", 12, "2026-12-31"), ("2026-01-15", 1, "2026-02-14"), ("2026-01-31", 1, "2026-02-27"),
])  # fmt: skip
def test_the_duration_gives_the_missing_end_date(db, start, months, end):
    builders.contrat(db, date_debut=start, date_fin_prevue=None, duree_mois=months, actif=False)
    assert str(db.one("select date_fin_prevue from residence.contrat_location")) == end


def test_an_invalid_lease_is_refused(db):
    room, client = builders.logement(db), builders.client(db)
    for fields, rule, status in (
        ({"date_fin_prevue": "2025-12-31"}, "FIN_CONTRAT_APRES_DEBUT", 400),
        ({"date_fin_prevue": "2126-01-01"}, "FIN_CONTRAT_PLAUSIBLE", 400),
        ({"date_debut": "1890-01-01"}, "DEBUT_CONTRAT_PLAUSIBLE", 400),
        ({"date_signature": "2026-01-02"}, "SIGNATURE_AVANT_DEBUT", 400),
        ({"montant_loyer": "0"}, "MONTANT_STRICTEMENT_POSITIF", 400),
        ({"duree_mois": 0}, "DUREE_MINIMALE", 400),
        ({"statut": "EXPIRE"}, "CONTRAT_NAIT_EN_ATTENTE", 400),
        ({"id_logement": 999999}, "LOGEMENT_INCONNU", 422),
        ({"id_client": 999999}, "CLIENT_INCONNU", 422),
    ):
        with refused(rule, status):
            builders.contrat(db, **{"id_logement": room, "id_client": client} | fields)


def test_a_lease_requires_a_free_room(db):
    for statut in ("RESERVE", "OCCUPE", "EN_NETTOYAGE", "EN_MAINTENANCE", "INDISPONIBLE"):
        with refused("LOGEMENT_INDISPONIBLE", 409):
            builders.contrat(db, id_logement=builders.logement(db, statut=statut))


def test_two_leases_of_a_room_never_overlap(db):
    """Also when a user has set the status of the room to free."""
    room = builders.logement(db)
    builders.contrat(db, id_logement=room)
    empty(db, room)
    for start, end in [("2026-12-17", "2027-06-30"), ("2025-06-01", "2026-01-01"), ("2026-05-01", None)]:
        with refused("LOGEMENT_DEJA_OCCUPE", 409):
            builders.contrat(db, id_logement=room, date_debut=start, date_fin_prevue=end)
    builders.contrat(db, id_logement=room, date_debut="2026-12-18", date_fin_prevue=None)
    empty(db, room)
    with refused("LOGEMENT_DEJA_OCCUPE", 409):
        builders.contrat(db, id_logement=room, date_debut="2090-01-01", date_fin_prevue=None)


def test_a_lease_without_end_has_instalments_for_a_year(db):
    start = db.today().replace(day=1)
    lease = builders.contrat(db, date_debut=start, date_fin_prevue=None)
    future = builders.contrat(db, date_debut=date(start.year + 2, 1, 1), date_fin_prevue=None)
    assert len(amounts(db, future)) == 12
    inside = builders.contrat(db, date_debut="2090-01-15", date_fin_prevue=None, montant_loyer="31000", actif=False)
    due = amounts(db, inside)  # the first month by day, and the last one whole
    assert (len(due), due["2090-01-15"], due["2091-01-01"]) == (13, "17000.00", "31000.00")
    rows = list(amounts(db, lease))
    # From the first day of this month to a year from today: 12 instalments on the first of a month, else 13.
    assert len(rows) == (12 if db.today().day == 1 else 13)
    assert rows[0] == str(start)


@pytest.mark.parametrize("role", ["RESIDENT", "CLIENT"])
def test_a_client_with_an_account_keeps_it_as_a_resident(db, role):
    client = builders.client(db)
    account = builders.utilisateur(db, role=role, id_client=client)
    row = db.call(
        "residence.contrat_creer", id_client=client, id_logement=builders.logement(db), date_debut="2026-01-01",
        montant_loyer="1", type_location="MENSUEL", lien_en_file=False,
    )  # fmt: skip
    assert (row["compte_resident"], db.account(account)["role"]) == (None, "RESIDENT")
    assert db.one("select count(*) from auth.utilisateur where id_client = %s", [client]) == 1
    assert db.one("select count(*) from auth.jeton_reinitialisation") == 0


def test_a_login_in_use_does_not_stop_a_lease(db):
    client = builders.client(db)
    code = db.one("select code from client.client where id_client = %s", [client])
    builders.utilisateur(db, login=code)
    builders.contrat(db, id_client=client)
    assert db.one("select login from auth.utilisateur where id_client = %s", [client]) == f"{code.lower()}-2"


def test_devenir_resident_creates_a_lease_and_makes_the_client_a_tenant(http, db):
    client = builders.client(db)
    body = {
        "id_logement": str(builders.logement(db)), "date_debut": "2026-01-01", "montant_loyer": "1200000",
        "type_location": "ANNUEL", "duree_mois": 24,
    }  # fmt: skip
    answer = ok(http.as_admin().post(f"/residence/clients/{client}/devenir-resident", json=body), 201)
    assert answer["compte_resident"]["login"].startswith("gsg-cl-")
    assert [row["montant"] for row in answer["echeances"]] == ["1200000.00", "1200000.00"]
    assert db.one("select type_client from client.client where id_client = %s", [client]) == "LOCATAIRE"
    assert http.as_admin().post("/residence/clients/999999/devenir-resident", json=body).status_code == 404


# ---- mail


class MemoryMailer:
    def __init__(self, broken=False):
        self.sent = []
        self.broken = broken

    async def send(self, *message):
        from app.jobs.mailer import MailError

        if self.broken:
            raise MailError("Le service d'e-mail ne répond pas.")
        self.sent.append(message)

    async def close(self):
        pass


@pytest.fixture
def mailer(http, monkeypatch):
    memory_mailer = MemoryMailer()
    monkeypatch.setattr(http.services, "mailer", memory_mailer)
    return memory_mailer


def lease_body(db, client):
    return {
        "id_client": str(client), "id_logement": str(builders.logement(db)), "date_debut": "2026-01-01",
        "montant_loyer": "95000", "type_location": "MENSUEL", "date_fin_prevue": "2026-12-31",
    }  # fmt: skip


def test_a_new_resident_sets_a_password_through_a_mailed_link(http, db, mailer):
    client = builders.client(db, email="awa@exemple.ci")
    admin, request = http.as_admin(), {"json": lease_body(db, client), "headers": {"Idempotency-Key": "bail-1"}}
    answer = admin.post("/residence/contrats", **request)
    login = answer.json()["compte_resident"]["login"]
    assert answer.json()["compte_resident"]["email_envoye"] is True
    replay = admin.post("/residence/contrats", **request)
    assert replay.json() == answer.json() and replay.headers["Idempotency-Replayed"] == "true"
    [(to, _, letter)] = mailer.sent
    assert to == "awa@exemple.ci" and login in letter.text and login in letter.html
    assert db.one("select date_expiration - date_creation = interval '7 days' from auth.jeton_reinitialisation")
    assert "sept jours" in letter.text
    token = letter.text.split("jeton=")[1].split()[0]
    assert token not in json.dumps(db.all("select hash from auth.jeton_reinitialisation"))
    body = {"jeton": token, "nouveau_mot_de_passe": "un-mot-de-passe"}
    chosen = http.post("/auth/reinitialiser-mot-de-passe", json=body)
    assert chosen.status_code == 200, chosen.text
    signed_in = http.post("/auth/login", json={"login": login, "mot_de_passe": "un-mot-de-passe"})
    assert signed_in.json()["utilisateur"]["role"] == "RESIDENT"


def test_a_rehearsed_lease_sends_no_letter(http, db, mailer):
    admin, body = http.as_admin(), lease_body(db, builders.client(db, email="awa@exemple.ci"))
    alone = admin.post("/residence/contrats", json=body, headers={"Prefer": "tx=rollback"})
    listed = {"methode": "POST", "chemin": "/api/v1/residence/contrats", "corps": body}
    [together] = admin.post("/repetition", json={"appels": [listed]}).json()["reponses"]
    assert alone.status_code == together["statut"] == 201
    assert alone.json()["numero_contrat"] == together["corps"]["numero_contrat"]
    done = admin.post("/repetition", json={"appels": [listed], "valider": True})  # the list would send no letter
    assert refusal(done) == (400, "REPETITION_IMPOSSIBLE")
    assert mailer.sent == [] and db.one("select count(*) from residence.contrat_location") == 0


def test_a_lease_is_sent_by_mail_as_a_pdf(http, db, mailer):
    with_email = builders.contrat(db, id_client=builders.client(db, email="awa@exemple.ci"), montant_loyer="95000.5")
    without_email = builders.contrat(db)
    admin = http.as_admin()
    assert admin.post(f"/residence/contrats/{with_email}/envoyer-email").json() == {"envoye": True}
    assert admin.post(f"/residence/contrats/{without_email}/envoyer-email", json={}).json() == {"envoye": False}
    assert admin.post("/residence/contrats/999999/envoyer-email").status_code == 404
    no_key = admin.post(f"/residence/contrats/{with_email}/envoyer-email", headers={"Idempotency-Key": ""})
    assert (no_key.status_code, no_key.json()["details"][0]["property"]) == (400, "Idempotency-Key")
    [(to, name, letter)] = mailer.sent
    assert (to, name) == ("awa@exemple.ci", "Awa Exemple")
    assert letter.subject.startswith("Votre contrat CON-")
    for words in (letter.text, letter.html):
        assert "95\N{NO-BREAK SPACE}000,50 FCFA par mois" in words and "du 01/01/2026 au 17/12/2026" in words
        assert "joint à ce message" in words
    [file] = letter.files
    assert file.name.endswith(".pdf") and "Article 25" in paper.text(file.content)
    assert letter.sender == db.one("select core.parametre('NOM_ORGANISATION')")
    mailer.broken = True
    assert admin.post(f"/residence/contrats/{with_email}/envoyer-email").json() == {"envoye": False}


def test_a_lease_is_sent_without_a_file_when_no_pdf_can_be_made(http, db, mailer, monkeypatch):
    """The text of the message then does not mention a file."""
    lease = builders.contrat(db, id_client=builders.client(db, nom="<b>Kone", email="awa@exemple.ci"))

    async def unavailable(*_):
        raise Refusal(503, "RENDU_INDISPONIBLE", "Les documents ne s'impriment pas ici.")

    monkeypatch.setattr(http.services.renderer, "pdf", unavailable)
    assert http.as_admin().post(f"/residence/contrats/{lease}/envoyer-email").json() == {"envoye": True}
    [(_, _, letter)] = mailer.sent
    assert letter.files == () and "joint" not in letter.text + letter.html
    assert "<b>Kone" in letter.text and "<b>" not in letter.html and "<bdi>Awa &lt;b&gt;Kone</bdi>" in letter.html


# ---- states


def test_each_operation_on_a_lease_requires_its_status(db):
    sources = {"activer": "EN_ATTENTE", "annuler": "EN_ATTENTE", "resilier": "ACTIF"}
    for action, statut in itertools.product(sources, ("EN_ATTENTE", "ACTIF", "RESILIE", "TERMINE")):
        lease = builders.contrat(db, actif=False)
        force(db, lease, statut)
        allowed = statut == sources[action]
        with nullcontext() if allowed else refused("TRANSITION_INTERDITE", 409):
            db.call(f"residence.contrat_{action}", id_contrat=lease)
        target = "ACTIF" if action == "activer" else "RESILIE"
        assert state(db, lease) == (target if allowed else statut), (action, statut)


def test_the_terms_of_a_lease_never_change(db):
    lease = builders.contrat(db)
    for column, value in [("loyer_initial", "1"), ("date_fin_prevue", "2027-01-01"), ("numero_contrat", "X")]:
        with refused("CONTRAT_FIGE", 409):
            db.execute(f"update residence.contrat_location set {column} = %s where id_contrat = %s", [value, lease])


def test_a_lease_terminated_today_frees_its_room_at_once(db):
    room = builders.logement(db)
    start = db.today() - timedelta(days=40)
    terminate(db, builders.contrat(db, id_logement=room, date_debut=start, date_fin_prevue=None))
    empty(db, room)
    builders.contrat(db, id_logement=room, date_debut=db.today(), date_fin_prevue=None)


def test_a_termination_cancels_unpaid_instalments_and_answers_the_amount_to_refund(db):
    lease = builders.contrat(db, date_fin_prevue="2026-12-31", montant_loyer="1000")
    rows = instalments(db, lease)
    for month, paid in [(1, "1000"), (6, "400"), (9, "1000"), (10, "250")]:
        collect(db, rows[month - 1], paid)
    answer = db.call("residence.contrat_resilier", id_contrat=lease, date_resiliation="2026-08-15", motif="Départ")
    assert answer == {
        "resilie": True, "date_resiliation": date(2026, 8, 15), "montant_a_rembourser": Decimal("1250.00"),
        "nb_echeances_a_rembourser": 2,
    }  # fmt: skip
    # June still owes 600. August owes 15 of its 31 days. September and October were paid and owe no more.
    expected = {f"2026-{month:02}-01": "1000.00" for month in range(1, 8)} | {"2026-08-01": "484.00"}
    assert amounts(db, lease) == expected
    assert db.one("select count(*) from finances.paiement where type = 'DECAISSEMENT'") == 0
    with refused("NOT_FOUND", 404):
        collect(db, rows[10], "1")
    october = db.one("select id_facture from facturation.facture where source_id = %s", [rows[9]["id_echeance"]])
    with refused("FACTURE_ANNULEE", 409):
        db.call("finances.paiement_creer", montant="1", id_moyen=builders.moyen(db), id_facture=october)
    # The invoice keeps its amount. The credit note cancels it and leaves the part payment to the client.
    invoice = (
        "select statut, remise::text, montant_total::text, montant_avoirs::text, montant_credit::text"
        " from facturation.facture where id_facture = %s"
    )
    assert db.one(invoice, [october]) == {
        "statut": "ANNULEE", "remise": "0.00", "montant_total": "1000.00", "montant_avoirs": "1000.00",
        "montant_credit": "250.00",
    }  # fmt: skip
    assert db.all("select * from jobs._controler()") == []


def test_a_lease_terminated_before_its_start_owes_nothing(db):
    start = db.today() + timedelta(days=40)
    lease = builders.contrat(db, date_debut=start, date_fin_prevue=None)
    collect(db, instalments(db, lease)[0], "10")
    answer = terminate(db, lease)
    assert (answer["date_resiliation"], str(answer["montant_a_rembourser"])) == (start, "10.00")
    assert amounts(db, lease) == {}


def test_an_expired_lease_leaves_the_room_to_the_next_tenant(db):
    room = builders.logement(db)
    start = db.today() - timedelta(days=400)
    old = builders.contrat(db, id_logement=room, date_debut=start, date_fin_prevue=start + timedelta(days=300))
    empty(db, room)
    present = builders.contrat(db, id_logement=room, date_debut=db.today(), date_fin_prevue=None)
    db.call("jobs.transition_contrats_expires")
    assert (state(db, old), room_of(db, present)["statut"]) == ("TERMINE", "OCCUPE")


def test_revisions_and_occupations_of_a_lease_never_change(db):
    revise(db, builders.contrat(db), "1", "2026-12-01")
    for statement in (
        "update residence.revision_loyer set nouveau_montant = 2",
        "delete from residence.revision_loyer",
        "delete from residence.occupation",
    ):
        with refused("LIGNE_FIGEE", 409):
            db.execute(statement)


def test_the_amount_paid_of_an_instalment_is_that_of_its_invoice(db):
    first = instalments(db, builders.contrat(db, montant_loyer="1000"))[0]
    collect(db, first, "400")
    db.execute("update residence.echeance set montant_paye = 1000")
    assert db.one("select sum(montant_paye) from residence.echeance") == 400
    for statement in (
        "delete from residence.echeance",
        f"update residence.echeance set montant = 900 where id_echeance = {first['id_echeance']}",
    ):
        with refused("ECHEANCE_FIGEE", 409):
            db.execute(statement)


def test_a_lease_without_end_owes_its_rent_until_a_termination_years_ahead(db):
    """Instalments exist for a year ahead. The termination must create those up to its own date."""
    start = db.today().replace(day=1)
    lease = builders.contrat(db, date_debut=start, date_fin_prevue=None, montant_loyer="1000")
    terminate(db, lease, start.replace(year=start.year + 2) - timedelta(days=1))
    assert len(amounts(db, lease)) == 24


def test_a_termination_before_the_start_or_in_a_distant_century_is_refused(db):
    lease = builders.contrat(db, date_fin_prevue=None)
    for day, rule in [("9999-12-31", "RESILIATION_PLAUSIBLE"), ("2025-12-31", "RESILIATION_APRES_DEBUT")]:
        with refused(rule, 400):
            terminate(db, lease, day)


# ---- revision


def test_a_revision_changes_the_unpaid_instalments_from_its_date(db):
    lease = builders.contrat(db, date_debut="2026-01-16", date_fin_prevue="2026-06-15", montant_loyer="31000")
    collect(db, instalments(db, lease)[4], "1")
    revise(db, lease, "62000", "2026-03-02", motif="Travaux")
    # June is the rent less the amount of January, which completes one whole month.
    assert amounts(db, lease) == {
        "2026-01-16": "16000.00", "2026-02-01": "31000.00", "2026-03-01": "31000.00",
        "2026-04-01": "62000.00", "2026-05-01": "31000.00", "2026-06-01": "30000.00",
    }  # fmt: skip
    row = db.one("select ancien_montant::text, nouveau_montant::text, motif from residence.revision_loyer")
    assert [*row.values()] == ["31000.00", "62000.00", "Travaux"]


def test_a_revision_entered_later_for_an_earlier_date_keeps_the_later_revision(db):
    lease = builders.contrat(db, montant_loyer="100")
    revise(db, lease, "300", "2026-09-01")
    revise(db, lease, "200", "2026-05-01")
    values = [int(Decimal(value)) for value in amounts(db, lease).values()]
    assert values == [100] * 4 + [200] * 4 + [300] * 3 + [165]  # 17 days of December's 31
    history = db.all("select ancien_montant, nouveau_montant from residence.revision_loyer order by id_revision")
    assert [tuple(map(int, row.values())) for row in history] == [(100, 300), (100, 200)]


def test_the_list_of_leases_shows_the_rent_in_force_today(db):
    start = db.today() - timedelta(days=30)
    lease = builders.contrat(db, date_debut=start, date_fin_prevue=None, montant_loyer="100")
    revise(db, lease, "200", db.today() + timedelta(days=1))
    assert [str(row["montant_loyer"]) for row in db.rows("residence.contrat_lister", montant_loyer="100")] == ["100.00"]
    revise(db, lease, "150")
    assert [str(row["montant_loyer"]) for row in db.rows("residence.contrat_lister")] == ["150.00"]
    assert db.rows("residence.contrat_lister", montant_loyer="100") == []


def test_an_invalid_revision_is_refused(db):
    lease = builders.contrat(db)
    for statut, day, rule, status in (
        ("RESILIE", "2026-05-01", "CONTRAT_CLOS", 409),
        ("TERMINE", "2026-05-01", "CONTRAT_CLOS", 409),
        ("ACTIF", "2025-12-31", "DATE_EFFET_HORS_CONTRAT", 400),
        ("ACTIF", "2027-01-01", "DATE_EFFET_HORS_CONTRAT", 400),
    ):
        force(db, lease, statut)
        with refused(rule, status):
            revise(db, lease, "1", day)


# ---- lists


def test_the_list_of_leases_filters(http, db):
    client, room = builders.client(db, nom="Kouassi", prenoms="Yao"), builders.logement(db)
    term = {"date_debut": "2026-02-01", "date_fin_prevue": "2026-11-30"}
    first = builders.contrat(db, id_client=client, id_logement=room, **term)
    other = builders.contrat(db, type_location="ANNUEL", montant_loyer="1200000")
    force(db, other, "TERMINE")
    room_number = db.one("select numero from residence.logement where id_logement = %s", [room])
    admin = http.as_admin()

    def listed(query=""):
        return [int(row["id_contrat"]) for row in admin.get(f"/residence/contrats?{query}").json()]

    for query in [
        f"id_client={client}", f"id_logement={room}", "statut=ACTIF", "type_location=MENSUEL", "periodicite=mensuel",
        "montant_loyer=95000", f"numero_contrat={numero(db, first)}", "recherche=yao kouassi", f"search={room_number}",
        "du=2026-02-01", "au=2026-11-30&du=2026-01-15", "fin_au=2026-11-30", "fin_du=2026-11-30&fin_au=2026-12-01",
    ]:  # fmt: skip
        assert listed(query) == [first], query
    assert listed("statut=EXPIRE") == listed("statut=TERMINE") == [other]
    assert listed() == [other, first]
    assert admin.get("/residence/contrats?statut=AUTRE").status_code == 400
