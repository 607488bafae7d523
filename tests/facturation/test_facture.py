"""Invoices: list, change of the label, refusal of every other change, cancellation."""

import pytest

from tests import builders
from tests.conftest import refused
from tests.finances.test_paiement_annuler import counter_of


def pay(db, facture, montant, **fields):
    return builders.payer(db, montant, id_facture=facture, **fields)


def cancel(db, facture, motif="Erreur"):
    return db.one("select * from finances._facture_annuler(%s, %s)", [facture, motif])


def label(db, facture, libelle):
    return db.call("facturation.facture_modifier", id_facture=facture, champs={"libelle": libelle})


def ids(rows):
    return [row["id_facture"] for row in rows]


def test_invoices_are_filtered_sorted_and_limited(db):
    restaurant = builders.activite(db, "RESTAURATION")
    customer = builders.client(db, nom="Kouamé", prenoms="Zoé")
    unpaid, partly, paid = builders.facture(db), builders.facture(db, "77.70"), builders.facture(db)
    pay(db, partly, "1")
    pay(db, paid, "15000")
    meal = builders.prestation(db, "1", id_activite=restaurant, libelle="Repas")
    other = builders.facture(db, id_prestation=meal, id_client=customer)
    void = builders.facture(db)
    cancel(db, void)
    assert ids(db.rows("facturation.facture_lister"))[:5] == [void, other, paid, partly, unpaid]
    numero = db.call("facturation.facture_detail", id_facture=partly)["numero"]
    for expected, filters in [
        ([void], {"statut": "ANNULEE"}),
        ([paid], {"statut": "PAYEE"}),
        ([partly], {"statut": "PARTIELLE"}),
        ([other, unpaid], {"statut": "IMPAYEE"}),
        ([other], {"id_activite": restaurant}),
        ([other], {"id_client": customer}),
        ([other], {"recherche": "kouame zoe"}),
        ([other], {"libelle": "repas"}),
        ([partly], {"montant_total": "77.7"}),
        ([partly], {"numero": numero.lower()}),
        ([], {"source_type": "VENTE"}),
        ([], {"au": "2020-01-01"}),
        ([void, other, paid, partly, unpaid], {"source_type": "PRESTATION", "du": db.today()}),
    ]:
        assert ids(db.rows("facturation.facture_lister", **filters)) == expected, filters


def test_only_the_label_of_an_invoice_can_change(db, http):
    facture = builders.facture(db)
    before = db.call("facturation.facture_detail", id_facture=facture)
    assert label(db, facture, None)["libelle"] is None
    assert label(db, facture, "Corrigé") == before | {"libelle": "Corrigé"}
    with refused("NOT_FOUND", 404):
        label(db, 987654, "Corrigé")
    admin = http.as_admin()
    for row in (admin.get(f"/facturation/factures/{facture}").json(), admin.get("/facturation/factures").json()[0]):
        assert (row["date_emission"], row["libelle"]) == (row["date"], "Corrigé")


def test_an_issued_invoice_cannot_change_even_through_sql(db):
    facture = builders.facture(db)
    for statement in (
        "update facturation.facture set numero = 'GSG-FAC-2000-001' where id_facture = %s",
        "update facturation.facture set remise = 1 where id_facture = %s",
        "update facturation.facture set date = date - interval '1 day' where id_facture = %s",
        "update facturation.facture set source_id = 7 where id_facture = %s",
        "delete from facturation.facture where id_facture = %s",
        "update facturation.facture_ligne set prix_unitaire = 1 where id_facture = %s",
        "delete from facturation.facture_ligne where id_facture = %s",
        "insert into facturation.facture_ligne (id_facture, libelle, prix_unitaire) values (%s, 'Tardive', 1)",
    ):
        with refused("FACTURE_EMISE", 409):
            db.execute(statement, [facture])


def test_the_sums_of_an_invoice_cannot_be_set_through_sql(db):
    """Also after payments that were only added to the previous sum."""
    facture = builders.facture(db, "100")
    for amount in ("10", "20.50"):
        pay(db, facture, amount)
    db.execute("update facturation.facture set montant_paye = 0, montant_total = 7 where id_facture = %s", [facture])
    columns = "montant_total::text, montant_paye::text, reste::text, statut::text"
    query = f"select {columns} from facturation.facture where id_facture = %s"
    assert [*db.one(query, [facture]).values()] == ["100.00", "30.50", "69.50", "PARTIELLE"]
    pay(db, facture, "0.25")
    assert db.one(query, [facture])["montant_paye"] == "30.75"
    made = db.one(
        "insert into facturation.facture (numero, source_type, montant_total, montant_paye)"
        f" values ('A-LA-MAIN', 'AUTRE', 50, 50) returning {columns}"
    )
    assert [*made.values()][:2] == ["0.00", "0.00"]


def test_a_line_without_an_invoice_is_refused_at_commit(db):
    with refused("ligne_facture_inconnue", 422):
        db.execute(
            "insert into facturation.facture_ligne (id_facture, libelle, prix_unitaire) values (987654, 'Perdue', 1)"
        )
        db.execute("set constraints all immediate")


def test_a_cancellation_refunds_every_payment(db):
    till = builders.caisse(db)
    facture = builders.facture(db, "100")
    first, second = pay(db, facture, "30", id_caisse=till), pay(db, facture, "20")
    answer = cancel(db, facture, "Commande annulée")
    assert [str(value) for value in answer.values()][1:] == ["100.00", "0.00", "0.00", "ANNULEE"]
    refunds = [counter_of(db, payment) for payment in (first, second)]
    assert [(row["type"], str(row["montant"]), row["id_caisse"]) for row in refunds] == [
        ("DECAISSEMENT", "30.00", till), ("DECAISSEMENT", "20.00", None),
    ]  # fmt: skip
    assert db.one("select sum(montant) from finances.imputation_vue where id_facture = %s", [facture]) == 0
    with refused("FACTURE_ANNULEE", 409):
        cancel(db, facture)
    with refused("FACTURE_ANNULEE", 409):
        pay(db, facture, "1")
    with refused("FACTURE_EMISE", 409):
        db.execute("update facturation.facture set annulee = false where id_facture = %s", [facture])


def test_a_cancellation_refunds_from_the_till_of_the_user(db):
    origin, own = builders.caisse(db), builders.caisse(db)
    facture = builders.facture(db, "100")
    payment = pay(db, facture, "30", id_caisse=origin)
    db.execute("update finances.periode_caisse set fermeture = now() where id_caisse = %s", [origin])
    db.acting(builders.utilisateur(db, caisse=origin))
    with refused("PERIODE_CAISSE_FERMEE", 409):
        cancel(db, facture)
    user = builders.utilisateur(db, caisse=own)
    db.acting(user)
    cancel(db, facture)
    refund = counter_of(db, payment)
    assert (refund["id_caisse"], refund["id_utilisateur"]) == (own, user)


@pytest.mark.parametrize(
    "closing", ["finances.periode_caisse set fermeture = now()", "finances.caisse set actif = false"]
)
def test_a_cancellation_by_a_user_without_till_does_not_refund_from_a_closed_till(db, closing):
    till, facture = builders.caisse(db), builders.facture(db, "100")
    payment = pay(db, facture, "30.05", id_caisse=till)
    db.execute(f"update {closing} where id_caisse = %s", [till])
    db.acting(builders.utilisateur(db, role="DIRIGEANT"))
    cancel(db, facture)
    refund = counter_of(db, payment)
    assert (refund["id_caisse"], refund["id_periode"], str(refund["montant"])) == (None, None, "30.05")
