"""The staff and their wages, tills and expenses, incidents, the nightly jobs of the worker, and the present day."""

from datetime import date, datetime, timedelta

from app.leaves.demonstration.house import DATA, House, Row
from app.leaves.demonstration.photos import key

CASH_IN_TILL = 20_000
LEFT = 6  # items left of a product whose alert threshold is fifteen


def staff(house: House) -> None:
    if house.day.weekday() == 6:
        return
    for person in house.staff:
        if house.rng.random() < 0.04:
            continue
        late = house.rng.random() < 0.08
        hour = house.rng.uniform(8.2, 9) if late else house.rng.uniform(7.5, 8)
        house.at(hour, "direction", _arrives, house, person, late)


def _arrives(house: House, person: int, late: bool) -> None:
    clocking = _clock_in(house, person, late)
    house.act.at(house.instant(house.rng.uniform(16.5, 18)), house.manager)
    house.act("rh.pointage_partir", id_pointage=clocking)


def _clock_in(house: House, person: int, late: bool) -> int:
    state = "RETARD" if late else "PRESENT"
    return int(house.act("rh.pointage_arriver", id_employe=person, date=house.day, statut=state)["id_pointage"])


def payroll(house: House) -> None:
    """The payslips of a month are computed on the first of the next month and paid by transfer on the third."""
    if house.day.day == 1:
        house.at(4.7, None, house.act, "jobs.recalculer_paie")
    if house.day.day == 3:
        house.at(16, "direction", _wages, house)


def _wages(house: House) -> None:
    for slip in house.act.rows("rh.paie_lister", statut="CALCULEE", limit=1000):
        number = slip["id_paie"]
        if house.rng.random() < 0.2:
            house.act("rh.element_salaire_ajouter", id_paie=number, type="PRIME", libelle="Prime d'assiduité",
                      montant=10_000)  # fmt: skip
        house.act("rh.paie_valider", id_paie=number)
        house.act("rh.paie_payer", id_paie=number, id_moyen=house.methods[3])


def tills(house: House) -> None:
    for name, till in house.tills.items():
        opening = 7 + house.rng.random() * 0.4
        house.at(opening, name, house.act, "finances.caisse_ouvrir", id_caisse=till, fond_initial=CASH_IN_TILL)
        closing = 22 + house.rng.random() * 0.5
        house.at(closing, name, _close, house, closing, name, till)


def _close(house: House, hour: float, cashier: str, till: int) -> None:
    """The cashier counts what the till has received since the last count, once most of it has left for the bank.
    Sometimes the count is too low or too high."""
    counted = house.act.rows("finances.tirage_lister", limit=1)
    since = {"du": date.fromisoformat(counted[0]["date"]) + timedelta(days=1)} if counted else {}
    payments = house.act.rows("finances.paiement_lister", limit=1000, **since)
    spent = house.act.rows("finances.depense_lister", limit=1000, **since)
    held = _total(payments) - sum(int(row["montant"]) for row in spent)
    gap = house.rng.choice((-2000, -500, 500, 1000)) if house.rng.random() < 0.04 else 0
    if held < 0:
        _withdraw(house, hour, cashier, till, -held)
    left = _deposit(house, till, payments, max(held, 0))
    gap = gap if left + gap >= 0 else 0
    note = {"note": "Recompté deux fois."} if gap else {}
    house.act("finances.tirage_creer", montant_compte=left + gap, **note)
    house.act("finances.caisse_fermer", id_caisse=till)


def _deposit(house: House, till: int, payments: list[Row], held: int) -> int:
    """Transfer receipts by telephone to the account of the operator, receipts by card and most of the cash to the bank,
    which pays the wages. Return what is left of `held`."""
    bank, mobile = house.rows["accounts"]
    takings = [
        (_total([row for row in payments if row["id_moyen"] == method]), account, {"id_moyen": method})
        for method, account in ((mobile["id_moyen"], mobile), (house.methods[2], bank))  # the latter: by card
    ]
    cash = held - sum(amount for amount, _, _ in takings)
    takings.append((cash // 10_000 * 10_000, bank, {"reference": f"Bordereau {house.day:%d/%m/%Y}"}))
    for amount, account, named in takings:
        if 0 < amount <= held:
            house.act("tresorerie.virement_creer", de={"id_caisse": till}, vers={"id_compte": account["id_compte"]},
                      montant=amount, **named)  # fmt: skip
            held -= amount
    return held


def _withdraw(house: House, hour: float, cashier: str, till: int, missing: int) -> None:
    """The manager brings from the bank what the till paid beyond its receipts."""
    house.act.at(house.instant(hour), house.manager)
    bank = house.rows["accounts"][0]["id_compte"]
    house.act("tresorerie.virement_creer", de={"id_compte": bank}, vers={"id_caisse": till}, montant=missing)
    house.act.at(house.instant(hour), house.cashiers[cashier])


def _total(payments: list[Row]) -> int:
    return sum(int(row["montant"]) * (1 if row["type"] == "ENCAISSEMENT" else -1) for row in payments)


def expenses(house: House) -> None:
    for category in house.rows["expense categories"]:
        low, high = DATA["expenses"][category["libelle"]]
        if house.rng.random() < (1 / 30 if low >= 8000 else 1 / 6):  # the large ones once a month
            till, amount = house.rng.choice(list(house.tills)), house.rng.randrange(low, high, 500)
            house.at(11 + house.rng.random(), till, house.act, "finances.depense_creer", montant=amount, **category)


def statements(house: House) -> None:
    """The statement of the last month of each account. All matches but three lines: the last document is not there yet,
    and the fees and a deposit are not recorded."""
    last = house.day.replace(day=1) - timedelta(days=1)
    first = last.replace(day=1)
    for account in house.rows["accounts"]:
        number = account["id_compte"]
        moves = [
            (row["date"][:10], int(row["montant"]) * (1 if row["vers"]["id_compte"] == number else -1), row["numero"])
            for row in house.act.rows("tresorerie.virement_lister", id_compte=number, du=first, au=last, limit=1000)
        ]
        by_method = {"id_moyen": account["id_moyen"], "du": first, "au": last, "limit": 1000}
        moves += [
            (row["date"][:10], _total([row]), f"PAIEMENT-{row['id_paiement']}")
            for row in house.act.rows("finances.paiement_lister", **by_method)
            if row["id_caisse"] is None
        ]
        moves += [
            (row["date"][:10], -int(row["montant"]), f"DEPENSE-{row['id_depense']}")
            for row in house.act.rows("finances.depense_lister", id_compte=number, du=first, au=last, limit=1000)
        ]
        moves = [*sorted(moves)[:-1], (str(last), -2500, "Frais de tenue de compte"), (str(last), 15000, "Versement")]
        eve = house.act("tresorerie.compte_detail", id_compte=number, au=first - timedelta(days=1))["solde"]
        part = {
            "ouverture": str(eve),
            "cloture": str(eve + sum(amount for _, amount, _ in moves)),
            "lignes": [{"jour": day, "montant": str(amount), "libelle": text} for day, amount, text in moves],
        }
        file = {"fichier": f"releve-{last:%Y-%m}.xml", "empreinte": f"{last:%Y-%m}", "format": "CAMT_053"}
        house.act("tresorerie.releve_creer", id_compte=number, **file, parties=[part])


def incidents(house: House) -> None:
    if house.rng.random() < 0.06:
        house.at(13, "direction", _incident, house)


def _incident(house: House) -> None:
    title = house.rng.choice(("Climatiseur en panne", "Fuite d'eau", "Porte qui ferme mal", "Ampoule grillée"))
    report = house.act("signalement.signalement_creer", titre=title, description=f"{title}, à voir aujourd'hui.")
    number = report["id_signalement"]
    house.act("signalement.photo_ajouter", id_signalement=number, cle_objet=key("degat"))
    if house.rng.random() < 0.8:
        house.act("signalement.signalement_prendre_en_charge", id_signalement=number)
        house.act.at(house.instant(17), house.manager)
        house.act("signalement.signalement_resoudre", id_signalement=number, note_resolution="Réparé dans la journée.")


def night(house: House) -> None:
    """The nightly jobs of the worker."""
    house.at(2.2, None, house.act, "jobs.generer_echeances")
    house.at(2.5, None, house.act, "jobs.transition_contrats_expires")
    house.at(23.9, None, house.act, "audit.sceller")


def today(house: House, now: datetime) -> None:
    """Staff at work and two products below their alert, before `now`. Early in the day, arrivals are at night."""
    start = house.instant(0)
    opening = min(house.instant(7.5), start + (now - start) / 3)
    closing = min(house.instant(8.5), start + (now - start) / 2)
    present = house.staff[:-2]  # two employees are absent
    for number, person in enumerate(present):
        house.act.at(opening + (closing - opening) * number / len(present), house.manager)
        _clock_in(house, person, late=number == len(present) - 1)
    house.act.at(closing, house.manager)
    spoilt = {product["id_produit"] for product in house.rng.sample(house.rows["products"], 2)}
    for product in house.act.rows("market.produit_lister", limit=100):
        surplus = product["quantite_stock"] - LEFT
        if product["id_produit"] in spoilt and surplus > 0:
            house.act("market.mouvement_stock_creer", id_produit=product["id_produit"], type="SORTIE",
                      quantite=surplus, motif="Carton mouillé, retiré de la vente")  # fmt: skip
