"""Invented data, made by the operations themselves, so that every rule has seen it."""

from __future__ import annotations

import random
import sys
from typing import Any

import psycopg

from app import schema

SEED = 20260801
NAMES = ("Exemple", "Modèle", "Fictif", "Essai", "Inventé", "Démo", "Témoin", "Maquette")
FIRST_NAMES = ("Awa", "Koffi", "Mariam", "Yao", "Fatou", "Serge", "Aya", "Ibrahim", "Chantal", "Moussa")
SERVICES = {
    "PRESSING": (("Lavage costume", 3000), ("Repassage lot de 10", 5000), ("Nettoyage rideaux", 12000)),
    "RESTAURATION": (("Plateau repas", 3500), ("Buffet par personne", 7500), ("Cocktail", 45000)),
    "SALLE_FETE": (("Location de la salle", 200000), ("Location de chaises", 15000), ("Sonorisation", 60000)),
    "LOCATION_RESIDENTIEL": (("Ménage", 5000), ("Linge de lit", 3000), ("Dépannage", 10000)),
    "VENTE_MARCHANDISES": (("Livraison", 2000), ("Emballage cadeau", 1000)),
}
EXPENSES = (("Électricité", "Facture du mois"), ("Fournitures", "Papier, savon"), ("Transport", "Course en ville"))


def fill(url: str, size: int) -> None:
    """Tills, clients, services, then `size` invoices paid in part, in full or not at all, and some expenses."""
    rng = random.Random(SEED)  # noqa: S311 - believable, not secret
    with schema.connect(url, 30.0) as connection:
        call = _caller(connection)
        methods = [row["id_moyen"] for row in call("finances.moyen_paiement_lister")]
        tills = _tills(call)
        clients = [_client(call, rng, n) for n in range(max(10, size // 10))]
        services = _services(call, tills)
        categories = {name: _expense_category(call, name) for name, _ in EXPENSES}
        for n in range(1, size + 1):
            _invoice(call, rng, services, clients, methods, tills)
            if n % 20 == 0:
                name, label = rng.choice(EXPENSES)
                call(
                    "finances.depense_creer",
                    montant=rng.randrange(1, 20) * 500,
                    id_categorie_depense=categories[name],
                    libelle=label,
                    id_caisse=rng.choice(list(tills.values()))["id_caisse"],
                )
            if sys.stderr.isatty() or n == size:
                print(f"\rFactures : {n} / {size}", end="", file=sys.stderr, flush=True)
    print(file=sys.stderr)


def _caller(connection: psycopg.Connection[Any]) -> Any:
    cursor = connection.cursor(row_factory=psycopg.rows.dict_row)

    def call(function: str, **arguments: Any) -> list[dict[str, Any]]:
        names = ", ".join(f"p_{name} => %s" for name in arguments)
        query = f"select * from {function}({names})"  # noqa: S608 - names of this file
        return cursor.execute(query, list(arguments.values())).fetchall()

    return call


def _tills(call: Any) -> dict[str, dict[str, Any]]:
    """One open till for each activity with services; those of an earlier run are used again."""
    known = {row["libelle"]: row for row in call("finances.caisse_lister")}
    tills = {}
    for activity in call("finances.activite_lister"):
        if activity["code"] not in SERVICES:
            continue
        label = f"Caisse {activity['libelle'].lower()}"
        till = known.get(label) or call("finances.caisse_creer", libelle=label, id_activite=activity["id_activite"])[0]
        if label not in known:
            call("finances.caisse_ouvrir", id_caisse=till["id_caisse"], fond_initial=10000)
        tills[activity["code"]] = till
    return tills


def _client(call: Any, rng: random.Random, n: int) -> Any:
    return call(
        "client.client_creer",
        nom=rng.choice(NAMES),
        prenoms=rng.choice(FIRST_NAMES),
        tel_principal=f"+22507{n:08d}",
        type_client=rng.choice(("PASSAGE", "LOCATAIRE")),
    )[0]["id_client"]


def _services(call: Any, tills: dict[str, dict[str, Any]]) -> list[tuple[dict[str, Any], str]]:
    return [
        (
            call("facturation.prestation_creer", libelle=label, prix=price, id_activite=tills[activity]["id_activite"])[
                0
            ],
            activity,
        )
        for activity, offers in SERVICES.items()
        for label, price in offers
    ]


def _expense_category(call: Any, name: str) -> Any:
    known = {row["libelle"]: row["id_categorie_depense"] for row in call("finances.categorie_depense_lister")}
    return known.get(name) or call("finances.categorie_depense_creer", libelle=name)[0]["id_categorie_depense"]


def _invoice(call: Any, rng: random.Random, services: Any, clients: Any, methods: Any, tills: Any) -> None:
    service, activity = rng.choice(services)
    settled = call(
        "facturation.prestation_facturer",
        id_prestation=service["id_prestation"],
        montant=0,
        id_moyen=methods[0],
        id_client=rng.choice(clients),
    )[0]
    halves = rng.choices((2, 1, 0), (7, 2, 1))[0]
    amount = settled["montant_total"] * halves / 2
    if amount:
        call(
            "finances.paiement_creer",
            montant=amount,
            id_moyen=rng.choice(methods),
            id_facture=settled["id_facture"],
            id_caisse=tills[activity]["id_caisse"],
        )
