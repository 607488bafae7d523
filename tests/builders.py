"""Builders: each inserts the smallest valid row, or calls the operation that makes it; keywords set its fields."""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from tests.conftest import Db

PASSWORD = "motdepasse-des-essais"
PASSWORD_HASH = "$2b$10$7CWG.NVvVXjGSKPdafaB/egmNy7370UYfCTmNgQXE7cp3aWFiYZtq"
CLIENT = {"nom": "Exemple", "prenoms": "Awa", "tel_principal": "+2250700000000", "type_client": "PASSAGE"}
_numbers = itertools.count(1)


def client(db: Db, **fields: Any) -> int:
    return _insert(db, "client.client", "id_client", CLIENT | fields)


def utilisateur(
    db: Db, role: str = "CAISSIER", caisse: int | None = None, activite: int | None = None, **fields: Any
) -> int:
    """An account whose password is PASSWORD."""
    n = next(_numbers)
    id_role = db.one("select id_role from auth.role where code = %s", [role])
    fields = {"login": f"essai.{n}.{role.lower()}", "id_role": id_role, "id_activite_scope": activite} | fields
    id_utilisateur = _insert(db, "auth.utilisateur", "id_utilisateur", fields)
    values = [id_utilisateur, PASSWORD_HASH]
    db.execute("insert into auth.secret (id_utilisateur, mot_de_passe) values (%s, %s)", values)
    if caisse is not None:
        till = "insert into finances.affectation_caisse (id_utilisateur, id_caisse) values (%s, %s)"
        db.execute(till, [id_utilisateur, caisse])
    return id_utilisateur


def role(db: Db, *permissions: str) -> str:
    """A role with exactly these permissions. Return its code."""
    code = f"ESSAI_{next(_numbers)}"
    id_role = db.one("insert into auth.role (code, libelle) values (%s, 'Essai') returning id_role", [code])
    query = "select %s, id_permission from auth.permission where code = any(%s)"
    db.execute(f"insert into auth.role_permission (id_role, id_permission) {query}", [id_role, list(permissions)])
    return code


def porteur(db: Db, *permissions: str, **fields: Any) -> int:
    """An account whose role has exactly these permissions."""
    return utilisateur(db, role=role(db, *permissions), **fields)


def activite(db: Db, code: str = "PRESSING") -> int:
    return int(db.one("select id_activite from core.activite where code = %s", [code]))


def caisse(db: Db, ouverte: bool = True, activite_code: str = "PRESSING", **fields: Any) -> int:
    fields = {"libelle": f"Caisse {next(_numbers)}", "id_activite": activite(db, activite_code)} | fields
    id_caisse = _insert(db, "finances.caisse", "id_caisse", fields)
    if ouverte:
        db.execute("insert into finances.periode_caisse (id_caisse) values (%s)", [id_caisse])
    return id_caisse


def moyen(db: Db, libelle: str = "Espèces") -> int:
    return int(db.one("select id_moyen from finances.moyen_paiement where libelle = %s", [libelle]))


def prestation(db: Db, prix: str = "15000.00", **fields: Any) -> int:
    fields = {"libelle": "Location de chaises", "prix": prix, "id_activite": activite(db)} | fields
    return _insert(db, "facturation.prestation", "id_prestation", fields)


def facturer(db: Db, total: str = "15000.00", **fields: Any) -> Any:
    """The answer to the sale of a service of this price, unpaid if no amount is given."""
    fields = {"montant": "0", "id_moyen": moyen(db)} | fields
    if "id_prestation" not in fields:
        fields["id_prestation"] = prestation(db, total)
    return db.call("facturation.prestation_facturer", **fields)


def facture(db: Db, total: str = "15000.00", **fields: Any) -> int:
    """An unpaid invoice of this total."""
    return int(facturer(db, total, **fields)["id_facture"])


def paiement(db: Db, montant: Any = "100", **fields: Any) -> dict[str, Any]:
    """The answer to a payment, in cash if no method is given."""
    paid: dict[str, Any] = db.call("finances.paiement_creer", montant=str(montant), **{"id_moyen": moyen(db)} | fields)
    return paid


def payer(db: Db, montant: Any = "100", **fields: Any) -> int:
    """The key of a payment."""
    return int(paiement(db, montant, **fields)["id_paiement"])


def part(db: Db, id_paiement: int, id_facture: int, montant: Any = "5") -> None:
    """Settle an invoice by a part of a payment, with direct SQL."""
    insert = "insert into finances.application_paiement (id_paiement, id_facture, montant) values (%s, %s, %s)"
    db.execute(insert, [id_paiement, id_facture, montant])


def categorie_depense(db: Db, libelle: str = "Divers") -> int:
    return int(db.call("finances.categorie_depense_creer", libelle=libelle)["id_categorie_depense"])


def depense(db: Db, montant: Any = "5", **fields: Any) -> dict[str, Any]:
    """The answer to an expense, of the category that was made first if none is given."""
    if "id_categorie_depense" not in fields:
        first = db.one("select min(id_categorie_depense) from finances.categorie_depense")
        fields["id_categorie_depense"] = first or categorie_depense(db)
    spent: dict[str, Any] = db.call("finances.depense_creer", montant=str(montant), **{"libelle": "Thé"} | fields)
    return spent


def batiment(db: Db, **fields: Any) -> int:
    fields = {"code": f"B{next(_numbers)}", "nom": "Résidence des Essais"} | fields
    return _insert(db, "residence.batiment", "id_batiment", fields)


def logement(db: Db, **fields: Any) -> int:
    fields = {"type": "CHAMBRE", "tarif": "95000"} | fields
    if "id_batiment" not in fields:
        fields["id_batiment"] = batiment(db)
    return _insert(db, "residence.logement", "id_logement", fields)


def contrat(db: Db, actif: bool = True, **fields: Any) -> int:
    """A lease at 95000 a month that ends in the middle of a month; in force unless `actif` is false."""
    fields = {
        "date_debut": "2026-01-01",
        "date_fin_prevue": "2026-12-17",
        "montant_loyer": "95000",
        "type_location": "MENSUEL",
    } | fields
    if "id_client" not in fields:
        fields["id_client"] = client(db)
    if "id_logement" not in fields:
        fields["id_logement"] = logement(db)
    id_contrat = int(db.call("residence.contrat_creer", **fields)["id_contrat"])
    if actif:
        db.call("residence.contrat_activer", id_contrat=id_contrat)
    return id_contrat


def abonnement(db: Db, **fields: Any) -> int:
    """A monthly subscription at 20000 from August 2026, without an end date."""
    fields = {"service": "Internet", "type": "MENSUEL", "montant": "20000", "date_debut": "2026-08-01"} | fields
    if "id_client" not in fields:
        fields["id_client"] = client(db)
    return int(db.call("residence.abonnement_creer", **fields)["id_abonnement"])


def offre(db: Db, **fields: Any) -> int:
    """An offer of ten meals for 30 days at 25000."""
    n = next(_numbers)
    fields = {
        "code": f"REPAS-{n}", "libelle": f"Carte {n}", "activite": "RESTAURATION", "unite": "REPAS", "quota": "10",
        "prix": "25000", "duree_jours": 30,
    } | fields  # fmt: skip
    return int(db.call("abonnement.offre_creer", **fields)["id_offre"])


def souscription(db: Db, **fields: Any) -> int:
    """An unpaid prepaid subscription that begins today; `offre` sets fields of its offer."""
    offer = fields.pop("offre", {})
    if "id_client" not in fields:
        fields["id_client"] = client(db)
    if "id_offre" not in fields:
        fields["id_offre"] = offre(db, **offer)
    db.call("abonnement.souscription_creer", **fields)
    return int(db.one("select max(id_souscription) from abonnement.souscription"))


def employe(db: Db, salaire_base: str = "180000.00", **fields: Any) -> int:
    fields = {
        "nom": "Exemple", "prenom": f"Ali {next(_numbers)}", "fonction": "CAISSIER", "date_embauche": "2026-01-05",
        "type_contrat": "CDI", "salaire_base": salaire_base,
    } | fields  # fmt: skip
    return _insert(db, "rh.employe", "id_employe", fields)


def paie(db: Db, id_employe: int | None = None, periode: str = "2026-08", salaire_base: str = "180000.00") -> int:
    """A payslip that has only a base salary."""
    fields = {"id_employe": id_employe or employe(db), "periode": periode, "salaire_base": salaire_base}
    return _insert(db, "rh.paie", "id_paie", fields)


def produit(db: Db, stock: str = "10", prix: str = "750.00", **fields: Any) -> int:
    """An active product of the shop with this quantity in stock."""
    fields = {"nom": f"Article {next(_numbers)}", "prix_achat": "500.00", "prix_vente": prix} | fields
    id_produit = _insert(db, "market.produit", "id_produit", fields)
    if float(stock):
        db.call("market.mouvement_stock_creer", id_produit=id_produit, type="ENTREE", quantite=stock)
    return id_produit


def plat(db: Db, prix: str = "3500.00", **fields: Any) -> int:
    return _insert(db, "restaurant.plat", "id_plat", {"nom": f"Plat {next(_numbers)}", "prix": prix} | fields)


def sauvegarde(db: Db, **fields: Any) -> int:
    """The row of a successful backup; it has no file."""
    fields = {
        "type": "MANUELLE", "statut": "SUCCES", "chemin": f"sauvegardes/essai-{next(_numbers)}.dump",
        "date_debut": "2026-01-05 02:00:00Z", "date_fin": "2026-01-05 02:00:09Z", "taille_octets": 1_500_000,
        "sha256": "0" * 64, "lignes": "{}",
    } | fields  # fmt: skip
    return _insert(db, "jobs.sauvegarde", "id_sauvegarde", fields)


def _insert(db: Db, table: str, key: str, fields: dict[str, Any]) -> int:
    columns = ", ".join(fields)
    marks = ", ".join(["%s"] * len(fields))
    return int(db.one(f"insert into {table} ({columns}) values ({marks}) returning {key}", list(fields.values())))
