"""Permissions and scope follow the user's current role. The role in the token is only a hint."""

import re
from typing import Any

from app import routes
from app.auth.roles import Roles
from tests import builders
from tests.auth.conftest import role_id
from tests.conftest import Db, Http
from tests.witness import JPEG

DENIED = "n'a pas la permission"


def change_role(db: Db, id_utilisateur: int, role: str) -> None:
    """Give the user another role. The user's tokens still name the former role."""
    query = "update auth.utilisateur set id_role = %s where id_utilisateur = %s"
    db.execute(query, [role_id(db, role), id_utilisateur])


def clear_role_cache(http: Http) -> None:
    """Clear the role cache, as in a process that has answered no request yet."""
    http.services.roles = Roles(http.services.database)


def upload(user: Http) -> Any:
    return user.post("/uploads", data={"categorie": "client-photo"}, files={"file": ("a.jpg", JPEG, "image/jpeg")})


def test_every_route_accepts_a_promoted_user_at_once(http: Http, db: Db) -> None:
    promoted = builders.utilisateur(db, role="CLIENT")
    user = http.as_user(promoted)
    change_role(db, promoted, "ADMINISTRATEUR")
    refused = []
    for route in routes.load().routes:
        if route.public:
            continue
        clear_role_cache(http)
        answer = user.request(route.method, re.sub(r"{\w+}", "987654321", route.path), json={})
        if answer.status_code == 401 or (answer.status_code == 403 and DENIED in answer.json()["message"]):
            refused.append(f"{route.method} {route.path} : {answer.text}")
    assert not refused, "\n".join(refused)


def test_every_route_refuses_a_demoted_user_at_once(http: Http, db: Db) -> None:
    builders.utilisateur(db, role="ADMINISTRATEUR")  # one administrator must remain
    demoted = builders.utilisateur(db, role="ADMINISTRATEUR")
    user = http.as_user(demoted)
    bare = db.call("auth.role_creer", code="ESSAI_NU", libelle="Sans permission")["code"]
    change_role(db, demoted, bare)
    accepted = []
    for route in routes.load().routes:
        if route.public or route.permission is None or route.form is not None:
            continue
        clear_role_cache(http)
        path = re.sub(r"{\w+}", "987654321", route.path)
        answer = user.request(route.method, path, params={"key": "client-photo/1-a.jpg"}, json={})
        if answer.status_code not in (400, 403):  # 400: the arguments are checked before the operation runs
            accepted.append(f"{route.method} {route.path} : {answer.status_code}")
    assert not accepted, "\n".join(accepted)


def test_a_promotion_applies_to_uploads_documents_and_exports(http: Http, db: Db) -> None:
    invoice = builders.facture(db)
    builders.utilisateur(db, role="ADMINISTRATEUR")
    promoted = builders.utilisateur(db, role="CLIENT")
    user = http.as_user(promoted)
    calls = {
        "upload": lambda: upload(user),
        "ticket": lambda: user.get(f"/facturation/factures/{invoice}/ticket"),
        "export": lambda: user.get("/rapports/synthese-globale?format=csv"),
        "key": lambda: user.post("/admin/roles", json={"code": "X", "libelle": "X"}, headers={"idempotency-key": "c"}),
    }
    assert {name: call().status_code for name, call in calls.items()} == dict.fromkeys(calls, 403)
    change_role(db, promoted, "ADMINISTRATEUR")
    answers = {}
    for name, call in calls.items():
        clear_role_cache(http)
        answers[name] = call().status_code
    assert answers == {"upload": 201, "ticket": 200, "export": 200, "key": 201}
    change_role(db, promoted, "CLIENT")
    assert {name: call().status_code for name, call in calls.items()} == dict.fromkeys(calls, 403)


def test_a_changed_scope_applies_to_the_next_request(http: Http, db: Db) -> None:
    user_id = builders.utilisateur(db, role="ADMINISTRATEUR")
    user = http.as_user(user_id)
    till = builders.caisse(db, activite_code="RESTAURATION")
    for scope, status in ((None, 200), (builders.activite(db), 404), (None, 200)):
        db.execute("update auth.utilisateur set id_activite_scope = %s where id_utilisateur = %s", [scope, user_id])
        assert user.get(f"/finances/caisses/{till}").status_code == status


def test_each_role_change_applies_to_the_next_request(http: Http, db: Db) -> None:
    user_id = builders.utilisateur(db, role="RH")
    user = http.as_user(user_id)
    for role, clients, staff in (("RH", 403, 200), ("CAISSIER", 200, 403), ("CLIENT", 403, 403), ("RH", 403, 200)):
        change_role(db, user_id, role)
        statuses = user.get("/client/clients").status_code, user.get("/rh/employes").status_code
        assert statuses == (clients, staff), role


def test_a_token_that_names_a_deleted_role_stays_valid(http: Http, db: Db) -> None:
    role = db.call("auth.role_creer", code="ESSAI_PASSAGER", libelle="Passager")["id_role"]
    user_id = builders.utilisateur(db, role="ESSAI_PASSAGER")
    user = http.as_user(user_id)
    change_role(db, user_id, "RH")
    db.call("auth.role_supprimer", id_role=role)
    assert user.get("/rh/employes").status_code == 200
