"""Requests from the portal, one kind for each trade: routes, bodies, states and notifications."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from tests import builders
from tests.conftest import Db, ok


@dataclass(frozen=True)
class Kind:
    portal: str
    staff: str
    key: str
    table: str
    example: Callable[[Db], dict[str, Any]]
    acceptance: Callable[[Db], dict[str, Any]]
    accepted: str
    cancelled: str
    created: str  # event for staff
    decided: str  # event for the client
    viewer: str  # permission that shows the first event
    verb: str  # permission that requests
    accepter: str  # permission that accepts
    accept: str = "valider"
    accepting: str = ""  # the body of `accept` names this state
    handled: str = "DEMANDE_TRAITEE"  # the refusal of a second acceptance

    def body(self, db, **fields):
        """Return the body of a request. These fields replace fields of the example."""
        return self.example(db) | fields

    def request(self, http, db, user, **fields):
        """Send a request as this user, and return its key."""
        answer = ok(http.as_user(user).post(self.portal, json=self.body(db, **fields)), 201)
        assert answer["statut"] == "EN_ATTENTE"
        return str(answer[self.key])

    def decide(self, http, key, verb="", body=None):
        """Accept the request as an administrator, or call another route of staff."""
        state = {"statut": self.accepting} if self.accepting and not verb else {}
        return http.as_admin().post(f"{self.staff}/{key}/{verb or self.accept}", json=state | (body or {}))

    def state(self, db, key):
        return str(db.one(f"select statut from {self.table} where {self.key} = %s", [key]))


STAY = Kind(
    "/residence/portail/sejours", "/residence/sejours", "id_sejour", "residence.sejour_court",
    lambda db: {
        "id_logement": str(builders.logement(db)), "type_prestation": "NUITEE",
        "date_heure_arrivee": "2031-03-10 18:00:00", "date_heure_depart_prevue": "2031-03-13 11:00:00",
        "nombre_personnes": "3", "observations": "Arrivée tardive possible",
    },
    lambda db: {"tarif": "12500"},
    "EN_COURS", "ANNULE", "residence.demande_creee", "residence.sejour.statut",
    "RESIDENCE.VOIR", "RESIDENCE.DEMANDER", "RESIDENCE.VALIDER",
)  # fmt: skip
HALL = Kind(
    "/salle-fete/portail/reservations", "/salle-fete/reservations", "id_reservation", "salle_fete.reservation",
    lambda db: {
        "date_evenement": "2031-05-17", "heure_debut": "14:30", "duree": "6.5", "type_manifestation": "Mariage",
        "hors_catalogue": True, "observations": "Cent vingt invités",
    },
    lambda db: {"tarif": "180000", "acompte": "45000"},
    "RESERVEE", "ANNULEE", "salle_fete.reservation_creee", "salle_fete.reservation.statut",
    "SALLE_FETE.VOIR", "SALLE_FETE.DEMANDER", "SALLE_FETE.VALIDER",
)  # fmt: skip
SHOP = Kind(
    "/market/portail/ventes", "/market/ventes", "id_vente", "market.vente",
    lambda db: {
        "lignes": [
            {"id_produit": str(builders.produit(db, stock="7", prix="1250.50")), "quantite": "3"},
            {"id_produit": str(builders.produit(db, stock="4", prix="800")), "quantite": "1.5"},
        ],
        "note": "Retrait samedi matin",
    },
    lambda db: {},
    "EN_COURS", "ANNULEE", "market.demande_creee", "market.vente.statut",
    "MARCHANDISE.VOIR", "MARCHANDISE.COMMANDER", "MARCHANDISE.VALIDER",
)  # fmt: skip
MEAL = Kind(
    "/restaurant/portail/commandes", "/restaurant/commandes", "id_commande", "restaurant.commande",
    lambda db: {
        "type": "LIVRAISON",
        "lignes": [
            {"id_plat": str(builders.plat(db, prix="3500.50")), "quantite": 2},
            {"id_plat": str(builders.plat(db, prix="1000")), "quantite": 1},
        ],
        "adresse_livraison": "Cocody, rue des Jardins 12", "notes": "Sans piment",
    },
    lambda db: {},
    "EN_COURS", "ANNULEE", "restaurant.demande_creee", "restaurant.commande.statut",
    "RESTAURANT.VOIR", "RESTAURANT.COMMANDER", "RESTAURANT.VALIDER",
    accept="statut", accepting="EN_COURS", handled="TRANSITION_INTERDITE",
)  # fmt: skip
WASHED = {"prestation": "À sec", "hors_catalogue": True}
LAUNDRY = Kind(
    "/pressing/portail/commandes", "/pressing/commandes", "id_commande", "pressing.commande",
    lambda db: {"date_depot_souhaitee": "2031-04-02", "notes": "Deux sacs, une tache de vin"},
    lambda db: {
        "mode_tarification": "UNITAIRE",
        "lignes": [
            WASHED | {"type_vetement": "Robe", "quantite": 2, "tarif": "2500"},
            WASHED | {"type_vetement": "Veste", "quantite": 1, "tarif": "3000.50"},
        ],
    },
    "DEPOSE", "ANNULEE", "pressing.demande_creee", "pressing.commande.statut",
    "PRESSING.VOIR", "PRESSING.DECLARER", "PRESSING.VALIDER",
)  # fmt: skip
KINDS = {"stay": STAY, "hall": HALL, "shop": SHOP, "meal": MEAL, "laundry": LAUNDRY}


def without_row_level_security(db):
    """Remove the second guard of the portal until the end of the test. Return the number of tables that had it."""
    guarded = db.all("select oid::regclass::text as name from pg_class where relrowsecurity")
    for row in guarded:
        db.alter(f"alter table {row['name']} disable row level security")
    return len(guarded)


def without_conditions(db):
    """Remove the first guard: each condition on id_client in the portal's functions is true. Return their number."""
    removed = 0
    query = "select pg_get_functiondef(oid) as text from pg_proc where proowner = 'comptoir_portail'::regrole"
    for row in db.all(query):
        text, count = re.subn(r"\b\w+\.id_client = (\w+\.)?[pv]_id_client\b", "true", row["text"])
        if count:
            db.execute(text.replace("%", "%%"))
            removed += count
    return removed


def client_of(db, user):
    return int(db.one("select id_client from auth.utilisateur where id_utilisateur = %s", [user]))


def account(db, role="CLIENT", **fields):
    """An account of the portal, with a client of its own."""
    return builders.utilisateur(db, role=role, id_client=builders.client(db, **fields))
