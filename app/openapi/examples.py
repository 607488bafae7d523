"""Values for the examples of the document, by entity and field (from the slices), by field, by domain or by type."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from app.database.catalogue import PgType


def entity(name: str) -> str:
    """CreerCaisseDto, MajCaisseDto, CaisseDetail → Caisse"""
    return re.sub(r"^(Creer|Maj)(?=[A-Z])|(Detail)?(Dto)?$", "", name)


class Examples:
    """The example values: EXAMPLES of app/routes/<slice>.py first, then the tables of this file."""

    def __init__(self, own: Mapping[str, Any]) -> None:
        self._by_name = {**_BY_FIELD, **own}

    def value(self, name: str, pg_type: PgType) -> Any:
        """The example value of `Entity.field`."""
        field = name.rpartition(".")[2]
        if pg_type.forms:
            return self.value("", next(iter(pg_type.forms.values())))
        if pg_type.kind == "array" and pg_type.element:
            return [self.value(name.removesuffix("s"), pg_type.element)]
        if pg_type.kind == "composite":
            owner = entity(pg_type.component)
            return {a.name: self.value(f"{owner}.{a.name}", a.type) for a in pg_type.attributes}
        default = _BY_DOMAIN.get(f"{pg_type.schema}.{pg_type.name}", _BY_TYPE.get(pg_type.root.name, "texte"))
        value = self._by_name.get(name, self._by_name.get(field, default))
        if pg_type.kind == "enum":
            return value if value in pg_type.labels else pg_type.labels[0]
        return value


_BY_FIELD: dict[str, Any] = {
    "ancien": "trois mots au hasard",
    "adresse": "Rue des Jardins, Cocody",
    "adresse_ip": "192.0.2.1",
    "agent": "Mozilla/5.0",
    "autorite_delivrance": "ONECI",
    "categorie": "Location",
    "categorie_libelle": "Eau",
    "cle": "MENTION_TICKET",
    "client": "Exemple Awa",
    "client_nom": "Exemple",
    "client_prenoms": "Awa",
    "code": "RESPONSABLE_MAGASIN",
    "code_taxe": "TVA",
    "commentaire": "Évier fendu",
    "compteur_numero": "CPT-301",
    "consommation": "44.70",
    "corps": "Compté 24500.00 pour 25000.00 attendus.",
    "date_expiration": "2036-08-14",
    "date_heure_arrivee": "2026-08-20T20:00:00.000Z",
    "date_heure_depart_prevue": "2026-08-21T12:00:00.000Z",
    "date_heure_depart_reelle": None,
    "date_naissance": "1990-04-12",
    "description": "Description libre",
    "duree_travaillee": "9.50",
    "ecart": -500,
    "employe_nom": "Exemple",
    "employe_prenom": "Awa",
    "evenement": "finances.tirage.ecart",
    "fermeture": None,
    "fond_initial": "10000.00",
    "id_paiement_origine": None,
    "id_utilisateur_fermeture": None,
    "jeton": "q3J8k1v0wZ5n7c2x",
    "justificatif": "Reçu 114",
    "lecture_debut": "120.50",
    "lecture_fin": "165.20",
    "libelle": "Location de chaises",
    "lien": "MERE",
    "lieu_naissance": "Abidjan",
    "login": "awa.exemple",
    "montant_attendu": 25000,
    "numero_contribuable": "1234567A",
    "montant_compte": 24500,
    "mot_de_passe": "trois mots au hasard",
    "motif": "Acompte",
    "nationalite": "Ivoirienne",
    "niveau": "BAS",
    "nom": "Exemple",
    "note": "Comptage du soir",
    "nouveau": "quatre mots au hasard",
    "nouveau_mot_de_passe": "quatre mots au hasard",
    "numero": "C-2026-000001",
    "numero_logement": "GSG-CH01-B",
    "pays": "Côte d'Ivoire",
    "permission": "CLIENT.VOIR",
    "plat": "Poulet braisé",
    "poids_kg": None,
    "prenom": "Awa",
    "prenoms": "Awa",
    "priorite": "HIGH",
    "prix_unitaire": "12500.00",
    "produit": "Riz parfumé 5 kg",
    "profession": "Commerçante",
    "reference": "BL-2026-0147",
    "refresh_token": "q3J8k1v0wZ5n7c2x",
    "remise": "0.00",
    "reste": "0.00",
    "role": "CAISSIER",
    "service": "Internet",
    "service_libelle": "Accueil",
    "source_type": "PRESTATION",
    "statut": "PAYEE",
    "tel_secondaire": None,
    "titre": "Écart de caisse",
    "type_client": "PASSAGE",
    "valeur": "Merci de votre visite",
    "ville": "Abidjan",
}
_BY_TYPE: dict[str, Any] = {
    "int8": "1",
    "int4": 1,
    "int2": 1,
    "float8": 1.5,
    "numeric": "25000.00",
    "bool": True,
    "date": "2026-08-15",
    "timestamptz": "2026-08-15T10:00:00.000Z",
    "time": "18:00:00",
    "uuid": "0b9e4c1e-6a52-4f5e-9d35-2f8a1c7d4e10",
    "jsonb": {},
}
_BY_DOMAIN: dict[str, Any] = {
    "core.telephone": "+2250700000000",
    "core.email": "awa@exemple.ci",
    "core.periode": "2026-08",
    "core.cle_objet": "piece-identite/1-4f9d2c.jpg",
    "core.quantite": "2.00",
    "core.taux_taxe": "18.00",
    "market.quantite_signee": "2.00",
    "market.stock": "12.00",
    "abonnement.duree": 30,
    "abonnement.nombre": 2,
    "abonnement.quantite": "10.00",
    "abonnement.quantite_signee": "2.00",
    "abonnement.unites": "10.00",
    "core.nombre": 2,
    "core.nombre_signe": 2,
    "core.somme_nombre": 25000,
    "rh.heures": "9.50",
}
