"""Photos that a client sends at once to one report are ten at most."""

from collections import Counter

from tests import builders
from tests.conftest import Db
from tests.together import AtOnce


def test_concurrent_photos_of_a_report_are_ten_at_most(shared: Db, at_once: AtOnce) -> None:
    user = builders.utilisateur(shared, role="CLIENT", id_client=builders.client(shared))

    def act(db: Db, n: int) -> str:
        with db.connection.transaction():
            db.acting(user)
            db.call("signalement.photo_declarer", id_signalement=report, cle_objet=f"signalement-photo/{n}.jpg")
        return "added"

    with shared.connection.transaction():
        shared.acting(user)
        report = shared.call("signalement.signalement_declarer", titre="Fuite", description="Au plafond")[
            "id_signalement"
        ]
    for n in range(8):
        act(shared, 100 + n)
    assert Counter(at_once(8, act)) == {"added": 2, "TROP_DE_PHOTOS": 6}
