"""Columns and codes as French labels: each word of a report or history has its accents in the table, or needs none."""

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
    abonnement absent achat arbre acompte actif actifs active adresse agent ajout ajustement alertes ancien annuel
    annulation appartement application apprenti approvisionnement archive assujetti attendu attente au automatique
    autre autres avance avant avoir avoirs barre base caisse caissier carte cas catalogue caution chambre chambres
    charge chemin client code colonnes commande commandes commentaire commercial compte compteur comptoir confirmation
    confirmer connexion consommation contact contrat contrats contribuable convenu copie corps cours couvert critical
    demande
    cuisine cuisinier cumul date de delta dernier description disponible disponibles document domaine du effet email
    embauche emporter empreinte en encaissement encaissements enregistrement entrant entretien erreur essai essayer
    expiration export facture factures fait faite fermeture fichier fin finances fonction fond fournisseur hash
    hebdomadaire heure heures high horloge hors ids image import inactif indicateurs indisponible infos initial jour
    jours justificatif kg lavage le lecture lien lieu ligne lignes livraison locataire location logement low loyer
    loyers magasinier maintenance manifestation manquant manquante manuelle marchandise marchandises marge max medium
    mensuel message mode modification modifier module mois montant mot motif mouvement moyen naissance nature nette
    nettoyage niveau nom nombre non note notes notification nouveau objet observations occupation octets offre origine
    ouvert ouverture paie paiement panne par partie partiel partielle passage passe passeport payer pays perdu
    permission permissions personnel personnes perte photo place planification plat poids pointage portail premier
    pressing prestation prime principal prix produit profession quota quotidienne rang recettes reliquat remboursement
    remise repas repassage report repris responsable restaurant restauration reste restitue restitution retard retards
    retenue retenues retour retrait rompu salaire salle sceau scope secondaire secret serveur service services servie
    seul sexe sha256 sieste signalement signature solde sortant sortie sorties source souscription statut stock
    stricte studio sup sur suspendu taille tarif tarification taux taxe technicien tirage titre total tout trace
    traitant traitement type types unitaire url usage utilisateur valable valeur vendeur venir vente versement verso
    ville voir webhook effacement empreintes rectification
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
    columns = """select distinct a.attname from pg_trigger t
                   join pg_attribute a on a.attrelid = t.tgrelid and a.attnum > 0 and not a.attisdropped
                  where t.tgname = 't90_journal_insertion'"""
    words |= {row["attname"] for row in db.all(columns)}  # the history of a row names them
    indicators = Path(__file__).parents[2] / "sql/rapports/activite.sql"
    words |= set(JSON_KEYS.findall(indicators.read_text()))
    return words


def test_every_word_of_a_report_or_history_is_listed_with_its_accents(db: Db, http: Http) -> None:
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
