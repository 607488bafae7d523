"""Requests that tenants send from their portal, and the answers of the staff on the next day."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from typing import Any

from app.leaves.demonstration.day import Day
from app.leaves.demonstration.trades import garments

Ask = Callable[[Day], Any]  # sends a request as the tenant, and returns its key if anything is free
Answer = Callable[[Day, int], None]


def requests(day: Day) -> None:
    """Answer the requests of the day before, and send a new one on some evenings. The last ones stay unanswered."""
    for till, answer, number in day.house.requests:
        day.at(14, till, answer, day, number)
    day.house.requests.clear()
    if day.house.leases and day.rng.random() < 0.6:
        day.at(19, None, _request, day, *KINDS[day.date.toordinal() % len(KINDS)])


def _request(day: Day, till: str, ask: Ask, answer: Answer) -> None:
    accounts = {row["id_client"]: row for row in day.act.rows("auth.utilisateur_lister", limit=1000)}
    day.act.at(day.instant(19), accounts[day.rng.choice(day.house.leases)["tenant"]])
    if number := ask(day):
        day.house.requests.append((till, answer, number))
    if day.every(4, "incident"):
        _incident(day)


def _stay(day: Day) -> Any:
    """A stay for visitors of the tenant, from the next day."""
    arrival = day.date + timedelta(days=1)
    departure = arrival + timedelta(days=day.rng.randint(1, 3))
    rooms = day.act.rows("residence.portail_logements", date_arrivee=arrival, date_depart=departure)
    if not rooms:
        return None
    return day.act(
        "residence.sejour_demander", id_logement=day.rng.choice(rooms)["id_logement"], type_prestation="NUITEE",
        date_heure_arrivee=f"{arrival} 15:00:00", date_heure_depart_prevue=f"{departure} 12:00:00",
        nombre_personnes=day.rng.randint(1, 3),
    )["id_sejour"]  # fmt: skip


def _stay_answered(day: Day, number: int) -> None:
    if not day.house.night_rooms:
        day.act("residence.sejour_annuler", id_sejour=number, motif="Aucune chambre n'est prête ce jour-là.")
        return
    room = day.house.night_rooms.pop(0)
    stay = day.act("residence.sejour_valider", id_sejour=number, tarif=room["tarif"], id_logement=room["id_logement"])
    day.act("residence.sejour_payer", id_sejour=number, **day.payment(stay["montant_total"]))
    leaves = day.date.fromisoformat(stay["date_heure_depart_prevue"][:10])
    day.house.stays.append({"id": number, "room": room, "leaves": leaves})


def _party(day: Day) -> Any:
    """A party on a free Saturday. The staff book at most six weeks ahead, so later Saturdays are usually free."""
    free = [saturday for saturday in map(day.saturday, range(2, 9)) if saturday not in day.booked()]
    if not free:
        return None
    return day.act(
        "salle_fete.reservation_demander", date_evenement=day.rng.choice(free), heure_debut="08:30", duree="4.5",
        type_manifestation=day.rng.choice(("Réunion", "Baptême")), observations="Sonorisation souhaitée",
    )["id_reservation"]  # fmt: skip


def _party_answered(day: Day, number: int) -> None:
    booking = day.act("salle_fete.reservation_detail", id_reservation=number)
    saturday = day.date.fromisoformat(booking["date_evenement"])
    if saturday in day.booked():
        day.act("salle_fete.reservation_annuler", id_reservation=number, motif="La salle se prépare ce matin-là.")
        return
    day.act("salle_fete.reservation_valider", id_reservation=number, tarif=90_000, acompte=30_000)
    day.book(number, saturday, 90_000, 30_000)


def _basket(day: Day) -> Any:
    products = day.rng.sample(day.house.products, day.rng.randint(1, 3))
    lines = [{"id_produit": product["id_produit"], "quantite": day.rng.randint(1, 3)} for product in products]
    return day.act("market.vente_demander", lignes=lines, note="Je passe les prendre demain soir.")["id_vente"]


def _basket_answered(day: Day, number: int) -> None:
    sale = day.act("market.vente_detail", id_vente=number)
    stock = {row["id_produit"]: row["quantite_stock"] for row in day.act.rows("market.produit_lister", limit=100)}
    if any(stock[line["id_produit"]] < line["quantite"] for line in sale["lignes"]):
        day.act("market.vente_annuler", id_vente=number, motif="Il n'en reste pas assez.")
        return
    day.act("market.vente_valider", id_vente=number)
    day.act("market.vente_encaisser", id_vente=number, **day.payment(sale["total"]))


def _meal(day: Day) -> Any:
    dishes = day.rng.sample(day.house.dishes, day.rng.randint(1, 3))
    return day.act(
        "restaurant.commande_demander", type="LIVRAISON", adresse_livraison="Résidence, bâtiment A",
        lignes=[{"id_plat": dish["id_plat"], "quantite": day.rng.randint(1, 2)} for dish in dishes],
        notes="Pour demain soir.",
    )["id_commande"]  # fmt: skip


def _meal_answered(day: Day, number: int) -> None:
    if day.every(5, "meal"):
        day.act("restaurant.commande_avancer", id_commande=number, statut="ANNULEE", motif="La cuisine est complète.")
        return
    day.act.at(day.instant(14), None)  # a cashier may not accept
    for state in ("EN_COURS", "EN_PREPARATION", "SERVIE"):
        order = day.act("restaurant.commande_avancer", id_commande=number, statut=state)
    day.act.at(day.instant(14.2), day.house.cashiers["restaurant"])
    day.act("restaurant.commande_encaisser", id_commande=number, utiliser_abonnement=False,
            **day.payment(order["total"]))  # fmt: skip


def _incident(day: Day) -> None:
    """A report has no acceptance: the staff handle it as any other incident."""
    title, place = day.rng.choice((("Ampoule grillée", "Couloir du premier"), ("Fuite au robinet", "Salle d'eau")))
    day.act("signalement.signalement_declarer", titre=title, description="À voir dès que possible.", lieu=place,
            module_cible="RESIDENCE")  # fmt: skip


def _laundry(day: Day) -> Any:
    tomorrow = day.date + timedelta(days=1)
    notes = "Je passe avec un sac."
    return day.act("pressing.commande_demander", date_depot_souhaitee=tomorrow, notes=notes)["id_commande"]


def _laundry_answered(day: Day, number: int) -> None:
    if day.every(5, "laundry"):
        day.act("pressing.commande_annuler", id_commande=number, motif="Le linge n'est pas venu.")
        return
    order = day.act(
        "pressing.commande_valider", id_commande=number, lignes=garments(day, 2), accepter_excedent=True,
        date_retrait_prevue=day.date + timedelta(days=3),
    )["commande"]  # fmt: skip
    day.house.laundry.append({"id": number, "day": day.date, "rest": order["reste_a_payer"]})


KINDS: tuple[tuple[str, Ask, Answer], ...] = (
    ("residence", _stay, _stay_answered),
    ("salle", _party, _party_answered),
    ("boutique", _basket, _basket_answered),
    ("restaurant", _meal, _meal_answered),
    ("pressing", _laundry, _laundry_answered),
)
