"""Finds the field of each column of a sheet: by its name in the API, by the label of the model, by common words.

The type echange.<entite> has the fields. The comment of each is « Label : explanation. »
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence

from app.base.text import folded
from app.database.catalogue import Attribute, PgType
from app.sheets.problem import BadSheet

# Words of sheets by field; a field of one entity comes first, as produits.nom.
_WORDS: dict[str, tuple[str, ...]] = {
    "actif": ("active", "en service"),
    "activite": ("secteur", "code activite", "activite code"),
    "adresse": ("adresse postale", "rue", "localisation", "quartier"),
    "autres_infos": ("autres infos", "notes", "observations", "remarques"),
    "batiment": ("immeuble", "residence", "code batiment", "nom du batiment", "bloc", "id batiment code"),
    "categorie": ("famille", "rayon", "groupe", "categorie produit", "categorie plat", "categorie libelle"),
    "client": ("locataire", "nom du client", "nom client", "code client", "client code", "nom du locataire", "nom complet"),
    "code": ("n", "no", "numero", "code client", "reference"),
    "batiments.code": ("code batiment", "lettre"),
    "clients.code": ("code client", "n client", "no client", "numero client", "numero de client"),
    "employes.code": ("matricule", "code employe", "n matricule", "no matricule", "numero matricule"),
    "code_barre": ("code barres", "code a barres", "ean", "ean13", "gencod"),
    "contact": ("interlocuteur", "personne a contacter", "responsable"),
    "date": ("date facture", "date de la facture", "date de facture", "emise le"),
    "date_debut": ("date de debut", "date debut bail", "debut du bail", "date d entree", "date entree", "entree", "du"),
    "date_embauche": ("date d embauche", "embauche", "embauche le", "date d entree", "date entree", "recrute le"),
    "date_entree": ("date d entree", "entre le"),
    "date_fin_prevue": ("date fin", "date de fin", "fin du bail", "fin", "echeance", "date de fin prevue", "au"),
    "date_naissance": ("date de naissance", "ne le", "nee le", "naissance", "ddn"),
    "date_signature": ("date de signature", "signe le", "signature du bail"),
    "date_sortie": ("date de sortie", "sortie", "date de depart"),
    "description": ("descriptif", "detail", "details", "composition"),
    "disponible": ("en vente", "a la carte"),
    "document_ref": ("document ref", "reference document", "bon", "n bon", "no bon"),
    "duree_mois": ("duree", "duree en mois", "duree du bail", "nombre de mois"),
    "email": ("e mail", "mail", "courriel", "adresse electronique", "adresse mail", "adresse e mail"),
    "equipements": ("equipement", "mobilier"),
    "etat": ("etat des lieux", "condition"),
    "fonction": ("poste", "emploi"),
    "fournisseur": ("nom fournisseur", "nom du fournisseur"),
    "lieu_naissance": ("ne a", "lieu de naissance"),
    "libelle": ("designation", "intitule", "nom", "objet", "prestation", "service"),
    "factures.libelle": ("designation", "objet", "numero", "n facture", "no facture", "numero facture", "numero de facture", "facture", "reference"),
    "logement": ("chambre", "appartement", "studio", "n logement", "no logement", "numero logement", "numero du logement", "local", "numero"),
    "montant": ("reste", "reste a payer", "solde", "du", "montant du", "impaye", "montant restant", "reste du", "montant reste a payer"),
    "montant_loyer": ("loyer", "loyer mensuel", "montant du loyer", "loyer initial", "prix du loyer"),
    "motif": ("commentaire", "remarque"),
    "nationalite": ("pays d origine",),
    "nom": ("noms", "nom de famille", "libelle"),
    "clients.nom": ("noms", "nom de famille", "nom du client", "nom client"),
    "employes.nom": ("noms", "nom de famille", "nom employe"),
    "fournisseurs.nom": ("fournisseur", "raison sociale", "nom du fournisseur", "nom fournisseur", "societe", "libelle"),
    "plats.nom": ("plat", "designation", "nom du plat", "libelle", "intitule"),
    "produits.nom": ("designation", "produit", "article", "nom du produit", "nom produit", "libelle", "intitule"),
    "stock.nom": ("designation", "produit", "article", "nom du produit", "nom produit", "libelle"),
    "batiments.nom": ("nom du batiment", "batiment", "libelle"),
    "numero": ("n", "no", "numero logement", "n logement", "no logement", "numero du logement", "chambre", "porte"),
    "pays": ("pays de residence",),
    "paye_jusqu_au": (
        "paye jusqu au", "paye jusqu a", "loyer paye jusqu au", "paye jusque", "a jour jusqu au", "regle jusqu au",
        "dernier loyer paye", "paid until", "jusqu au", "payes jusqu au", "paye au",
    ),  # fmt: skip
    "prenom": ("prenoms", "prenom s"),
    "prenoms": ("prenom", "prenom s"),
    "prix": ("tarif", "montant", "prix unitaire", "pu", "prix de vente", "prix ttc"),
    "prix_achat": ("pa", "achat", "cout", "cout d achat", "prix de revient", "prix d achat unitaire"),
    "prix_vente": ("pv", "vente", "prix", "tarif", "prix unitaire", "pu", "prix de vente unitaire", "prix ttc"),
    "profession": ("metier", "emploi", "activite professionnelle"),
    "quantite": ("qte", "qte en stock", "stock", "quantite en stock", "quantite stock", "stock initial", "nombre", "quantite initiale", "stock d ouverture"),
    "quantite_initiale": ("qte", "quantite", "stock", "quantite stock", "stock initial", "qte en stock", "stock d ouverture", "en stock"),
    "reference": ("ref", "code", "code produit", "code article", "sku", "reference produit", "ref produit"),
    "salaire_base": ("salaire", "salaire mensuel", "salaire de base mensuel", "remuneration"),
    "service": ("departement", "service libelle"),
    "seuil_alerte": ("seuil", "stock minimum", "stock mini", "stock min", "alerte", "seuil d alerte"),
    "sexe": ("genre", "civilite"),
    "statut": ("disponibilite",),
    "tarif": ("loyer", "prix", "montant", "loyer mensuel", "montant du loyer"),
    "tel_principal": (
        "tel", "tel 1", "tel1", "telephone 1", "telephone principal", "tel principal", "n tel", "no tel", "n de tel",
        "numero tel", "n telephone", "n de telephone", "no telephone", "numero de telephone", "numero telephone", "mobile",
        "portable", "cellulaire", "cel", "gsm", "whatsapp", "contact", "contacts", "numero",
    ),  # fmt: skip
    "tel_secondaire": ("tel 2", "tel2", "telephone 2", "telephone secondaire", "tel secondaire", "autre tel", "autre numero", "deuxieme telephone"),
    "telephone": (
        "tel", "tel 1", "n tel", "no tel", "n de tel", "numero tel", "n telephone", "n de telephone", "no telephone",
        "numero de telephone", "numero telephone", "mobile", "portable", "cellulaire", "cel", "telephone du client", "tel client",
    ),  # fmt: skip
    "type": ("type logement", "nature", "categorie", "type de logement"),
    "type_client": ("type", "type client", "categorie", "nature"),
    "type_contrat": ("contrat", "type contrat", "nature du contrat"),
    "type_location": ("type location", "type de bail", "type bail", "frequence", "mensuel annuel"),
    "ville": ("commune", "localite"),
}  # fmt: skip


def label(attribute: Attribute) -> str:
    return (attribute.comment or attribute.name).partition(" : ")[0]


def explanation(attribute: Attribute) -> str:
    return (attribute.comment or "").partition(" : ")[2]


def recognise(headers: Sequence[str], entity: PgType, given: Mapping[str, str | None]) -> dict[str, str | None]:
    """The field of each named column, None for a column that is left out. `given` corrects: a column → its field.

    A name of the API beats a label, and a label beats a common word. Raises BadSheet when two columns are for one field,
    unless one of them has its name in the API.
    """
    named = [header for header in headers if header]
    fields = {attribute.name: attribute for attribute in entity.attributes}
    by_fold = {folded(header): header for header in named}
    chosen: dict[str, str | None] = {}
    for column, field in given.items():
        header = column if column in named else by_fold.get(folded(column))
        if header is None:
            raise BadSheet(f"Cette feuille n'a pas de colonne « {column[:100]} ».", "colonnes")
        if field is not None and field not in fields:
            raise BadSheet(f"« {field[:100]} » n'est pas un champ. Les champs : {', '.join(fields)}.", "colonnes")
        if field is not None and field in chosen.values():
            raise BadSheet(f"Deux colonnes sont données pour « {field} ».", "colonnes")
        chosen[header] = field
    by_word: dict[str, str] = {}
    for rank in range(3):
        wanted = {name: _names(entity.name, fields[name], rank) for name in fields if name not in chosen.values()}
        for name, names in wanted.items():
            candidates = [h for h in named if h not in chosen and (h if rank == 0 else folded(h)) in names]
            if len(candidates) > 1:
                raise _ambiguous(candidates[0], candidates[1], fields[name])
            if candidates:
                chosen[candidates[0]] = name
                if rank > 0:
                    by_word[name] = candidates[0]
    for name, header in by_word.items():
        for other in named:
            if other not in chosen and folded(other) in _names(entity.name, fields[name], 2):
                raise _ambiguous(header, other, fields[name])
    if not any(chosen.values()):
        names = ", ".join(f"« {label(attribute)} »" for attribute in entity.attributes)
        raise BadSheet(f"Aucune colonne de cette feuille n'est reconnue. Colonnes possibles : {names}.")
    return {header: chosen.get(header) for header in named}


def _ambiguous(header: str, other: str, field: Attribute) -> BadSheet:
    return BadSheet(
        f"Les colonnes « {header} » et « {other} » peuvent toutes deux être « {label(field)} » ({field.name}) : "
        "dites laquelle par « colonnes », ou renommez l'autre.",
        "colonnes",
    )


def _names(entity: str, attribute: Attribute, rank: int) -> set[str]:
    if rank == 0:
        return {attribute.name}
    if rank == 1:
        return {folded(label(attribute)), folded(attribute.name)}
    return set(_WORDS.get(f"{entity}.{attribute.name}", _WORDS.get(attribute.name, ())))


def parse_given(text: str | None) -> dict[str, str | None]:
    """The object {column: field} that the form may hold. Raises BadSheet."""
    if not text:
        return {}
    try:
        given = json.loads(text)
    except (ValueError, RecursionError):
        given = None
    if not isinstance(given, dict) or not all(value is None or isinstance(value, str) for value in given.values()):
        raise BadSheet("« colonnes » est un objet JSON : le nom d'une colonne, et son champ ou null.", "colonnes")
    return {column: field or None for column, field in given.items()}
