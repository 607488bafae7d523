"""What happens on each day of the demonstration: events with an hour and a person, played in order."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta, tzinfo
from functools import partial
from typing import Any

from app.commands.demo.house import EXPENSES, LAUNDRY, SUBSCRIPTIONS, House, Row, new_client
from app.commands.demo.photos import key
from app.commands.demo.replay import Actor

CASH_IN_TILL = 20_000


@dataclass(frozen=True)
class Event:
    hour: float
    user: Row | None
    what: Callable[[], Any]


class Day:
    """One day: every activity adds its events, then they are played in the order of their hours."""

    def __init__(self, act: Actor, rng: random.Random, house: House, day: date, zone: tzinfo, customers: int) -> None:
        self.act, self.rng, self.house, self.day, self.zone = act, rng, house, day, zone
        self.customers = max(1, round(customers * (0.6 if day.weekday() == 6 else 1) * rng.uniform(0.7, 1.3)))
        self.events: list[Event] = []

    def play(self) -> None:
        for add in (self._tills, self._staff, self._laundry, self._restaurant, self._shop, self._hall, self._leases,
                    self._subscriptions, self._stays, self._expenses, self._payroll, self._incidents,
                    self._night):  # fmt: skip
            add()
        for event in sorted(self.events, key=lambda event: event.hour):
            self.act.at(self.instant(event.hour), event.user)
            event.what()

    @staticmethod
    def start(day: date, zone: tzinfo) -> datetime:
        return datetime.combine(day, time(), zone)

    def instant(self, hour: float) -> datetime:
        return self.start(self.day, self.zone) + timedelta(seconds=round(hour * 3600))

    def _at(self, hour: float, user: str | None, what: Callable[[], Any]) -> None:
        """An event of a cashier, of `direction`, or of nobody."""
        acting = None if user is None else self.house.cashiers.get(user, self.house.manager)
        self.events.append(Event(hour, acting, what))

    def _method(self) -> int:
        return self.rng.choices(self.house.methods[:3], (6, 3, 1))[0]

    def _client(self) -> int:
        """Somebody known, or now and then somebody new."""
        if self.rng.random() < 0.05:
            return new_client(self.act, self.rng, self.house)
        return self.rng.choice(self.house.clients)

    def _buyer(self, probability: float) -> Row:
        """The client of a sale, where the counter asks for a name."""
        return {"id_client": self._client()} if self.rng.random() < probability else {}

    def _share(self, weight: float) -> int:
        exact = self.customers * weight
        return int(exact) + (self.rng.random() < exact % 1)

    # ---- tills

    def _tills(self) -> None:
        for name, till in self.house.tills.items():
            opening = 7 + self.rng.random() * 0.4
            self._at(
                opening, name, partial(self.act, "finances.caisse_ouvrir", id_caisse=till, fond_initial=CASH_IN_TILL)
            )
            self._at(22 + self.rng.random() * 0.5, name, partial(self._close, name, till))

    def _close(self, name: str, till: int) -> None:
        """The cashier counts what came since the last count; now and then something is missing, or too much."""
        counted = self.act.rows("finances.tirage_lister", limit=1)
        since = {"du": str(date.fromisoformat(counted[0]["date"]) + timedelta(days=1))} if counted else {}
        taken = 0
        for row in self.act.rows("finances.paiement_lister", limit=1000, **since):
            taken += row["montant"] if row["type"] == "ENCAISSEMENT" else -row["montant"]
        for row in self.act.rows("finances.depense_lister", limit=1000, **since):
            taken -= row["montant"]
        gap = self.rng.choice((-2000, -500, 500, 1000)) if self.rng.random() < 0.04 else 0
        if taken + gap >= 0:  # a till that paid wages out of its float is counted another day
            note = {"note": "Recompté deux fois."} if gap else {}
            self.act("finances.tirage_creer", montant_compte=taken + gap, **note)
        self.act("finances.caisse_fermer", id_caisse=till)

    def _expenses(self) -> None:
        for name, low, high in EXPENSES:
            monthly = low >= 8000
            if self.rng.random() < (1 / 30 if monthly else 1 / 6):
                till = self.rng.choice(list(self.house.tills))
                amount = self.rng.randrange(low, high, 500)
                arguments = {
                    "montant": amount,
                    "id_categorie_depense": self.house.expense_categories[name],
                    "libelle": name,
                }
                self._at(11 + self.rng.random(), till, partial(self.act, "finances.depense_creer", **arguments))

    # ---- laundry

    def _laundry(self) -> None:
        for _ in range(self._share(0.3)):
            self._at(self.rng.uniform(8, 18), "pressing", self._laundry_deposit)
        for order in list(self.house.laundry):
            age = (self.day - order["day"]).days
            if age == 1:
                self._at(9, "pressing", partial(self.act, "pressing.commande_traiter", id_commande=order["id"]))
            elif age == 2:
                self._at(16, "pressing", partial(self.act, "pressing.commande_marquer_prete", id_commande=order["id"]))
            elif age > 2 and self.rng.random() < 0.4:
                self._at(self.rng.uniform(8, 18), "pressing", partial(self._laundry_pickup, order))

    def _laundry_deposit(self) -> None:
        lines: list[Row] = [
            {"type_vetement": kind, "prestation": service, "tarif": price, "quantite": self.rng.randint(1, 4)}
            for kind, service, price in self.rng.sample(LAUNDRY, self.rng.randint(1, 3))
        ]
        total = sum(line["tarif"] * line["quantite"] for line in lines)
        paid = self.rng.choice((0, total // 2, total // 2, total))
        deposit = {"paiement": {"montant": paid, "id_moyen": self._method()}} if paid else {}
        due = (self.day + timedelta(days=3)).isoformat()
        made = self.act(
            "pressing.commande_creer", id_client=self._client(), lignes=lines, date_retrait_prevue=due, **deposit
        )
        order = made["commande"]
        self.house.laundry.append({"id": order["id_commande"], "day": self.day, "rest": total - paid})

    def _laundry_pickup(self, order: Row) -> None:
        self.act("pressing.commande_retirer", id_commande=order["id"], solde=order["rest"], id_moyen=self._method())
        self.house.laundry.remove(order)

    # ---- restaurant, shop

    def _restaurant(self) -> None:
        for _ in range(self._share(0.4)):
            hour = self.rng.choice((self.rng.uniform(12, 14.5), self.rng.uniform(19, 21.3)))
            self._at(hour, "restaurant", partial(self._meal, hour))

    def _meal(self, hour: float) -> None:
        lines = [
            {"id_plat": dish["id_plat"], "quantite": self.rng.randint(1, 3), "prix": dish["prix"]}
            for dish in self.rng.sample(self.house.dishes, self.rng.randint(1, 3))
        ]
        total = sum(line["quantite"] * line.pop("prix") for line in lines)
        kind = self.rng.choices(("SUR_PLACE", "A_EMPORTER", "LIVRAISON"), (6, 3, 1))[0]
        payment = {"montant": str(total), "id_moyen": self._method()}
        order = self.act("restaurant.commande_creer", type=kind, lignes=lines, paiement=payment, **self._buyer(0.2))[
            "commande"
        ]["id_commande"]
        for step, state in enumerate(("EN_PREPARATION", "SERVIE", "PAYEE"), 1):
            self.act.at(self.instant(hour + step * 0.15), self.house.cashiers["restaurant"])
            self.act("restaurant.commande_avancer", id_commande=order, statut=state)

    def _shop(self) -> None:
        for _ in range(self._share(0.25)):
            self._at(self.rng.uniform(8, 20), "boutique", self._sale)
        if self.day.weekday() == 0:
            self._at(7.6, "direction", self._deliveries)

    def _sale(self) -> None:
        stock = {row["id_produit"]: row for row in self.act.rows("market.produit_lister", limit=100)}
        wanted = self.rng.sample(self.house.products, self.rng.randint(1, 4))
        present = [stock[p["id_produit"]] for p in wanted if stock[p["id_produit"]]["quantite_stock"] >= 3]
        if not present:
            return
        lines = [{"id_produit": p["id_produit"], "quantite": self.rng.randint(1, 3)} for p in present]
        total = sum(line["quantite"] * p["prix_vente"] for line, p in zip(lines, present, strict=True))
        sale = self.act(
            "market.vente_creer",
            lignes=lines,
            paiement={"montant": str(total), "id_moyen": self._method()},
            **self._buyer(0.4),
        )
        if self.rng.random() < 0.01:
            self.act("market.vente_annuler", id_vente=sale["vente"]["id_vente"])

    def _deliveries(self) -> None:
        for product in self.act.rows("market.produit_lister", limit=100):
            if product["quantite_stock"] < 40:
                self.act("market.mouvement_stock_creer", id_produit=product["id_produit"], type="ENTREE", quantite=80,
                         motif="Livraison de la semaine", document_ref=f"BL-{self.day:%Y%m%d}")  # fmt: skip

    # ---- hall

    def _hall(self) -> None:
        if self.rng.random() < 0.25:
            self._at(self.rng.uniform(9, 17), "salle", self._booking)
        for booking in list(self.house.bookings):
            if booking["day"] == self.day:
                self._at(21, "salle", partial(self._event_held, booking))
            elif self.rng.random() < 0.004:
                self._at(10, "salle", partial(self._booking_cancelled, booking))
        for service in self.house.services["salle"]:
            if self.rng.random() < 0.05:
                self._at(15, "salle", partial(self._service, service))

    def _booking(self) -> None:
        saturday = self.day + timedelta(days=(5 - self.day.weekday()) % 7 + 7 * self.rng.randint(2, 6))
        if saturday in {booking["day"] for booking in self.house.bookings}:
            return
        price = self.rng.choice((150_000, 200_000, 300_000))
        booking = self.act(
            "salle_fete.reservation_creer", date_evenement=saturday.isoformat(), heure_debut="14:00", duree=6,
            type_manifestation=self.rng.choice(("Mariage", "Anniversaire", "Réunion", "Baptême")), tarif=price,
            id_client=self._client(),
        )  # fmt: skip
        deposit = price * 3 // 10
        number = booking["id_reservation"]
        payment = {"montant": deposit, "id_moyen": self._method()}
        self.act("salle_fete.reservation_confirmer", id_reservation=number, paiement=payment)
        self.house.bookings.append({"id": number, "day": saturday, "rest": price - deposit})

    def _event_held(self, booking: Row) -> None:
        payment = {"montant": booking["rest"], "id_moyen": self._method()}
        self.act("salle_fete.reservation_realiser", id_reservation=booking["id"], paiement=payment)
        self.house.bookings.remove(booking)

    def _booking_cancelled(self, booking: Row) -> None:
        self.act("salle_fete.reservation_annuler", id_reservation=booking["id"], motif="Le client a renoncé.")
        self.house.bookings.remove(booking)

    # ---- rooms

    def _leases(self) -> None:
        if self.house.rooms and self.rng.random() < 0.12:
            self._at(10, "residence", self._lease)
        for lease in list(self.house.leases):
            if self.day > lease["ends"]:
                self._at(8, "residence", partial(self._lease_ended, lease))
                continue
            if self.day.day == lease["pays_on"] and self.rng.random() < 0.93:
                self._at(self.rng.uniform(9, 17), "residence", partial(self._rent, lease))
            if self.day.day == 20 and self.rng.random() < 0.5:
                self._at(self.rng.uniform(9, 17), "residence", partial(self._charge, lease))
        for service in self.house.services["residence"]:
            if self.rng.random() < 0.2:
                self._at(14, "residence", partial(self._service, service))

    def _lease(self) -> None:
        for room in [self.house.rooms.pop() for _ in range(min(2, len(self.house.rooms)))]:
            rent, tenant = room["tarif"], self._tenant()
            ends = self.day + timedelta(days=self.rng.randint(75, 420))
            lease = self.act(
                "residence.client_devenir_resident", id_client=tenant, montant_loyer=rent,
                id_logement=room["id_logement"], date_debut=self.day.isoformat(), type_location="MENSUEL",
                date_fin_prevue=ends.isoformat(), date_signature=self.day.isoformat(),
            )["id_contrat"]  # fmt: skip
            self.act("residence.caution_creer", id_contrat=lease, montant=rent * 2)
            self.act("residence.caution_encaisser", id_contrat=lease, id_moyen=self._method())
            self.act("residence.contrat_activer", id_contrat=lease)
            for piece, photo in (("Séjour", "sejour"), ("Cuisine", "cuisine")):
                self.act("residence.etat_des_lieux_ajouter", id_contrat=lease, type="ENTREE", piece=piece,
                         cle_objet=key(photo), commentaire="Rien à signaler.")  # fmt: skip
            if self.rng.random() < 0.6:
                service, price = self.rng.choice(SUBSCRIPTIONS)
                self.act(
                    "residence.abonnement_creer", id_client=tenant, id_logement=room["id_logement"], service=service,
                    type="MENSUEL", montant=price, date_debut=self.day.isoformat(), date_fin=ends.isoformat(),
                    id_categorie_abonnement=self.house.subscription_category,
                )  # fmt: skip
            row = {"id": lease, "rent": rent, "room": room, "tenant": tenant, "ends": ends,
                   "pays_on": self.rng.randint(2, 12)}  # fmt: skip
            self._rent(row)
            self.house.leases.append(row)

    def _rent(self, lease: Row) -> None:
        """What is due by now, or half of it; an instalment of one month, the first by days, is paid whole."""
        due = [
            row["montant"] - row["montant_paye"]
            for row in self.act("residence.contrat_detail", id_contrat=lease["id"])["echeances"]
            if row["date_echeance"] <= self.day.isoformat()
        ]
        amount = sum(due) // (2 if self.rng.random() < 0.06 else 1)
        if amount > 0:
            self.act(
                "residence.contrat_encaisser_loyer_lot", id_contrat=lease["id"], montant=amount, id_moyen=self._method()
            )

    def _tenant(self) -> int:
        """A client with what a lease asks of people: an identity document and somebody to call."""
        tenant = new_client(self.act, self.rng, self.house)
        self.act("client.piece_identite_creer", id_client=tenant, type_piece="CNI", numero=f"CI{tenant:09d}",
                 date_expiration=(self.day + timedelta(days=1500)).isoformat())  # fmt: skip
        self.act("client.contact_urgence_creer", id_client=tenant, nom="Témoin", prenom="Rose", lien="Sœur",
                 tel_principal=f"+22505{tenant:08d}")  # fmt: skip
        return tenant

    def _lease_ended(self, lease: Row) -> None:
        """The night before has closed the lease; the room is cleaned and let again."""
        number = lease["room"]["id_logement"]
        self.act("residence.etat_des_lieux_ajouter", id_contrat=lease["id"], type="SORTIE", piece="Séjour",
                 cle_objet=key("degat"), commentaire="Fissure et trace d'eau sous la fenêtre.")  # fmt: skip
        self.act("residence.logement_modifier", id_logement=number, champs={"statut": "DISPONIBLE"})
        self.house.leases.remove(lease)
        self.house.rooms.append(lease["room"])

    def _subscriptions(self) -> None:
        """Most of what was invoiced for a subscription is paid on the sixth."""
        if self.day.day == 6:
            self._at(11, "residence", self._subscriptions_paid)

    def _subscriptions_paid(self) -> None:
        for bill in self.act.rows("facturation.facture_lister", source_type="AUTRE", statut="IMPAYEE", limit=1000):
            if self.rng.random() < 0.8:
                self.act("finances.paiement_creer", montant=bill["reste"], id_moyen=self._method(),
                         id_facture=bill["id_facture"])  # fmt: skip

    def _charge(self, lease: Row) -> None:
        amount = self.rng.randrange(6000, 25000, 500)
        charge = self.act(
            "residence.charge_creer", id_logement=lease["room"]["id_logement"], periode=f"{self.day:%Y-%m}",
            id_categorie_charge=self.house.charge_category, montant=amount,
        )["id_charge"]  # fmt: skip
        if self.rng.random() < 0.85:
            self.act("residence.charge_payer", id_charge=charge, montant=amount, id_moyen=self._method())

    def _service(self, service: Row) -> None:
        paid = self.rng.choice((service["prix"], service["prix"], 0))
        self.act("facturation.prestation_facturer", id_prestation=service["id_prestation"], montant=paid,
                 id_moyen=self._method(), id_client=self._client())  # fmt: skip

    def _stays(self) -> None:
        for stay in list(self.house.stays):
            if stay["leaves"] == self.day:
                self._at(11, "residence", partial(self._departure, stay))
        if self.house.night_rooms and self.rng.random() < 0.35:
            self._at(15, "residence", self._arrival)

    def _arrival(self) -> None:
        if not self.house.night_rooms:
            return
        room, nights = self.house.night_rooms.pop(0), self.rng.randint(1, 4)
        payment = {"montant": room["tarif"] * nights, "id_moyen": self._method()}
        stay = self.act(
            "residence.sejour_creer", type_prestation="NUITEE", id_logement=room["id_logement"], tarif=room["tarif"],
            date_heure_arrivee=self.instant(15).isoformat(), id_client=self._client(), paiement=payment,
            date_heure_depart_prevue=(self.instant(12) + timedelta(days=nights)).isoformat(),
        )["sejour"]["id_sejour"]  # fmt: skip
        self.house.stays.append({"id": stay, "room": room, "leaves": self.day + timedelta(days=nights)})

    def _departure(self, stay: Row) -> None:
        left = {"date_heure_depart_reelle": self.instant(11).isoformat()}
        self.act("residence.sejour_modifier", id_sejour=stay["id"], champs=left)
        self.act(
            "residence.logement_modifier", id_logement=stay["room"]["id_logement"], champs={"statut": "DISPONIBLE"}
        )
        self.house.stays.remove(stay)
        self.house.night_rooms.append(stay["room"])

    # ---- staff

    def _staff(self) -> None:
        if self.day.weekday() == 6:
            return
        for person in self.house.staff:
            if self.rng.random() < 0.04:
                continue
            late = self.rng.random() < 0.08
            arrival = self.rng.uniform(8.2, 9) if late else self.rng.uniform(7.5, 8)
            self._at(arrival, "direction", partial(self._arrives, person, late))

    def _arrives(self, person: int, late: bool) -> None:
        clocking = self.act("rh.pointage_arriver", id_employe=person, date=self.day.isoformat(),
                            statut="RETARD" if late else "PRESENT")["id_pointage"]  # fmt: skip
        self.act.at(self.instant(self.rng.uniform(16.5, 18)), self.house.manager)
        self.act("rh.pointage_partir", id_pointage=clocking)

    def _payroll(self) -> None:
        """On the first the slips of the month before are computed; on the third they are paid, by transfer."""
        if self.day.day == 1:
            self._at(4.7, None, lambda: self.act("jobs.recalculer_paie"))
        if self.day.day == 3:
            self._at(16, "direction", self._wages)

    def _wages(self) -> None:
        for slip in self.act.rows("rh.paie_lister", statut="CALCULEE", limit=1000):
            if self.rng.random() < 0.2:
                self.act("rh.element_salaire_ajouter", id_paie=slip["id_paie"], type="PRIME",
                         libelle="Prime d'assiduité", montant=10_000)  # fmt: skip
            self.act("rh.paie_valider", id_paie=slip["id_paie"])
            self.act("rh.paie_payer", id_paie=slip["id_paie"], id_moyen=self.house.methods[3])

    # ---- the rest

    def _incidents(self) -> None:
        if self.rng.random() < 0.06:
            self._at(13, "direction", self._incident)

    def _incident(self) -> None:
        title = self.rng.choice(("Climatiseur en panne", "Fuite d'eau", "Porte qui ferme mal", "Ampoule grillée"))
        made = self.act("signalement.signalement_creer", titre=title, description=f"{title}, à voir aujourd'hui.")
        self.act("signalement.photo_ajouter", id_signalement=made["id_signalement"], cle_objet=key("degat"))
        if self.rng.random() < 0.8:
            number = made["id_signalement"]
            self.act("signalement.signalement_prendre_en_charge", id_signalement=number)
            self.act.at(self.instant(17), self.house.manager)
            self.act(
                "signalement.signalement_resoudre", id_signalement=number, note_resolution="Réparé dans la journée."
            )

    def _night(self) -> None:
        """What the worker does each night."""
        self._at(2.2, None, lambda: self.act("jobs.generer_echeances"))
        self._at(2.5, None, lambda: self.act("jobs.transition_contrats_expires"))
        self._at(23.9, None, lambda: self.act("audit.sceller"))
