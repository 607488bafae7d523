"""The staff and their wages, incidents, and the nightly jobs of the worker."""

from __future__ import annotations

from app.leaves.demonstration.day import Day
from app.leaves.demonstration.photos import key


def staff(day: Day) -> None:
    if day.date.weekday() == 6:
        return
    for person in day.house.staff:
        if day.rng.random() < 0.04:
            continue
        late = day.rng.random() < 0.08
        day.at(day.rng.uniform(8.2, 9) if late else day.rng.uniform(7.5, 8), "direction", _arrives, day, person, late)


def _arrives(day: Day, person: int, late: bool) -> None:
    clocking = day.act("rh.pointage_arriver", id_employe=person, date=day.date.isoformat(),
                        statut="RETARD" if late else "PRESENT")["id_pointage"]  # fmt: skip
    day.act.at(day.instant(day.rng.uniform(16.5, 18)), day.house.manager)
    day.act("rh.pointage_partir", id_pointage=clocking)


def payroll(day: Day) -> None:
    """The payslips of a month are computed on the first of the next month and paid by transfer on the third."""
    if day.date.day == 1:
        day.at(4.7, None, day.act, "jobs.recalculer_paie")
    if day.date.day == 3:
        day.at(16, "direction", _wages, day)


def _wages(day: Day) -> None:
    for slip in day.act.rows("rh.paie_lister", statut="CALCULEE", limit=1000):
        if day.rng.random() < 0.2:
            day.act("rh.element_salaire_ajouter", id_paie=slip["id_paie"], type="PRIME",
                     libelle="Prime d'assiduité", montant=10_000)  # fmt: skip
        day.act("rh.paie_valider", id_paie=slip["id_paie"])
        day.act("rh.paie_payer", id_paie=slip["id_paie"], id_moyen=day.house.methods[3])


def incidents(day: Day) -> None:
    if day.rng.random() < 0.06:
        day.at(13, "direction", _incident, day)


def _incident(day: Day) -> None:
    title = day.rng.choice(("Climatiseur en panne", "Fuite d'eau", "Porte qui ferme mal", "Ampoule grillée"))
    report = day.act("signalement.signalement_creer", titre=title, description=f"{title}, à voir aujourd'hui.")
    number = report["id_signalement"]
    day.act("signalement.photo_ajouter", id_signalement=number, cle_objet=key("degat"))
    if day.rng.random() < 0.8:
        day.act("signalement.signalement_prendre_en_charge", id_signalement=number)
        day.act.at(day.instant(17), day.house.manager)
        day.act("signalement.signalement_resoudre", id_signalement=number, note_resolution="Réparé dans la journée.")


def night(day: Day) -> None:
    """The nightly jobs of the worker."""
    day.at(2.2, None, day.act, "jobs.generer_echeances")
    day.at(2.5, None, day.act, "jobs.transition_contrats_expires")
    day.at(23.9, None, day.act, "audit.sceller")
