"""Sessions in SQL: each refresh token is renewed once, and the tokens of a session end together as a family."""

import pytest

from tests import builders
from tests.conftest import connected, refused
from tests.together import waiting

HOUR = 3600
OTHER_HASH = "$2b$10$" + "b" * 53
NO_SESSION, REPLAY = ({"session": None, "rejeu": replay} for replay in (False, True))


def open_session(db, user, token, seconds=HOUR, address="192.0.2.7"):
    session = {"id_utilisateur": user, "hash": token, "duree": seconds}
    return db.call("auth.session_ouvrir", **session, adresse_ip=address, agent="Essai/1")


def renew(db, token, successor, seconds=HOUR):
    return db.one("select json_build_object('session', to_json(r.session), 'rejeu', r.rejeu) "
                  "from auth.session_renouveler(%s, %s, %s, '192.0.2.8') r", [token, successor, seconds])  # fmt: skip


def tokens(db, user):
    query = "select * from auth.jeton_rafraichissement where id_utilisateur = %s order by hash"
    return {row["hash"]: row for row in db.all(query, [user])}


def live_tokens(db, user):
    return [token for token, row in tokens(db, user).items() if row["date_revocation"] is None]


def expire(db, token, days):
    """Move the expiry of this token to the given number of days ago."""
    query = "update auth.jeton_rafraichissement set date_expiration = now() - %s * interval '1 day' where hash = %s"
    db.execute(query, [days, token])


@pytest.fixture
def user(db):
    return builders.utilisateur(db, role="DIRIGEANT", login="essai.session")


def test_credentials_are_read_by_login_in_any_case(db, user):
    assert db.rows("auth.identifiants", login="ESSAI.Session") == [{
        "id_utilisateur": user, "login": "essai.session", "role": "DIRIGEANT", "actif": True,
        "mot_de_passe": builders.PASSWORD_HASH, "adresse_connue": False, "second_facteur": None,
    }]  # fmt: skip
    for unknown in ("personne", "%"):
        assert db.rows("auth.identifiants", login=unknown) == []


def test_opening_a_session_records_the_connection(db, user):
    session = open_session(db, user, "a")
    [row] = tokens(db, user).values()
    assert session == {
        "id": user, "login": "essai.session", "role": "DIRIGEANT", "epoque": 0, "famille": row["famille"],
        "duree": HOUR, "inhabituelle": False, "second_facteur": False,
    }  # fmt: skip
    assert (row["date_expiration"] - row["date_creation"]).total_seconds() == HOUR
    assert db.one("select dernier_connexion = now() from auth.utilisateur where id_utilisateur = %s", [user])
    db.call("auth.connexion_echouee", id_utilisateur=user, adresse_ip="pas une adresse", agent="x" * 9000)
    rows = db.rows("auth.connexion_lister", id_utilisateur=user)
    expected = [(False, None, "x" * 500), (True, "192.0.2.7", "Essai/1")]
    assert sorted((row["succes"], row["adresse_ip"], row["agent"]) for row in rows) == expected


@pytest.mark.parametrize(("past_address", "address", "known"), [
    ("192.0.2.7", "192.0.2.7", True),
    ("192.0.2.7", "192.0.2.8", False),
    ("2001:db8:1:2::1", "2001:db8:1:2:ffff::9", True),  # one /64 network is one subscriber
    ("2001:db8:1:2::1", "2001:db8:1:3::1", False),
    ("192.0.2.7", None, False),
])  # fmt: skip
def test_an_address_is_known_for_ninety_days_after_a_sign_in(db, user, past_address, address, known):
    def is_known():
        return db.rows("auth.identifiants", login="essai.session", adresse_ip=address)[0]["adresse_connue"]

    db.call("auth.connexion_echouee", id_utilisateur=user, adresse_ip=past_address, agent="Essai/1")
    assert is_known() is False
    open_session(db, user, "a", address=past_address)
    assert is_known() is known
    db.execute("update auth.connexion set date = date - interval '91 days'")
    assert is_known() is False


def test_an_inactive_or_unknown_account_opens_no_session(db, user):
    db.call("auth.utilisateur_desactiver", id_utilisateur=user)
    for account in (user, 999_999_999):
        with refused("UNAUTHORIZED", status=401):
            open_session(db, account, "a")
    assert tokens(db, user) == {}


def test_a_renewed_token_links_to_its_successor_in_a_family_of_its_sign_in(db, user):
    first, other = open_session(db, user, "a"), open_session(db, user, "autre")
    family = first["famille"]
    assert renew(db, "a", "b") == {"session": first | {"famille": str(family)}, "rejeu": False}
    assert renew(db, "b", "c")["session"]["id"] == user
    rows = [(row["replaced_by_hash"], row["famille"]) for row in tokens(db, user).values()]
    assert rows == [("b", family), (None, other["famille"]), ("c", family), (None, family)] and other != first
    assert live_tokens(db, user) == ["autre", "c"]


@pytest.mark.parametrize("expired", [False, True])
def test_a_replay_ends_its_family_and_no_other_family(db, user, expired):
    open_session(db, user, "a")
    open_session(db, user, "autre")
    renew(db, "a", "b")
    if expired:
        expire(db, "a", 1)
    assert renew(db, "a", "c") == REPLAY
    assert renew(db, "b", "d") == REPLAY
    assert tokens(db, user).keys() == {"a", "autre", "b"} and live_tokens(db, user) == ["autre"]


def test_unknown_and_expired_tokens_renew_no_session(db, user):
    open_session(db, user, "a", seconds=0)
    for token in ("inconnu", "a"):
        assert renew(db, token, "b") == NO_SESSION
    assert tokens(db, user).keys() == {"a"}


def test_renewal_ends_the_family_of_an_account_deactivated_without_triggers(db, user):
    open_session(db, user, "a")
    db.execute("set local session_replication_role = replica")
    db.execute("update auth.utilisateur set actif = false where id_utilisateur = %s", [user])
    db.execute("set local session_replication_role = origin")
    assert renew(db, "a", "b") == NO_SESSION
    assert live_tokens(db, user) == []


def test_signing_out_ends_the_session_and_no_other_session(db, user):
    for token in ("a", "autre", "vieux"):
        open_session(db, user, token)
    renew(db, "vieux", "jeune")
    for token in ("a", "inconnu", "vieux"):  # a used token ends its successor
        db.call("auth.session_fermer", hash=token)
    assert live_tokens(db, user) == ["autre"]
    assert renew(db, "a", "b") == REPLAY


def test_a_sign_in_deletes_tokens_that_expired_thirty_days_ago(db, user):
    open_session(db, user, "vieux")
    renew(db, "vieux", "jeune")
    expire(db, "vieux", 31)
    open_session(db, user, "a")
    assert live_tokens(db, user) == list(tokens(db, user)) == ["a", "jeune"]


def test_refresh_tokens_end_ninety_days_after_the_sign_in(db, user):
    """Renewals keep a family alive. Its last token expires at the end of the ninety days."""
    week = 7 * 24 * HOUR

    def age(token, days):
        query = "update auth.jeton_rafraichissement set date_connexion = date_connexion - %s * interval '1 day'"
        db.execute(f"{query} where hash = %s", [days, token])

    open_session(db, user, "a", seconds=week)
    age("a", 60)
    assert renew(db, "a", "b", seconds=week)["session"]["duree"] == week
    age("b", 27.25)
    assert renew(db, "b", "c", seconds=week)["session"]["duree"] == pytest.approx(2.75 * 24 * HOUR, abs=2)
    age("c", 2.75)
    db.execute("update auth.jeton_rafraichissement set date_expiration = date_connexion + interval '90 days'")
    assert renew(db, "c", "d", seconds=week) == NO_SESSION


def reset(db, user):
    arguments = {"id_utilisateur": user, "nouveau_mot_de_passe": OTHER_HASH}
    db.call("auth.utilisateur_reinitialiser_mot_de_passe", **arguments)


def reset_by_link(db, user):
    db.execute("insert into auth.jeton_reinitialisation (hash, id_utilisateur, date_expiration) "
               "values ('lien', %s, now() + interval '1 hour')", [user])  # fmt: skip
    db.call("auth.reinitialisation_appliquer", hash="lien", mot_de_passe=OTHER_HASH)


NEW_PASSWORD = "update auth.secret set mot_de_passe = %s where id_utilisateur = %s"
ENDS = {
    "deactivation": lambda db, user: db.call("auth.utilisateur_desactiver", id_utilisateur=user),
    "edit": lambda db, user: db.call("auth.utilisateur_modifier", id_utilisateur=user, champs={"actif": False}),
    "reset": reset,
    "reset by link": reset_by_link,
    "new password in psql": lambda db, user: db.execute(NEW_PASSWORD, [OTHER_HASH, user]),
}


@pytest.mark.parametrize("end", ENDS)
def test_deactivation_and_a_new_password_end_every_session_and_its_access_tokens(db, user, end):
    def context(epoch):
        return db.one("select core.contexte(%s, 'DIRIGEANT', '192.0.2.1', 'essai', %s)", [user, epoch])

    stranger = builders.utilisateur(db, role="RH")
    for account, token in ((user, "a"), (user, "b"), (stranger, "c")):
        open_session(db, account, token)
    db.call("auth.utilisateur_modifier", id_utilisateur=user, champs={"nom": "Autre", "actif": True})
    assert context(0) and live_tokens(db, user) == ["a", "b"]  # the edit of a name ends no session
    db.acting(None)
    ENDS[end](db, user)
    assert (live_tokens(db, user), live_tokens(db, stranger)) == ([], ["c"])
    db.execute("update auth.utilisateur set actif = true where id_utilisateur = %s", [user])
    with refused("UNAUTHORIZED", status=401):
        context(0)
    assert context(open_session(db, user, "d")["epoque"])


# ---- concurrency ----------------------------------------------------------------------------------------------------


def behind(url, first, second):
    """Run `second` while `first` is uncommitted, then commit `first`. Return the answer of `second`."""
    with connected(url) as one, connected(url) as two:
        first(one)
        with waiting(two, one, lambda: second(two)) as answering:
            assert not answering.done()
            one.connection.commit()
        return answering.result()


@pytest.fixture
def committed(module_url):
    """A user with the session "a", the only one of the database."""
    with connected(module_url) as db:
        db.execute("delete from auth.jeton_rafraichissement")
        user = builders.utilisateur(db, role="DIRIGEANT")
        open_session(db, user, "a")
        db.connection.commit()
        yield module_url, user, db


@pytest.mark.parametrize("first", [lambda db, _: renew(db, "a", "b"), reset], ids=["renewal", "new password"])
def test_a_renewal_after_a_concurrent_renewal_or_a_new_password_is_a_replay(committed, first):
    url, user, db = committed
    assert behind(url, lambda one: first(one, user), lambda two: renew(two, "a", "c")) == REPLAY
    assert live_tokens(db, user) == [] and "c" not in tokens(db, user)


@pytest.mark.parametrize("end", [ENDS["deactivation"], reset, lambda db, _: db.call("auth.session_fermer", hash="a")])
def test_the_end_of_a_session_also_ends_a_concurrently_issued_successor(committed, end):
    url, user, db = committed
    behind(url, lambda one: renew(one, "a", "b"), lambda two: end(two, user))
    assert live_tokens(db, user) == [] and "b" in tokens(db, user)


def test_a_role_assigned_in_an_open_transaction_cannot_be_deleted(committed):
    url, _, db = committed
    role = db.call("auth.role_creer", code="ESSAI", libelle="Essai")["id_role"]
    db.connection.commit()

    def delete(two):
        with refused("ROLE_UTILISE", status=409, connection=two.connection):
            two.call("auth.role_supprimer", id_role=role)

    behind(url, lambda one: builders.utilisateur(one, role="ESSAI"), delete)
    assert db.one("select count(*) from auth.role where id_role = %s", [role]) == 1
