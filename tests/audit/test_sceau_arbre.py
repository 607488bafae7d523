"""The tree over the sealed entries: its roots and proofs follow RFC 6962, whatever was sealed at once."""

import random

import pytest

from tests import merkle
from tests.audit.test_sceau import after, findings, seal, tamper, write

LEAVES = "select x.leaf from audit._feuillage_vue f, unnest(f.feuilles) x (leaf) order by f.premiere"
HEADS = "select taille, racine from audit.sceau where racine is not null order by rang"


def grow(db, number):
    """Write this many entries to the journal, and seal them."""
    db.execute(
        """insert into audit.journal (module, operation, entite)
           select 'core', 'INSERT', 'essai' from generate_series(1, %s)""",
        [number],
    )
    seal(db)


def leaves(db):
    return [bytes(row["leaf"]) for row in db.all(LEAVES)]


def path(db, place, size):
    return [bytes(part) for part in db.one("select audit._chemin(%s, %s)", [place, size])]


def consistency(db, former, size):
    return [bytes(part) for part in db.one("select audit._coherence(%s, %s)", [former, size])]


def climbed(db, leaf, place, size, proof):
    return bytes(db.one("select audit._remonter(%s, %s, %s, %s)", [leaf, place, size, proof]))


def cut_down(db):
    """Leave the seals as an older release made them: no tree, no salt, a chain of fingerprints."""
    tamper(db, "truncate audit.feuillage, audit.noeud, audit.tete cascade")
    tamper(
        db,
        """update audit.sceau s set racine = null, taille = null,
             empreintes = (select array_agg(e.empreinte order by e.id) from audit.empreinte_vue e
                            where e.registre = s.registre and e.id = any (s.ids))""",
    )
    for rang in range(1, db.one("select max(rang) from audit.sceau") + 1):
        tamper(
            db,
            """update audit.sceau s set empreinte = audit._sceau_empreinte(
                 (select p.empreinte from audit.sceau p where p.rang = s.rang - 1), s) where rang = %s""",
            rang,
        )


@pytest.fixture
def grown(db):
    """Seals of uneven sizes: around the bound of a stored node, several in one, one over several."""
    for number in (1, 3, 251, 1, 2, 700, 256, 40):
        grow(db, number)
        write(db)
    seal(db)
    return db


def test_each_seal_carries_the_root_of_all_entries_up_to_its_own(grown):
    data = leaves(grown)
    heads = grown.all(HEADS)
    assert len(data) == heads[-1]["taille"] > 1300
    assert [bytes(head["racine"]) for head in heads] == [merkle.root(data[: head["taille"]]) for head in heads]
    assert findings(grown) == []


def test_the_proofs_are_those_of_the_definition(grown):
    data, rng = leaves(grown), random.Random(1)
    for size in [1, 2, 255, 256, 257, 512, len(data), *(rng.randrange(1, len(data)) for _ in range(8))]:
        for place in {0, size - 1, rng.randrange(size), min(255, size - 1)}:
            proof = path(grown, place, size)
            assert proof == merkle.path(place, data[:size]), (place, size)
            assert climbed(grown, data[place], place, size, proof) == merkle.root(data[:size]), (place, size)
            for wrong in (data[place - 1], data[place][::-1]):
                assert size == 1 or climbed(grown, wrong, place, size, proof) != merkle.root(data[:size])
        for former in {1, size, rng.randint(1, size), min(256, size)}:
            assert consistency(grown, former, size) == merkle.consistency(former, data[:size]), (former, size)


def test_a_proof_in_a_million_leaves_has_at_most_twenty_hashes(db):
    assert db.one("select audit._hauteur(1000000)") == 20


def test_seals_without_a_root_enter_the_tree_and_stay_valid(db):
    """The migration finds seals whose fingerprints have no salt."""
    write(db)
    seal(db)
    cut_down(db)
    before = db.all("select * from audit.sceau order by rang")
    assert findings(db) == []
    write(db)
    seal(db)
    assert db.all("select * from audit.sceau order by rang limit %s", [len(before)]) == before
    assert findings(db) == []
    data = leaves(db)
    assert len(data) == db.one("select sum(cardinality(ids)) from audit.sceau")
    assert bytes(db.all(HEADS)[-1]["racine"]) == merkle.root(data)
    stored = {bytes(mark) for row in before for mark in row["empreintes"]}
    assert stored.isdisjoint(data)  # a leaf without a salt would tell of the neighbours in a proof
    tamper(db, "update audit.feuillage set feuilles = feuilles[2:] || feuilles[1:1] where rang = 1")
    assert ("ARBRE_ROMPU", None, None) in findings(db)


def test_a_changed_tree_is_reported(grown):
    for nature, statement in (
        ("ARBRE_ROMPU", "update audit.noeud set empreinte = sha256(empreinte) where niveau = 8 and place = 2"),
        ("ARBRE_ROMPU", "update audit.noeud set empreinte = sha256(empreinte) where niveau = 9 and place = 1"),
        ("ARBRE_ROMPU", "delete from audit.noeud where niveau = 10"),
        ("ARBRE_ROMPU", "insert into audit.noeud values (11, 0, sha256('x'))"),
        ("ARBRE_ROMPU", "update audit.feuillage set premiere = premiere + 1000000 where rang = 4"),
        ("ARBRE_ROMPU", "delete from audit.feuillage where rang = 4"),
        ("ARBRE_ROMPU", "delete from audit.feuillage where rang = (select max(rang) from audit.sceau)"),
        ("CHANGEE", "update audit.feuillage set sels = sels[2:] || sels[1:1] where rang = 3"),
    ):
        assert nature in {finding[0] for finding in after(grown, statement)}, statement


def test_equal_entries_have_different_leaves(db):
    grow(db, 300)
    data = leaves(db)
    assert len(set(data)) == len(data)
