"""Sessions in SQL: opened, renewed once per token, ended as a family."""

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


def live(db, user):
    return [
        row["hash"]
        for row in db.all(
            "select hash from auth.jeton_rafraichissement "
            "where id_utilisateur = %s and date_revocation is null order by hash",
            [user],
        )
    ]


NOBODY = {"session": None, "rejeu": False}
REPLAY = {"session": None, "rejeu": True}


@pytest.fixture
def user(db):
    return builders.utilisateur(db, role="DIRIGEANT", login="essai.session")


def test_credentials_are_found_whatever_the_case(db, user):
    assert db.rows("auth.identifiants", login="ESSAI.Session") == [
        {
            "id_utilisateur": user,
            "login": "essai.session",
            "role": "DIRIGEANT",
            "actif": True,
            "mot_de_passe": builders.PASSWORD_HASH,
            "adresse_connue": False,
        }
    ]
    assert db.rows("auth.identifiants", login="personne") == []
    assert db.rows("auth.identifiants", login="%") == []


def test_opening_notes_the_connection(db, user):
    session = open_session(db, user, "a")
    assert session | {"famille": str(session["famille"])} == {
        "id": user,
        "login": "essai.session",
        "role": "DIRIGEANT",
        "epoque": 0,
        "famille": family(db, "a"),
        "duree": HOUR,
        "inhabituelle": False,
    }
    assert db.one("select dernier_connexion = now() from auth.utilisateur where id_utilisateur = %s", [user])
    row = db.one("select * from auth.jeton_rafraichissement where hash = 'a'")
    assert (row["date_expiration"] - row["date_creation"]).total_seconds() == HOUR
    db.call("auth.connexion_echouee", id_utilisateur=user, adresse_ip="pas une adresse", agent="x" * 9000)
    seen = db.rows("auth.connexion_lister", id_utilisateur=user)
    assert sorted((row["succes"], row["adresse_ip"], row["agent"]) for row in seen) == [
        (False, None, "x" * 500),
        (True, "192.0.2.7", "Essai/1"),
    ]


def test_each_sign_in_is_a_family_of_its_own(db, user):
    open_session(db, user, "a")
    open_session(db, user, "b")
    assert (
        db.one("select count(distinct famille) from auth.jeton_rafraichissement where id_utilisateur = %s", [user]) == 2
    )


@pytest.mark.parametrize(
    ("used", "asked", "known"),
    [
        ("192.0.2.7", "192.0.2.7", True),
        ("192.0.2.7", "192.0.2.8", False),
        ("2001:db8:1:2::1", "2001:db8:1:2:ffff::9", True),  # the same subscriber
        ("2001:db8:1:2::1", "2001:db8:1:3::1", False),
        ("192.0.2.7", None, False),
    ],
)
def test_an_address_is_known_where_the_account_signed_in_from(db, user, used, asked, known):
    def known_now():
        return db.rows("auth.identifiants", login="essai.session", adresse_ip=asked)[0]["adresse_connue"]

    db.call("auth.connexion_echouee", id_utilisateur=user, adresse_ip=used, agent="Essai/1")
    assert known_now() is False
    db.call("auth.session_ouvrir", id_utilisateur=user, hash="a", duree=HOUR, adresse_ip=used, agent="Essai/1")
    assert known_now() is known
    db.execute("update auth.connexion set date = date - interval '91 days'")
    assert known_now() is False


@pytest.mark.parametrize("who", ["inactive", "unknown"])
def test_nobody_signs_in_to_an_account_that_is_not_active(db, user, who):
    if who == "inactive":
        db.call("auth.utilisateur_desactiver", id_utilisateur=user)
    with refused("UNAUTHORIZED", status=401):
        open_session(db, user if who == "inactive" else 999_999_999, "a")
    assert db.one("select count(*) from auth.jeton_rafraichissement where hash = 'a'") == 0


def test_rotation_links_the_successor(db, user):
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


def test_a_replay_ends_the_family_and_no_other(db, user):
    open_session(db, user, "a")
    open_session(db, user, "autre")
    renew(db, "a", "b")
    assert renew(db, "a", "c") == REPLAY
    assert live(db, user) == ["autre"]
    assert renew(db, "b", "d") == REPLAY
    assert db.one("select count(*) from auth.jeton_rafraichissement where hash in ('c', 'd')") == 0


def test_a_replay_after_its_expiry_is_still_a_replay(db, user):
    open_session(db, user, "a")
    renew(db, "a", "b")
    db.execute("update auth.jeton_rafraichissement set date_expiration = now() - interval '1 day' where hash = 'a'")
    assert renew(db, "a", "c") == REPLAY
    assert live(db, user) == []


def test_unknown_and_expired_tokens_are_worth_nothing(db, user):
    assert renew(db, "inconnu", "b") == NOBODY
    open_session(db, user, "a", seconds=0)
    assert renew(db, "a", "b") == NOBODY
    assert db.one("select count(*) from auth.jeton_rafraichissement where hash = 'b'") == 0


def test_an_account_deactivated_behind_the_triggers_loses_its_family(db, user):
    open_session(db, user, "a")
    db.execute("set local session_replication_role = replica")
    db.execute("update auth.utilisateur set actif = false where id_utilisateur = %s", [user])
    db.execute("set local session_replication_role = origin")
    assert renew(db, "a", "b") == NOBODY
    assert live(db, user) == []


def test_signing_out_ends_the_session_and_no_other(db, user):
    open_session(db, user, "a")
    open_session(db, user, "autre")
    db.call("auth.session_fermer", hash="a")
    db.call("auth.session_fermer", hash="inconnu")
    assert live(db, user) == ["autre"]
    assert renew(db, "a", "b") == REPLAY


def test_signing_out_with_a_used_token_ends_its_successor(db, user):
    open_session(db, user, "a")
    renew(db, "a", "b")
    db.call("auth.session_fermer", hash="a")
    assert live(db, user) == []


def test_what_has_long_expired_goes_at_the_next_sign_in(db, user):
    open_session(db, user, "vieux")
    renew(db, "vieux", "jeune")
    db.execute(
        "update auth.jeton_rafraichissement set date_expiration = now() - interval '31 days' where hash = 'vieux'"
    )
    open_session(db, user, "a")
    assert live(db, user) == ["a", "jeune"]
    assert db.one("select count(*) from auth.jeton_rafraichissement where hash = 'vieux'") == 0


def age(db, token, days):
    """As if the sign-in of this token had been so many days ago."""
    db.execute(
        "update auth.jeton_rafraichissement set date_connexion = date_connexion - %s * interval '1 day' "
        "where hash = %s",
        [days, token],
    )


def test_refresh_tokens_end_ninety_days_after_the_sign_in(db, user):
    """Renewed every few days, a family lives on; its last token lives as long as the ninety days have left."""
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
    assert renew(db, "c", "d", seconds=week) == NOBODY


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
    assert live(db, user) == []
    assert live(db, stranger) == ["c"]


def test_an_ordinary_edit_ends_nothing(db, user):
    open_session(db, user, "a")
    db.call("auth.utilisateur_modifier", id_utilisateur=user, champs={"nom": "Autre", "actif": True})
    assert live(db, user) == ["a"]


# ---- two at once ----------------------------------------------------------------------------------------------------


def connect(url):
    return psycopg.connect(url, row_factory=dict_row)


def waiting(url, connection):
    """Until the other connection stands in a queue for a lock."""
    with psycopg.connect(url, autocommit=True) as observer:
        for _ in range(500):
            if observer.execute(
                "select wait_event_type = 'Lock' from pg_stat_activity where pid = %s", [connection.info.backend_pid]
            ).fetchone() == (True,):
                return
            time.sleep(0.01)
    pytest.fail("nobody waits")


def behind(url, first, second):
    """Run `second` while `first` is not committed yet; commit once it waits; the answer of `second`."""
    with connect(url) as one, connect(url) as two:
        first(Db(one))
        answers = []
        thread = threading.Thread(target=lambda: answers.append(second(Db(two))))
        thread.start()
        waiting(url, two)
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


def test_of_two_presentations_at_once_one_wins_and_the_other_is_a_replay(committed):
    url, user, db = committed
    won = []
    answer = behind(url, lambda one: won.append(renew(one, "a", "b")), lambda two: renew(two, "a", "c"))
    assert won[0]["session"]["id"] == user and answer == REPLAY
    assert live(db, user) == []


def test_a_renewal_that_comes_behind_a_new_password_gets_nothing(committed):
    url, user, db = committed
    answer = behind(
        url,
        lambda one: one.call(
            "auth.utilisateur_reinitialiser_mot_de_passe", id_utilisateur=user, nouveau_mot_de_passe=OTHER_HASH
        ),
        lambda two: renew(two, "a", "b"),
    )
    assert answer == REPLAY
    assert live(db, user) == []


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
def test_a_successor_issued_meanwhile_does_not_outlive_the_end(committed, end):
    url, user, db = committed
    behind(url, lambda one: renew(one, "a", "b"), lambda two: end(two, user))
    assert live(db, user) == []


def test_a_role_that_somebody_is_just_taking_is_not_deleted(committed):
    url, _, db = committed
    role = db.call("auth.role_creer", code="ESSAI", libelle="Essai")["id_role"]
    db.connection.commit()

    def delete(two):
        with refused("ROLE_UTILISE", status=409, connection=two.connection):
            two.call("auth.role_supprimer", id_role=role)

    behind(url, lambda one: builders.utilisateur(one, role="ESSAI"), delete)
    assert db.one("select count(*) from auth.role where id_role = %s", [role]) == 1
