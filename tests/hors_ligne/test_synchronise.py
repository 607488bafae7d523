"""Nothing is forgotten: a till waits for what its devices have announced."""

import psycopg
import pytest

from tests import builders
from tests.conftest import ok, refusal, values_of
from tests.hors_ligne.appareil import inscribe, shop


@pytest.fixture
def device(http, db):
    made = inscribe(http.as_admin(), shop(db))
    made.update()
    product = builders.produit(db, "50", "750")
    made.update()
    for _ in range(3):
        made.sell(product, "750")
    ok(made.post(derniere_sequence="3"))
    return made


def close(http, device, **body):
    return http.post(f"/finances/caisses/{device.till}/fermer", json=body)


def count(http, device, **body):
    return http.post("/finances/tirages", json={"id_caisse": device.till, "montant_compte": "2250"} | body)


def test_a_till_whose_device_has_announced_more_is_neither_closed_nor_counted(device, http):
    admin = http.as_admin()
    for answer in (close(admin, device), count(admin, device)):
        assert refusal(answer) == (409, "APPAREIL_NON_SYNCHRONISE")
        assert answer.json()["details"] == {"manquantes": "3", "appareils": device.prefix}
    device.send(*device.queue[:2])
    waiting = close(admin, device).json()
    assert waiting["details"]["manquantes"] == "1" and f"1 opération de {device.prefix} :" in waiting["message"]
    device.send()
    assert ok(count(admin, device), 201)["ecart"] == 0
    ok(close(admin, device))


def test_a_reason_and_the_permission_to_delete_close_a_till_early(device, http, db):
    clerk = http.as_user(builders.porteur(db, "FINANCES.VOIR", "FINANCES.CREER"))
    assert refusal(close(clerk, device, motif="Tablette volée")) == (403, "FORBIDDEN")
    assert refusal(count(clerk, device, motif="Tablette volée")) == (403, "FORBIDDEN")
    admin = http.as_admin()
    counted = ok(count(admin, device, motif="Tablette volée"), 201)
    assert values_of(counted, "motif ecart") == ("Tablette volée", 2250)
    ok(close(admin, device, motif="Tablette volée"))
    reason = "select motif_fermeture from finances.periode_caisse where id_caisse = %s"
    assert db.one(reason, [device.till]) == "Tablette volée"


def test_a_hand_written_statement_waits_too(device, db):
    closing = "update finances.periode_caisse set fermeture = clock_timestamp() where id_caisse = %s"
    with pytest.raises(psycopg.Error, match="Il manque 3 opérations"):
        db.execute(closing, [device.till])


def test_a_wiped_device_learns_its_last_sequence_and_what_is_missing(device):
    device.send(device.queue[0])
    known = ok(device.read(f"/appareils/{device.id}"))
    assert values_of(known, "derniere_sequence sequence_annoncee manquantes") == ("1", "3", "2")


def test_a_wiped_device_says_what_it_lost_and_a_person_decides(device, http):
    """No number is printed twice, and the count does not forget the sales that the device has lost."""
    device.send(device.queue[0])
    lost = [device.queue[n] | dict.fromkeys(("methode", "chemin", "corps", "instant")) for n in (1, 2)]
    answers = device.send(*lost)
    assert [answer["exception"]["code"] for answer in answers] == ["OPERATION_PERDUE"] * 2
    admin = http.as_admin()
    ok(count(admin, device, montant_compte="750"), 201)
    [_, kept] = ok(device.read("/exceptions"))
    path = f"/finances/caisses/{device.till}/exceptions/{kept['id_exception']}"
    assert kept["ticket"] == f"{device.prefix}-000002"
    assert refusal(admin.post(f"{path}/reprendre", json={"motif": "x"})) == (409, "HORS_LIGNE_IMPOSSIBLE")
    ok(admin.post(f"{path}/abandonner", json={"motif": "Ressaisie d'après le ticket"}))


def test_an_announcement_never_goes_back(device):
    ok(device.post(derniere_sequence="1"))
    assert ok(device.read(f"/appareils/{device.id}"))["sequence_annoncee"] == "3"


def test_a_lost_device_is_revoked_with_a_reason_and_no_longer_waited_for(device, http, db):
    path = f"/finances/caisses/{device.till}/appareils/{device.id}/revoquer"
    clerk = http.as_user(builders.porteur(db, "FINANCES.VOIR", "FINANCES.MODIFIER"))
    assert refusal(clerk.post(path, json={})) == (409, "APPAREIL_NON_SYNCHRONISE")
    assert refusal(clerk.post(path, json={"motif": "Volée"})) == (403, "FORBIDDEN")
    admin = http.as_admin()
    ok(admin.post(path, json={"motif": "Volée"}))
    ok(close(admin, device))
