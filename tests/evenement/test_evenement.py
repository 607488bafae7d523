"""Events: each exists exactly when its effect does, and holds what the API answers."""

import json
from pathlib import Path

from tests import builders
from tests.conftest import ok, refusal, refused
from tests.evenement.causes import CAUSES

FEED = "/evenements"


def feed(http, user=None, **query):
    reader = http.as_admin() if user is None else http.as_user(user)
    return ok(reader.get(FEED, params={"limit": 1000, **query}))


def test_every_type_has_its_cause_here(http):
    assert {row["type"] for row in http.as_admin().get(f"{FEED}/types").json()} == set(CAUSES)


def test_the_body_of_an_event_is_what_the_api_answers(http, db):
    for kind, cause in CAUSES.items():
        with db.connection.transaction(force_rollback=True):
            key = str(cause.run(db))
            db.settle()
            [event] = [event for event in feed(http, types=kind) if event["id_entite"] == key]
            assert (event["type"], event["version"], event["entite"]) == (kind, 1, kind.partition(".")[0])
            owner = str(db.one(cause.owner, [key])) if cause.owner else key
            params = {} if "{}" in cause.path else {"limit": 1000}
            shown = ok(http.as_admin().get(cause.path.format(owner), params=params))
            shown = shown[cause.within] if cause.within else shown
            if cause.key:
                [shown] = [row for row in shown if row[cause.key] == key]
            assert {name: event["donnees"][name] for name in shown} == shown


def test_the_event_of_a_taxed_invoice_has_its_lines_and_taxes(http, db):
    """Two lines with one tax, paid at once: both events say what the API answers."""
    tax = {"code": "TVA", "libelle": "TVA", "taux": "18", "nature": "TAUX", "du": "2020-01-01"}
    db.call("core.taxe_creer", **tax)
    sale = {"id_prestation": builders.prestation(db, code_taxe="TVA"), "montant": "450", "id_moyen": builders.moyen(db)}
    lines = [
        {"libelle": name, "quantite": "1", "prix_unitaire": price} for name, price in (("Un", "150"), ("Deux", "300"))
    ]
    key = db.call("facturation.prestation_facturer", **sale, lignes=lines)["id_facture"]
    db.settle()
    answer = http.as_admin().get(f"/facturation/factures/{key}").json()
    assert len(answer["lignes"]) == 2 and len(answer["taxes"]) == 1
    events = [event for event in feed(http) if event["entite"] == "facture"]
    assert [event["type"] for event in events] == ["facture.emise", "facture.payee"]
    assert all(event["donnees"] == answer for event in events)


def test_a_part_payment_of_an_invoice_is_one_event(http, db):
    key = builders.facture(db, "500")
    db.settle()
    last = feed(http)[-1]["id"]
    db.call("finances.paiement_creer", montant="120.25", id_moyen=builders.moyen(db), id_facture=key)
    db.settle()
    [event] = feed(http, apres=last)
    body = event["donnees"]
    assert (event["type"], body["montant"], body["id_facture"]) == ("paiement.recu", "120.25", str(key))
    assert body["facture"]["reste"] == "379.75"


def test_a_refused_operation_leaves_no_event(http, db):
    key = builders.facture(db, "500")
    db.settle()
    before = feed(http)
    body = {"montant": "501", "id_moyen": str(builders.moyen(db)), "id_facture": str(key)}
    assert http.as_admin().post("/finances/paiements", json=body).json()["code"] == "SURPAIEMENT"
    assert feed(http) == before


def test_the_author_and_the_request_are_kept_and_their_limits_do_not_narrow_the_body(http, db):
    cashier = builders.utilisateur(db, role="CAISSIER", caisse=builders.caisse(db))
    body = {"montant": "120.25", "id_moyen": str(builders.moyen(db)), "id_facture": str(builders.facture(db, "500"))}
    answer = http.as_user(cashier).post("/finances/paiements", json=body, headers={"X-Request-Id": "a" * 32})
    assert answer.status_code == 201, answer.text
    row = db.one("select * from evenement.evenement order by id_evenement desc limit 1")
    assert (row["type"], row["id_utilisateur"]) == ("paiement.recu", cashier)
    assert row["requete"] is not None
    assert db.one("select current_setting('comptoir.utilisateur', true)") in (None, "", str(cashier))


def test_an_event_does_not_change(db):
    builders.facture(db)
    db.settle()
    for change in ("update {} set type = 'x'", "delete from {}", "truncate {}"):
        with refused("EVENEMENT_FIGE", 409):
            db.execute(change.format("evenement.evenement"))


def test_the_feed_goes_on_after_the_last_event_read(http, db):
    for _ in range(5):
        builders.facture(db)
    builders.client(db)
    db.settle()
    everything = feed(http)
    assert [int(event["id"]) for event in everything] == sorted(int(event["id"]) for event in everything)
    read = []
    while page := feed(http, apres=read[-1]["id"] if read else "0", limit=2):
        read += page
    assert read == everything
    clients = feed(http, types="client.cree,client.modifie")
    assert clients == [event for event in everything if event["entite"] == "client"] and clients


def test_a_bad_query_is_refused(http):
    admin = http.as_admin()
    for query in ({"types": "facture.emise,facture.perdue"}, {"limit": "1001"}, {"limit": "0"}, {"apres": "demain"}):
        code = "TYPE_INCONNU" if "types" in query else "VALIDATION_ERROR"
        assert refusal(admin.get(FEED, params=query)) == (400, code), query


def test_each_type_wants_its_permission(http, db):
    for cause in CAUSES.values():
        cause.run(db)
    db.settle()
    permissions = {row["type"]: row["permission"] for row in http.as_admin().get(f"{FEED}/types").json()}
    assert {event["type"] for event in feed(http)} == set(permissions)
    for role in ("RH", "RESPONSABLE_PRESSING", "CLIENT"):
        user = builders.utilisateur(db, role=role)
        held = set(http.as_user(user).get("/auth/me").json()["permissions"])
        expected = {kind for kind, permission in permissions.items() if permission in held}
        assert {event["type"] for event in feed(http, user)} == expected, role
        assert feed(http, user, types="facture.emise") == [] or "FACTURATION.VOIR" in held


def test_activity_and_till_limit_the_feed(http, db):
    till, other = builders.caisse(db), builders.caisse(db, activite_code="RESTAURATION")
    builders.facture(db)  # of the laundry
    for number in (till, other):
        db.call("finances.paiement_creer", montant="75.25", id_moyen=builders.moyen(db), id_caisse=number)
    builders.client(db)
    db.settle()

    def seen(**limits):
        user = builders.utilisateur(db, role="DIRIGEANT", **limits)
        return {(event["type"], event["donnees"].get("id_caisse")) for event in feed(http, user)}

    assert ("facture.emise", None) in seen(activite=builders.activite(db))
    assert ("facture.emise", None) not in seen(activite=builders.activite(db, "RESTAURATION"))
    assert {row for row in seen(caisse=till) if row[0] == "paiement.recu"} == {("paiement.recu", str(till))}
    assert {row for row in seen(caisse=other) if row[0] == "caisse.ouverte"} == {("caisse.ouverte", str(other))}
    assert ("client.cree", None) in seen(caisse=other)


RECORDED = Path(__file__).with_name("formes.json")


def test_the_body_of_a_type_never_loses_a_field(http):
    """Receivers rely on the fields. A body without one of them is another version of its type."""
    present = {
        f"{event.type} {event.version}": [attribute.name for attribute in event.form.attributes]
        for event in http.services.catalogue.events
    }
    recorded = json.loads(RECORDED.read_text())
    lost = {name: set(fields) - set(present.get(name, ())) for name, fields in recorded.items()}
    assert {name: fields for name, fields in lost.items() if fields} == {}
    assert recorded == present, f"add the new types and fields to {RECORDED.name}"


def test_a_late_instalment_is_signalled_once(db):
    builders.contrat(db, date_debut="2025-01-10", date_fin_prevue="2025-11-20")
    builders.contrat(db, date_debut="2025-01-10", date_fin_prevue="2025-11-20", actif=False)
    assert db.one("select jobs.signaler_retards()") == 11
    assert db.one("select jobs.signaler_retards()") == 0
