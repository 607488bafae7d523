"""Random histories of one account: a bank that writes its lines, files that overlap and come in any order, what was
recorded here, and matches made and undone by hand. After each step both books explain each other to the franc."""

import random

import pytest

from tests import builders
from tests.preuve import selon
from tests.tresorerie.argent import caisse, compte, virer
from tests.tresorerie.releve import ago, line, paid, received_parts, state

HISTORIES = selon(40, 2000)
DAYS = 6


def bank_lines(db, rng):
    """The whole truth of the bank, day by day, often with lines that nothing but their rank tells apart."""
    balance, lines = rng.choice((0, 50)), []
    for rank in range(rng.randrange(1, 14)):
        amount = rng.choice((5, 5, 10, 20, 30, 40, -5, -7, -2))
        balance += amount
        named = {"identifiant": f"B{rank}"} if rng.random() < 0.3 else {}
        lines.append(
            line("", amount, rng.choice(("Reçu", "Frais", "Reçu T1")), ligne=rank + 1, solde=str(balance), **named)
        )
    days = sorted(rng.randrange(1, DAYS + 1) for _ in lines)[::-1]
    for one, day in zip(lines, days, strict=True):
        one["jour"] = str(ago(db, day))
    return lines


def file(rng, lines):
    """A file with some of the lines in a row: with a balance beside each, at both ends, at the end, or without any."""
    first = rng.randrange(len(lines))
    kept = lines[first : rng.randrange(first, len(lines)) + 1]
    bare = [{key: value for key, value in one.items() if key != "solde"} for one in kept]
    opening, closing = float(kept[0]["solde"]) - float(kept[0]["montant"]), kept[-1]["solde"]
    return rng.choice((
        {"lignes": kept}, {"lignes": kept[::-1] if kept[0]["jour"] != kept[-1]["jour"] else kept},
        {"lignes": bare, "ouverture": str(opening), "cloture": closing}, {"lignes": bare, "cloture": closing},
        {"lignes": bare},
    ))  # fmt: skip


def recorded(db, rng, account, till):
    """Something here, near what the bank may have written."""
    day = {"date": str(ago(db, rng.randrange(0, DAYS + 3)))}
    amount = str(rng.choice((5, 10, 20, 30, 40, 7)))
    kind = rng.randrange(6)
    if kind < 3:
        return paid(db, amount, reference=rng.choice((None, None, "T1", "B1")), **day)
    if kind == 3:
        return builders.depense(db, amount, id_compte=account, **day)["id_depense"]
    sides = [{"id_compte": account}, {"id_caisse": till}]
    return virer(db, *(sides if kind == 4 else sides[::-1]), amount, frais=rng.choice(("0", "2")))["id_virement"]


def undone(db, rng):
    """Something taken back, here or by hand."""
    kind = rng.randrange(4)
    key = ("select id_paiement from finances.paiement where type = 'ENCAISSEMENT' and id_caisse is null",
           "select id_depense from finances.depense where date_annulation is null",
           "select id_virement from tresorerie.virement v where id_virement_origine is null",
           "select distinct id_ligne from tresorerie.rapprochement")[kind]  # fmt: skip
    keys = [next(iter(row.values())) for row in db.all(key)]
    if not keys:
        return
    chosen = rng.choice(keys)
    if kind == 0 and not db.one(
        "select exists (select from finances.paiement where id_paiement_origine = %s)", [chosen]
    ):
        db.call("finances.paiement_annuler", id_paiement=chosen, motif="Erreur")
    elif kind == 1:
        db.call("finances.depense_supprimer", id_depense=chosen)
    elif kind == 2 and not db.one(
        "select exists (select from tresorerie.virement where id_virement_origine = %s)", [chosen]
    ):
        db.call("tresorerie.virement_annuler", id_virement=chosen)
    elif kind == 3:
        db.call("tresorerie.ligne_detacher", id_ligne=chosen)


def accept(db, rng, answer):
    """A proposal that a person takes."""
    fitting = [row for row in answer["propositions"] if row["montant"] == row["montant_ici"]]
    if fitting:
        row = rng.choice(fitting)
        given = {"id_paiements": [row["id_paiement"]]} if row["id_paiement"] else {}
        given |= {name: row[name] for name in ("id_depense", "id_virement") if row[name]}
        db.call("tresorerie.ligne_rapprocher", id_ligne=row["id_ligne"], **given)


@pytest.mark.timeout(3600)
def test_both_books_explain_each_other_through_every_history(db):
    matched = proposed = 0
    for seed in range(HISTORIES):
        rng = random.Random(seed)
        db.execute("savepoint histoire")
        account, till = compte(db), caisse(db, "1000")
        lines = bank_lines(db, rng)
        for _ in range(rng.randrange(3, 10)):
            step = rng.random()
            if step < 0.4:
                received_parts(db, account, [file(rng, lines)])
            elif step < 0.7:
                recorded(db, rng, account, till)
            elif step < 0.85:
                undone(db, rng)
            else:
                accept(db, rng, state(db, account))
            state(db, account, ago(db, rng.randrange(0, DAYS + 2)))
        received_parts(db, account, [{"lignes": lines}])
        assert received_parts(db, account, [file(rng, lines)])["nouvelles"] == 0, seed
        known = "select jour::text, montant from tresorerie.ligne where id_compte = %s order by jour, rang"
        assert [(row["jour"], row["montant"]) for row in db.all(known, [account])] == [
            (one["jour"], float(one["montant"])) for one in lines], seed  # fmt: skip
        for day in range(DAYS + 1):
            until = [one for one in lines if one["jour"] <= str(ago(db, day))]
            answer = state(db, account, ago(db, day))
            assert answer["solde_releve"] == (float(until[-1]["solde"]) if until else None), seed
            assert all(row["nature"] != "MANQUE" for row in answer["releve_seul"]), seed
        answer = state(db, account)
        matched, proposed = matched + len(answer["rapproches"]), proposed + len(answer["propositions"])
        db.execute("rollback to savepoint histoire")
    assert min(matched, proposed) > HISTORIES / 4, (matched, proposed)
