"""The demonstration is lived through the operations, keeps every rule, and never mixes with a used database."""

from __future__ import annotations

import asyncio
import os
import sys
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

import psycopg
import pytest
from psycopg.rows import dict_row

from app.base.progress import Progress
from app.base.settings import Settings
from app.commands import demo
from app.commands.demo import photos
from app.commands.demo.replay import replayed
from app.database import schema
from app.files.seaweedfs import at_hand
from app.files.storage import Storage
from tests import builders
from tests.accord import disagreements
from tests.conftest import Db

ADMINISTRATOR = ("admin", builders.PASSWORD_HASH)
ACTIVITIES = """
select (select count(*) from market.vente), (select count(*) from pressing.commande where statut = 'RETIRE'),
       (select count(*) from restaurant.commande), (select count(*) from salle_fete.reservation),
       (select count(*) from residence.contrat_location where statut = 'ACTIF'), (select count(*) from rh.paie),
       (select count(*) from residence.sejour_court), (select count(*) from finances.depense),
       (select count(*) from finances.tirage)
"""


def one(url: str, query: str) -> tuple[object, ...]:
    with psycopg.connect(url) as connection:
        found = connection.execute(query).fetchone()
    assert found is not None
    return found


@pytest.fixture(scope="module")
def lived(worker_id: str) -> Iterator[str]:
    """A database of this module, two months played in it with few customers."""
    with schema.scratch(os.environ["ESSAIS_POSTGRES"], f"essai_{worker_id}_demo") as url:
        with replayed(url):
            demo.play(url, 3, 2, ADMINISTRATOR, builders.PASSWORD_HASH)
        yield url


def test_every_activity_has_lived(lived: str) -> None:
    assert all(one(lived, ACTIVITIES))  # type: ignore[arg-type]
    first, last, today = one(lived, "select min(jour), max(jour), core.aujourdhui() from finances.paiement")
    assert 58 <= (today - first).days <= 63 and (today - last).days == 1  # type: ignore[operator]


def test_no_rule_was_bypassed(lived: str) -> None:
    with psycopg.connect(lived) as connection:
        assert connection.execute("select * from jobs._controler()").fetchall() == []
        assert connection.execute("select message from audit.verifier()").fetchall() == []
    assert schema.drift(lived) == []


def test_tills_are_missing_only_what_the_demonstration_takes_out(lived: str) -> None:
    """A day without a count is in the next one, and its cashier counts it too."""
    gaps = "select array_agg(distinct ecart::integer order by ecart::integer) from finances.tirage"
    (found,) = one(lived, gaps)
    assert set(found) <= {-2000, -500, 0, 500, 1000}  # type: ignore[call-overload]


def test_every_report_says_the_same_under_a_word(lived: str) -> None:
    with psycopg.connect(lived, row_factory=dict_row) as connection:
        db = Db(connection)
        first, last = db.all("select min(jour) as a, max(jour) as b from finances.paiement")[0].values()
        month = first.replace(day=1) + timedelta(days=32)
        for du, au in ((first, last), (month.replace(day=1), last), (last, last)):
            assert disagreements(db, str(du), str(au)) == []


def test_money_and_its_documents_are_of_the_same_day(lived: str) -> None:
    assert one(
        lived,
        """select count(*) from finances.paiement p join finances.periode_caisse c using (id_periode)
            where p.date not between c.ouverture and c.fermeture""",
    ) == (0,)
    assert one(lived, "select count(*) from finances.periode_caisse where fermeture is null") == (0,)
    assert one(lived, "select count(*) from facturation.facture where numero !~ to_char(date, 'YYYY')") == (0,)
    assert one(lived, "select count(*) from audit.journal where date_heure > now() - interval '30 seconds'") == (0,)


def test_no_screen_is_bare(lived: str) -> None:
    """What a screen or a document shows beside money: buyers, ends of leases, subscriptions, today's attendance."""
    shown = one(
        lived,
        """select (select count(*) from market.vente where id_client is not null),
                  (select count(*) from residence.contrat_location where date_fin_prevue is not null),
                  (select count(distinct date_debut) from residence.contrat_location),
                  (select count(*) from residence.abonnement), (select count(*) from client.piece_identite),
                  (select count(*) from rh.pointage where date = core.aujourdhui()),
                  (select count(*) from market.produit where quantite_stock < seuil_alerte)""",
    )
    assert all(shown), shown
    empty = one(
        lived,
        """select array_agg(cle) from core.parametre where valeur = ''
            and (cle like '%ORGANISATION' or cle = 'MENTIONS_LEGALES')""",
    )
    assert empty == (None,)


def test_every_photo_is_a_picture_of_the_demonstration(lived: str) -> None:
    [named] = one(
        lived,
        """select array_agg(distinct k::text) from (
             select image_url from restaurant.plat union all select image_url from market.produit
             union all select photo from client.client union all select cle_objet from residence.etat_des_lieux
             union all select cle_objet from signalement.photo) t (k)""",
    )
    assert None not in named and len(named) > 8  # type: ignore[operator, arg-type]
    assert set(named) <= {photos.key(name) for name in photos.PHOTOS}  # type: ignore[call-overload]


def test_the_pictures_are_stored_under_their_keys(tmp_path: Path) -> None:
    settings = Settings.from_environment({"COMPTOIR_ETAT": str(tmp_path)})

    async def stored() -> set[bytes]:
        await photos.deposit(settings)
        await photos.deposit(settings)  # a second demonstration finds them there
        storage = Storage(settings)
        try:
            objects = [await storage.get(photos.key(name)) for name in photos.PHOTOS]
            return {b"".join([chunk async for chunk in found])[:8] for found in objects}
        finally:
            await storage.close()

    with at_hand(tmp_path / "objets"):
        assert asyncio.run(stored()) == {b"\x89PNG\r\n\x1a\n"}


def test_nothing_of_its_clock_is_left(lived: str) -> None:
    assert one(lived, "select to_regnamespace('demo') is null") == (True,)
    assert one(lived, "select count(*) from pg_proc where prosrc ~ 'demo\\.maintenant'") == (0,)


def test_a_used_database_is_refused_and_left_alone(database_url: str) -> None:
    with psycopg.connect(database_url, row_factory=dict_row) as connection:
        builders.client(Db(connection))
    with pytest.raises(demo.DemoError, match=r"client\.client : 1.*--remplacer"):
        demo.fill(database_url, 1, 1, ADMINISTRATOR, builders.PASSWORD_HASH, replace=False)
    assert one(database_url, "select count(*) from client.client") == (1,)


def test_progress_is_one_line_where_there_is_no_terminal(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    with Progress("Jours", 3) as progress:
        for _ in range(3):
            progress.step()
    said = capsys.readouterr().err
    assert said.startswith("Jours : 3 / 3") and said.count("\n") == 1 and "\r" not in said
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    with Progress("Jours", 2) as progress:
        progress.step()
        progress.step()
    assert "\rJours : [##############################] 2 / 2" in capsys.readouterr().err
