"""Demands for money: their states, what is refused, and a provider that answers late, twice, half, or not at all."""

import pytest

from app.jobs import outside
from tests import builders
from tests.conftest import ok, refusal
from tests.tresorerie.argent import solde
from tests.tresorerie.fournisseur import account, ask, keys, permit_loopback, providing

DEMANDES = "/tresorerie/demandes"


@pytest.fixture
def provider(http, monkeypatch):
    permit_loopback(http, monkeypatch)
    with providing() as server:
        yield server


@pytest.fixture
def wave(http, provider):
    return account(http, provider)[0]


def verified(http, demand):
    return ok(http.as_admin().post(f"{DEMANDES}/{demand['id_demande']}/verifier"))


def bill(db, number):
    return db.one("select montant_paye::text, statut::text from facturation.facture where id_facture = %s", [number])


@pytest.mark.parametrize("kind", ["WAVE", "CINETPAY", "PI_SPI"])
def test_a_demand_is_sent_paid_and_settles_its_invoice(http, db, provider, kind):
    number, _ = account(http, provider, kind)
    owed = builders.facture(db, "1000")
    made = ask(http, number, owed, telephone="+225 07 00 00 00 00")
    assert (made["statut"], made["montant"], made["id_facture"]) == ("ENVOYEE", "1000.00", str(owed))
    assert len(made["reference"]) == 25 and made["qr"].startswith("<svg")
    assert (made["url"] is None) == (kind == "PI_SPI")
    assert verified(http, made)["statut"] == "ENVOYEE"
    provider.pay(made["reference"])
    paid = verified(http, made)
    assert (paid["statut"], paid["telephone"], paid["motif"]) == ("PAYEE", None, None)
    assert bill(db, owed) == {"montant_paye": "1000.00", "statut": "PAYEE"}
    assert solde(db, number) == 1000
    assert verified(http, made)["statut"] == "PAYEE" and solde(db, number) == 1000
    assert [paid] == ok(http.as_admin().get(f"{DEMANDES}?statut=PAYEE"))


def test_a_demand_for_an_instalment_issues_its_invoice_when_it_is_paid(http, db, provider, wave):
    lease = builders.contrat(db)
    first = "select id_echeance, montant from residence.echeance where id_contrat = %s order by 1 limit 1"
    due = db.one(first, [lease])
    amount = str(due["montant"])
    made = ok(http.as_admin().post(DEMANDES, json={
        "id_compte": wave, "montant": amount, "id_echeance": str(due["id_echeance"])}), 201)  # fmt: skip
    assert made["id_echeance"] == str(due["id_echeance"]) and made["id_facture"] is None
    assert db.one("select count(*) from facturation.facture") == 0
    provider.pay(made["reference"])
    assert verified(http, made)["statut"] == "PAYEE"
    paid = db.one("select montant_paye from residence.echeance where id_echeance = %s", [due["id_echeance"]])
    assert paid == due["montant"]


@pytest.mark.parametrize("lie", ["500", "cut", "half", "10 MB", "html", "deep", "huge", "another", "redirect", "late"])
def test_an_answer_that_is_lost_makes_a_demand_uncertain_until_the_provider_tells(
    http, db, provider, wave, lie, monkeypatch
):
    provider.lies = [lie]
    with monkeypatch.context() as impatient:
        if lie == "late":  # the request has arrived by then, and its answer never comes
            impatient.setattr(outside, "TIMEOUT", 2)
        made = ask(http, wave)
    assert (made["statut"], made["url"]) == ("INCERTAINE", None) and made["motif"]
    provider.released.set()
    again = verified(http, made)
    assert (again["statut"], again["url"] is None) == ("ENVOYEE", False)
    assert len(provider.sessions) == 1 and provider.count("/sessions") == 1  # asked once, found again by our reference


def test_a_demand_that_never_arrived_is_sent_again_under_its_reference(http, provider, wave):
    provider.lies = ["cut"]
    made = ask(http, wave)
    provider.sessions.clear()  # the provider has never heard of it
    assert verified(http, made)["statut"] == "ENVOYEE"
    assert provider.count("/sessions") == 2 and [s.reference for s in provider.sessions.values()] == [made["reference"]]


def test_a_provider_that_pays_and_answers_500_settles_once(http, db, provider, wave):
    provider.lies = ["500"]
    made = ask(http, wave)
    provider.pay(made["reference"])
    provider.lies = ["500"]
    assert verified(http, made)["statut"] == "INCERTAINE"
    assert verified(http, made)["statut"] == "PAYEE"
    assert db.one("select count(*) from finances.paiement") == 1


@pytest.mark.parametrize("moment", ["hier", "", "2020-13-01", "0000-00-00T00:00:00Z", "2026-01-01 10:00:00+00:00Z"])
def test_a_payment_without_a_readable_moment_is_of_today(http, db, provider, wave, moment):
    made = ask(http, wave)
    provider.pay(made["reference"], moment=moment)
    assert verified(http, made)["statut"] == "PAYEE"
    assert db.one("select jour = core.aujourdhui() from finances.paiement")


@pytest.mark.parametrize("kind", ["WAVE", "PI_SPI"])
def test_an_amount_with_decimals_is_asked_for_as_it_is(http, provider, kind):
    number, _ = account(http, provider, kind)
    made = ask(http, number, montant="999.50", telephone="+2250700000000")
    assert made["statut"] == "ENVOYEE"
    assert float(provider.sessions[provider.named(made["reference"])].amount) == 999.5


@pytest.mark.parametrize("fields", [{"amount": "NaN"}, {"amount": "-5"}, {"amount": "1000.001"}, {"amount": "1e30"},
                                    {"currency": ""}, {"transaction": None}, {"fee": "beaucoup"}])  # fmt: skip
def test_a_payment_that_does_not_say_how_much_of_what_is_no_fact(http, db, provider, wave, fields):
    made = ask(http, wave)
    provider.pay(made["reference"], **fields)
    answer = verified(http, made)
    assert answer["statut"] == "ENVOYEE" and answer["motif"] and solde(db, wave) == 0


def test_keys_that_are_refused_leave_the_demand_to_be_sent(http, provider, wave):
    provider.lies = ["401"]
    made = ask(http, wave)
    assert made["statut"] == "CREEE" and "clés" in made["motif"]
    keys(http, provider, wave, cle="une-autre-cle")
    assert verified(http, made)["statut"] == "ENVOYEE"


def test_a_refused_an_expired_and_a_cancelled_demand_end(http, db, provider, wave):
    states = {}
    for state, end in (("refused", "REFUSEE"), ("expired", "EXPIREE")):
        made = ask(http, wave)
        provider.set(made["reference"], state)
        states[end] = verified(http, made)["statut"]
    made = ask(http, wave)
    cancelled = ok(http.as_admin().post(f"{DEMANDES}/{made['id_demande']}/annuler", json={"motif": "Payé en espèces"}))
    states[cancelled["statut"]] = verified(http, made)["statut"]
    assert states == {"REFUSEE": "REFUSEE", "EXPIREE": "EXPIREE", "ANNULEE": "ANNULEE"}
    again = http.as_admin().post(f"{DEMANDES}/{made['id_demande']}/annuler", json={})
    assert refusal(again) == (409, "DEMANDE_DEJA_ANNULEE")


def test_a_demand_expires_by_itself_when_the_provider_still_waits(http, db, provider, wave):
    made = ask(http, wave, expire_le="2999-01-01T00:00:00Z")
    db.execute("update tresorerie.demande set expire_le = now() - interval '1 second'")
    assert verified(http, made)["statut"] == "EXPIREE"


def test_a_demand_is_asked_about_at_its_end_and_then_ever_more_rarely(http, db, provider, wave):
    made = ask(http, wave, expire_le="2999-01-01T00:00:00Z")
    db.execute("update tresorerie.demande set expire_le = now() + interval '1 second'")
    provider.pay(made["reference"], amount="5")
    assert verified(http, made)["statut"] == "INCERTAINE"
    assert db.one("select essai_le - now() = interval '1 second' from tresorerie.demande_suite")
    db.execute("update tresorerie.demande set expire_le = now()")
    for _ in range(3):
        db.execute("update tresorerie.demande_suite set essai_le = now()")
        assert db.one("select jobs.suivre_demandes()") == 1
        assert verified(http, made)["statut"] == "INCERTAINE"
        assert db.one("select jobs.suivre_demandes()") == 0
    assert db.one("select essai_le > now() + interval '10 minutes' from tresorerie.demande_suite")


def test_a_demand_is_refused_by_name(http, db, provider, wave):
    admin, owed = http.as_admin(), builders.facture(db, "1000")
    body = {"id_compte": wave, "montant": "1000", "id_facture": str(owed)}

    def refused(**fields):
        return refusal(admin.post(DEMANDES, json=body | fields))

    assert refused(id_compte="999999") == (404, "NOT_FOUND")
    assert refused(id_facture="999999") == (404, "NOT_FOUND")
    assert refused(montant="1001") == (409, "SURPAIEMENT")
    assert refused(id_charge="1") == (400, "CIBLE_UNIQUE")
    assert refused(expire_le="2020-01-01T00:00:00Z") == (400, "EXPIRATION_PASSEE")
    plain = ok(admin.post("/tresorerie/comptes", json={
        "libelle": "Banque", "genre": "BANQUE", "id_moyen": str(builders.moyen(db, "Virement"))}), 201)  # fmt: skip
    assert refused(id_compte=plain["id_compte"]) == (409, "COMPTE_SANS_FOURNISSEUR")
    unknown = {"libelle": "Autre", "genre": "MOBILE", "id_moyen": str(builders.moyen(db)), "fournisseur": "MOOV"}
    assert refusal(admin.post("/tresorerie/comptes", json=unknown)) == (400, "VALIDATION_ERROR")
    ok(admin.patch(f"/tresorerie/comptes/{plain['id_compte']}", json={"fournisseur": "WAVE"}))
    assert refused(id_compte=plain["id_compte"]) == (409, "COMPTE_SANS_ACCES")
    restaurant = unknown | {"fournisseur": "WAVE", "id_moyen": str(builders.moyen(db, "Mobile Money")),
                            "id_activite": str(builders.activite(db, "RESTAURATION"))}  # fmt: skip
    other = ok(admin.post("/tresorerie/comptes", json=restaurant), 201)["id_compte"]
    keys(http, provider, other)
    assert refused(id_compte=other, id_facture=str(builders.facture(db))) == (409, "COMPTE_D_UNE_AUTRE_ACTIVITE")
    builders.payer(db, "1000", id_facture=owed)
    assert refused() == (409, "DEJA_PAYE")
    cancelled = builders.facture(db, "1000")
    db.execute("select finances._facture_annuler(%s, 'Erreur')", [cancelled])
    assert refused(id_facture=str(cancelled)) == (409, "FACTURE_ANNULEE")
    ok(admin.patch(f"/tresorerie/comptes/{wave}", json={"actif": False}))
    assert refused(id_facture=str(builders.facture(db))) == (409, "COMPTE_INACTIF")
    assert db.one("select count(*) from tresorerie.demande") == 0
