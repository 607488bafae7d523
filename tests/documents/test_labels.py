"""Columns and codes as French labels: each word in a report has its accents in the table, or needs none."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from app import routes
from app.database.catalogue import PgType
from app.documents import templates
from app.documents.labels import NAMES, WORDS, label
from tests import builders
from tests.conftest import Db, Http
from tests.documents.fixed import PRESSING

# Words that French writes without accents. Check the spelling of a word before you add it.
PLAIN = frozenset(
    """
    abonnement absent actif actifs active agent ajustement alertes annuel annulation appartement apprenti assujetti
    approvisionnement attendu attente au automatique autre avance avant avoir avoirs caissier carte chambre chambres
    charge client code commande commandes commercial comptoir consommation contrats cours critical cuisine cuisinier
    date description disponible disponibles emporter en encaissement encaissements entrant entretien erreur essai
    essayer export facture factures fait faite finances hebdomadaire heure high inactif indicateurs indisponible
    jour justificatif kg lavage livraison locataire location low loyer loyers magasinier maintenance manquant
    manquante manuelle marchandise marchandises marge medium mensuel mois modifier module montant motif nette
    nettoyage niveau nom nombre non ouvert panne par partiel partielle passage passeport perdu personnel perte place
    poids portail pressing prestation prime produit quotidienne recettes remboursement repas repassage report
    responsable restaurant restauration reste restitution retard retards retenue rompu salle sceau serveur service
    services servie sieste solde sortant sortie sorties stock studio sup sur suspendu taux technicien total trace
    traitement type unitaire valable vendeur venir vente versement voir arbre
    """.split()  # noqa: SIM905 - a hundred words read better as a paragraph
)
JSON_KEYS = re.compile(r"^\s*(?:select jsonb_build_object\()?\s*'([a-z_]+)', ", re.MULTILINE)


def names(pg_type: PgType, visited: set[int]) -> Iterator[str]:
    """Yield the column names of an answer and of its nested types."""
    if id(pg_type) not in visited:
        visited.add(id(pg_type))
        if pg_type.element is not None:
            yield from names(pg_type.element, visited)
        for attribute in pg_type.attributes:
            yield attribute.name
            yield from names(attribute.type, visited)


def printed(db: Db, http: Http) -> set[str]:
    functions = [route.function for route in routes.load().routes if route.report]
    words = {
        name for function in functions for name in names(http.services.operation(function).function.returns, set())
    }
    # The code reads these enums itself: no report prints them.
    states = """select distinct enumlabel from pg_enum where enumlabel ~ '^[A-Z_]{2,}$'
                   and enumtypid <> all ('{core.genre_declaration, core.nom_verrou, evenement.limite, compta.cas,
                                           compta.journal, compta.type_ecriture}'::regtype[])"""
    words |= {row["enumlabel"] for row in db.all(states)}
    indicators = Path(__file__).parents[2] / "sql/rapports/activite.sql"
    words |= set(JSON_KEYS.findall(indicators.read_text()))
    return words


def test_every_word_of_a_report_is_listed_with_its_accents(db: Db, http: Http) -> None:
    words = {word for name in printed(db, http) - NAMES.keys() for word in name.lower().split("_")}
    assert {"confirmee", "loyers"} <= words
    assert sorted(words - WORDS.keys() - PLAIN - {""}) == []


@pytest.mark.parametrize(
    "name, words",
    [
        ("CONFIRMEE", "Confirmée"),
        ("heure_debut", "Heure de début"),
        ("recettes_jour", "Recettes du jour"),
        ("SALLE_FETE", "Salle de fête"),
        ("LOCATION_RESIDENTIEL", "Location résidentielle"),
        ("EN_PREPARATION", "En préparation"),
        ("login", "Utilisateur"),
    ],
)
def test_a_label_is_written_in_french(name: str, words: str) -> None:
    assert label(name) == words


def test_a_fully_paid_laundry_receipt_says_paid() -> None:
    unpaid = templates.render("pressing.html", PRESSING)
    paid = templates.render("pressing.html", PRESSING | {"acompte": "7500.00", "reste": "0.00"})
    assert "Acompte" in unpaid and "Payé" not in unpaid and "Acompte" not in paid and "Payé" in paid


def test_a_ticket_shows_the_name_of_the_seller_or_else_the_login(db: Db) -> None:
    seller = builders.utilisateur(db, role="CAISSIER", login="awa.exemple")
    db.acting(seller)
    number = builders.facture(db)
    assert db.call("facturation.facture_document", id_facture=number)["vendeur"] == "awa.exemple"
    db.execute("update auth.utilisateur set nom = 'Exemple', prenom = 'Awa' where id_utilisateur = %s", [seller])
    assert db.call("facturation.facture_document", id_facture=number)["vendeur"] == "Awa Exemple"
