"""Notices of providers: stored once, they wake; the answer of the provider settles, and other money is listed."""

import time
from datetime import timedelta

import pytest

from tests import builders
from tests.conftest import ok, refusal
from tests.tresorerie.argent import solde
from tests.tresorerie.fournisseur import (
    SIGNS,
    Session,
    account,
    ask,
    cinetpay_notice,
    keys,
    permit_loopback,
    pispi_notice,
    providing,
    send,
    wave_notice,
)  # fmt: skip


@pytest.fixture
def provider(http, monkeypatch):
    permit_loopback(http, monkeypatch)
    with providing() as server:
        yield server


@pytest.fixture
def wave(http, provider):
    return account(http, provider)


def notices(http, **query):
    return ok(http.as_admin().get("/tresorerie/avis", params=query))


def waiting(http):
    """The reasons of the money that settles nothing, latest first."""
    return [row["motif"] for row in ok(http.as_admin().get("/tresorerie/a-affecter"))]


def paid(db):
    return [row["montant"] for row in db.all("select montant::text from finances.paiement order by id_paiement")]


def state(db, demand):
    return db.one("select statut::text from tresorerie.demande where id_demande = %s", [demand["id_demande"]])


def test_a_notice_makes_the_service_ask_and_the_answer_settles(http, db, provider, wave):
    number, url = wave
    owed = builders.facture(db, "1000")
    made = ask(http, number, owed)
    key = provider.pay(made["reference"], fee="10")
    answer = send(http, url, wave_notice(made["reference"], session=key))
    assert (answer.status_code, answer.json()) == (200, {"recu": True})
    [notice] = notices(http)
    payment = db.one("select id_paiement::text, reference from finances.paiement")
    assert notice["signature"] == "VALIDE" and notice["etat"] == "TRAITE" and notice["id_demande"] == made["id_demande"]
    assert notice["id_paiement"] == payment["id_paiement"] and "Payé" in notice["issue"]
    assert payment["reference"] == f"T-{key}"
    assert db.one("select statut::text from facturation.facture where id_facture = %s", [owed]) == "PAYEE"
    fees = db.one("select d.montant::text, k.libelle, d.id_compte::text from finances.depense d"
                  " join finances.categorie_depense k using (id_categorie_depense)")  # fmt: skip
    assert fees == {"montant": "10.00", "libelle": "Frais de paiement", "id_compte": number}
    assert solde(db, number) == 990 and waiting(http) == []


def test_a_notice_that_comes_again_is_stored_once_and_settles_once(http, db, provider, wave):
    number, url = wave
    made = ask(http, number)
    key = provider.pay(made["reference"])
    notice = wave_notice(made["reference"], session=key)
    for _ in range(3):
        assert send(http, url, notice).status_code == 200
    for event in ("ev-2", "ev-3"):  # other events of the same payment
        send(http, url, wave_notice(made["reference"], event, session=key))
    assert len(notices(http)) == 3 and paid(db) == ["1000.00"] and waiting(http) == []
    assert all("Payé" in row["issue"] and row["id_demande"] == made["id_demande"] for row in notices(http))
    assert db.one("select count(*) from notification.notification where evenement = 'encaissement.a_affecter'") == 0


def test_a_forged_or_stale_notice_is_stored_and_wakes_nothing(http, db, provider, wave):
    number, url = wave
    made = ask(http, number)
    key = provider.pay(made["reference"])
    before = len(provider.calls)
    forged = [
        wave_notice(made["reference"], key="une-autre-cle", session=key),
        wave_notice(made["reference"], "ev-2", at=time.time() - 301, session=key),
        (wave_notice(made["reference"], "ev-3", session=key)[0], {"wave-signature": b"t=1,v1=\xe9"}),
        (wave_notice(made["reference"], "ev-4", session=key)[0], {}),
    ]  # fmt: skip
    for notice in forged:
        assert send(http, url, notice).status_code == 200
    assert [row["signature"] for row in notices(http)] == ["FAUSSE"] * 4
    assert {row["etat"] for row in notices(http)} == {"ECARTE"} and len(provider.calls) == before
    send(http, url, wave_notice(made["reference"], session=key))  # the forged one did not take its event
    assert paid(db) == ["1000.00"]


def test_the_body_of_a_notice_settles_nothing(http, db, provider, wave):
    """The notice is genuine and says « paid ». The provider, asked, does not."""
    number, url = wave
    made = ask(http, number)
    send(http, url, wave_notice(made["reference"], session="cos-1", payment_status="succeeded", amount="1000"))
    assert paid(db) == [] and state(db, made) == "ENVOYEE"
    assert "attend encore" in notices(http)[0]["issue"]


def test_any_provider_wakes_by_its_own_notice(http, db, provider):
    for kind, method, notice in (
        ("CINETPAY", "Carte", cinetpay_notice), ("PI_SPI", "Virement", pispi_notice),
    ):  # fmt: skip
        if db.one("select count(*) from finances.moyen_paiement where libelle = %s", [method]) == 0:
            db.call("finances.moyen_paiement_creer", libelle=method)
        number, url = account(http, provider, kind, method)
        made = ask(http, number)
        provider.pay(made["reference"], amount="1000")
        assert send(http, url, notice(made["reference"], key="fausse")).status_code in (200, 204)
        assert state(db, made) == "ENVOYEE"
        assert send(http, url, notice(made["reference"])).status_code == {"CINETPAY": 200, "PI_SPI": 204}[kind]
        assert state(db, made) == "PAYEE"
        assert http.send("GET", url.replace("http://127.0.0.1:8000", "")).status_code == 200
    keys(http, provider, number, secret=None)
    send(http, url, pispi_notice("INCONNUE"))
    assert notices(http)[0]["signature"] == "ABSENTE"


def test_a_notice_of_pispi_with_several_events_wakes_for_each(http, db, provider):
    number, url = account(http, provider, "PI_SPI")
    demands = [ask(http, number) for _ in range(3)]
    for made in demands:
        provider.pay(made["reference"], amount="1000")
    send(http, url, pispi_notice(*(made["reference"] for made in demands)))
    assert [state(db, made) for made in demands] == ["PAYEE"] * 3 and len(notices(http)) == 3


@pytest.mark.parametrize(
    ("fields", "reason"),
    [({"amount": "999"}, "plus petit"), ({"amount": "1001"}, "plus grand"), ({"currency": "USD"}, "USD")],
)
def test_partial_surplus_and_foreign_money_is_kept_and_settles_nothing(http, db, provider, wave, fields, reason):
    number, url = wave
    owed = builders.facture(db, "1000", id_client=builders.client(db))
    made = ask(http, number, owed)
    provider.pay(made["reference"], **fields)
    send(http, url, wave_notice(made["reference"], session=provider.named(made["reference"])))
    [row] = ok(http.as_admin().get("/tresorerie/a-affecter"))
    assert reason in row["motif"] and state(db, made) == "INCERTAINE"
    assert db.one("select montant_paye from facturation.facture where id_facture = %s", [owed]) == 0
    foreign = "currency" in fields
    assert paid(db) == ([] if foreign else [f"{fields['amount']}.00"])
    assert (row["id_paiement"] is None) == foreign and (row["id_client"] is None) == foreign
    message = db.one("select corps from notification.notification where evenement = 'encaissement.a_affecter'")
    assert reason in message
    if not foreign:  # a person decides, by the operations of payments
        applied = {"id_facture": str(owed), "montant": "999"}
        ok(http.as_admin().post(f"/finances/paiements/{row['id_paiement']}/appliquer", json=applied))
        assert len(waiting(http)) == (fields["amount"] == "1001")


def test_money_after_the_end_of_a_demand_is_kept(http, db, provider, wave):
    number, url = wave
    for end in ("ANNULEE", "EXPIREE", "payée"):
        owed = builders.facture(db, "1000")
        made = ask(http, number, owed)
        if end == "payée":  # in cash, meanwhile
            builders.payer(db, "1000", id_facture=owed)
        else:
            db.execute("update tresorerie.demande set statut = %s where id_demande = %s", [end, made["id_demande"]])
        provider.pay(made["reference"])
        send(http, url, wave_notice(made["reference"], f"ev-{end}", session=provider.named(made["reference"])))
        assert state(db, made) == ("INCERTAINE" if end == "payée" else end)
    reasons = waiting(http)
    assert len(reasons) == 3 and "annulée" in reasons[2] and "après la fin" in reasons[1]
    assert solde(db, number) == 3000


def test_money_for_an_instalment_that_is_no_longer_due_is_kept_with_a_reason(http, db, provider, wave):
    number, url = wave
    last = "select id_echeance, montant from residence.echeance where id_contrat = %s order by 1 desc limit 1"
    today = db.today()
    lease = builders.contrat(db, date_debut=today - timedelta(days=40), date_fin_prevue=today + timedelta(days=60))
    due = db.one(last, [lease])
    body = {"id_compte": number, "montant": str(due["montant"]), "id_echeance": str(due["id_echeance"])}
    made = ok(http.as_admin().post("/tresorerie/demandes", json=body), 201)
    db.call("residence.contrat_resilier", id_contrat=lease)
    provider.pay(made["reference"])
    send(http, url, wave_notice(made["reference"], session=provider.named(made["reference"])))
    assert waiting(http) == ["Ce que la demande payait n'est plus dû."] and solde(db, number) == due["montant"]


def test_unknown_money_is_kept_on_the_account(http, db, provider, wave):
    number, url = wave
    key = provider.create(None, "700", state="paid", transaction="T-perdu")
    send(http, url, wave_notice(None, session=key))
    assert waiting(http) == ["Aucune demande de ce compte ne porte cette référence."] and solde(db, number) == 700
    send(http, url, wave_notice(None, "ev-2", session="cos-404"))
    assert "ne connaît pas" in notices(http)[0]["issue"]


def test_money_by_the_printed_code_of_an_invoice_pays_it_once(http, db, provider):
    number, url = account(http, provider, "PI_SPI", "Virement")
    owed = builders.facture(db, "1000", id_client=builders.client(db))
    name = db.one("select numero::text from facturation.facture where id_facture = %s", [owed])
    balance = "select reste::text from facturation.facture where id_facture = %s"
    for transaction, amount, left in (("E1", "400", "600.00"), ("E2", "600", "0.00"), ("E3", "600", "0.00")):
        key = provider.create(None, "0")
        provider.sessions[key] = Session(name, amount, state="paid", transaction=transaction)
        send(http, url, pispi_notice(name, end=transaction))
        assert db.one(balance, [owed]) == left
        provider.sessions[key].reference = None  # the next payment has the same reference
    [surplus] = ok(http.as_admin().get("/tresorerie/a-affecter"))
    assert surplus["transaction"] == "E3" and "reste" in surplus["motif"] and surplus["id_client"] is not None
    assert solde(db, number) == 1600


def test_the_transaction_of_another_demand_is_not_believed(http, db, provider, wave):
    number, url = wave
    made = ask(http, number)
    provider.pay(made["reference"])
    provider.lies = ["another"]
    send(http, url, wave_notice(made["reference"], session=provider.named(made["reference"])))
    assert paid(db) == [] and state(db, made) == "ENVOYEE" and notices(http)[0]["etat"] == "RECU"
    db.execute("select jobs.suivre_demandes()")
    number = notices(http)[0]["id_avis"]
    claim = db.one("select (jobs.avis_prendre(%s)).action", [number])
    assert claim == "CONSULTER"


def test_a_notice_for_a_closed_account_is_stored_and_listed(http, db, provider, wave):
    number, url = wave
    made = ask(http, number)
    provider.pay(made["reference"])
    ok(http.as_admin().patch(f"/tresorerie/comptes/{number}", json={"actif": False}))
    assert send(http, url, wave_notice(made["reference"])).status_code == 200
    [notice] = notices(http, id_compte=number)
    assert (notice["etat"], notice["issue"]) == ("ECARTE", "Le compte est désactivé.") and paid(db) == []


def test_a_method_that_is_closed_delays_the_money_and_loses_none(http, db, provider, wave):
    number, url = wave
    made = ask(http, number)
    provider.pay(made["reference"])
    method = "update finances.moyen_paiement set actif = %s where libelle = 'Mobile Money'"
    db.execute(method, [False])
    send(http, url, wave_notice(made["reference"], session=provider.named(made["reference"])))
    assert paid(db) == [] and "désactivé" in waiting(http)[0]
    db.execute(method, [True])
    ok(http.as_admin().post(f"/tresorerie/demandes/{made['id_demande']}/verifier"))
    assert paid(db) == ["1000.00"] and waiting(http) == [] and state(db, made) == "PAYEE"


def test_a_body_that_is_no_notice_is_stored_or_refused(http, db, provider, wave):
    _, url = wave
    for body in (b"", b"[]", b"\x00\xff", b"{" * 1000, b'{"id": 7, "data": []}', b'{"data": {"client_reference": {}}}'):
        assert send(http, url, (body, {})).status_code == 200
    for value in (b"[" * 20_000 + b"]" * 20_000, b"1e99999999999999999999", b"9" * 60_000):
        assert send(http, url, (b'{"id": %s}' % value, {})).status_code == 200
    assert {row["etat"] for row in notices(http)} == {"ECARTE"}
    assert bytes(db.one("select corps from tresorerie.avis order by id_avis offset 2 limit 1")) == b"\x00\xff"
    assert refusal(send(http, url, (b"x" * 65_537, {}))) == (413, "CORPS_TROP_GRAND")
    assert send(http, url, (b"x" * 65_536, {})).status_code == 200
    assert refusal(send(http, f"{url}x", (b"{}", {}))) == (404, "NOT_FOUND")


def test_the_keys_of_an_account_are_found_whatever_the_zeros_of_its_path(http, db, provider, wave):
    number, url = wave
    for path in (f"0{number}", number):
        assert keys(http, provider, path, cle="une-autre")["url_avis"] == url


def test_the_keys_are_nowhere_in_clear(http, db, provider, wave):
    number, url = wave
    secrets = ("cle-du-fournisseur-Zq7", SIGNS, url.rpartition("/")[2])
    rows = db.all("select t::text as t from tresorerie.acces t union all select t::text from audit.journal t"
                  " union all select t::text from core.idempotence t")  # fmt: skip
    paths = ("comptes", f"comptes/{number}", "avis", "demandes")
    shown = [http.as_admin().get(f"/tresorerie/{path}").text for path in paths]
    assert rows and not [secret for secret in secrets if secret in str(rows) + "".join(shown)]
    assert keys(http, provider, number, cle="une-autre")["url_avis"] == url  # the address stays
    assert refusal(http.as_admin().put("/tresorerie/comptes/999999/acces", json={"cle": "x"})) == (404, "NOT_FOUND")
    assert refusal(http.as_admin().put(f"/tresorerie/comptes/{number}/acces", json={}))[0] == 400
