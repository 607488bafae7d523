"""Statements for the tests, how they are sent, and the proof that both books of an account explain each other."""

import hashlib
import json
from datetime import timedelta
from decimal import Decimal

from tests import builders
from tests.conftest import ok

HEADER = "Date;Libellé;Référence;Débit;Crédit;Solde"


def csv(*rows, header=HEADER):
    return "\n".join([header, *(";".join(map(str, row)) for row in rows)]).encode()


def line(day, amount, libelle="Opération", **fields):
    """A line of a part, as app/leaves/providers/statement.py gives it."""
    return {"jour": str(day), "libelle": libelle, "montant": str(amount), **fields}


def received(db, id_compte, *lignes, **part):
    """The answer to a statement whose lines are read already. The same lines are the same file."""
    return received_parts(db, id_compte, [{"lignes": list(lignes), **part}])


def received_parts(db, compte, parts):
    text = json.dumps(parts)
    return db.call("tresorerie.releve_creer", id_compte=compte, fichier="releve.csv", format="FEUILLE", parties=text,
                   empreinte=hashlib.sha256(text.encode()).hexdigest())  # fmt: skip


def sent(http, compte, content, name="releve.csv"):
    return http.request("POST", f"/tresorerie/comptes/{compte}/releves", files={"file": (name, content)})


def taken(http, compte, content, name="releve.csv"):
    return ok(sent(http, compte, content, name), 201)


def state(db, compte, au=None, du="2020-01-01"):
    """Both books of an account, after the proof that their difference is what stands alone on each side."""
    values = [compte, du, au]
    answer = db.one("select to_jsonb(tresorerie.rapprochement(%s, %s, %s)) as etat", values)
    if answer["difference"] is not None:
        here, there = (
            sum(Decimal(str(row["montant"])) for row in answer[side]) for side in ("ici_seul", "releve_seul")
        )
        ours, theirs = (Decimal(str(answer[side])) for side in ("solde_ici", "solde_releve"))
        assert Decimal(str(answer["difference"])) == ours - theirs == here - there, answer
    return answer


def alone(answer):
    """The amounts that stand alone, here and on the statement."""
    return [sorted(row["montant"] for row in answer[side]) for side in ("ici_seul", "releve_seul")]


def rules(db, compte):
    """The rule of each matched line, by its label."""
    rows = db.all("select libelle, regle from tresorerie.ligne_vue where id_compte = %s order by libelle", [compte])
    return {row["libelle"]: row["regle"] for row in rows}


def key(db, libelle):
    return db.one("select id_ligne from tresorerie.ligne where libelle = %s", [libelle])


def ago(db, days):
    return db.today() - timedelta(days=days)


def paid(db, montant="100", moyen="Mobile Money", **fields):
    return builders.payer(db, montant, id_moyen=builders.moyen(db, moyen), **fields)
