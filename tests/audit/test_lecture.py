"""The journal is read with filters, pages and indexes, and no answer shows a secret."""

import json

import pytest

from tests import builders
from tests.conftest import ok, refusal, refused


@pytest.fixture
def parameter_history(db):
    author, other = builders.utilisateur(db, role="ADMINISTRATEUR"), builders.utilisateur(db, role="DIRIGEANT")
    db.execute("delete from core.parametre where cle = 'rien'")
    db.acting(author)
    key = db.one("insert into core.parametre (cle, valeur) values ('ESSAI', 'un') returning id_parametre")
    db.acting(other)
    db.execute("update core.parametre set valeur = 'deux' where cle = 'ESSAI'")
    db.acting(None)
    db.execute("delete from core.parametre where cle = 'ESSAI'")
    return author, other, key


def operations(db, key, **filters):
    rows = db.rows("audit.journal_lister", entite="parametre", entite_id=str(key), **filters)
    return [row["operation"] for row in rows]


def test_a_journal_entry_has_the_documented_fields(db, http, parameter_history):
    *_, key = parameter_history
    answer = http.as_admin().get("/audit/journal", params={"entite": "parametre", "entite_id": key})
    deleted, updated, inserted = answer.json()
    assert list(updated) == [
        "id_trace", "date_heure", "id_utilisateur", "module", "operation", "entite", "entite_id", "description",
        "montant", "avant", "apres", "adresse_ip", "login", "cle",
    ]  # fmt: skip
    assert (json.loads(updated["avant"])["valeur"], json.loads(updated["apres"])["valeur"]) == ("un", "deux")
    assert (inserted["avant"], deleted["apres"], deleted["id_utilisateur"]) == (None, None, None)
    assert (updated["module"], updated["description"]) == ("core", f"Modification : Paramètre n° {key}")
    assert updated["login"] == db.account(updated["id_utilisateur"])["login"] and deleted["login"] is None
    assert updated["adresse_ip"] == "192.0.2.1" and answer.headers["x-total-count"] == "3"


def test_a_granted_permission_is_described_by_its_code_and_its_role(db, http):
    admin = http.as_admin()
    answer = admin.post("/admin/roles", json={"code": "VEILLEUR", "libelle": "Veilleur"})
    assert answer.status_code == 201, answer.text
    db.execute(
        "insert into auth.role_permission (id_role, id_permission) select r.id_role, p.id_permission"
        " from auth.role r, auth.permission p where r.code = 'VEILLEUR' and p.code = 'CORE.VOIR'"
    )
    row, *_ = admin.get("/audit/journal", params={"entite": "role_permission", "limit": "1"}).json()
    assert row["description"] == "Création : Permission CORE.VOIR du rôle VEILLEUR"


def test_the_journal_is_filtered_paged_and_sorted(db, parameter_history):
    author, other, key = parameter_history
    login = db.account(other)["login"]
    today, tomorrow = (db.one("select (core.aujourdhui() + %s)::text", [n]) for n in (0, 1))
    every = [{}, {"module": "CORE"}, {"du": today, "au": today}, {"adresse_ip": "192.0.2.1"}, {"recherche": "PARAM"}]
    none = [{"utilisateur": "personne"}, {"module": "rh"}, {"du": tomorrow}, {"adresse_ip": "192.0.2.9"},
            {"recherche": "introuvable"}]  # fmt: skip
    for filters in (*every, *none):
        expected = ["DELETE", "UPDATE", "INSERT"] if filters in every else []
        assert operations(db, key, **filters) == expected, filters
    assert operations(db, key, utilisateur=str(author)) == ["INSERT"]
    assert operations(db, key, utilisateur="system") == ["DELETE"]
    logins = [{"utilisateur": login}, {"utilisateur": login.upper()}, {"recherche": login}]
    for filters in (*logins, {"module": "core", "operation": "UPDATE"}):
        assert operations(db, key, **filters) == ["UPDATE"], filters
    assert operations(db, key, limit=1, offset=1) == ["UPDATE"]
    assert operations(db, key, sort="id_trace", order="asc") == ["INSERT", "UPDATE", "DELETE"]


def test_an_invalid_address_and_an_unknown_sort_column_are_refused(db, http):
    assert refusal(http.as_admin().get("/audit/journal", params={"adresse_ip": "ici"})) == (400, "VALEUR_INVALIDE")
    with refused("TRI_INCONNU", 400):
        db.rows("audit.journal_lister", sort="requete")


@pytest.mark.parametrize("start", ["now() - interval '30 days'", "now()"], ids=["closed", "open"])
def test_queries_on_a_large_journal_use_its_indexes(db, start):
    db.execute(
        "insert into audit.journal (date_heure, module, operation, entite, entite_id, adresse_ip, id_utilisateur,"
        f" requete) select {start} + n * interval '1 millisecond', 'finances', 'INSERT', 'paiement', n, '192.0.2.7',"
        "         n % 40, repeat('x', 500) from generate_series(1, 3000) n"
    )
    db.execute(
        "select brin_summarize_new_values(i.indexrelid) from pg_index i join pg_class c on c.oid = i.indexrelid"
        "  join pg_am a on a.oid = c.relam where a.amname = 'brin' and i.indrelid::regclass::text ~ '^audit.journal_'"
    )
    db.execute("analyze audit.journal")
    part = db.one(
        "select relname from pg_class where oid in (select tableoid from audit.journal where requete ~ '^xxx')"
    )
    db.execute("set local enable_seqscan = off")  # as audit.journal_lister does
    for condition in [
        "true", "v.module = 'rh'", "v.operation = 'DELETE'", "v.adresse_ip = '192.0.2.200'", "v.id_utilisateur = 9999",
        "v.entite = 'role'", "v.entite = 'paiement' and v.entite_id = '77'",
        "v.date_heure >= now() - interval '9 days' and v.date_heure < now() - interval '8 days'",
    ]:  # fmt: skip
        plan = db.all(
            f"explain select * from audit.trace_vue v where {condition}"
            " order by v.date_heure desc, v.id_trace desc limit 100"
        )
        text = "\n".join(row["QUERY PLAN"] for row in plan)
        assert f"Seq Scan on {part}" not in text, text


def test_the_journal_route_masks_secrets(db, http):
    db.execute(
        "insert into audit.journal (module, operation, entite, entite_id, apres, avant) values"
        " ('auth', 'UPDATE', 'essai', '1', %s, %s)",
        [
            json.dumps({"donnees": {"lien": {"jeton": "OUVERT-1"}, "nom": "Awa"}, "accessToken": "OUVERT-2"}),
            json.dumps([{"Mot_De_Passe": "OUVERT-3"}, {"nouveau_mot_de_passe": ["OUVERT-4"]}]),
        ],
    )
    builders.utilisateur(db)
    answer = http.as_admin().get("/audit/journal", params={"limit": "1000"})
    assert "OUVERT" not in answer.text and "$2b$" not in answer.text and "Awa" in answer.text


def test_the_masking_route_masks_secrets_at_every_depth(http):
    body = {
        "nom": "Awa", "mot_de_passe": "x", "token": None, "montant": 12.50, "refreshToken": {"a": 1},
        "liste": [{"secret": "y", "autre": [1, "jeton", {"password": "z"}]}, "hash", True], "vide": {}, "rien": [],
    }  # fmt: skip
    answer = ok(http.as_admin().post("/audit/masquer", json={"donnees": body}))
    assert answer == {
        "nom": "Awa", "mot_de_passe": "***", "token": None, "montant": 12.5, "refreshToken": "***",
        "liste": [{"secret": "***", "autre": [1, "jeton", {"password": "***"}]}, "hash", True], "vide": {}, "rien": [],
    }  # fmt: skip


def test_the_masking_route_refuses_what_is_not_one_object_of_few_levels(http):
    admin, deep = http.as_admin(), {"a": 1}
    for _ in range(70):
        deep = {"a": [deep]}
    wrong = [({}, "VALIDATION_ERROR"), ({"donnees": None}, "VALIDATION_ERROR"), ({"donnees": [1]}, "OBJET_ATTENDU"),
             ({"donnees": "texte"}, "OBJET_ATTENDU"), ({"donnees": {}, "autre": 1}, "VALIDATION_ERROR"),
             ({"donnees": deep}, "TROP_IMBRIQUE")]  # fmt: skip
    for body, code in wrong:
        assert refusal(admin.post("/audit/masquer", json=body)) == (400, code), body


def test_the_masking_route_masks_every_key_that_the_journal_masks(db):
    for name in db.one("select audit._cles_secretes()"):
        assert db.one("select audit._sensible(%s)", [name])
