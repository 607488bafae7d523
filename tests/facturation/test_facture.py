"""Invoices: list, change of the label, refusal of every other change, cancellation."""

import pytest

from tests import builders
from tests.conftest import refused


def pay(db, facture, montant, **fields):
    return db.call(
        "finances.paiement_creer", montant=montant, id_moyen=builders.moyen(db), id_facture=facture, **fields
    )


def ids(rows):
    return [row["id_facture"] for row in rows]


def test_invoices_are_filtered_sorted_and_limited(db):
    restaurant = builders.activite(db, "RESTAURATION")
    customer = builders.client(db, nom="Kouamé", prenoms="Zoé")
    unpaid, partly, paid = builders.facture(db), builders.facture(db, "77.70"), builders.facture(db)
    pay(db, partly, "1")
    pay(db, paid, "15000")
    other = db.call(
        "facturation.prestation_facturer",
        id_prestation=builders.prestation(db, "1", id_activite=restaurant, libelle="Repas"),
        montant="0",
        id_moyen=1,
        id_client=customer,
    )["id_facture"]
    void = builders.facture(db)
    db.one("select finances._facture_annuler(%s, 'Erreur')", [void])
    rows = db.rows("facturation.facture_lister")
    assert ids(rows)[:5] == [void, other, paid, partly, unpaid]
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
        ([void, other, paid, partly, unpaid], {"source_type": "PRESTATION", "du": db.one("select core.aujourdhui()")}),
        ([partly], {"sort": "montant_paye", "order": "asc", "limit": 1, "statut": "PARTIELLE"}),
    ]:
        assert ids(db.rows("facturation.facture_lister", **filters)) == expected, filters
    with refused("TRI_INCONNU", 400):
        db.rows("facturation.facture_lister", sort="secret")


def test_an_invoice_has_its_label_and_its_date_under_both_names(db, http):
    facture = builders.facture(db)
    db.call("facturation.facture_modifier", id_facture=facture, champs={"libelle": "Acompte de la salle"})
    admin = http.as_admin()
    for row in (admin.get(f"/facturation/factures/{facture}").json(), admin.get("/facturation/factures").json()[0]):
        assert (row["date_emission"], row["libelle"]) == (row["date"], "Acompte de la salle")


def test_only_the_label_of_an_invoice_can_change(db):
    facture = builders.facture(db)
    before = db.call("facturation.facture_detail", id_facture=facture)
    after = db.call("facturation.facture_modifier", id_facture=facture, champs={"libelle": "Corrigé"})
    assert after == before | {"libelle": "Corrigé"}
    assert db.call("facturation.facture_modifier", id_facture=facture, champs={"libelle": None})["libelle"] is None
    with refused("NOT_FOUND", 404):
        db.call("facturation.facture_modifier", id_facture=987654, champs={})


@pytest.mark.parametrize(
    "statement",
    [
        "update facturation.facture set numero = 'GSG-FAC-2000-001' where id_facture = %s",
        "update facturation.facture set remise = 1 where id_facture = %s",
        "update facturation.facture set date = date - interval '1 day' where id_facture = %s",
        "update facturation.facture set source_id = 7 where id_facture = %s",
        "delete from facturation.facture where id_facture = %s",
        "update facturation.facture_ligne set prix_unitaire = 1 where id_facture = %s",
        "delete from facturation.facture_ligne where id_facture = %s",
        "insert into facturation.facture_ligne (id_facture, libelle, prix_unitaire) values (%s, 'Tardive', 1)",
    ],
)
def test_an_issued_invoice_cannot_change_even_through_sql(db, statement):
    facture = builders.facture(db)
    with refused("FACTURE_EMISE", 409):
        db.execute(statement, [facture])


def test_the_sums_of_an_invoice_cannot_be_set_through_sql(db):
    facture = builders.facture(db, "100")
    pay(db, facture, "30")
    db.execute(
        "update facturation.facture set montant_paye = 100, montant_total = 500 where id_facture = %s", [facture]
    )
    row = db.one(
        "select montant_total, montant_paye, reste, statut from facturation.facture where id_facture = %s", [facture]
    )
    assert [str(value) for value in row.values()] == ["100.00", "30.00", "70.00", "PARTIELLE"]
    row = db.one(
        "insert into facturation.facture (numero, source_type, montant_total, montant_paye)"
        " values ('A-LA-MAIN', 'AUTRE', 50, 50) returning montant_total, montant_paye"
    )
    assert [str(value) for value in row.values()] == ["0.00", "0.00"]


def test_a_line_without_an_invoice_is_refused_at_commit(db):
    with refused("ligne_facture_inconnue", 422):
        db.execute(
            "insert into facturation.facture_ligne (id_facture, libelle, prix_unitaire) values (987654, 'Perdue', 1)"
        )
        db.execute("set constraints all immediate")


def test_a_cancellation_refunds_every_payment(db):
    till = builders.caisse(db)
    facture = builders.facture(db, "100")
    first = pay(db, facture, "30", id_caisse=till)["id_paiement"]
    second = pay(db, facture, "20")["id_paiement"]
    answer = db.one("select * from finances._facture_annuler(%s, 'Commande annulée')", [facture])
    assert [str(value) for value in answer.values()][1:] == ["100.00", "0.00", "0.00", "ANNULEE"]
    refunds = db.all(
        "select * from finances.paiement where id_paiement_origine = any(%s) order by id_paiement_origine",
        [[first, second]],
    )
    assert [(row["type"], str(row["montant"]), row["id_caisse"]) for row in refunds] == [
        ("DECAISSEMENT", "30.00", till),
        ("DECAISSEMENT", "20.00", None),
    ]
    assert db.one("select sum(montant) from finances.application_paiement where id_facture = %s", [facture]) == 0
    with refused("FACTURE_ANNULEE", 409):
        db.one("select finances._facture_annuler(%s, 'Encore')", [facture])
    with refused("FACTURE_ANNULEE", 409):
        pay(db, facture, "1")
    with refused("FACTURE_EMISE", 409):
        db.execute("update facturation.facture set annulee = false where id_facture = %s", [facture])


def test_a_cancellation_refunds_from_the_till_of_the_user(db):
    origin, own = builders.caisse(db), builders.caisse(db)
    facture = builders.facture(db, "100")
    payment = pay(db, facture, "30", id_caisse=origin)["id_paiement"]
    db.execute("update finances.periode_caisse set fermeture = now() where id_caisse = %s", [origin])
    closed = builders.utilisateur(db, caisse=origin)
    db.acting(closed)
    with refused("PERIODE_CAISSE_FERMEE", 409):
        db.one("select finances._facture_annuler(%s, 'Erreur')", [facture])
    user = builders.utilisateur(db, caisse=own)
    db.acting(user)
    db.one("select finances._facture_annuler(%s, 'Erreur')", [facture])
    refund = db.one("select id_caisse, id_utilisateur from finances.paiement where id_paiement_origine = %s", [payment])
    assert refund == {"id_caisse": own, "id_utilisateur": user}


@pytest.mark.parametrize(
    "statement",
    [
        "update finances.periode_caisse set fermeture = now() where id_caisse = %s",
        "update finances.caisse set actif = false where id_caisse = %s",
    ],
)
def test_a_cancellation_by_a_user_without_till_does_not_refund_from_a_closed_till(db, statement):
    till = builders.caisse(db)
    facture = builders.facture(db, "100")
    payment = pay(db, facture, "30.05", id_caisse=till)["id_paiement"]
    db.execute(statement, [till])
    db.acting(builders.utilisateur(db, role="DIRIGEANT"))
    db.one("select finances._facture_annuler(%s, 'Erreur')", [facture])
    refund = db.one(
        "select id_caisse, id_periode, montant::text from finances.paiement where id_paiement_origine = %s", [payment]
    )
    assert refund == {"id_caisse": None, "id_periode": None, "montant": "30.05"}


def test_an_invoice_of_another_activity_is_not_found(db):
    facture = builders.facture(db)
    db.acting(builders.utilisateur(db, activite=builders.activite(db, "RESTAURATION")))
    assert facture not in ids(db.rows("facturation.facture_lister", limit=1000))
    for refuse in (
        lambda: db.call("facturation.facture_detail", id_facture=facture),
        lambda: db.call("facturation.facture_modifier", id_facture=facture, champs={"libelle": "x"}),
        lambda: db.one("select finances._facture_annuler(%s, 'x')", [facture]),
        lambda: pay(db, facture, "1"),
    ):
        with refused("NOT_FOUND", 404):
            refuse()
