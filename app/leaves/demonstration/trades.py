"""Laundry, restaurant, shop and hall."""

from datetime import date, timedelta

from app.leaves.demonstration.house import DATA, House, Row


def laundry(house: House) -> None:
    if not house.laundry_clients or house.rng.random() < 0.1:
        house.at(10, "pressing", _card, house, house.rows["laundry offers"][0], house.laundry_clients)
    for _ in range(house.share(0.3)):
        house.at(house.rng.uniform(8, 18), "pressing", _laundry_deposit, house)
    for order in list(house.laundry):
        age = (house.day - order["day"]).days
        if age == 1:
            house.at(9, "pressing", house.act, "pressing.commande_traiter", id_commande=order["id"])
        elif age == 2:
            house.at(16, "pressing", house.act, "pressing.commande_marquer_prete", id_commande=order["id"])
        elif age > 2 and house.rng.random() < 0.4:
            house.at(house.rng.uniform(8, 18), "pressing", _laundry_pickup, house, order)


def garments(house: House, kinds: int) -> list[Row]:
    """The lines of an order of the laundry."""
    chosen = house.rng.sample(DATA["garments"], kinds)
    return [{**garment, "quantite": house.rng.randint(1, 4)} for garment in chosen]


def _laundry_deposit(house: House) -> None:
    due = house.day + timedelta(days=3)
    if house.rng.random() < 0.2:
        _weighed_deposit(house, due)
        return
    lines = [{**line, "hors_catalogue": False} for line in garments(house, house.rng.randint(1, 3))]
    holders = house.laundry_clients
    client = house.rng.choice(holders) if holders and house.rng.random() < 0.2 else house.client()
    rest = int(house.act("pressing.apercu_abonnement_calculer", id_client=client, lignes=lines)["total_du"])
    paid = house.rng.choice((0, rest // 2, rest // 2, rest))
    result = house.act("pressing.commande_creer", id_client=client, lignes=lines, accepter_excedent=True,
                       date_retrait_prevue=due, **house.paid(paid))  # fmt: skip
    house.laundry.append({"id": result["commande"]["id_commande"], "day": house.day, "rest": rest - paid})


def _weighed_deposit(house: House, due: date) -> None:
    linen, weight = house.rng.choice(DATA["linen"]), f"{house.rng.uniform(2, 14):.3f}"
    line = {**linen, "quantite": 1, "poids_kg": weight, "hors_catalogue": False}
    order = house.act("pressing.commande_creer", id_client=house.client(), lignes=[line], mode_tarification="POIDS",
                      date_retrait_prevue=due)["commande"]  # fmt: skip
    house.laundry.append({"id": order["id_commande"], "day": house.day, "rest": order["montant_total"]})


def _laundry_pickup(house: House, order: Row) -> None:
    house.act("pressing.commande_retirer", id_commande=order["id"], solde=order["rest"], id_moyen=house.method())
    house.laundry.remove(order)


def restaurant(house: House) -> None:
    if house.rng.random() < 0.12:
        house.at(11, "restaurant", _card, house, house.rng.choice(house.rows["meal offers"]), house.meal_clients)
    for client in house.meal_clients:
        if house.rng.random() < 0.25:
            hour = house.rng.uniform(12, 14)
            house.at(hour, "restaurant", _prepaid_meal, house, client, hour)
    house.at(9, "restaurant", _remainders, house)
    for _ in range(house.share(0.4)):
        hour = house.rng.choice((house.rng.uniform(12, 14.5), house.rng.uniform(19, 21.3)))
        house.at(hour, "restaurant", _meal, house, hour)


def _card(house: House, offer: Row, holders: list[int]) -> None:
    """Sell a prepaid card; one client in five pays later."""
    client = house.client()
    paid = house.paid(0 if house.rng.random() < 0.2 else offer["prix"])
    house.act("abonnement.souscription_creer", id_client=client, id_offre=offer["id_offre"], **paid)
    holders.append(client)


def _prepaid_meal(house: House, client: int, hour: float) -> None:
    lines = [{"id_plat": house.rng.choice(house.rows["dishes"])["id_plat"], "quantite": house.rng.randint(1, 2)}]
    due = house.act("restaurant.apercu_abonnement_calculer", id_client=client, lignes=lines)["total_du"]
    result = house.act("restaurant.commande_creer", type="SUR_PLACE", lignes=lines, id_client=client,
                       accepter_excedent=True, **house.paid(due))  # fmt: skip
    _serve(house, result["commande"]["id_commande"], hour)


def _remainders(house: House) -> None:
    """The units that an expired card still has are lost."""
    for card in house.act.rows("abonnement.souscription_lister", reliquat_a_decider=True):
        house.act("abonnement.souscription_decider_reliquat", id_souscription=card["id_souscription"],
                  decision="PERDU", motif="Carte expirée")  # fmt: skip


def _meal(house: House, hour: float) -> None:
    lines = [
        {"id_plat": dish["id_plat"], "quantite": house.rng.randint(1, 3), "prix": dish["prix"]}
        for dish in house.rng.sample(house.rows["dishes"], house.rng.randint(1, 3))
    ]
    total = sum(line["quantite"] * line.pop("prix") for line in lines)
    kind = house.rng.choices(("SUR_PLACE", "A_EMPORTER", "LIVRAISON"), (6, 3, 1))[0]
    result = house.act("restaurant.commande_creer", type=kind, lignes=lines, utiliser_abonnement=False,
                       **house.paid(total), **house.buyer(0.2))  # fmt: skip
    _serve(house, result["commande"]["id_commande"], hour)


def _serve(house: House, order: int, hour: float) -> None:
    for step, state in enumerate(("EN_PREPARATION", "SERVIE", "PAYEE"), 1):
        house.act.at(house.instant(hour + step * 0.15), house.cashiers["restaurant"])
        house.act("restaurant.commande_avancer", id_commande=order, statut=state)


def shop(house: House) -> None:
    for _ in range(house.share(0.25)):
        house.at(house.rng.uniform(8, 20), "boutique", _sale, house)
    if house.day.weekday() == 0:
        house.at(7.6, "boutique", _deliveries, house)
        house.at(9, "direction", _suppliers, house)


def _sale(house: House) -> None:
    stock = {row["id_produit"]: row for row in house.act.rows("market.produit_lister", limit=100)}
    products = [stock[p["id_produit"]] for p in house.rng.sample(house.rows["products"], house.rng.randint(1, 4))]
    in_stock = [product for product in products if product["quantite_stock"] >= 3]
    if not in_stock:
        return
    lines = [{"id_produit": p["id_produit"], "quantite": house.rng.randint(1, 3)} for p in in_stock]
    total = sum(line["quantite"] * p["prix_vente"] for line, p in zip(lines, in_stock, strict=True))
    sale = house.act("market.vente_creer", lignes=lines, **house.paid(total), **house.buyer(0.4))
    if house.rng.random() < 0.01:
        house.act("market.vente_annuler", id_vente=sale["vente"]["id_vente"])
    elif house.rng.random() < 0.04:
        _take_back(house, sale["facture"]["id_facture"])


def _take_back(house: House, invoice: int) -> None:
    """Credit one article of a sale. A known client may keep the amount as credit, which pays a later order."""
    bill = house.act("facturation.facture_detail", id_facture=invoice)
    article = house.rng.choice(bill["lignes"])["id_ligne"]
    line = {"id_ligne": article, "quantite": 1, "retour_stock": house.rng.random() < 0.7}
    keeps = bill["id_client"] is not None and house.rng.random() < 0.5
    back = {} if keeps else {"remboursement": {"id_moyen": house.method()}}
    house.act("facturation.avoir_creer", id_facture=invoice, lignes=[line], motif="Article rendu", **back)


def _deliveries(house: House) -> None:
    """Enter the bill of the last delivery, and receive what is low. Prices rise by one percent a month, and fall back
    with the new year; a delivery is expected at the price of the sheet."""
    supplier, articles = house.rows["supplier"][0]["id_fournisseur"], house.act.rows("market.produit_lister", limit=100)
    prices = {row["id_produit"]: row["prix_achat"] for row in articles}
    for delivery in house.act.rows("achat.reception_lister", a_facturer=True, limit=1):
        received = house.act("achat.reception_detail", id_reception=delivery["id_reception"])["lignes"]
        lines = [
            {"id_produit": row["id_produit"], "quantite": row["quantite"], "code_taxe": "TVA",
             "prix_unitaire": round(prices[row["id_produit"]] * (99 + house.day.month) / 100),
             "id_reception": delivery["id_reception"]}
            for row in received
        ]  # fmt: skip
        bill = house.act("achat.facture_creer", id_fournisseur=supplier, numero_fournisseur=f"F-{house.day:%Y%m%d}",
                         date=house.day, echeance=house.day + timedelta(days=14), frais=8000, lignes=lines)  # fmt: skip
        house.act("achat.facture_valider", id_achat=bill["id_achat"])
    low = [
        {"id_produit": row["id_produit"], "quantite": 80, "cout_unitaire": row["prix_achat"]}
        for row in articles
        if row["quantite_stock"] < 40
    ]
    if low:
        house.act("achat.reception_creer", id_fournisseur=supplier, lignes=low, document_ref=f"BL-{house.day:%Y%m%d}")


def _suppliers(house: House) -> None:
    """Pay what is due from the bank, if it holds so much."""
    bank = house.rows["accounts"][0]
    bills = house.act.rows("achat.facture_lister", statut="VALIDEE", limit=100)
    due = [row for row in bills if row["echeance"] <= str(house.day)]
    held = house.act("tresorerie.compte_detail", id_compte=bank["id_compte"])["solde"]
    if due and held >= sum(row["reste"] for row in due):
        house.act("achat.paiement_creer", factures=[{"id_achat": row["id_achat"]} for row in due],
                  id_moyen=bank["id_moyen"], id_compte=bank["id_compte"])  # fmt: skip


def hall(house: House) -> None:
    if house.rng.random() < 0.25:
        house.at(house.rng.uniform(9, 17), "salle", _booking, house)
    for booking in list(house.bookings):
        if booking["day"] == house.day:
            house.at(21, "salle", _event_held, house, booking)
        elif house.rng.random() < 0.004:
            house.at(10, "salle", _booking_cancelled, house, booking)
    house.offer("salle", 15, 0.05)


def _booking(house: House) -> None:
    saturday = house.saturday(house.rng.randint(2, 6))
    if saturday in house.booked():
        return
    price = house.rng.choice((150_000, 200_000, 300_000))
    number = house.act(
        "salle_fete.reservation_creer", date_evenement=saturday, heure_debut="14:00", duree=6, tarif=price,
        type_manifestation=house.rng.choice(house.rows["events"])["libelle"], hors_catalogue=False,
        id_client=house.client(),
    )["id_reservation"]  # fmt: skip
    house.book(number, saturday, price, price * 3 // 10)


def _event_held(house: House, booking: Row) -> None:
    payment = house.payment(booking["rest"])
    house.act("salle_fete.reservation_realiser", id_reservation=booking["id"], paiement=payment)
    house.bookings.remove(booking)


def _booking_cancelled(house: House, booking: Row) -> None:
    house.act("salle_fete.reservation_annuler", id_reservation=booking["id"], motif="Le client a renoncé.")
    house.bookings.remove(booking)
