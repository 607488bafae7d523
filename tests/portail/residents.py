"""Residents with data of every kind. Two of them share nothing but the business."""

from dataclasses import dataclass, field
from datetime import date, timedelta

from tests import builders

LOYER = 100000


@dataclass
class Resident:
    """Four instalments of 100000: the first paid, the second paid in part, the third due, the fourth to come.
    Also one paid charge, one service paid in part, one cancelled service, a deposit and a photo.
    """

    nom: str
    client: int
    user: int
    contrat: int
    numero: str
    logement: str
    batiment: str
    mois: list[date]
    echeances: list[int]
    photo: int
    factures: dict[str, int] = field(default_factory=dict)
    paiements: dict[str, int] = field(default_factory=dict)
    caution: int = 0
    souscription: int = 0
    commande_pressing: int = 0
    sejour: int = 0
    reservation: int = 0
    vente: int = 0
    repas: int = 0
    signalement: int = 0
    photo_incident: int = 0

    @property
    def secrets(self):
        """Texts that no other resident may ever read."""
        return [self.nom, self.numero, self.logement, f"etat-lieux/{self.nom}", f"Service {self.nom}"]


def month(day, ahead):
    months = day.year * 12 + day.month - 1 + ahead
    return date(months // 12, months % 12 + 1, 1)


def resident(db, nom):
    today = db.today()
    mois = [month(today, ahead) for ahead in (-2, -1, 0, 1)]
    client = builders.client(db, nom=nom, prenoms="Awa")
    batiment = builders.batiment(db)
    logement = builders.logement(db, id_batiment=batiment, nom=f"Chambre de {nom}")
    dates = {"date_debut": mois[0], "date_fin_prevue": month(today, 2) - timedelta(days=1)}
    contrat = builders.contrat(db, id_client=client, id_logement=logement, montant_loyer=str(LOYER), **dates)
    rows = db.all("select * from residence.echeance where id_contrat = %s order by date_echeance", [contrat])
    assert [row["date_echeance"] for row in rows] == mois
    photo = {
        "type": "ENTREE",
        "cle_objet": f"etat-lieux/{nom}.jpg",
        "piece": "Cuisine",
        "commentaire": f"Évier de {nom}",
    }
    person = Resident(
        nom=nom,
        client=client,
        user=db.one("select id_utilisateur from auth.utilisateur where id_client = %s", [client]),
        contrat=contrat,
        numero=db.one("select numero_contrat from residence.contrat_location where id_contrat = %s", [contrat]),
        logement=db.one("select numero from residence.logement where id_logement = %s", [logement]),
        batiment=db.one("select code from residence.batiment where id_batiment = %s", [batiment]),
        mois=mois,
        echeances=[row["id_echeance"] for row in rows],
        photo=db.call("residence.etat_des_lieux_ajouter", id_contrat=contrat, **photo)["id_photo"],
    )
    _pay(db, person, logement)
    _deposit(db, person)
    _quota(db, person)
    _requests(db, person)
    return person


def _pay(db, person, logement):
    moyen = builders.moyen(db)
    for name, rang, montant in (("plein", 0, "100000"), ("partiel", 1, "40000")):
        paid = {"montant": montant, "id_moyen": moyen, "date": f"{person.mois[rang]} 10:00:00+00"}
        payment = db.call("residence.echeance_encaisser", id_echeance=person.echeances[rang], **paid)
        person.paiements[name] = payment["id_paiement"]
        person.factures[name] = _last(db)
    new = "insert into residence.categorie_charge (libelle) values (%s) returning id_categorie_charge"
    water = {"id_categorie_charge": db.one(new, [f"Eau de {person.nom}"]), "periode": "2026-08", "montant": "25000"}
    charge = db.call("residence.charge_creer", id_logement=logement, **water)
    db.call("residence.charge_payer", id_charge=charge["id_charge"], montant="25000", id_moyen=moyen)
    person.paiements["charge"], person.factures["charge"] = _last(db, "finances.paiement"), _last(db)
    for name in ("service", "rendu"):
        service = builders.prestation(db, "15000.00", libelle=f"Service {person.nom}")
        paid = {"montant": "9000", "id_moyen": builders.moyen(db, "Mobile Money"), "id_client": person.client}
        invoice = db.call("facturation.prestation_facturer", id_prestation=service, **paid)
        person.paiements[name], person.factures[name] = invoice["id_paiement"], invoice["id_facture"]
    db.one("select finances._facture_annuler(%s, 'Erreur')", [person.factures["rendu"]])
    person.paiements["contraire"] = _last(db, "finances.paiement")


def _deposit(db, person):
    db.call("residence.caution_creer", id_contrat=person.contrat, montant="150000")
    payment = db.call("residence.caution_encaisser", id_contrat=person.contrat, id_moyen=builders.moyen(db))
    person.paiements["caution"] = payment["id_paiement"]
    person.caution = db.one("select id_caution from residence.caution where id_contrat = %s", [person.contrat])


def _quota(db, person):
    """A subscription with one movement, and a laundry order. An invoice that exists serves for the sale."""
    person.souscription = db.one(
        "insert into abonnement.souscription (id_client, id_offre, quota, prix, date_debut, date_fin, id_facture)"
        " values (%s, %s, 7, 15000, core.aujourdhui(), core.aujourdhui() + 9, %s) returning id_souscription",
        [person.client, builders.offre(db), person.factures["service"]],
    )
    db.call("abonnement.souscription_ajuster", id_souscription=person.souscription, quantite="-1.5", motif="Essai")
    shirt = {"type_vetement": "Chemise", "quantite": "2", "prestation": "Lavage", "tarif": "800"}
    db.call("pressing.commande_creer", id_client=person.client, lignes=[shirt])
    person.commande_pressing = db.one("select max(id_commande) from pressing.commande")


def _requests(db, person):
    """One row of each kind that the portal shows. Two residents may not have one slot of the hall."""
    db.call("residence.sejour_creer", type_prestation="SIESTE", id_logement=builders.logement(db), tarif="4500",
            date_heure_arrivee="2026-03-10 13:00:00+00", id_client=person.client)  # fmt: skip
    person.sejour = _last(db, "residence.sejour_court", "id_sejour")
    slot = {"heure_debut": "14:00", "duree": "5", "type_manifestation": f"Fête {person.nom}", "tarif": "120000"}
    day = month(person.mois[-1], 60) + timedelta(days=person.client % 27)
    booking = db.call("salle_fete.reservation_creer", date_evenement=day, id_client=person.client, **slot)
    person.reservation = booking["id_reservation"]
    db.acting(person.user)
    lines = [{"id_produit": builders.produit(db, prix="1300"), "quantite": 2}]
    person.vente = db.call("market.vente_demander", lignes=lines)["id_vente"]
    meal = [{"id_plat": builders.plat(db), "quantite": 1}]
    person.repas = db.call("restaurant.commande_demander", type="SUR_PLACE", lignes=meal)["id_commande"]
    incident = db.call("signalement.signalement_declarer", titre=f"Panne {person.nom}", description="Lampe grillée.")
    person.signalement = incident["id_signalement"]
    image = {"id_signalement": person.signalement, "cle_objet": "signalement-photo/1.jpg"}
    person.photo_incident = db.call("signalement.photo_declarer", **image)["id_photo"]
    db.acting(None)


def _last(db, table="facturation.facture", key=""):
    return int(db.one(f"select max({key or 'id_' + table.rpartition('.')[2]}) from {table}"))


def paths(person):
    """The path of every row of this resident in the portal, with payments of every kind."""
    paths = [f"echeances/{id_echeance}/recu" for id_echeance in person.echeances]
    paths += [f"paiements/{id_paiement}/recu" for id_paiement in person.paiements.values()]
    stay = f"sejours/{person.sejour}"
    return [*paths, *(f"{path}/pdf" for path in paths), f"etat-des-lieux/{person.photo}/photo", stay, f"{stay}/facture"]


LISTS = ["resume", "echeances", "etat-des-lieux", "paiements", "caution", "sejours"]


def portal(http, person, path):
    return http.as_user(person.user).get(f"/residence/portail/{path}")
