"""Money that leaves: an account without a till names the till that it comes from; a till-bound account uses its own."""

import pytest

from tests import builders
from tests.conftest import refused


def salary(db, **till):
    slip = builders.paie(db)
    db.call("rh.paie_valider", id_paie=slip)
    return db.call("rh.paie_payer", id_paie=slip, id_moyen=1, **till)["id_paiement"]


def ended_lease(db):
    """A lease that ended before its second rent, and the payment of both."""
    lease = builders.contrat(db, montant_loyer="31000")
    paid = db.call("residence.contrat_encaisser_loyer_lot", id_contrat=lease, montant="62000", id_moyen=1)
    db.call("residence.contrat_resilier", id_contrat=lease, date_resiliation="2026-01-10")
    return lease, paid["id_paiement"]


def rent(db, **till):
    db.call("residence.contrat_rembourser", id_contrat=ended_lease(db)[0], id_moyen=1, **till)
    return last(db)


def excess(db, **till):
    return db.call("finances.paiement_rembourser", id_paiement=ended_lease(db)[1], **till)["id_paiement"]


def deposit(db, how="rembourser", **fields):
    lease = builders.contrat(db)
    db.call("residence.caution_creer", id_contrat=lease, montant="5000")
    db.call("residence.caution_encaisser", id_contrat=lease, id_moyen=1)
    db.call(f"residence.caution_{how}", id_contrat=lease, **({"id_moyen": 1} if how == "rembourser" else {}), **fields)
    return last(db)


def restitution(db, **till):
    return deposit(db, "restituer", **till)


def credit_note(db, **till):
    invoice = builders.facture(db, "1000")
    builders.paiement(db, "1000", id_facture=invoice)
    line = db.one("select id_ligne from facturation.facture_ligne where id_facture = %s", [invoice])
    credited = {"lignes": [{"id_ligne": line, "montant": "400"}], "remboursement": {"id_moyen": 1} | till}
    return db.call("facturation.avoir_creer", id_facture=invoice, motif="Geste", **credited)["id_paiement"]


def invoice(db, **till):
    cancelled = builders.facture(db, "1000")
    builders.paiement(db, "1000", id_facture=cancelled)
    db.call("facturation.facture_annuler", id_facture=cancelled, motif="Erreur", **till)
    return last(db)


def payment(db, **till):
    paid = builders.paiement(db, "1000", id_facture=builders.facture(db, "1000"))["id_paiement"]
    db.call("finances.paiement_annuler", id_paiement=paid, motif="Erreur", **till)
    return last(db)


def sale(db, **till):
    lines = [{"id_produit": builders.produit(db, prix="750"), "quantite": 1}]
    db.call("market.vente_creer", lignes=lines, paiement={"montant": "750", "id_moyen": 1})
    db.call("market.vente_annuler", id_vente=db.one("select max(id_vente) from market.vente"), **till)
    return last(db)


def order(db, **till):
    lines = [{"id_plat": builders.plat(db, prix="3500"), "quantite": 1}]
    db.call("restaurant.commande_creer", type="A_EMPORTER", lignes=lines, paiement={"montant": "3500", "id_moyen": 1})
    made = db.one("select max(id_commande) from restaurant.commande")
    db.call("restaurant.commande_annuler", id_commande=made, **till)
    return last(db)


def booking(db, **till):
    slot = {"date_evenement": f"2030-06-{15 + len(till)}", "heure_debut": "18:00", "duree": "5"}
    made = db.call("salle_fete.reservation_creer", **slot, type_manifestation="Mariage", tarif="200000")
    number, advance = made["id_reservation"], {"montant": "60000", "id_moyen": 1}
    db.call("salle_fete.reservation_confirmer", id_reservation=number, paiement=advance)
    db.call("salle_fete.reservation_annuler", id_reservation=number, **till)
    return last(db)


def stay(db):
    arrival = db.one("select date_trunc('day', now()) + interval '2 days'")
    paid = {"montant": "5000", "id_moyen": 1}
    fields = {"type_prestation": "NUITEE", "date_heure_arrivee": arrival, "tarif": "10000", "paiement": paid}
    db.call("residence.sejour_creer", id_logement=builders.logement(db), **fields)
    return db.one("select max(id_sejour) from residence.sejour_court")


def cancelled_stay(db, **till):
    db.call("residence.sejour_annuler", id_sejour=stay(db), **till)
    return last(db)


def changed_stay(db, **till):
    db.call("residence.sejour_modifier", id_sejour=stay(db), champs={"statut": "ANNULE"} | till)
    return last(db)


def last(db):
    return db.one("select max(id_paiement) from finances.paiement")


WAYS_OUT = {
    "PRESSING": [salary, credit_note, invoice, payment],
    "LOCATION_RESIDENTIEL": [rent, deposit, restitution, excess, cancelled_stay, changed_stay],
    "VENTE_MARCHANDISES": [sale],
    "RESTAURATION": [order],
    "SALLE_FETE": [booking],
}


def till_of(db, payment):
    return db.one("select id_caisse from finances.paiement where id_paiement = %s and type = 'DECAISSEMENT'", [payment])


@pytest.fixture
def boss(db):
    db.acting(builders.utilisateur(db, role="ADMINISTRATEUR"))


@pytest.mark.usefixtures("boss")
@pytest.mark.parametrize("activity, way", [(activity, way) for activity, ways in WAYS_OUT.items() for way in ways])
def test_an_account_without_a_till_names_the_till_that_pays_or_none_pays(db, activity, way):
    assert till_of(db, way(db)) is None
    till = builders.caisse(db, activite_code=activity)
    assert till_of(db, way(db, id_caisse=till)) == till
    assert db.one("select tresorerie._caisse_solde(%s, 'infinity')", [till]) < 0
    assert db.all("select * from jobs._controler()") == []


@pytest.mark.usefixtures("boss")
def test_a_closed_till_pays_no_salary(db):
    with refused("PERIODE_CAISSE_FERMEE", 409):
        salary(db, id_caisse=builders.caisse(db, ouverte=False))


def test_an_account_bound_to_a_till_pays_from_it_whatever_it_names(db):
    own, other = (builders.caisse(db, activite_code="LOCATION_RESIDENTIEL") for _ in range(2))
    db.acting(builders.utilisateur(db, role="ADMINISTRATEUR", caisse=own))
    assert till_of(db, rent(db, id_caisse=other)) == own
