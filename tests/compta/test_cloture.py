"""Closing a month: the refusals, the frozen lines, and the changes that the closed month refuses."""

import json

import pytest

from tests import builders, livre
from tests.compta.conftest import after
from tests.conftest import refused

OLD = "2020-03-10 10:00:00Z"  # a day of a month that these tests close
OTHER = "2020-04-10 10:00:00Z"  # a day of an open month


def pay(db, day=OLD, **fields):
    return builders.payer(db, **{"date": day} | fields)


def spend(db, day=OLD):
    return int(builders.depense(db, "50", date=day)["id_depense"])


def change(db, entity, key, **champs):
    db.call(f"finances.{entity}_modifier", **{f"id_{entity}": key}, champs=champs)


def close(db, month="2020-03"):
    return db.call("compta.periode_cloturer", periode=month)


def test_a_closed_month_has_its_lines_with_numbers_and_a_hash(http, db):
    pay(db)
    spend(db)
    pay(db, OTHER)
    admin = http.as_admin()
    before = admin.get("/compta/ecritures", params={"periode": "2020-03"}).json()
    answer = admin.post("/compta/periodes/2020-03/cloturer")
    closed = answer.json()
    assert answer.status_code == 200 and len(closed["empreinte"]) == 64
    assert (closed["premier_numero"], closed["dernier_numero"], closed["nombre"]) == ("1", "4", "4")
    assert closed["total_debit"] == closed["total_credit"] == "150.00" and "administrateur" in closed["login"]
    frozen = admin.get("/compta/ecritures", params={"periode": "2020-03"}).json()
    assert [row["numero"] for row in frozen] == ["1", "2", "3", "4"]
    assert [row | {"numero": None} for row in frozen] == before
    second = admin.post("/compta/periodes/2020-04/cloturer").json()
    assert second["premier_numero"] == "5" and second["empreinte"] != closed["empreinte"]
    assert [row["periode"] for row in admin.get("/compta/periodes").json()] == ["2020-04", "2020-03"]
    assert admin.get("/compta/periodes/2020-03").json() == closed | {"intacte": True}
    assert livre.wrong(db) == []


def test_the_accounts_of_a_closed_month_stay(http, db):
    pay(db)
    close(db)
    pay(db, OTHER)
    admin = http.as_admin()
    admin.patch("/compta/comptes/CLIENTS", json={"compte": "4112"})
    rows = admin.get("/compta/ecritures", params={"du": "2020-01-01", "au": "2020-12-31"}).json()
    assert [(row["numero"], row["compte"]) for row in rows if row["credit"]] == [("2", "4111"), (None, "4112")]


def test_closing_refuses_a_month_that_is_not_over_a_closed_one_and_a_wrong_name(http, db):
    admin = http.as_admin()
    today = db.today()
    for month in (today, after(today, 1), after(today, 13)):
        with refused("PERIODE_EN_COURS", 409):
            close(db, f"{month:%Y-%m}")
    for name in ("2020-13", "2020-00", "2020-3", "2020", "mars", "2020-03-01"):
        assert admin.post(f"/compta/periodes/{name}/cloturer").status_code == 400, name
    close(db)
    for month in ("2020-03", "2020-02"):
        with refused("PERIODE_CLOTUREE", 409):
            close(db, month)
    assert admin.get("/compta/periodes/2020-02").status_code == 404


def test_an_earlier_month_with_entries_comes_first_and_one_without_is_passed(db):
    pay(db)
    pay(db, "2020-06-01 10:00:00Z")
    with refused("PERIODE_PRECEDENTE_OUVERTE", 409) as refusal:
        close(db, "2020-06")
    assert json.loads(refusal["details"]) == {"periode": "2020-03"}
    close(db)
    assert close(db, "2020-06")["premier_numero"] == 3
    # April and May had nothing, and now they can have nothing.
    with refused("PERIODE_CLOTUREE", status=409):
        pay(db, OTHER)


def test_an_open_till_of_the_month_is_named(db):
    till = builders.caisse(db, ouverte=False, libelle="Comptoir d'angle")
    db.execute("insert into finances.periode_caisse (id_caisse, ouverture) values (%s, '2020-03-31 20:00Z')", [till])
    with refused("CAISSE_OUVERTE", 409) as refusal:
        close(db)
    assert "« Comptoir d'angle »" in refusal["message"]
    close(db, "2020-02")
    db.call("finances.caisse_fermer", id_caisse=till)
    db.call("finances.caisse_ouvrir", id_caisse=till)  # open now, in a later month
    close(db)


def test_a_missing_account_keeps_the_month_open(db):
    pay(db)
    db.call("compta.compte_modifier", cas="CLIENTS", champs={"compte": None})
    with refused("COMPTE_MANQUANT", 409):
        close(db)


def test_a_payment_enters_leaves_and_changes_no_closed_month(db):
    old, other = pay(db), pay(db, OTHER)
    close(db)
    virement = str(builders.moyen(db, "Virement"))
    with refused("PERIODE_CLOTUREE", status=409):
        pay(db)
    for payment, champs in ((old, {"date": OTHER}), (other, {"date": OLD}), (old, {"id_moyen": virement})):
        with refused("PERIODE_CLOTUREE", status=409):
            change(db, "paiement", payment, **champs)
    change(db, "paiement", other, id_moyen=virement)
    change(db, "paiement", old, motif="autre mot")
    # The correction is a new document, dated now.
    db.call("finances.paiement_annuler", id_paiement=old, motif="erreur")
    assert livre.wrong(db) == []


def test_an_expense_enters_leaves_and_changes_no_closed_month(db):
    old, other = spend(db), spend(db, OTHER)
    second = str(builders.categorie_depense(db, "Gaz"))
    close(db)
    for write in (
        lambda: spend(db, "2020-03-31 23:00:00Z"),
        lambda: change(db, "depense", old, date=OTHER),
        lambda: change(db, "depense", old, montant="51"),
        lambda: change(db, "depense", old, id_categorie_depense=second),
        lambda: change(db, "depense", old, id_activite="2"),
        lambda: change(db, "depense", other, date=OLD),
        lambda: db.execute("select finances.depense_supprimer(%s)", [old]),
    ):
        with refused("PERIODE_CLOTUREE", status=409):
            write()
    change(db, "depense", old, libelle="Eau de mars")
    db.execute("select finances.depense_supprimer(%s)", [other])
    assert livre.wrong(db) == []


def test_an_invoice_and_a_credit_note_enter_no_closed_month(db):
    close(db)
    invoice = builders.facture(db)
    for statement in (
        "insert into facturation.facture (numero, date, libelle, source_type) values ('X-1', %s, 'x', 'AUTRE')",
        "insert into facturation.avoir (numero, date, id_facture, motif, rembourse)"
        f" values ('A-1', %s, {invoice}, 'x', true)",
    ):
        with refused("PERIODE_CLOTUREE", status=409):
            db.execute(statement, [OLD])


@pytest.fixture
def deposit(db):
    """The deposit of a lease, received in February."""
    lease = {"id_contrat": builders.contrat(db)}
    db.call("residence.caution_creer", **lease, montant="1000")
    db.call("residence.caution_encaisser", **lease, id_moyen=1, date="2020-02-01")
    return lease


def give_back(db, deposit, day="2020-03-05", **kept):
    db.call("residence.caution_rembourser", **deposit, id_moyen=1, date=day, **kept)


def test_a_deposit_is_not_given_back_in_a_closed_month(db, deposit):
    close(db, "2020-02")
    close(db)
    for kept in ("0", "400", "1000"):
        with refused("PERIODE_CLOTUREE", status=409):
            give_back(db, deposit, retenue=kept)
    give_back(db, deposit, "2020-04-05", retenue="400")
    assert livre.wrong(db) == []


def test_a_deposit_partly_kept_in_a_closed_month_stays_kept(db, deposit):
    give_back(db, deposit, retenue="400")
    close(db, "2020-02")
    close(db)
    for action, method in (("rembourser", {"id_moyen": 1}), ("restituer", {})):
        with refused("PERIODE_CLOTUREE", status=409):
            db.call(f"residence.caution_{action}", **deposit, retenue="0", **method)
    for change in ("'2020-04-05'", "null, montant_restitue = null, retenue = null"):  # it would count in April again
        with refused("PERIODE_CLOTUREE", status=409):
            db.execute(f"update residence.caution set date_restitution = {change}")
    assert livre.wrong(db) == []


def test_a_payslip_of_a_closed_month_counts_when_it_becomes_valid_and_a_valid_one_stays(db):
    valid, late = builders.paie(db, periode="2020-03"), builders.paie(db, periode="2020-03")
    db.call("rh.paie_valider", id_paie=valid)
    assert close(db)["nombre"] == 2
    with refused("PERIODE_CLOTUREE", status=409):
        db.call("rh.paie_annuler", id_paie=valid)
    with refused("PERIODE_CLOTUREE", status=409):
        db.execute("update rh.paie set jour = core.aujourdhui() where id_paie = %s", [valid])
    db.call("rh.paie_valider", id_paie=late)
    assert db.one("select jour = core.aujourdhui() from rh.paie where id_paie = %s", [late]) is True
    db.call("rh.paie_annuler", id_paie=late)
    db.call("rh.paie_payer", id_paie=valid, id_moyen=1)
    assert livre.wrong(db) == []


def test_a_line_changed_behind_the_code_breaks_the_hash_of_its_month(db):
    for month, day in (("2020-03", OLD), ("2020-04", OTHER)):
        pay(db, day)
        close(db, month)
    for forge in (
        "update compta.ecriture set debit = debit + 1 where numero = 1",
        "update compta.ecriture set compte = '4112' where numero = 2",
        "update compta.ecriture set libelle = libelle || '.' where numero = 1",
        "update compta.ecriture set date = date + 1 where numero in (1, 2)",
        "delete from compta.ecriture where numero = 2",
        """insert into compta.ecriture
             (numero, type, id_document, id_ligne, journal, date, piece, compte, libelle, debit)
           values (99, 'DEPENSE', 1, 1, 'OD', '2020-03-03', 'x', '411', 'x', 1)""",
    ):
        with db.connection.transaction(force_rollback=True):
            db.tamper(forge)
            intact = {m: db.call("compta.periode_detail", periode=m)["intacte"] for m in ("2020-03", "2020-04")}
            assert intact == {"2020-03": False, "2020-04": True}, forge
            assert db.all("select c from jobs._controler() c where c like '%%2020-03%%'", []) != []


def test_a_forged_month_breaks_the_chain_of_the_next(db):
    pay(db)
    close(db)
    close(db, "2020-04")
    db.tamper("update compta.periode set empreinte = sha256('x') where periode = '2020-03'")
    assert db.call("compta.periode_detail", periode="2020-04")["intacte"] is False


def test_the_code_itself_has_no_right_to_rewrite_a_closed_month(db):
    for table in ("compta.ecriture", "compta.periode"):
        for right in ("update", "delete", "truncate"):
            assert db.one("select has_table_privilege('comptoir_code', %s, %s)", [table, right]) is False
