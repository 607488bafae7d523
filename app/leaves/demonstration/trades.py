"""Laundry, restaurant, shop and hall."""

from __future__ import annotations

from datetime import date, timedelta

from app.leaves.demonstration.day import Day
from app.leaves.demonstration.house import EVENTS, LAUNDRY, LINEN, Row


def laundry(day: Day) -> None:
    if not day.house.laundry_clients or day.rng.random() < 0.1:
        day.at(10, "pressing", _card, day, day.house.laundry_offer, day.house.laundry_clients)
    for _ in range(day.share(0.3)):
        day.at(day.rng.uniform(8, 18), "pressing", _laundry_deposit, day)
    for order in list(day.house.laundry):
        age = (day.date - order["day"]).days
        if age == 1:
            day.at(9, "pressing", day.act, "pressing.commande_traiter", id_commande=order["id"])
        elif age == 2:
            day.at(16, "pressing", day.act, "pressing.commande_marquer_prete", id_commande=order["id"])
        elif age > 2 and day.rng.random() < 0.4:
            day.at(day.rng.uniform(8, 18), "pressing", _laundry_pickup, day, order)


def garments(day: Day, kinds: int) -> list[Row]:
    """The lines of an order of the laundry."""
    return [
        {"type_vetement": kind, "prestation": service, "tarif": price, "quantite": day.rng.randint(1, 4)}
        for kind, service, price in day.rng.sample(LAUNDRY, kinds)
    ]


def _laundry_deposit(day: Day) -> None:
    due = day.date + timedelta(days=3)
    if day.rng.random() < 0.2:
        _weighed_deposit(day, due)
        return
    lines = [{**line, "hors_catalogue": False} for line in garments(day, day.rng.randint(1, 3))]
    holders = day.house.laundry_clients
    client = day.rng.choice(holders) if holders and day.rng.random() < 0.2 else day.client()
    rest = int(day.act("pressing.apercu_abonnement_calculer", id_client=client, lignes=lines)["total_du"])
    paid = day.rng.choice((0, rest // 2, rest // 2, rest))
    result = day.act(
        "pressing.commande_creer", id_client=client, lignes=lines, accepter_excedent=True, date_retrait_prevue=due,
        **({"paiement": day.payment(paid)} if paid else {}),
    )  # fmt: skip
    day.house.laundry.append({"id": result["commande"]["id_commande"], "day": day.date, "rest": rest - paid})


def _weighed_deposit(day: Day, due: date) -> None:
    kind, service = day.rng.choice(LINEN)
    weight = f"{day.rng.uniform(2, 14):.3f}"
    line = {"type_vetement": kind, "prestation": service, "quantite": 1, "poids_kg": weight, "hors_catalogue": False}
    client = day.client()
    order = day.act("pressing.commande_creer", id_client=client, lignes=[line], mode_tarification="POIDS",
                    date_retrait_prevue=due)["commande"]  # fmt: skip
    day.house.laundry.append({"id": order["id_commande"], "day": day.date, "rest": order["montant_total"]})


def _laundry_pickup(day: Day, order: Row) -> None:
    day.act("pressing.commande_retirer", id_commande=order["id"], solde=order["rest"], id_moyen=day.method())
    day.house.laundry.remove(order)


def restaurant(day: Day) -> None:
    if day.rng.random() < 0.12:
        day.at(11, "restaurant", _card, day, day.rng.choice(day.house.meal_offers), day.house.meal_clients)
    for client in day.house.meal_clients:
        if day.rng.random() < 0.25:
            hour = day.rng.uniform(12, 14)
            day.at(hour, "restaurant", _prepaid_meal, day, client, hour)
    day.at(9, "restaurant", _remainders, day)
    for _ in range(day.share(0.4)):
        hour = day.rng.choice((day.rng.uniform(12, 14.5), day.rng.uniform(19, 21.3)))
        day.at(hour, "restaurant", _meal, day, hour)


def _card(day: Day, offer: Row, holders: list[int]) -> None:
    """Sell a prepaid card; one client in five pays later."""
    client = day.client()
    paid = {} if day.rng.random() < 0.2 else {"paiement": day.payment(str(offer["prix"]))}
    day.act("abonnement.souscription_creer", id_client=client, id_offre=offer["id_offre"], **paid)
    holders.append(client)


def _prepaid_meal(day: Day, client: int, hour: float) -> None:
    lines = [{"id_plat": day.rng.choice(day.house.dishes)["id_plat"], "quantite": day.rng.randint(1, 2)}]
    due = day.act("restaurant.apercu_abonnement_calculer", id_client=client, lignes=lines)["total_du"]
    result = day.act(
        "restaurant.commande_creer", type="SUR_PLACE", lignes=lines, id_client=client, accepter_excedent=True,
        **({"paiement": day.payment(str(due))} if due else {}),
    )  # fmt: skip
    _serve(day, result["commande"]["id_commande"], hour)


def _remainders(day: Day) -> None:
    """The units that an expired card still has are lost."""
    for card in day.act.rows("abonnement.souscription_lister", reliquat_a_decider=True):
        day.act("abonnement.souscription_decider_reliquat", id_souscription=card["id_souscription"], decision="PERDU",
                motif="Carte expirée")  # fmt: skip


def _meal(day: Day, hour: float) -> None:
    lines = [
        {"id_plat": dish["id_plat"], "quantite": day.rng.randint(1, 3), "prix": dish["prix"]}
        for dish in day.rng.sample(day.house.dishes, day.rng.randint(1, 3))
    ]
    total = sum(line["quantite"] * line.pop("prix") for line in lines)
    kind = day.rng.choices(("SUR_PLACE", "A_EMPORTER", "LIVRAISON"), (6, 3, 1))[0]
    result = day.act(
        "restaurant.commande_creer", type=kind, lignes=lines, paiement=day.payment(str(total)),
        utiliser_abonnement=False, **day.buyer(0.2),
    )  # fmt: skip
    _serve(day, result["commande"]["id_commande"], hour)


def _serve(day: Day, order: int, hour: float) -> None:
    for step, state in enumerate(("EN_PREPARATION", "SERVIE", "PAYEE"), 1):
        day.act.at(day.instant(hour + step * 0.15), day.house.cashiers["restaurant"])
        day.act("restaurant.commande_avancer", id_commande=order, statut=state)


def shop(day: Day) -> None:
    for _ in range(day.share(0.25)):
        day.at(day.rng.uniform(8, 20), "boutique", _sale, day)
    if day.date.weekday() == 0:
        day.at(7.6, "direction", _deliveries, day)


def _sale(day: Day) -> None:
    stock = {row["id_produit"]: row for row in day.act.rows("market.produit_lister", limit=100)}
    products = [stock[p["id_produit"]] for p in day.rng.sample(day.house.products, day.rng.randint(1, 4))]
    in_stock = [product for product in products if product["quantite_stock"] >= 3]
    if not in_stock:
        return
    lines = [{"id_produit": p["id_produit"], "quantite": day.rng.randint(1, 3)} for p in in_stock]
    total = sum(line["quantite"] * p["prix_vente"] for line, p in zip(lines, in_stock, strict=True))
    sale = day.act("market.vente_creer", lignes=lines, paiement=day.payment(str(total)), **day.buyer(0.4))
    if day.rng.random() < 0.01:
        day.act("market.vente_annuler", id_vente=sale["vente"]["id_vente"])
    elif day.rng.random() < 0.04:
        _take_back(day, sale["facture"]["id_facture"])


def _take_back(day: Day, invoice: int) -> None:
    """Credit one article of a sale. A known client may keep the amount as credit, which pays a later order."""
    bill = day.act("facturation.facture_detail", id_facture=invoice)
    article = day.rng.choice(bill["lignes"])["id_ligne"]
    line = {"id_ligne": article, "quantite": 1, "retour_stock": day.rng.random() < 0.7}
    keeps = bill["id_client"] is not None and day.rng.random() < 0.5
    back = {} if keeps else {"remboursement": {"id_moyen": day.method()}}
    day.act("facturation.avoir_creer", id_facture=invoice, lignes=[line], motif="Article rendu", **back)


def _deliveries(day: Day) -> None:
    for product in day.act.rows("market.produit_lister", limit=100):
        if product["quantite_stock"] < 40:
            day.act("market.mouvement_stock_creer", id_produit=product["id_produit"], type="ENTREE", quantite=80,
                     motif="Livraison de la semaine", document_ref=f"BL-{day.date:%Y%m%d}")  # fmt: skip


def hall(day: Day) -> None:
    if day.rng.random() < 0.25:
        day.at(day.rng.uniform(9, 17), "salle", _booking, day)
    for booking in list(day.house.bookings):
        if booking["day"] == day.date:
            day.at(21, "salle", _event_held, day, booking)
        elif day.rng.random() < 0.004:
            day.at(10, "salle", _booking_cancelled, day, booking)
    day.offer("salle", 15, 0.05)


def _booking(day: Day) -> None:
    saturday = day.saturday(day.rng.randint(2, 6))
    if saturday in day.booked():
        return
    price = day.rng.choice((150_000, 200_000, 300_000))
    number = day.act(
        "salle_fete.reservation_creer", date_evenement=saturday, heure_debut="14:00", duree=6,
        type_manifestation=day.rng.choice(EVENTS), hors_catalogue=False, tarif=price, id_client=day.client(),
    )["id_reservation"]  # fmt: skip
    day.book(number, saturday, price, price * 3 // 10)


def _event_held(day: Day, booking: Row) -> None:
    payment = day.payment(booking["rest"])
    day.act("salle_fete.reservation_realiser", id_reservation=booking["id"], paiement=payment)
    day.house.bookings.remove(booking)


def _booking_cancelled(day: Day, booking: Row) -> None:
    day.act("salle_fete.reservation_annuler", id_reservation=booking["id"], motif="Le client a renoncé.")
    day.house.bookings.remove(booking)
