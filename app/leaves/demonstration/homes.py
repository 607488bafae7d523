"""Leases, subscriptions, charges and short stays."""

from __future__ import annotations

from datetime import timedelta

from app.leaves.demonstration.day import Day
from app.leaves.demonstration.house import SUBSCRIPTIONS, Row, new_client
from app.leaves.demonstration.photos import key


def leases(day: Day) -> None:
    if day.house.rooms and (not day.house.leases or day.rng.random() < 0.12):
        day.at(10, "residence", _lease, day)
    for lease in list(day.house.leases):
        if day.date > lease["ends"]:
            day.at(8, "residence", _lease_ended, day, lease)
            continue
        if day.date.day == lease["pays_on"] and day.rng.random() < 0.93:
            day.at(day.rng.uniform(9, 17), "residence", _rent, day, lease)
        if day.date.day == 20 and day.rng.random() < 0.5:
            day.at(day.rng.uniform(9, 17), "residence", _charge, day, lease)
    day.offer("residence", 14, 0.2)


def _lease(day: Day) -> None:
    for room in [day.house.rooms.pop() for _ in range(min(2, len(day.house.rooms)))]:
        rent, tenant = room["tarif"], _tenant(day)
        ends = day.date + timedelta(days=day.rng.randint(75, 420))
        lease = day.act(
            "residence.client_devenir_resident", id_client=tenant, montant_loyer=rent, id_logement=room["id_logement"],
            date_debut=day.date, type_location="MENSUEL", date_fin_prevue=ends, date_signature=day.date,
        )["id_contrat"]  # fmt: skip
        day.act("residence.caution_creer", id_contrat=lease, montant=rent * 2)
        day.act("residence.caution_encaisser", id_contrat=lease, id_moyen=day.method())
        day.act("residence.contrat_activer", id_contrat=lease)
        for piece, photo in (("Séjour", "sejour"), ("Cuisine", "cuisine")):
            day.act("residence.etat_des_lieux_ajouter", id_contrat=lease, type="ENTREE", piece=piece,
                     cle_objet=key(photo), commentaire="Rien à signaler.")  # fmt: skip
        if day.rng.random() < 0.6:
            service, price = day.rng.choice(SUBSCRIPTIONS)
            day.act("residence.abonnement_creer", id_client=tenant, id_logement=room["id_logement"], service=service,
                    type="MENSUEL", montant=price, date_debut=day.date, date_fin=ends,
                    id_categorie_abonnement=day.house.subscription_category)  # fmt: skip
        row = {"id": lease, "room": room, "tenant": tenant, "ends": ends, "pays_on": day.rng.randint(2, 12)}
        _rent(day, row)
        day.house.leases.append(row)


def _rent(day: Day, lease: Row) -> None:
    """Pay the instalments due by now, or sometimes half of them."""
    due = [
        row["montant"] - row["montant_paye"]
        for row in day.act("residence.contrat_detail", id_contrat=lease["id"])["echeances"]
        if row["date_echeance"] <= day.date.isoformat()
    ]
    amount = sum(due) // (2 if day.rng.random() < 0.06 else 1)
    if amount > 0:
        day.act("residence.contrat_encaisser_loyer_lot", id_contrat=lease["id"], **day.payment(amount))


def _tenant(day: Day) -> int:
    """A new client with the documents that a lease requires: identity document and emergency contact."""
    tenant = new_client(day.act, day.rng, day.house)
    day.act("client.piece_identite_creer", id_client=tenant, type_piece="CNI", numero=f"CI{tenant:09d}",
             date_expiration=day.date + timedelta(days=1500))  # fmt: skip
    day.act("client.contact_urgence_creer", id_client=tenant, nom="Témoin", prenom="Rose", lien="Sœur",
             tel_principal=f"+22505{tenant:08d}")  # fmt: skip
    return tenant


def _lease_ended(day: Day, lease: Row) -> None:
    """The job of the night before has closed the lease. The room becomes available again."""
    number = lease["room"]["id_logement"]
    day.act("residence.etat_des_lieux_ajouter", id_contrat=lease["id"], type="SORTIE", piece="Séjour",
             cle_objet=key("degat"), commentaire="Fissure et trace d'eau sous la fenêtre.")  # fmt: skip
    day.act("residence.logement_modifier", id_logement=number, champs={"statut": "DISPONIBLE"})
    day.house.leases.remove(lease)
    day.house.rooms.append(lease["room"])


def subscriptions(day: Day) -> None:
    """Most invoices of subscriptions are paid on the sixth."""
    if day.date.day == 6:
        day.at(11, "residence", _subscriptions_paid, day)


def _subscriptions_paid(day: Day) -> None:
    for bill in day.act.rows("facturation.facture_lister", source_type="AUTRE", statut="IMPAYEE", limit=1000):
        if day.rng.random() < 0.8:
            day.act("finances.paiement_creer", **day.payment(bill["reste"]), id_facture=bill["id_facture"])


def _charge(day: Day, lease: Row) -> None:
    amount = day.rng.randrange(6000, 25000, 500)
    charge = day.act(
        "residence.charge_creer", id_logement=lease["room"]["id_logement"], periode=f"{day.date:%Y-%m}",
        id_categorie_charge=day.house.charge_category, montant=amount,
    )["id_charge"]  # fmt: skip
    if day.rng.random() < 0.85:
        day.act("residence.charge_payer", id_charge=charge, **day.payment(amount))


def stays(day: Day) -> None:
    for stay in list(day.house.stays):
        if stay["leaves"] == day.date:
            day.at(11, "residence", _departure, day, stay)
    if day.house.night_rooms and day.rng.random() < 0.35:
        day.at(15, "residence", _arrival, day)


def _arrival(day: Day) -> None:
    if not day.house.night_rooms:
        return
    room, nights = day.house.night_rooms.pop(0), day.rng.randint(1, 4)
    payment = day.payment(room["tarif"] * nights)
    stay = day.act(
        "residence.sejour_creer", type_prestation="NUITEE", id_logement=room["id_logement"], tarif=room["tarif"],
        date_heure_arrivee=day.instant(15).isoformat(), id_client=day.client(), paiement=payment,
        date_heure_depart_prevue=(day.instant(12) + timedelta(days=nights)).isoformat(),
    )["sejour"]["id_sejour"]  # fmt: skip
    day.house.stays.append({"id": stay, "room": room, "leaves": day.date + timedelta(days=nights)})


def _departure(day: Day, stay: Row) -> None:
    left = day.instant(11).isoformat()
    day.act("residence.sejour_modifier", id_sejour=stay["id"], champs={"date_heure_depart_reelle": left})
    day.act("residence.logement_modifier", id_logement=stay["room"]["id_logement"], champs={"statut": "DISPONIBLE"})
    day.house.stays.remove(stay)
    day.house.night_rooms.append(stay["room"])
