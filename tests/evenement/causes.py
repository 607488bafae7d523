"""The cause of each type of event, and the path at which the API answers its entity."""

import itertools
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from app.seals import signing
from tests import builders
from tests.achat.achats import article, facture, payer
from tests.conftest import Db
from tests.tresorerie.argent import caisse, virer

_days = itertools.cycle(range(1, 31))


@dataclass(frozen=True)
class Cause:
    run: Callable[[Db], Any]  # returns the key of the entity
    path: str  # answers the entity, or a list with it; {} is its key
    key: str = ""  # of the row in the list
    owner: str = ""  # a query for the key in the path, where the path answers the owner of the entity
    within: str = ""  # the list of the owner that holds the entity


def _pay(db):
    return builders.payer(db, "125.50", id_caisse=builders.caisse(db))


def _paid_invoice(db):
    key = builders.facture(db, "700.25")
    builders.payer(db, "700.25", id_facture=key)
    return key


def _cancelled_invoice(db):
    key = builders.facture(db)
    db.call("facturation.facture_annuler", id_facture=key, motif="Doublon")
    return key


def _credit_note(db):
    _cancelled_invoice(db)
    return db.one("select max(id_avoir) from facturation.avoir")


def _refund(db):
    db.call("finances.paiement_annuler", id_paiement=_pay(db), motif="Mauvais client")
    return db.one("select max(id_paiement) from finances.paiement")


def _payslip(db):
    slip = builders.paie(db, salaire_base="181250.50")
    db.call("rh.paie_valider", id_paie=slip)
    db.call("rh.paie_payer", id_paie=slip, id_moyen=builders.moyen(db))
    return slip


def _salary(db):
    return db.one("select id_paiement from rh.paie where id_paie = %s", [_payslip(db)])


def _expense(db):
    return builders.depense(db, "4500.50", id_caisse=builders.caisse(db))["id_depense"]


def _closed_till(db):
    till = builders.caisse(db)
    db.call("finances.caisse_fermer", id_caisse=till)
    return till


def _count(db):
    count = {"id_caisse": builders.caisse(db), "date": db.today(), "montant_compte": "7"}
    return db.call("finances.tirage_creer", **count)["id_tirage"]


def _refused_operation(db):
    till = builders.caisse(db)
    device = "insert into finances.appareil (id_caisse, libelle) values (%s, 'Essai') returning id_appareil"
    operation = """insert into finances.operation_appareil
                     (id_operation, id_appareil, sequence, empreinte, etat, code_http)
                   values (gen_random_uuid(), %s, 1, '', 'EXCEPTION', 409) returning id_operation"""
    refused = """insert into finances.exception_caisse
                   (id_operation, id_caisse, code, message, operation, jour, montant)
                 values (%s, %s, 'ESSAI', 'Essai', '{}', core.aujourdhui(), 5) returning id_exception"""
    return db.one(refused, [db.one(operation, [db.one(device, [till])]), till])


def _transfer(db):
    return virer(db, {"id_caisse": caisse(db)}, {"id_caisse": caisse(db, "0")})["id_virement"]


def _cancelled_transfer(db):
    db.call("tresorerie.virement_annuler", id_virement=_transfer(db))
    return db.one("select max(id_virement) from tresorerie.virement")


def _ended_lease(db):
    lease = builders.contrat(db, date_debut="2025-01-10", date_fin_prevue="2025-11-20")
    db.call("jobs.transition_contrats_expires")
    return lease


def _terminated_lease(db):
    lease = builders.contrat(db, date_fin_prevue=None)
    db.call("residence.contrat_resilier", id_contrat=lease)
    return lease


def _instalment(db):
    lease = builders.contrat(db, actif=False)
    return db.one("select min(id_echeance) from residence.echeance where id_contrat = %s", [lease])


def _late_instalment(db):
    lease = builders.contrat(db, date_debut="2025-01-10", date_fin_prevue="2025-11-20")
    db.one("select jobs.signaler_retards()")
    return db.one("select min(id_echeance) from residence.echeance where id_contrat = %s", [lease])


def _stay(db):
    db.call(
        "residence.sejour_creer", type_prestation="NUITEE", id_logement=builders.logement(db), tarif="10000",
        date_heure_arrivee=db.one("select now() - interval '1 hour'"),
        date_heure_depart_prevue=db.one("select now() + interval '30 hours'"),
    )  # fmt: skip
    return db.one("select max(id_sejour) from residence.sejour_court")


def _paid_stay(db):
    stay = _stay(db)
    due = db.one("select reste_a_payer from residence.sejour_court_vue where id_sejour = %s", [stay])
    due = due or db.one("select montant_total from residence.sejour_court where id_sejour = %s", [stay])
    db.call("residence.sejour_payer", id_sejour=stay, montant=due, id_moyen=builders.moyen(db))
    return stay


def _laundry(db, *verbs, **fields):
    line = {"type_vetement": "Chemise", "quantite": 3, "prestation": "Lavage", "tarif": "1250.50"}
    db.call("pressing.commande_creer", id_client=builders.client(db), lignes=[line | {"hors_catalogue": True}])
    key = db.one("select max(id_commande) from pressing.commande")
    for verb in verbs:
        db.call(f"pressing.commande_{verb}", id_commande=key, **(fields if verb == verbs[-1] else {}))
    return key


def _booking(db, *verbs):
    event = {"date_evenement": f"2030-06-{next(_days)}", "heure_debut": "18:00", "duree": "5"}
    made = db.call("salle_fete.reservation_creer", **event, type_manifestation="Mariage", tarif="200000")
    key = made["id_reservation"]
    for verb in verbs:
        amount = {"confirmer": "50000", "realiser": "150000"}.get(verb)
        fields = {"paiement": {"montant": amount, "id_moyen": builders.moyen(db)}} if amount else {}
        db.call(f"salle_fete.reservation_{verb}", id_reservation=key, **fields)
    return key


def _low_stock(db):
    product = builders.produit(db, stock="10", seuil_alerte="4")
    db.call("market.mouvement_stock_creer", id_produit=product, type="SORTIE", quantite="6.5", motif="Casse")
    return product


def _terminated_subscription(db):
    key = builders.souscription(db)
    db.call("abonnement.souscription_resilier", id_souscription=key, motif="Départ")
    return key


def _incident(db):
    incident = {"titre": "Fuite d'eau", "description": "Sous l'évier."}
    return db.call("signalement.signalement_creer", **incident)["id_signalement"]


def _closed_incident(db):
    key = _incident(db)
    db.call("signalement.signalement_resoudre", id_signalement=key, note_resolution="Joint changé")
    return key


def _changed_client(db):
    key = builders.client(db)
    db.execute("update client.client set ville = 'Bouaké' where id_client = %s", [key])
    return key


def _published_root(db):
    builders.client(db)
    db.call("audit.sceller")
    signing.sign(db.connection)
    db.execute("insert into audit.publication (jour, taille) select core.aujourdhui(), max(taille) from audit.tete")
    return db.one("select taille from audit.publication")


INVOICE, LEASE, STAY = "/facturation/factures/{}", "/residence/contrats/{}", "/residence/sejours/{}"
LAUNDRY, HALL = "/pressing/commandes/{}", "/salle-fete/reservations/{}"
PAYMENTS = "/finances/paiements"
OWNER = "select id_contrat from residence.echeance where id_echeance = %s"


def _purchase(db):
    return facture(db, article(builders.produit(db), 10, 700))


def _paid_purchase(db):
    purchase = _purchase(db)
    payer(db, purchase, 7000)
    return purchase


CAUSES = {
    "achat.valide": Cause(_purchase, "/achat/factures", "id_achat"),
    "achat.paye": Cause(_paid_purchase, "/achat/factures", "id_achat"),
    "stock.cout_change": Cause(builders.produit, "/market/produits/{}"),
    "facture.emise": Cause(builders.facture, INVOICE),
    "facture.payee": Cause(_paid_invoice, INVOICE),
    "facture.annulee": Cause(_cancelled_invoice, INVOICE),
    "avoir.emis": Cause(_credit_note, "/facturation/avoirs/{}"),
    "paiement.recu": Cause(_pay, PAYMENTS, "id_paiement"),
    "paiement.verse": Cause(_salary, PAYMENTS, "id_paiement"),
    "paiement.rembourse": Cause(_refund, PAYMENTS, "id_paiement"),
    "depense.creee": Cause(_expense, "/finances/depenses", "id_depense"),
    "caisse.ouverte": Cause(builders.caisse, "/finances/caisses/{}/periodes", "id_caisse"),
    "caisse.fermee": Cause(_closed_till, "/finances/caisses/{}/periodes", "id_caisse"),
    "caisse.exception": Cause(
        _refused_operation,
        "/finances/caisses/{}/exceptions",
        "id_exception",
        "select id_caisse from finances.exception_caisse where id_exception = %s",
    ),
    "tirage.ecart": Cause(_count, "/finances/tirages", "id_tirage"),
    "virement.cree": Cause(_transfer, "/tresorerie/virements", "id_virement"),
    "virement.annule": Cause(_cancelled_transfer, "/tresorerie/virements", "id_virement"),
    "contrat.cree": Cause(lambda db: builders.contrat(db, actif=False), LEASE),
    "contrat.active": Cause(builders.contrat, LEASE),
    "contrat.resilie": Cause(_terminated_lease, LEASE),
    "contrat.termine": Cause(_ended_lease, LEASE),
    "echeance.generee": Cause(_instalment, LEASE, "id_echeance", OWNER, "echeances"),
    "echeance.en_retard": Cause(_late_instalment, LEASE, "id_echeance", OWNER, "echeances"),
    "sejour.commence": Cause(_stay, STAY),
    "sejour.termine": Cause(_paid_stay, STAY),
    "commande.prete": Cause(lambda db: _laundry(db, "traiter", "marquer_prete"), LAUNDRY),
    "commande.retiree": Cause(
        lambda db: _laundry(db, "traiter", "marquer_prete", "retirer", solde="3751.50", id_moyen=builders.moyen(db)),
        LAUNDRY,
    ),
    "commande.annulee": Cause(lambda db: _laundry(db, "annuler"), LAUNDRY),
    "reservation.confirmee": Cause(lambda db: _booking(db, "confirmer"), HALL),
    "reservation.realisee": Cause(lambda db: _booking(db, "confirmer", "realiser"), HALL),
    "reservation.annulee": Cause(lambda db: _booking(db, "annuler"), HALL),
    "stock.alerte": Cause(_low_stock, "/market/produits/{}"),
    "souscription.creee": Cause(builders.souscription, "/abonnement/souscriptions", "id_souscription"),
    "souscription.resiliee": Cause(_terminated_subscription, "/abonnement/souscriptions", "id_souscription"),
    "signalement.ouvert": Cause(_incident, "/signalements/{}"),
    "signalement.clos": Cause(_closed_incident, "/signalements/{}"),
    "paie.payee": Cause(_payslip, "/rh/paies", "id_paie"),
    "client.cree": Cause(builders.client, "/client/clients", "id_client"),
    "client.modifie": Cause(_changed_client, "/client/clients", "id_client"),
    "sceau.publie": Cause(_published_root, "/verifier/racines", "taille"),
}
