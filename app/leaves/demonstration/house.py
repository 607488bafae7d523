"""The invented business of the demonstration, on its first morning."""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import dataclass, field
from datetime import date, timedelta
from typing import Any

from app.auth.encrypted import WEBHOOK, Secrets
from app.jobs.webhooks import new_key
from app.leaves.demonstration.photos import key
from app.leaves.demonstration.replay import Actor

Row = dict[str, Any]

NAMES = ("Exemple", "Modèle", "Fictif", "Essai", "Inventé", "Démo", "Témoin", "Maquette", "Échantillon", "Gabarit")
FIRST_NAMES = (
    ("Awa", "F"), ("Koffi", "M"), ("Mariam", "F"), ("Yao", "M"), ("Fatou", "F"), ("Serge", "M"),
    ("Aya", "F"), ("Ibrahim", "M"), ("Chantal", "F"), ("Moussa", "M"), ("Adjoua", "F"), ("Paul", "M"),
)  # fmt: skip
# Login → activity of the till, name of the till.
CASHIERS = {
    "pressing": ("PRESSING", "Caisse pressing"),
    "restaurant": ("RESTAURATION", "Caisse restaurant"),
    "boutique": ("VENTE_MARCHANDISES", "Caisse boutique"),
    "salle": ("SALLE_FETE", "Caisse salle de fête"),
    "residence": ("LOCATION_RESIDENTIEL", "Caisse résidence"),
}
# The organisation on the printed documents. The numbers are invented.
ORGANISATION = {
    "NOM_ORGANISATION": "Groupe Services Modèle",
    "ADRESSE_ORGANISATION": "12, rue des Exemples\nCocody, 01 BP 0000",
    "VILLE_ORGANISATION": "Abidjan",
    "TELEPHONE_ORGANISATION": "+225 07 00 00 00 00",
    "EMAIL_ORGANISATION": "bonjour@modele.invalid",
    "MENTIONS_LEGALES": "RCCM CI-ABJ-0000-B-00000 · Régime réel simplifié",
    "NUMERO_CONTRIBUABLE": "0000000 X",
}
TAX = "TVA"  # of the shop and of the restaurant; prices include it
SUBSCRIPTIONS = (("Internet", 20000), ("Entretien du linge", 12500), ("Place de parking", 15000))
PRODUCTS = (
    ("Savon de Marseille", 400, 650, "entretien"), ("Lessive 1 kg", 1100, 1600, "entretien"),
    ("Eau minérale 1,5 L", 250, 400, "epicerie"), ("Riz parfumé 5 kg", 3200, 4200, "epicerie"),
    ("Huile 1 L", 950, 1300, "epicerie"), ("Café moulu 250 g", 1300, 1900, "epicerie"),
    ("Sucre 1 kg", 600, 850, "epicerie"), ("Lait en poudre 400 g", 1700, 2300, "epicerie"),
    ("Ampoule LED", 700, 1200, "maison"), ("Cahier 200 pages", 450, 750, "maison"),
    ("Adaptateur secteur", 1500, 2500, "maison"), ("Parapluie", 2200, 3500, "maison"),
)  # fmt: skip
DISHES = (
    ("Poulet braisé, attiéké", 3500, "plat-grille"), ("Poisson braisé, alloco", 4000, "plat-grille"),
    ("Riz sauce arachide", 2000, "plat-sauce"), ("Foutou sauce graine", 2500, "plat-sauce"),
    ("Salade composée", 1800, "salade"), ("Jus de bissap", 700, "boisson"),
    ("Eau minérale", 500, "boisson"), ("Banane flambée", 1500, "dessert"),
)  # fmt: skip
# Code, label, meals, price, days, meals a day.
MEAL_OFFERS = (("REPAS-10", "Carte de 10 repas", 10, 20000, 30, None), ("MIDI-20", "20 déjeuners", 20, 36000, 30, 2))
LAUNDRY = (
    ("Chemise", "Lavage et repassage", 800), ("Costume", "Nettoyage à sec", 3000), ("Drap", "Lavage", 1200),
    ("Robe", "Nettoyage à sec", 2500), ("Boubou", "Lavage et repassage", 2000), ("Rideau", "Nettoyage à sec", 3500),
)  # fmt: skip
PRICE_BY_KILOGRAM = 1200
LINEN = (("Linge de maison", "Lavage et repassage"), ("Couette", "Lavage"), ("Linge de travail", "Lavage"))  # by weight
EVENTS = ("Mariage", "Anniversaire", "Réunion", "Baptême")
STAFF = (
    ("RESPONSABLE", 350000), ("CAISSIER", 120000), ("CAISSIER", 120000), ("CUISINIER", 150000), ("SERVEUR", 90000),
    ("OPERATEUR_LAVAGE", 95000), ("OPERATEUR_REPASSAGE", 95000), ("VENDEUR", 110000), ("AGENT_ENTRETIEN", 80000),
    ("RECEPTIONNISTE", 115000),
)  # fmt: skip
EXPENSES = (
    ("Électricité", 25000, 60000), ("Fournitures", 2000, 15000), ("Transport", 1000, 6000), ("Eau", 8000, 20000),
)  # fmt: skip


@dataclass
class House:
    """The state of the business. The days change it."""

    cashiers: dict[str, Row] = field(default_factory=dict)
    manager: Row = field(default_factory=dict)
    tills: dict[str, int] = field(default_factory=dict)
    methods: list[int] = field(default_factory=list)
    clients: list[int] = field(default_factory=list)
    products: list[Row] = field(default_factory=list)
    dishes: list[Row] = field(default_factory=list)
    services: dict[str, list[Row]] = field(default_factory=dict)
    staff: list[int] = field(default_factory=list)
    rooms: list[Row] = field(default_factory=list)
    night_rooms: list[Row] = field(default_factory=list)
    leases: list[Row] = field(default_factory=list)
    subscription_category: int = 0
    meal_offers: list[Row] = field(default_factory=list)
    meal_clients: list[int] = field(default_factory=list)
    laundry_offer: Row = field(default_factory=dict)
    laundry_clients: list[int] = field(default_factory=list)
    expense_categories: dict[str, int] = field(default_factory=dict)
    charge_category: int = 0
    laundry: list[Row] = field(default_factory=list)
    bookings: list[Row] = field(default_factory=list)
    stays: list[Row] = field(default_factory=list)
    requests: list[Any] = field(default_factory=list)  # of the day before: till, answer, key
    counts: Counter[str] = field(default_factory=Counter)  # of what happens every few times


def open_business(act: Actor, rng: random.Random, day: date, password: str) -> House:
    """Create tills and cashiers, stock, menu, rooms and staff. `password` is the hash for every account."""
    house = House()
    for name, value in ORGANISATION.items():
        act("core.parametre_modifier", cle=name, valeur=value)
    act("core.taxe_creer", code=TAX, libelle="TVA 18 %", taux=18, nature="TAUX", du=day)
    activities = {row["code"]: row["id_activite"] for row in act.rows("finances.activite_lister")}
    house.methods = [row["id_moyen"] for row in act.rows("finances.moyen_paiement_lister")]
    roles = {row["code"]: row["id_role"] for row in act.rows("auth.role_lister")}

    def user(login: str, role: str, **fields: Any) -> Row:
        made = act("auth.utilisateur_creer", login=login, mot_de_passe=password, id_role=roles[role], **fields)
        return {"id_utilisateur": made["id_utilisateur"], "role": role}

    house.manager = user("direction", "DIRIGEANT", nom="Modèle", prenom="Aya")
    for login, (activity, label) in CASHIERS.items():
        till = act("finances.caisse_creer", libelle=label, id_activite=activities[activity])["id_caisse"]
        first_name = rng.choice(FIRST_NAMES)[0]
        house.cashiers[login] = user(f"caisse.{login}", "CAISSIER", nom="Exemple", prenom=first_name, id_caisse=till)
        house.tills[login] = till
    for name, *_ in EXPENSES:
        house.expense_categories[name] = act("finances.categorie_depense_creer", libelle=name)["id_categorie_depense"]
    for _ in range(40):
        new_client(act, rng, house)
    _shop(act, house)
    services = _catalogues(act)
    category = act("restaurant.categorie_plat_creer", libelle="Carte")["id_categorie_plat"]
    house.dishes = [
        act("restaurant.plat_creer", nom=name, prix=price, id_categorie_plat=category, image_url=key(photo),
            code_taxe=TAX)
        for name, price, photo in DISHES
    ]  # fmt: skip
    house.meal_offers = [
        act("abonnement.offre_creer", code=code, libelle=label, activite="RESTAURATION", unite="REPAS", quota=quota,
            prix=price, duree_jours=days, max_par_jour=limit)
        for code, label, quota, price, days, limit in MEAL_OFFERS
    ]  # fmt: skip
    house.laundry_offer = act(
        "abonnement.offre_creer", code="LINGE-30", libelle="30 pièces lavées et repassées", activite="PRESSING",
        unite="PIECE", quota=30, prix=21000, duree_jours=60, id_prestation=services["Lavage et repassage"],
    )  # fmt: skip
    for login, label, price in (
        ("residence", "Ménage", 5000), ("residence", "Linge de lit", 3000), ("salle", "Location de chaises", 15000),
    ):  # fmt: skip
        activity = activities[CASHIERS[login][0]]
        service = act("facturation.prestation_creer", libelle=label, prix=price, id_activite=activity)
        house.services.setdefault(login, []).append(service)
    _rooms(act, house)
    _staff(act, rng, house, day)
    return house


def give_tenants(act: Actor, password: str) -> None:
    """Give the accounts of the tenants their password. In a real business, a letter lets the tenant choose it."""
    for user in act.rows("auth.utilisateur_lister", limit=1000):
        if user["id_client"] is not None:
            act("auth.utilisateur_reinitialiser_mot_de_passe", id_utilisateur=user["id_utilisateur"],
                nouveau_mot_de_passe=password)  # fmt: skip


def connect_programs(act: Actor, secrets: Secrets) -> None:
    """Create a suspended webhook and an API key that opens nothing, because its text is unknown."""
    act("evenement.webhook_creer", url="https://compta.example.com/comptoir", description="Comptabilité",
        types=["paiement.recu", "paiement.rembourse", "facture.emise", "depense.creee"], actif=False,
        chiffre=secrets.encrypt(new_key(), WEBHOOK))  # fmt: skip
    act("auth.cle_creer", libelle="Site internet", prefixe="cpt_live_DEMO00", hash="0" * 64,
        permissions=["MARCHANDISE.VOIR", "RESTAURANT.VOIR"])  # fmt: skip


def new_client(act: Actor, rng: random.Random, house: House) -> int:
    """Create a client with a new telephone number."""
    number, (first_name, sex) = len(house.clients), rng.choice(FIRST_NAMES)
    client = act(
        "client.client_creer", nom=rng.choice(NAMES), prenoms=first_name, sexe=sex, type_client="PASSAGE",
        tel_principal=f"+22507{number:08d}", email=f"client{number}@exemple.invalid", ville="Abidjan",
        nationalite="ivoirienne", profession=rng.choice(("architecte", "comptable", "journaliste", "libraire")),
        photo=key("cliente" if sex == "F" else "client"),
    )["id_client"]  # fmt: skip
    house.clients.append(client)
    return int(client)


def _shop(act: Actor, house: House) -> None:
    category = act("market.categorie_produit_creer", libelle="Épicerie et maison")["id_categorie_produit"]
    supplier = act("market.fournisseur_creer", nom="Grossiste Modèle", telephone="+2250700990000")["id_fournisseur"]
    house.products = [
        act("market.produit_creer", nom=name, prix_achat=bought, prix_vente=sold, id_categorie_produit=category,
            id_fournisseur=supplier, quantite_initiale=80, seuil_alerte=15, image_url=key(photo), code_taxe=TAX)
        for name, bought, sold, photo in PRODUCTS
    ]  # fmt: skip
    for product in house.products[:-2]:
        act("market.produit_code_barre_creer", id_produit=product["id_produit"])


def _catalogues(act: Actor) -> dict[str, int]:
    """Create the catalogues; return the services of the laundry by label."""
    pairs = [(kind, service) for kind, service, _ in LAUNDRY] + [*LINEN]
    for label in sorted({kind for kind, _ in pairs}):
        act("pressing.type_vetement_creer", libelle=label)
    services = {
        label: act("pressing.prestation_creer", libelle=label)["id_prestation"]
        for label in sorted({service for _, service in pairs})
    }
    act("pressing.tarif_kg_creer", prix_kg=PRICE_BY_KILOGRAM)
    for label in EVENTS:
        act("salle_fete.type_manifestation_creer", libelle=label)
    return services


def _rooms(act: Actor, house: House) -> None:
    building = act("residence.batiment_creer", code="A", nom="Résidence Modèle", adresse="Cocody, Abidjan")
    for kind, price, count in (("STUDIO", 90000, 6), ("APPARTEMENT", 160000, 6), ("MEUBLE", 25000, 4)):
        (house.night_rooms if kind == "MEUBLE" else house.rooms).extend(act.rows(
            "residence.logement_lot_creer", id_batiment=building["id_batiment"], type=kind, tarif=price, quantite=count,
        ))  # fmt: skip
    house.subscription_category = act(
        "abonnement.categorie_abonnement_creer", libelle="Services aux locataires",
        description="Ce qui se facture chaque mois en plus du loyer.",
    )["id_categorie_abonnement"]  # fmt: skip
    house.charge_category = act("residence.categorie_charge_creer", libelle="Électricité")["id_categorie_charge"]


def _staff(act: Actor, rng: random.Random, house: House, day: date) -> None:
    service = act("rh.service_creer", libelle="Exploitation")["id_service"]
    for function, salary in STAFF:
        person = act(
            "rh.employe_creer", nom=rng.choice(NAMES), prenom=rng.choice(FIRST_NAMES)[0], fonction=function,
            date_embauche=day - timedelta(days=rng.randrange(30, 900)), type_contrat="CDI", salaire_base=salary,
            id_service=service,
        )  # fmt: skip
        house.staff.append(person["id_employe"])
