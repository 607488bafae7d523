"""The moves of each entity between its states. tests/house/test_catalogue.py finds a table without the trigger."""

import itertools

from tests import builders
from tests.conftest import refused

MOVES = {
    "achat.facture": {
        "BROUILLON": "ANNULEE VALIDEE", "PARTIELLE": "ANNULEE PAYEE VALIDEE", "PAYEE": "ANNULEE PARTIELLE VALIDEE",
        "VALIDEE": "ANNULEE PARTIELLE PAYEE",
    },
    "abonnement.souscription": {"ACTIVE": "ANNULEE RESILIEE", "RESILIEE": "ANNULEE"},
    "finances.exception_caisse": {"OUVERTE": "ABANDONNEE REPRISE"},
    "jobs.restauration": {"EN_COURS": "ERREUR SUCCES"},
    "jobs.sauvegarde": {"EN_COURS": "ERREUR SUCCES"},
    "market.vente": {"EN_ATTENTE": "ANNULEE EN_COURS", "EN_COURS": "ANNULEE PAYEE", "PAYEE": "ANNULEE"},
    "pressing.commande": {
        "EN_ATTENTE": "ANNULEE DEPOSE", "DEPOSE": "ANNULEE EN_TRAITEMENT", "EN_TRAITEMENT": "ANNULEE PRET",
        "PRET": "ANNULEE RETIRE",
    },
    "residence.abonnement": {"ACTIF": "EXPIRE RESILIE SUSPENDU", "SUSPENDU": "ACTIF EXPIRE RESILIE"},
    "residence.contrat_location": {"EN_ATTENTE": "ACTIF RESILIE", "ACTIF": "RESILIE TERMINE"},
    "residence.logement": {
        "DISPONIBLE": "EN_MAINTENANCE INDISPONIBLE OCCUPE RESERVE", "RESERVE": "DISPONIBLE OCCUPE",
        "OCCUPE": "DISPONIBLE EN_NETTOYAGE", "EN_NETTOYAGE": "DISPONIBLE EN_MAINTENANCE",
        "EN_MAINTENANCE": "DISPONIBLE INDISPONIBLE", "INDISPONIBLE": "DISPONIBLE EN_MAINTENANCE",
    },
    "residence.sejour_court": {
        "EN_ATTENTE": "ANNULE EN_COURS", "EN_COURS": "ANNULE TERMINE", "TERMINE": "ANNULE EN_COURS",
    },
    "restaurant.commande": {
        "EN_ATTENTE": "ANNULEE EN_COURS", "EN_COURS": "ANNULEE EN_PREPARATION PAYEE",
        "EN_PREPARATION": "ANNULEE PAYEE SERVIE", "SERVIE": "ANNULEE PAYEE", "PAYEE": "ANNULEE",
    },
    "rh.employe": {"ACTIF": "INACTIF SUSPENDU", "INACTIF": "ACTIF SUSPENDU", "SUSPENDU": "ACTIF INACTIF"},
    "rh.paie": {"CALCULEE": "ANNULEE VALIDEE", "VALIDEE": "ANNULEE PAYEE"},
    "rh.pointage": {
        "ABSENT": "CONGE PRESENT RETARD", "CONGE": "ABSENT PRESENT RETARD", "PRESENT": "ABSENT CONGE RETARD",
        "RETARD": "ABSENT CONGE PRESENT",
    },
    "salle_fete.reservation": {
        "EN_ATTENTE": "ANNULEE RESERVEE", "RESERVEE": "ANNULEE CONFIRMEE", "CONFIRMEE": "ANNULEE REALISEE",
    },
    "signalement.signalement": {"OUVERT": "EN_COURS REJETE RESOLU", "EN_COURS": "REJETE RESOLU"},
    "tresorerie.demande": {
        "CREEE": "ANNULEE ENVOYEE EXPIREE INCERTAINE PAYEE REFUSEE",
        "ENVOYEE": "ANNULEE EXPIREE INCERTAINE PAYEE REFUSEE",
        "INCERTAINE": "ANNULEE CREEE ENVOYEE EXPIREE PAYEE REFUSEE",
    },
}  # fmt: skip


def test_each_entity_has_its_moves_and_no_other(db):
    declared = {}
    query = "select entite, de, string_agg(vers, ' ' order by vers collate \"C\") as vers from core.transition"
    for row in db.all(f"{query} group by 1, 2"):
        declared.setdefault(row["entite"], {})[row["de"]] = row["vers"]
    assert declared == MOVES


def test_the_trigger_refuses_every_other_move_in_words(db):
    moves = MOVES["residence.logement"]
    for before, after in itertools.product(moves, moves):
        room = builders.logement(db, statut=before)
        if before == after or after in moves[before].split():
            assert db.call("residence.logement_modifier", id_logement=room, champs={"statut": after})["statut"] == after
            continue
        with refused("TRANSITION_INTERDITE", 409) as refusal:
            db.call("residence.logement_modifier", id_logement=room, champs={"statut": after})
        labels = [db.one("select core.etat_ecrire(%s)", [state]) for state in (before, after)]
        assert refusal["message"] == f"Le passage de {labels[0]} à {labels[1]} n'est pas permis."
