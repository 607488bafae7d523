"""Sessions in SQL: each refresh token is renewed once, and the tokens of a session end together as a family."""

import threading
import time

import psycopg
import pytest
from psycopg.rows import dict_row

from tests import builders
from tests.conftest import Db, refused

HOUR = 3600
OTHER_HASH = "$2b$10$" + "b" * 53


def open_session(db, user, token, seconds=HOUR):
    return db.call(
        "auth.session_ouvrir", id_utilisateur=user, hash=token, duree=seconds, adresse_ip="192.0.2.7", agent="Essai/1"
    )


def renew(db, token, successor, seconds=HOUR):
    return db.one(
        "select json_build_object('session', to_json(r.session), 'rejeu', r.rejeu) "
        "from auth.session_renouveler(%s, %s, %s, '192.0.2.8') r",
        [token, successor, seconds],
    )


def family(db, token):
    return str(db.one("select famille from auth.jeton_rafraichissement where hash = %s", [token]))


def live_tokens(db, user):
    return [
        row["hash"]
        for row in db.all(
            "select hash from auth.jeton_rafraichissement "
            "where id_utilisateur = %s and date_revocation is null order by hash",
            [user],
        )
    ]


NO_SESSION = {"session": None, "rejeu": False}
REPLAY = {"session": None, "rejeu": True}


@pytest.fixture
def user(db):
    return builders.utilisateur(db, role="DIRIGEANT", login="essai.session")


def test_credentials_are_read_by_login_in_any_case(db, user):
    assert db.rows("auth.identifiants", login="ESSAI.Session") == [
        {
            "id_utilisateur": user,
            "login": "essai.session",
            "role": "DIRIGEANT",
            "actif": True,
            "mot_de_passe": builders.PASSWORD_HASH,
            "adresse_connue": False,
            "second_facteur": None,
        }
    ]
    assert db.rows("auth.identifiants", login="personne") == []
    assert db.rows("auth.identifiants", login="%") == []


def test_opening_a_session_records_the_connection(db, user):
    session = open_session(db, user, "a")
    assert session | {"famille": str(session["famille"])} == {
        "id": user,
        "login": "essai.session",
        "role": "DIRIGEANT",
        "epoque": 0,
        "famille": family(db, "a"),
        "duree": HOUR,
        "inhabituelle": False,
        "second_facteur": False,
    }
    assert db.one("select dernier_connexion = now() from auth.utilisateur where id_utilisateur = %s", [user])
    row = db.one("select * from auth.jeton_rafraichissement where hash = 'a'")
    assert (row["date_expiration"] - row["date_creation"]).total_seconds() == HOUR
    db.call("auth.connexion_echouee", id_utilisateur=user, adresse_ip="pas une adresse", agent="x" * 9000)
    rows = db.rows("auth.connexion_lister", id_utilisateur=user)
    assert sorted((row["succes"], row["adresse_ip"], row["agent"]) for row in rows) == [
        (False, None, "x" * 500),
        (True, "192.0.2.7", "Essai/1"),
    ]


def test_each_sign_in_starts_a_new_family(db, user):
    open_session(db, user, "a")
    open_session(db, user, "b")
    assert (
        db.one("select count(distinct famille) from auth.jeton_rafraichissement where id_utilisateur = %s", [user]) == 2
    )


@pytest.mark.parametrize(
    ("past_address", "address", "known"),
    [
        ("192.0.2.7", "192.0.2.7", True),
        ("192.0.2.7", "192.0.2.8", False),
        ("2001:db8:1:2::1", "2001:db8:1:2:ffff::9", True),  # one /64 network is one subscriber
        ("2001:db8:1:2::1", "2001:db8:1:3::1", False),
        ("192.0.2.7", None, False),
    ],
)
def test_an_address_is_known_for_ninety_days_after_a_sign_in(db, user, past_address, address, known):
    def is_known():
        return db.rows("auth.identifiants", login="essai.session", adresse_ip=address)[0]["adresse_connue"]

    db.call("auth.connexion_echouee", id_utilisateur=user, adresse_ip=past_address, agent="Essai/1")
    assert is_known() is False
    db.call("auth.session_ouvrir", id_utilisateur=user, hash="a", duree=HOUR, adresse_ip=past_address, agent="Essai/1")
    assert is_known() is known
    db.execute("update auth.connexion set date = date - interval '91 days'")
    assert is_known() is False


@pytest.mark.parametrize("account", ["inactive", "unknown"])
def test_an_inactive_or_unknown_account_opens_no_session(db, user, account):
    if account == "inactive":
        db.call("auth.utilisateur_desactiver", id_utilisateur=user)
    with refused("UNAUTHORIZED", status=401):
        open_session(db, user if account == "inactive" else 999_999_999, "a")
    assert db.one("select count(*) from auth.jeton_rafraichissement where hash = 'a'") == 0


def test_a_renewed_token_links_to_its_successor(db, user):
    first = open_session(db, user, "a")
    assert renew(db, "a", "b") == {"session": first | {"famille": family(db, "a")}, "rejeu": False}
    assert renew(db, "b", "c")["session"]["id"] == user
    assert db.all(
        "select hash, replaced_by_hash, date_revocation is not null as used from auth.jeton_rafraichissement "
        "where id_utilisateur = %s order by hash",
        [user],
    ) == [
        {"hash": "a", "replaced_by_hash": "b", "used": True},
        {"hash": "b", "replaced_by_hash": "c", "used": True},
        {"hash": "c", "replaced_by_hash": None, "used": False},
    ]
    assert (
        db.one("select count(distinct famille) from auth.jeton_rafraichissement where id_utilisateur = %s", [user]) == 1
    )


def test_a_replay_ends_its_family_and_no_other_family(db, user):
    open_session(db, user, "a")
    open_session(db, user, "autre")
    renew(db, "a", "b")
    assert renew(db, "a", "c") == REPLAY
    assert live_tokens(db, user) == ["autre"]
    assert renew(db, "b", "d") == REPLAY
    assert db.one("select count(*) from auth.jeton_rafraichissement where hash in ('c', 'd')") == 0


def test_a_replay_after_its_expiry_is_still_a_replay(db, user):
    open_session(db, user, "a")
    renew(db, "a", "b")
    db.execute("update auth.jeton_rafraichissement set date_expiration = now() - interval '1 day' where hash = 'a'")
    assert renew(db, "a", "c") == REPLAY
    assert live_tokens(db, user) == []


def test_unknown_and_expired_tokens_renew_no_session(db, user):
    assert renew(db, "inconnu", "b") == NO_SESSION
    open_session(db, user, "a", seconds=0)
    assert renew(db, "a", "b") == NO_SESSION
    assert db.one("select count(*) from auth.jeton_rafraichissement where hash = 'b'") == 0


def test_renewal_ends_the_family_of_an_account_deactivated_without_triggers(db, user):
    open_session(db, user, "a")
    db.execute("set local session_replication_role = replica")
    db.execute("update auth.utilisateur set actif = false where id_utilisateur = %s", [user])
    db.execute("set local session_replication_role = origin")
    assert renew(db, "a", "b") == NO_SESSION
    assert live_tokens(db, user) == []


def test_signing_out_ends_the_session_and_no_other_session(db, user):
    open_session(db, user, "a")
    open_session(db, user, "autre")
    db.call("auth.session_fermer", hash="a")
    db.call("auth.session_fermer", hash="inconnu")
    assert live_tokens(db, user) == ["autre"]
    assert renew(db, "a", "b") == REPLAY


def test_signing_out_with_a_used_token_ends_its_successor(db, user):
    open_session(db, user, "a")
    renew(db, "a", "b")
    db.call("auth.session_fermer", hash="a")
    assert live_tokens(db, user) == []


def test_a_sign_in_deletes_tokens_that_expired_thirty_days_ago(db, user):
    open_session(db, user, "vieux")
    renew(db, "vieux", "jeune")
    db.execute(
        "update auth.jeton_rafraichissement set date_expiration = now() - interval '31 days' where hash = 'vieux'"
    )
    open_session(db, user, "a")
    assert live_tokens(db, user) == ["a", "jeune"]
    assert db.one("select count(*) from auth.jeton_rafraichissement where hash = 'vieux'") == 0


def age(db, token, days):
    """Move the sign-in of this token the given number of days into the past."""
    db.execute(
        "update auth.jeton_rafraichissement set date_connexion = date_connexion - %s * interval '1 day' "
        "where hash = %s",
        [days, token],
    )


def test_refresh_tokens_end_ninety_days_after_the_sign_in(db, user):
    """Renewals keep a family alive. Its last token expires at the end of the ninety days."""
    week = 7 * 24 * HOUR
    open_session(db, user, "a", seconds=week)
    age(db, "a", 60)
    assert renew(db, "a", "b", seconds=week)["session"]["duree"] == week
    age(db, "b", 27.25)
    assert renew(db, "b", "c", seconds=week)["session"]["duree"] == pytest.approx(2.75 * 24 * HOUR, abs=2)
    age(db, "c", 2.75)
    db.execute(
        "update auth.jeton_rafraichissement set date_expiration = date_connexion + interval '90 days' where hash = 'c'"
    )
    assert renew(db, "c", "d", seconds=week) == NO_SESSION


ENDS = [
    lambda db, user: db.call("auth.utilisateur_desactiver", id_utilisateur=user),
    lambda db, user: db.call(
        "auth.utilisateur_reinitialiser_mot_de_passe", id_utilisateur=user, nouveau_mot_de_passe=OTHER_HASH
    ),
    lambda db, user: reset_by_link(db, user),
]


def reset_by_link(db, user):
    db.execute(
        "insert into auth.jeton_reinitialisation (hash, id_utilisateur, date_expiration) "
        "values ('lien', %s, now() + interval '1 hour')",
        [user],
    )
    db.call("auth.reinitialisation_appliquer", hash="lien", mot_de_passe=OTHER_HASH)


@pytest.mark.parametrize("end", ENDS)
def test_access_tokens_of_an_earlier_epoch_open_no_context(db, user, end):
    def context(epoch):
        return db.one("select core.contexte(%s, 'DIRIGEANT', '192.0.2.1', 'essai', %s)", [user, epoch])

    before = open_session(db, user, "a")["epoque"]
    assert context(before)
    db.acting(None)
    end(db, user)
    db.execute("update auth.utilisateur set actif = true where id_utilisateur = %s", [user])
    with refused("UNAUTHORIZED", status=401):
        context(before)
    assert context(open_session(db, user, "b")["epoque"])


@pytest.mark.parametrize(
    "end",
    [
        lambda db, user: db.call("auth.utilisateur_desactiver", id_utilisateur=user),
        lambda db, user: db.call("auth.utilisateur_modifier", id_utilisateur=user, champs={"actif": False}),
        lambda db, user: db.call(
            "auth.utilisateur_reinitialiser_mot_de_passe", id_utilisateur=user, nouveau_mot_de_passe=OTHER_HASH
        ),
        lambda db, user: db.execute(
            "update auth.secret set mot_de_passe = %s where id_utilisateur = %s", [OTHER_HASH, user]
        ),
    ],
)
def test_deactivation_and_a_new_password_end_every_session(db, user, end):
    stranger = builders.utilisateur(db, role="RH")
    open_session(db, user, "a")
    open_session(db, user, "b")
    open_session(db, stranger, "c")
    end(db, user)
    assert live_tokens(db, user) == []
    assert live_tokens(db, stranger) == ["c"]


def test_an_edit_of_the_name_ends_no_session(db, user):
    open_session(db, user, "a")
    db.call("auth.utilisateur_modifier", id_utilisateur=user, champs={"nom": "Autre", "actif": True})
    assert live_tokens(db, user) == ["a"]


# ---- concurrency ----------------------------------------------------------------------------------------------------


def connect(url):
    return psycopg.connect(url, row_factory=dict_row)


def wait_for_lock(url, connection):
    """Wait until the connection waits for a lock."""
    with psycopg.connect(url, autocommit=True) as observer:
        for _ in range(500):
            if observer.execute(
                "select wait_event_type = 'Lock' from pg_stat_activity where pid = %s", [connection.info.backend_pid]
            ).fetchone() == (True,):
                return
            time.sleep(0.01)
    pytest.fail("the connection never waited for a lock")


def behind(url, first, second):
    """Run `second` while `first` is uncommitted, then commit `first`. Return the answer of `second`."""
    with connect(url) as one, connect(url) as two:
        first(Db(one))
        answers = []
        thread = threading.Thread(target=lambda: answers.append(second(Db(two))))
        thread.start()
        wait_for_lock(url, two)
        one.commit()
        thread.join()
        two.commit()
        return answers.pop()


@pytest.fixture
def committed(database_url):
    with connect(database_url) as connection:
        db = Db(connection)
        user = builders.utilisateur(db, role="DIRIGEANT")
        open_session(db, user, "a")
        connection.commit()
        yield database_url, user, db


def test_the_second_of_two_concurrent_renewals_is_a_replay(committed):
    url, user, db = committed
    winners = []
    answer = behind(url, lambda one: winners.append(renew(one, "a", "b")), lambda two: renew(two, "a", "c"))
    assert winners[0]["session"]["id"] == user and answer == REPLAY
    assert live_tokens(db, user) == []


def test_a_renewal_after_a_concurrent_password_change_is_a_replay(committed):
    url, user, db = committed
    answer = behind(
        url,
        lambda one: one.call(
            "auth.utilisateur_reinitialiser_mot_de_passe", id_utilisateur=user, nouveau_mot_de_passe=OTHER_HASH
        ),
        lambda two: renew(two, "a", "b"),
    )
    assert answer == REPLAY
    assert live_tokens(db, user) == []


@pytest.mark.parametrize(
    "end",
    [
        lambda db, user: db.call("auth.utilisateur_desactiver", id_utilisateur=user),
        lambda db, user: db.call(
            "auth.utilisateur_reinitialiser_mot_de_passe", id_utilisateur=user, nouveau_mot_de_passe=OTHER_HASH
        ),
        lambda db, user: db.call("auth.session_fermer", hash="a"),
    ],
)
def test_the_end_of_a_session_also_ends_a_concurrently_issued_successor(committed, end):
    url, user, db = committed
    behind(url, lambda one: renew(one, "a", "b"), lambda two: end(two, user))
    assert live_tokens(db, user) == []


def test_a_role_assigned_in_an_open_transaction_cannot_be_deleted(committed):
    url, _, db = committed
    role = db.call("auth.role_creer", code="ESSAI", libelle="Essai")["id_role"]
    db.connection.commit()

    def delete(two):
        with refused("ROLE_UTILISE", status=409, connection=two.connection):
            two.call("auth.role_supprimer", id_role=role)

    behind(url, lambda one: builders.utilisateur(one, role="ESSAI"), delete)
    assert db.one("select count(*) from auth.role where id_role = %s", [role]) == 1
