"""The groups of routes in the document, with French names. Generated clients make module names of them: no accents."""

from app.database.catalogue import CatalogueError
from app.http.route import Route
from app.openapi.forms import Schema

# Prefix of a path, name of the group, description. The longest matching prefix decides; the document keeps this order.
TAGS = (
    ("/api/v1/auth", "Connexion", "Ouvrir une session, la garder, la fermer ; mot de passe et inscription."),
    ("/api/v1/admin", "Comptes et roles", "Utilisateurs, rôles et permissions."),
    ("/api/v1/core", "Reglages", "Paramètres de l'organisation et ses activités."),
    ("/api/v1/client", "Clients", "Référentiel unique des clients, pièces d'identité et contacts d'urgence."),
    ("/api/v1/client/portail", "Espace client", "Ce qu'un client connecté voit de lui-même."),
    ("/api/v1/facturation", "Factures", "Prestations et factures ; le règlement commun à toutes les activités."),
    ("/api/v1/facturation/portail", "Espace client", ""),
    ("/api/v1/finances", "Caisses et paiements", "Caisses, périodes, paiements, dépenses et comptages."),
    ("/api/v1/compta", "Comptabilite", "Écritures en partie double, comptes, mois clôturés."),
    ("/api/v1/tresorerie", "Tresorerie", "Comptes en banque et au téléphone, virements entre eux et les caisses."),
    ("/api/v1/notifications", "Notifications", "Notifications adressées aux utilisateurs."),
    (
        "/api/v1/abonnement",
        "Abonnements",
        "Offres prépayées, ventes et solde de leurs unités ; catégories d'abonnement.",
    ),
    ("/api/v1/abonnement/portail", "Espace client", ""),
    ("/api/v1/residence", "Residence", "Bâtiments, logements, contrats, échéances, cautions, séjours, charges."),
    ("/api/v1/residence/portail", "Espace resident", "Ce qu'un résident connecté voit de son bail."),
    ("/api/v1/market", "Boutique", "Produits, fournisseurs, mouvements de stock, ventes."),
    (
        "/api/v1/achat",
        "Achats",
        "Réceptions, factures des fournisseurs, leurs paiements, leurs avoirs et ce qui est dû.",
    ),
    ("/api/v1/pressing", "Pressing", "Commandes, de la dépose au retrait."),
    ("/api/v1/restaurant", "Restaurant", "Carte et commandes."),
    ("/api/v1/salle-fete", "Salle de fete", "Réservations et créneaux."),
    ("/api/v1/rh", "Personnel", "Services, employés, pointages, bulletins de paie."),
    ("/api/v1/signalements", "Signalements", "Signalements d'incidents."),
    ("/api/v1/rapports", "Rapports", "Rapports et tableaux de bord, les mêmes chiffres par l'API et en SQL."),
    ("/api/v1/dashboard", "Rapports", ""),
    ("/api/v1/evenements", "Evenements", "Ce qui s'est passé, dans l'ordre, pour les autres systèmes."),
    ("/api/v1/imports", "Imports", "Reprendre une feuille : essai, rapport, import, annulation."),
    ("/api/v1/audit", "Journal", "Journal des écritures et ses sceaux."),
    ("/verifier", "Verification", "Vérifier un document sans compte ; racines signées et preuves à garder."),
    ("/.well-known/comptoir-sceau.json", "Verification", ""),
    ("/api/v1/jobs", "Taches et sauvegardes", "Tâches de fond, sauvegardes, restaurations."),
    ("/api/v1/repetition", "Repetition", "Essayer des opérations pour de vrai, puis tout annuler."),
    ("/api/v1/uploads", "Fichiers", "Fichiers déposés : photos et pièces ; la base n'en garde que la clé."),
)
_BY_PREFIX = sorted(((prefix, name) for prefix, name, _ in TAGS), key=lambda tag: -len(tag[0]))


def tag(route: Route) -> str:
    """The name of a route's group. Raises CatalogueError at start when no prefix matches."""
    for prefix, name in _BY_PREFIX:
        if f"{route.path}/".startswith(f"{prefix}/"):
            return name
    raise CatalogueError(f"{route.method} {route.path} n'a pas de groupe : nommez le sien dans app/openapi/tags.py.")


def groups(routes: list[Route]) -> list[Schema]:
    """The groups of these routes, in the order of TAGS, each once."""
    present = {tag(route) for route in routes}
    texts = {name: text for _, name, text in reversed(TAGS) if text}
    names = dict.fromkeys(name for _, name, _ in TAGS if name in present)
    return [{"name": name, "description": texts[name]} for name in names]
