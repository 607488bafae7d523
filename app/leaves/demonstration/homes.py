"""Leases, subscriptions, charges and short stays."""

from datetime import timedelta

from app.leaves.demonstration.house import DATA, House, Row
from app.leaves.demonstration.photos import key


def leases(house: House) -> None:
    if house.rows["rooms"] and (not house.leases or house.rng.random() < 0.12):
        house.at(10, "residence", _lease, house)
    for lease in list(house.leases):
        if house.day > lease["ends"]:
            house.at(8, "residence", _lease_ended, house, lease)
            continue
        if house.day.day == lease["pays_on"] and house.rng.random() < 0.93:
            house.at(house.rng.uniform(9, 17), "residence", _rent, house, lease)
        if house.day.day == 20 and house.rng.random() < 0.5:
            house.at(house.rng.uniform(9, 17), "residence", _charge, house, lease)
    house.offer("residence", 14, 0.2)


def _lease(house: House) -> None:
    for room in [house.rows["rooms"].pop() for _ in range(min(2, len(house.rows["rooms"])))]:
        rent, tenant = room["tarif"], _tenant(house)
        ends = house.day + timedelta(days=house.rng.randint(75, 420))
        lease = house.act(
            "residence.client_devenir_resident", id_client=tenant, montant_loyer=rent, id_logement=room["id_logement"],
            date_debut=house.day, type_location="MENSUEL", date_fin_prevue=ends, date_signature=house.day,
        )["id_contrat"]  # fmt: skip
        house.act("residence.caution_creer", id_contrat=lease, montant=rent * 2)
        house.act("residence.caution_encaisser", id_contrat=lease, id_moyen=house.method())
        house.act("residence.contrat_activer", id_contrat=lease)
        for piece, photo in (("Séjour", "sejour"), ("Cuisine", "cuisine")):
            _inventory(house, lease, "ENTREE", piece, photo, "Rien à signaler.")
        if house.rng.random() < 0.6:
            house.act("residence.abonnement_creer", id_client=tenant, id_logement=room["id_logement"], type="MENSUEL",
                      date_debut=house.day, date_fin=ends, **house.rng.choice(DATA["subscriptions"]),
                      id_categorie_abonnement=house.rows["subscriptions"][0]["id_categorie_abonnement"])  # fmt: skip
        row = {"id": lease, "room": room, "tenant": tenant, "ends": ends, "pays_on": house.rng.randint(2, 12)}
        _rent(house, row)
        house.leases.append(row)


def _inventory(house: House, lease: int, kind: str, piece: str, photo: str, comment: str) -> None:
    house.act("residence.etat_des_lieux_ajouter", id_contrat=lease, type=kind, piece=piece, cle_objet=key(photo),
              commentaire=comment)  # fmt: skip


def _rent(house: House, lease: Row) -> None:
    """Pay the instalments due by now, or sometimes half of them."""
    due = [
        row["montant"] - row["montant_paye"]
        for row in house.act("residence.contrat_detail", id_contrat=lease["id"])["echeances"]
        if row["date_echeance"] <= house.day.isoformat()
    ]
    amount = sum(due) // (2 if house.rng.random() < 0.06 else 1)
    if amount > 0:
        house.act("residence.contrat_encaisser_loyer_lot", id_contrat=lease["id"], **house.payment(amount))


def _tenant(house: House) -> int:
    """A new client with the documents that a lease requires: identity document and emergency contact."""
    tenant = house.new_client()
    house.act("client.piece_identite_creer", id_client=tenant, type_piece="CNI", numero=f"CI{tenant:09d}",
              date_expiration=house.day + timedelta(days=1500))  # fmt: skip
    house.act("client.contact_urgence_creer", id_client=tenant, nom="Témoin", prenom="Rose", lien="Sœur",
              tel_principal=f"+22505{tenant:08d}")  # fmt: skip
    return tenant


def _lease_ended(house: House, lease: Row) -> None:
    """The job of the night before has closed the lease. The room becomes available again."""
    _inventory(house, lease["id"], "SORTIE", "Séjour", "degat", "Fissure et trace d'eau sous la fenêtre.")
    house.leases.remove(lease)
    _free(house, lease["room"], "rooms")


def _free(house: House, room: Row, kind: str) -> None:
    house.act("residence.logement_modifier", id_logement=room["id_logement"], champs={"statut": "DISPONIBLE"})
    house.rows[kind].append(room)


def subscriptions(house: House) -> None:
    """Most invoices of subscriptions are paid on the sixth."""
    if house.day.day == 6:
        house.at(11, "residence", _subscriptions_paid, house)


def _subscriptions_paid(house: House) -> None:
    for bill in house.act.rows("facturation.facture_lister", source_type="AUTRE", statut="IMPAYEE", limit=1000):
        if house.rng.random() < 0.8:
            house.act("finances.paiement_creer", **house.payment(bill["reste"]), id_facture=bill["id_facture"])


def _charge(house: House, lease: Row) -> None:
    amount = house.rng.randrange(6000, 25000, 500)
    charge = house.act(
        "residence.charge_creer", id_logement=lease["room"]["id_logement"], periode=f"{house.day:%Y-%m}",
        id_categorie_charge=house.rows["charges"][0]["id_categorie_charge"], montant=amount,
    )["id_charge"]  # fmt: skip
    if house.rng.random() < 0.85:
        house.act("residence.charge_payer", id_charge=charge, **house.payment(amount))


def stays(house: House) -> None:
    for stay in list(house.stays):
        if stay["leaves"] == house.day:
            house.at(11, "residence", _departure, house, stay)
    if house.rows["night rooms"] and house.rng.random() < 0.35:
        house.at(15, "residence", _arrival, house)


def _arrival(house: House) -> None:
    if not house.rows["night rooms"]:
        return
    room, nights = house.rows["night rooms"].pop(0), house.rng.randint(1, 4)
    stay = house.act(
        "residence.sejour_creer", type_prestation="NUITEE", id_logement=room["id_logement"], tarif=room["tarif"],
        date_heure_arrivee=house.instant(15), date_heure_depart_prevue=house.instant(12) + timedelta(days=nights),
        paiement=house.payment(room["tarif"] * nights), id_client=house.client(),
    )["sejour"]["id_sejour"]  # fmt: skip
    house.stays.append({"id": stay, "room": room, "leaves": house.day + timedelta(days=nights)})


def _departure(house: House, stay: Row) -> None:
    left = house.instant(11).isoformat()
    house.act("residence.sejour_modifier", id_sejour=stay["id"], champs={"date_heure_depart_reelle": left})
    house.stays.remove(stay)
    _free(house, stay["room"], "night rooms")
