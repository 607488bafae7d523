"""Requests that tenants send from their portal, and the answers of the staff on the next day.

Each kind is one story: it sends the request as the tenant, if anything is free, and goes on after its `yield` as the
staff.
"""

from collections.abc import Callable, Iterator
from datetime import date, timedelta

from app.leaves.demonstration.house import House
from app.leaves.demonstration.trades import garments


def requests(house: House) -> None:
    """Answer the requests of the day before, and send a new one on some evenings. The last ones stay unanswered."""
    for till, story in house.requests:
        house.at(14, till, next, story, None)
    house.requests.clear()
    if house.leases and house.rng.random() < 0.6:
        house.at(19, None, _request, house, *KINDS[house.day.toordinal() % len(KINDS)])


def _request(house: House, till: str, kind: Callable[[House], Iterator[None]]) -> None:
    accounts = {row["id_client"]: row for row in house.act.rows("auth.utilisateur_lister", limit=1000)}
    house.act.at(house.instant(19), accounts[house.rng.choice(house.leases)["tenant"]])
    story = kind(house)
    if next(story, "nothing is free") is None:
        house.requests.append((till, story))
    if house.every(4, "incident"):
        _incident(house)


def _stay(house: House) -> Iterator[None]:
    """A stay for visitors of the tenant, from the next day."""
    arrival = house.day + timedelta(days=1)
    departure = arrival + timedelta(days=house.rng.randint(1, 3))
    free = house.act.rows("residence.portail_logements", date_arrivee=arrival, date_depart=departure)
    if not free:
        return
    number = house.act(
        "residence.sejour_demander", id_logement=house.rng.choice(free)["id_logement"], type_prestation="NUITEE",
        date_heure_arrivee=f"{arrival} 15:00:00", date_heure_depart_prevue=f"{departure} 12:00:00",
        nombre_personnes=house.rng.randint(1, 3),
    )["id_sejour"]  # fmt: skip
    yield
    if not house.rows["night rooms"]:
        house.act("residence.sejour_annuler", id_sejour=number, motif="Aucune chambre n'est prête ce jour-là.")
        return
    room = house.rows["night rooms"].pop(0)
    stay = house.act("residence.sejour_valider", id_sejour=number, tarif=room["tarif"], id_logement=room["id_logement"])
    house.act("residence.sejour_payer", id_sejour=number, **house.payment(stay["montant_total"]))
    leaves = date.fromisoformat(stay["date_heure_depart_prevue"][:10])
    house.stays.append({"id": number, "room": room, "leaves": leaves})


def _party(house: House) -> Iterator[None]:
    """A party on a free Saturday. The staff book at most six weeks ahead, so later Saturdays are usually free."""
    free = [saturday for saturday in map(house.saturday, range(2, 9)) if saturday not in house.booked()]
    if not free:
        return
    saturday = house.rng.choice(free)
    number = house.act(
        "salle_fete.reservation_demander", date_evenement=saturday, heure_debut="08:30", duree="4.5",
        type_manifestation=house.rng.choice(("Réunion", "Baptême")), observations="Sonorisation souhaitée",
    )["id_reservation"]  # fmt: skip
    yield
    if saturday in house.booked():
        house.act("salle_fete.reservation_annuler", id_reservation=number, motif="La salle se prépare ce matin-là.")
        return
    house.act("salle_fete.reservation_valider", id_reservation=number, tarif=90_000, acompte=30_000)
    house.book(number, saturday, 90_000, 30_000)


def _basket(house: House) -> Iterator[None]:
    products = house.rng.sample(house.rows["products"], house.rng.randint(1, 3))
    lines = [{"id_produit": product["id_produit"], "quantite": house.rng.randint(1, 3)} for product in products]
    sale = house.act("market.vente_demander", lignes=lines, note="Je passe les prendre demain soir.")
    yield
    stock = {row["id_produit"]: row["quantite_stock"] for row in house.act.rows("market.produit_lister", limit=100)}
    if any(stock[line["id_produit"]] < line["quantite"] for line in lines):
        house.act("market.vente_annuler", id_vente=sale["id_vente"], motif="Il n'en reste pas assez.")
        return
    house.act("market.vente_valider", id_vente=sale["id_vente"])
    house.act("market.vente_encaisser", id_vente=sale["id_vente"], **house.payment(sale["total"]))


def _meal(house: House) -> Iterator[None]:
    dishes = house.rng.sample(house.rows["dishes"], house.rng.randint(1, 3))
    number = house.act(
        "restaurant.commande_demander", type="LIVRAISON", adresse_livraison="Résidence, bâtiment A",
        lignes=[{"id_plat": dish["id_plat"], "quantite": house.rng.randint(1, 2)} for dish in dishes],
        notes="Pour demain soir.",
    )["id_commande"]  # fmt: skip
    yield
    if house.every(5, "meal"):
        house.act("restaurant.commande_avancer", id_commande=number, statut="ANNULEE", motif="La cuisine est complète.")
        return
    house.act.at(house.instant(14), None)  # a cashier may not accept
    for state in ("EN_COURS", "EN_PREPARATION", "SERVIE"):
        order = house.act("restaurant.commande_avancer", id_commande=number, statut=state)
    house.act.at(house.instant(14.2), house.cashiers["restaurant"])
    house.act("restaurant.commande_encaisser", id_commande=number, utiliser_abonnement=False,
              **house.payment(order["total"]))  # fmt: skip


def _laundry(house: House) -> Iterator[None]:
    tomorrow = house.day + timedelta(days=1)
    request = house.act("pressing.commande_demander", date_depot_souhaitee=tomorrow, notes="Je passe avec un sac.")
    number = request["id_commande"]
    yield
    if house.every(5, "laundry"):
        house.act("pressing.commande_annuler", id_commande=number, motif="Le linge n'est pas venu.")
        return
    order = house.act(
        "pressing.commande_valider", id_commande=number, lignes=garments(house, 2), accepter_excedent=True,
        date_retrait_prevue=house.day + timedelta(days=3),
    )["commande"]  # fmt: skip
    house.laundry.append({"id": number, "day": house.day, "rest": order["reste_a_payer"]})


KINDS = (("residence", _stay), ("salle", _party), ("boutique", _basket), ("restaurant", _meal), ("pressing", _laundry))


def _incident(house: House) -> None:
    """A report has no acceptance: the staff handle it as any other incident."""
    title, place = house.rng.choice((("Ampoule grillée", "Couloir du premier"), ("Fuite au robinet", "Salle d'eau")))
    house.act("signalement.signalement_declarer", titre=title, description="À voir dès que possible.", lieu=place,
              module_cible="RESIDENCE")  # fmt: skip
