"""API keys: a user narrowed by permissions, till, activity, expiry and networks."""

from datetime import timedelta
from typing import Any

import pytest

from tests import builders
from tests.conftest import Db, Http, ok, refusal

KEYS, PAYMENTS = "/auth/cles", "/finances/paiements"


def make(http: Http, user: int, *permissions: str, **fields: Any) -> dict[str, Any]:
    return dict(
        ok(http.as_user(user).post(KEYS, json={"libelle": "Comptabilité", "permissions": list(permissions)} | fields))
    )


def use(http: Http, made: dict[str, Any], method: str = "GET", path: str = "/auth/me", **options: Any) -> Any:
    return http.request(method, path, token=made["cle"], **options)


def test_a_key_is_shown_once_and_stored_as_a_hash(http: Http, db: Db, boss: int) -> None:
    made = make(http, boss, "FINANCES.VOIR", "CLIENT.VOIR")
    assert made["cle"].startswith("cpt_live_") and made["cle"].startswith(made["prefixe"]) and len(made["cle"]) > 50
    [row] = http.as_user(boss).get(KEYS).json()
    assert row == {
        "id_cle": made["id_cle"], "id_utilisateur": str(boss), "libelle": "Comptabilité", "prefixe": made["prefixe"],
        "permissions": ["CLIENT.VOIR", "FINANCES.VOIR"], "id_caisse": None, "id_activite": None, "expire_le": None,
        "reseaux": None, "derniere_utilisation": None, "derniere_adresse": None, "date_creation": row["date_creation"],
    }  # fmt: skip
    journal = "select row_to_json(j)::text from audit.journal j"
    everything = db.all(f"select row_to_json(c)::text as text from auth.cle c union all {journal}")
    assert everything and all(made["cle"] not in row["text"] for row in everything)


def test_a_key_has_the_permissions_that_its_user_has_too(http: Http, db: Db, boss: int) -> None:
    made = make(http, boss, "FINANCES.VOIR", "RH.VOIR")
    assert use(http, made).json()["permissions"] == ["FINANCES.VOIR", "RH.VOIR"]
    assert use(http, made, path=PAYMENTS).status_code == 200
    refused = use(http, made, path="/client/clients")
    assert refusal(refused) == (403, "FORBIDDEN") and "Cette clé n'a pas" in refused.text
    db.execute("update auth.utilisateur set id_role = (select id_role from auth.role where code = 'RH')"
               " where id_utilisateur = %s", [boss])  # fmt: skip
    assert use(http, made, path="/rh/employes").status_code == 200
    refused = use(http, made, path=PAYMENTS)
    assert refusal(refused) == (403, "FORBIDDEN") and "Votre rôle n'a pas" in refused.text
    assert use(http, made).json()["permissions"] == ["RH.VOIR"]


@pytest.mark.parametrize(("fields", "status", "code"), [
    ({"permissions": ["CLIENT.CREER"]}, 403, "PERMISSION_EXCESSIVE"),
    ({"permissions": ["CLIENT.VOIR", "CLIENT.VOLER"]}, 400, "PERMISSION_INCONNUE"),
    ({"permissions": []}, 400, "CLE_SANS_PERMISSION"),
    ({"expire_le": "2020-01-01T00:00:00Z"}, 400, "EXPIRATION_PASSEE"),
    ({"reseaux": ["192.0.2.0/33"]}, 400, "RESEAU_INVALIDE"),
    ({"reseaux": ["partout"]}, 400, "RESEAU_INVALIDE"),
    ({"id_caisse": "987654"}, 422, "CLE_CAISSE_INCONNUE"),
    ({"libelle": ""}, 400, "VALIDATION_ERROR"),
])  # fmt: skip
def test_an_invalid_key_is_refused(http: Http, db: Db, fields: dict[str, Any], status: int, code: str) -> None:
    user = builders.utilisateur(db, role="RH")
    db.execute("insert into auth.role_permission select r.id_role, p.id_permission from auth.role r, auth.permission p"
               " where r.code = 'RH' and p.code = 'CLIENT.VOIR'")  # fmt: skip
    body = {"libelle": "Essai", "permissions": ["CLIENT.VOIR"]} | fields
    assert refusal(http.as_user(user).post(KEYS, json=body)) == (status, code)
    assert db.one("select count(*) from auth.cle") == 0


def test_a_limited_user_makes_keys_within_the_own_limits(http: Http, db: Db) -> None:
    till, other = builders.caisse(db), builders.caisse(db)
    cashier = builders.utilisateur(db, role="CAISSIER", caisse=till)
    body = {"libelle": "Essai", "permissions": ["FINANCES.VOIR"], "id_caisse": str(other)}
    assert refusal(http.as_user(cashier).post(KEYS, json=body)) == (403, "PERMISSION_EXCESSIVE")
    db.call("finances.paiement_creer", montant="10", id_moyen=1, id_caisse=other)
    for fields in ({}, {"id_caisse": str(till)}):
        assert use(http, make(http, cashier, "FINANCES.VOIR", **fields), path=PAYMENTS).json() == []


def test_a_key_is_limited_to_its_till_and_activity(http: Http, db: Db, boss: int) -> None:
    till = builders.caisse(db)
    for number in (till, builders.caisse(db)):
        db.call("finances.paiement_creer", montant="10", id_moyen=1, id_caisse=number)
    builders.facture(db)
    held = make(http, boss, "FINANCES.VOIR", "FINANCES.CREER", "FACTURATION.VOIR", id_caisse=str(till))
    assert [row["id_caisse"] for row in use(http, held, path=PAYMENTS).json()] == [str(till)]
    paid = use(http, held, "POST", PAYMENTS, json={"montant": "5", "id_moyen": "1"})
    assert paid.json()["id_caisse"] == str(till)
    elsewhere = make(http, boss, "FACTURATION.VOIR", id_activite=str(builders.activite(db, "RESTAURATION")))
    assert use(http, elsewhere, path="/facturation/factures").json() == []
    assert len(use(http, held, path="/facturation/factures").json()) == 1


def test_a_key_does_not_leave_the_present_limits_of_its_user(http: Http, db: Db, boss: int) -> None:
    laundry, restaurant = builders.caisse(db), builders.caisse(db, activite_code="RESTAURATION")
    limits = {"id_caisse": str(restaurant)}, {"id_activite": str(builders.activite(db, "RESTAURATION"))}
    outside = [make(http, boss, "FINANCES.VOIR", **limit) for limit in limits]
    inside = make(http, boss, "FINANCES.VOIR", id_caisse=str(laundry))
    scope = builders.activite(db, "PRESSING")
    db.execute("update auth.utilisateur set id_activite_scope = %s where id_utilisateur = %s", [scope, boss])
    for key in outside:
        assert refusal(use(http, key, path=PAYMENTS)) == (401, "UNAUTHORIZED")
    assert use(http, inside, path=PAYMENTS).status_code == 200
    body = {"libelle": "Essai", "permissions": ["FINANCES.VOIR"]} | limits[0]
    assert refusal(http.as_user(boss).post(KEYS, json=body)) == (403, "PERMISSION_EXCESSIVE")


def test_an_expired_deleted_or_foreign_key_and_a_key_of_an_inactive_user_are_refused_at_once(
    http: Http, db: Db, boss: int
) -> None:
    user = builders.utilisateur(db, role="ADMINISTRATEUR")
    soon = db.one("select now() + interval '1 hour'")
    keys = [
        make(http, user, "FINANCES.VOIR", expire_le=soon.isoformat()),
        make(http, user, "FINANCES.VOIR"),
        make(http, user, "FINANCES.VOIR", reseaux=["127.0.0.1/32", "0.0.0.0/0"]),
        make(http, boss, "FINANCES.VOIR"),
    ]
    assert [use(http, made, path=PAYMENTS).status_code for made in keys] == [200] * 4
    db.execute("update auth.cle set expire_le = %s where id_cle = %s", [soon - timedelta(hours=2), keys[0]["id_cle"]])
    assert refusal(http.as_user(boss).delete(f"{KEYS}/{keys[1]['id_cle']}")) == (404, "NOT_FOUND")
    assert http.as_user(user).delete(f"{KEYS}/{keys[1]['id_cle']}").status_code == 204
    db.execute("update auth.cle set reseaux = '{198.51.100.0/24}' where id_cle = %s", [keys[2]["id_cle"]])
    db.execute("update auth.utilisateur set actif = false where id_utilisateur = %s", [boss])
    for _ in range(2):
        assert [refusal(use(http, made, path=PAYMENTS)) for made in keys] == [(401, "UNAUTHORIZED")] * 4
        http.services.keys._known.clear()  # another process


def test_a_key_reaches_no_route_of_a_person_alone_or_in_a_list_of_calls(http: Http, db: Db) -> None:
    made = make(http, builders.utilisateur(db, role="ADMINISTRATEUR"), "ADMIN.VOIR", "ADMIN.CREER")
    assert use(http, made).status_code == 200
    own, password = f"{KEYS}/{made['id_cle']}", "/auth/mot-de-passe"
    for method, path in (("GET", KEYS), ("POST", KEYS), ("DELETE", own), ("POST", password)):
        assert refusal(use(http, made, method, path, json={})) == (403, "FORBIDDEN"), path
    calls = [{"methode": "GET", "chemin": f"/api/v1{KEYS}"}]
    answer = use(http, made, "POST", "/repetition", json={"appels": calls})
    assert refusal(answer) == (403, "FORBIDDEN") and "connectez-vous" in answer.text


def test_the_journal_names_the_key(http: Http, db: Db, boss: int) -> None:
    made = make(http, boss, "CLIENT.CREER", "CLIENT.VOIR")
    ok(use(http, made, "POST", "/client/clients", json=builders.CLIENT))
    [row] = http.as_admin().get("/audit/journal?entite=client").json()
    assert (row["id_utilisateur"], row["cle"]) == (str(boss), f"Comptabilité ({made['prefixe']})")
    db.call("audit.sceller")
    assert db.rows("audit.verifier") == []
    [used] = http.as_user(boss).get(KEYS).json()
    assert used["derniere_adresse"] and used["derniere_utilisation"]


def test_a_context_without_key_forgets_the_key_before_it(http: Http, db: Db, boss: int) -> None:
    """Two contexts in one transaction: the second one has no name, no identity and no limits of the key."""
    made, role = make(http, boss, "CLIENT.VOIR"), db.account(boss)["role"]
    settings = "select core.cle() as cle, audit._cle_d_api() as nom, auth._permissions_de_cle() as permissions"
    db.one("select core.contexte(%s, %s, '192.0.2.1', 'un', p_cle => %s)", [boss, role, made["id_cle"]])
    assert db.one(settings) == {
        "cle": int(made["id_cle"]), "nom": f"Comptabilité ({made['prefixe']})", "permissions": ["CLIENT.VOIR"],
    }  # fmt: skip
    db.one("select core.contexte(%s, %s, '192.0.2.1', 'deux')", [boss, role])
    assert db.one(settings) == {"cle": None, "nom": None, "permissions": None}


def test_an_unknown_key_is_refused(http: Http) -> None:
    for key in ("cpt_live_", "cpt_live_" + "A" * 43, "cpt_"):
        assert refusal(http.request("GET", "/auth/me", token=key)) == (401, "UNAUTHORIZED")


def test_the_keys_of_an_account_end_with_its_password_and_its_closing(http: Http, db: Db, boss: int) -> None:
    user = builders.utilisateur(db, role="DIRIGEANT")
    kept, path = make(http, boss, "FINANCES.VOIR"), f"/admin/utilisateurs/{user}"
    for ending, body in (("reinitialiser-mot-de-passe", {"nouveau_mot_de_passe": "un autre mot de passe 7"}),
                         ("desactiver", None)):  # fmt: skip
        made = make(http, user, "FINANCES.VOIR")
        assert use(http, made, path=PAYMENTS).status_code == 200
        assert http.as_admin().post(f"{path}/{ending}", json=body).is_success
        db.execute("update auth.utilisateur set actif = true where id_utilisateur = %s", [user])
        assert refusal(use(http, made, path=PAYMENTS)) == (401, "UNAUTHORIZED")
        assert db.one("select count(*) from auth.cle where id_utilisateur = %s", [user]) == 0
    assert use(http, kept, path=PAYMENTS).status_code == 200


def test_a_password_change_ends_the_keys_that_it_does_not_name(http: Http, boss: int) -> None:
    ended, kept = make(http, boss, "FINANCES.VOIR"), make(http, boss, "FINANCES.VOIR")
    body = {"ancien": builders.PASSWORD, "nouveau": "un autre mot de passe 7", "cles_gardees": [kept["id_cle"]]}
    ok(http.as_user(boss).post("/auth/mot-de-passe", json=body))
    assert use(http, kept, path=PAYMENTS).status_code == 200
    assert refusal(use(http, ended, path=PAYMENTS)) == (401, "UNAUTHORIZED")
    body = {"ancien": body["nouveau"], "nouveau": "un tout autre mot de passe 8"}
    assert http.as_user(boss).post("/auth/mot-de-passe", json=body).status_code == 200
    assert refusal(use(http, kept, path=PAYMENTS)) == (401, "UNAUTHORIZED")


def test_an_administrator_lists_and_ends_the_keys_of_an_account(http: Http, db: Db, boss: int) -> None:
    made, path = make(http, boss, "FINANCES.VOIR"), f"/admin/utilisateurs/{boss}/cles"
    assert http.as_admin().get(path).json() == http.as_user(boss).get(KEYS).json() != []
    scope = builders.activite(db, "RESTAURATION")
    limited = http.as_user(builders.utilisateur(db, role="ADMINISTRATEUR", activite=scope))
    assert refusal(limited.delete(path)) == (403, "POUVOIR_DEPASSE")
    assert http.as_admin().delete(path).status_code == 204
    assert http.as_admin().get(path).json() == []
    assert refusal(use(http, made, path=PAYMENTS)) == (401, "UNAUTHORIZED")
    assert refusal(http.as_admin().get("/admin/utilisateurs/987654/cles")) == (404, "NOT_FOUND")
