"""Payslips: sums checked by hand to the cent, transitions of the status, and a payment that is made once."""

import pytest

from tests import builders
from tests.conftest import refused


def element(db, paie, kind, amount, libelle="Élément"):
    return db.call("rh.element_salaire_ajouter", id_paie=paie, type=kind, libelle=libelle, montant=amount)


def sums(db, paie):
    query = "select total_elements, total_retenues, montant_a_payer from rh.paie where id_paie = %s"
    return [str(value) for value in db.one(query, [paie]).values()]


def state(db, paie):
    return db.one("select statut from rh.paie where id_paie = %s", [paie])


def payments(db):
    return db.all("select * from finances.paiement order by id_paiement")


def operate(db, name, paie, **arguments):
    return db.call(f"rh.paie_{name}", id_paie=paie, **arguments)


# Worked out by hand: base, the elements as sent, then the sum added, the sum withheld and the net.
PAYSLIPS = [
    ("300000", [("PRIME", "30000"), ("RETENUE", "20000")], ["30000.00", "20000.00", "310000.00"]),
    ("180000", [("PRIME", "25000"), ("HEURE_SUP", "250.50"), ("AVANCE", "-40")], ["25250.50", "40.00", "205210.50"]),
    ("180000", [("AVANCE", "50000"), ("AVANCE", "30000"), ("RETENUE", "-7500.25")], ["0.00", "87500.25", "92499.75"]),
    ("95000", [("AUTRE", "5000"), ("AUTRE", "-1500"), ("PRIME", "0.01")], ["5000.01", "1500.00", "98500.01"]),
    ("1000000000", [("AUTRE", "-999999999.99")], ["0.00", "999999999.99", "0.01"]),
]  # fmt: skip


def test_the_sums_of_a_payslip_match_the_cases_by_hand(db):
    for base, elements, expected in PAYSLIPS:
        paie = builders.paie(db, salaire_base=base)
        for kind, amount in elements:
            row = element(db, paie, kind, amount)
            assert (row["montant"] < 0) == (kind in ("AVANCE", "RETENUE") or amount.startswith("-"))
        assert sums(db, paie) == expected


def test_the_sums_follow_every_change_by_direct_sql(db):
    paie, other = builders.paie(db), builders.paie(db)
    id_element = element(db, paie, "PRIME", "10000")["id_element"]
    element(db, paie, "RETENUE", "1000")
    db.execute("update rh.element_salaire set montant = 20000 where id_element = %s", [id_element])
    assert sums(db, paie) == ["20000.00", "1000.00", "199000.00"]
    db.execute("update rh.element_salaire set type = 'AVANCE' where id_element = %s", [id_element])
    assert sums(db, paie) == ["0.00", "21000.00", "159000.00"]
    db.execute("update rh.element_salaire set id_paie = %s where id_element = %s", [other, id_element])
    assert (sums(db, paie), sums(db, other)) == (["0.00", "1000.00", "179000.00"], ["0.00", "20000.00", "160000.00"])
    db.execute("delete from rh.element_salaire where id_element = %s", [id_element])
    assert sums(db, other) == ["0.00", "0.00", "180000.00"]
    db.execute("update rh.paie set salaire_base = 100000, total_elements = 5, total_retenues = 7")
    assert (sums(db, paie), sums(db, other)) == (["0.00", "1000.00", "99000.00"], ["0.00", "0.00", "100000.00"])


def test_an_invalid_element_is_refused(db):
    paie = builders.paie(db)
    for kind, amount in (("AVANCE", "180000.01"), ("RETENUE", "-999999"), ("AUTRE", "-180001")):
        with refused("NET_NEGATIF", status=409):
            element(db, paie, kind, amount)
    for kind, amount in (("PRIME", "0"), ("PRIME", "-1"), ("HEURE_SUP", "-1"), ("AVANCE", "0"), ("AUTRE", "0")):
        with refused("ELEMENT_MONTANT", status=400):
            element(db, paie, kind, amount)


def test_an_employee_has_one_payslip_a_month_unless_it_is_cancelled(db):
    employe = builders.employe(db)
    first = builders.paie(db, employe)

    def create(periode, id_employe=employe):
        return db.call("rh.paie_creer", id_employe=id_employe, periode=periode, salaire_base="1")

    with refused("PAIE_EXISTANTE", status=409):
        create("2026-08")
    with refused("PAIE_EMPLOYE_INCONNU", status=422):
        create("2026-08", 987654321)
    with refused("PERIODE_MAL_FORMEE", status=400):
        create("2026-13")
    create("2026-09")
    operate(db, "annuler", first)
    assert create("2026-08")["statut"] == "CALCULEE"
    assert db.one("select count(*) from rh.paie") == 3


STEPS = {"CALCULEE": [], "VALIDEE": ["valider"], "PAYEE": ["valider", "payer"], "ANNULEE": ["annuler"]}


def move(db, name, paie):
    return operate(db, name, paie, **({"id_moyen": builders.moyen(db)} if name == "payer" else {}))


def payslip_in(db, statut):
    """A payslip of an employee of its own in this state."""
    paie = builders.paie(db)
    element(db, paie, "PRIME", "10000")
    for name in STEPS[statut]:
        move(db, name, paie)
    assert state(db, paie) == statut
    return paie


@pytest.mark.parametrize("statut", ["VALIDEE", "PAYEE", "ANNULEE"])
def test_a_validated_paid_or_cancelled_payslip_never_changes(db, statut):
    paie = payslip_in(db, statut)
    db.execute("update rh.employe set salaire_base = 999000")
    before = db.call("rh.paie_detail", id_paie=paie)
    with refused("PAIE_FIGEE", status=409) as refusal:
        element(db, paie, "PRIME", "5000")
    assert db.one("select core.etat_ecrire(%s)", [statut]) in refusal["message"]
    with refused("PAIE_FIGEE", status=409):
        operate(db, "recalculer", paie)
    for statement in (
        "update rh.element_salaire set montant = 1",
        "delete from rh.element_salaire",
        "update rh.paie set salaire_base = 1",
        "update rh.paie set periode = '2026-07'",
        "update rh.paie set total_retenues = 1",
    ):
        with refused("PAIE_FIGEE", status=409):
            db.execute(statement)
    assert db.call("jobs.recalculer_paie", periode="2026-08")["actualisees"] == 0
    assert db.call("rh.paie_detail", id_paie=paie) == before


def test_an_element_cannot_move_into_a_validated_payslip_and_only_a_calculated_one_is_deleted(db):
    validated, draft = payslip_in(db, "VALIDEE"), payslip_in(db, "CALCULEE")
    with refused("PAIE_FIGEE", status=409):
        db.execute("update rh.element_salaire set id_paie = %s where id_paie = %s", [validated, draft])
    with refused("PAIE_FIGEE", status=409):
        db.execute("delete from rh.paie where id_paie = %s", [validated])
    db.execute("delete from rh.paie where id_paie = %s", [builders.paie(db)])


def test_recalculating_takes_a_changed_salary_and_keeps_an_entered_base(db):
    employe = builders.employe(db, "180000")
    paie = builders.paie(db, employe, salaire_base="90000")  # half a month
    element(db, paie, "PRIME", "1000")
    assert str(operate(db, "recalculer", paie)["salaire_base"]) == "90000.00"
    db.call("rh.employe_modifier", id_employe=employe, champs={"salaire_base": "200000"})
    recalculated = operate(db, "recalculer", paie)
    assert (str(recalculated["salaire_base"]), str(recalculated["montant_a_payer"])) == ("200000.00", "201000.00")
    assert operate(db, "recalculer", paie) == recalculated


def test_recalculating_refuses_a_salary_below_the_withholdings(db):
    paie = builders.paie(db)
    element(db, paie, "AVANCE", "150000")
    db.execute("update rh.employe set salaire_base = 100000")
    with refused("NET_NEGATIF", status=409) as refusal:
        operate(db, "recalculer", paie)
    assert "−50\N{NO-BREAK SPACE}000\N{NO-BREAK SPACE}FCFA" in refusal["message"]


def test_paying_writes_one_disbursement_of_the_net(db):
    moyen = builders.moyen(db)
    paie = builders.paie(db, builders.employe(db, nom="Koné", prenom="Ali"))
    element(db, paie, "AVANCE", "30000")
    operate(db, "valider", paie)
    paid = operate(db, "payer", paie, id_moyen=moyen)
    (payment,) = payments(db)
    assert (paid["statut"], paid["id_paiement"]) == ("PAYEE", payment["id_paiement"])
    assert (payment["type"], str(payment["montant"]), payment["id_moyen"]) == ("DECAISSEMENT", "150000.00", moyen)
    assert payment["motif"] == "Salaire 2026-08, Koné Ali"
    assert payment["reference"] == db.one("select code from rh.employe") + "-2026-08"
    assert (payment["id_caisse"], payment["id_activite"]) == (None, None)
    with refused("TRANSITION_INTERDITE", status=409):
        operate(db, "payer", paie, id_moyen=moyen)
    for statement in ("update rh.paie set id_paiement = null", "update rh.paie set statut = 'VALIDEE'"):
        with refused("PAIE_FIGEE" if "paiement" in statement else "TRANSITION_INTERDITE", status=409):
            db.execute(statement)
    assert len(payments(db)) == 1


def test_a_payslip_is_not_paid_without_its_payment_and_the_integrity_check_reports_it(db):
    paie = payslip_in(db, "VALIDEE")
    with refused("PAIE_PAYEE_SANS_PAIEMENT", status=400):
        db.execute("update rh.paie set statut = 'PAYEE'")
    move(db, "payer", paie)
    assert db.all("select * from jobs._controler()") == []
    db.alter("alter table rh.paie drop constraint paie_payee_sans_paiement, disable trigger t20_paie_figee_payee")
    db.execute("update rh.paie set id_paiement = null")
    (line,) = db.all("select * from jobs._controler() as phrase")
    assert line["phrase"].endswith("porte 190000.00 à payer, son décaissement 0.")


def test_the_list_of_payslips_filters_and_sorts(db):
    employe, other = builders.employe(db), builders.employe(db, nom="Bamba")
    first = builders.paie(db, employe, "2026-07")
    second = builders.paie(db, employe, "2026-08")
    third = builders.paie(db, other, "2026-08", "95000")
    operate(db, "valider", second)

    def ids(**filters):
        return [row["id_paie"] for row in db.rows("rh.paie_lister", **filters)]

    assert ids() == [third, second, first]
    assert ids(id_employe=other) == ids(recherche="bamba") == ids(montant_a_payer="95000") == [third]
    assert ids(statut="VALIDEE") == [second]
    assert ids(au="2026-07") == [first]
    assert ids(du="2026-08", au="2026-08") == [third, second]
    assert ids(sort="montant_a_payer", limit=1) == [third]


def test_cancelling_a_payslip_requires_its_own_permission(http, db):
    """RH.SUPPRIMER allows cancelling, RH.MODIFIER the other operations. A role can have one without the other."""
    user = http.as_user(builders.porteur(db, "RH.MODIFIER"))
    path = f"/rh/paies/{builders.paie(db)}"
    assert user.post(f"{path}/annuler").status_code == 403
    assert user.patch(f"{path}/valider").status_code == 200


def test_a_paid_payslip_notifies_those_who_see_its_employee(http, db):
    """Accounts of one activity receive only the notifications of their own staff."""
    laundry = builders.utilisateur(db, role="RH", activite=builders.activite(db))
    shop = builders.utilisateur(db, role="RH", activite=builders.activite(db, "VENTE_MARCHANDISES"))
    employee = builders.employe(db, nom="Kouamé", prenom="Ali")
    db.execute("update rh.employe set id_utilisateur = %s where id_employe = %s", [laundry, employee])
    slip = db.call("rh.paie_creer", id_employe=employee, periode="2026-08", salaire_base="181250.50")["id_paie"]
    db.call("rh.paie_valider", id_paie=slip)

    def received(user):
        rows = http.as_user(user).get("/notifications").json()
        return [(row["corps"], row["donnees"]["id_paie"]) for row in rows if row["evenement"] == "rh.paie.payee"]

    unlimited = builders.utilisateur(db, role="RH")
    assert received(unlimited) == []
    db.call("rh.paie_payer", id_paie=slip, id_moyen=builders.moyen(db))
    expected = [("2026-08 : Ali Kouamé.", str(slip))]
    assert [received(user) for user in (unlimited, laundry, shop)] == [expected, expected, []]
    assert received(builders.utilisateur(db, role="CAISSIER")) == []
