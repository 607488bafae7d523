"""The OpenAPI document at work: a client that holds each answer against it, and one real thing for each key."""

from __future__ import annotations

import io
import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from openapi_schema_validator import OAS31Validator, oas31_format_checker

from tests import builders
from tests.conftest import Db, Http

PHOTO = "etat-lieux/1-a.jpg"
JPEG = b"\xff\xd8\xff\xe0 photo"


@pytest.fixture
def document(http: Http) -> Any:
    return http.get("/docs-json").json()


def operations(document: Any) -> Iterator[tuple[str, str, Any]]:
    for path, methods in document["paths"].items():
        for method, operation in methods.items():
            yield method.upper(), path, operation


def wrong(document: Any, schema: Any, value: Any) -> list[str]:
    """Why the value does not fit the schema."""
    whole = {**schema, "components": document["components"]}
    validator = OAS31Validator(whole, format_checker=oas31_format_checker)
    return [f"{'/'.join(map(str, error.path))}: {error.message}" for error in validator.iter_errors(value)]


def body_schema(operation: Any) -> Any:
    return operation.get("requestBody", {}).get("content", {}).get("application/json")


def key(keys: dict[str, str], template: str, name: str) -> str | None:
    """The key of a path: that of its slice where two slices name theirs alike, as restaurant.id_commande."""
    return keys.get(f"{template.split('/')[3]}.{name}", keys.get(name))


def required(operation: Any) -> dict[str, str]:
    """What a query cannot do without: days, the key of a file, the code of a document."""
    found = [p for p in operation.get("parameters", ()) if p.get("in") == "query" and p.get("required")]
    values = {"key": PHOTO, "code": "GSG-FAC-2026-001|95000.00|0123456789abcdef"}
    assert all(parameter["schema"].get("format") == "date" or parameter["name"] in values for parameter in found)
    return {parameter["name"]: values.get(parameter["name"], "2026-08-15") for parameter in found}


class Witness:
    """A client that holds each answer against the document."""

    def __init__(self, http: Http, document: Any) -> None:
        self.http = http
        self.document = document
        self.answered: set[tuple[str, str]] = set()

    def request(self, method: str, template: str, keys: dict[str, str] | None = None, **options: Any) -> Any:
        path = re.sub(r"{(\w+)}", lambda found: str(key(keys or {}, template, found[1])), template)
        answer = self.http.request(method, path, **options)
        operation = self.document["paths"][template][method.lower()]
        label = f"{method} {template} → {answer.status_code} {answer.text[:300]}"
        assert str(answer.status_code) in operation["responses"], label
        documented = operation["responses"][str(answer.status_code)]
        if "$ref" in documented:
            documented = self.document["components"]["responses"][documented["$ref"].rpartition("/")[2]]
        content = documented.get("content")
        if content is None:
            assert answer.content == b"", label
        elif "application/json" in content:
            assert answer.headers["content-type"] == "application/json", label
            assert not wrong(self.document, content["application/json"]["schema"], answer.json()), label
        if answer.status_code < 300:
            self.answered.add((method, template))
        return answer


@pytest.fixture
def witness(http: Http, document: Any) -> Witness:
    return Witness(http.as_admin(), document)


@pytest.fixture
def known(db: Db, witness: Witness) -> dict[str, str]:
    """One real thing for each key that a path or a body names. A new slice adds its own."""
    db.acting(None)
    api = "/api/v1"
    client = builders.client(db, email="awa@exemple.ci", sexe="F", date_naissance="1990-04-12")
    caisse = builders.caisse(db)
    moyen = builders.moyen(db)
    ids: dict[str, Any] = {
        "id_client": client,
        "id_caisse": caisse,
        "id_moyen": moyen,
        "id_activite": builders.activite(db),
        "id_prestation": builders.prestation(db),
        "id_utilisateur": builders.utilisateur(db, caisse=caisse),
        "code": "PRESSING",
        "adresse_ip": "192.0.2.1",
        "id_permission": db.one("select min(id_permission) from auth.permission"),
    }
    keys = {name: str(value) for name, value in ids.items()}

    def made(template: str, key: str, **body: Any) -> None:
        answer = witness.request("POST", template, keys, json=body)
        assert answer.status_code == 201, answer.text
        keys[key] = answer.json()[key]

    telephone = "+2250700000000"
    clients = f"{api}/client/clients/{{id_client}}"
    made(f"{clients}/contacts-urgence", "id_contact", nom="Exemple", lien="MERE", tel_principal=telephone)
    made(f"{clients}/pieces-identite", "id_piece", type_piece="CNI", numero="C-1")
    made(
        f"{api}/facturation/prestations/{{id_prestation}}/facturer",
        "id_facture",
        montant="5000",
        id_moyen=keys["id_moyen"],
        id_client=keys["id_client"],
    )
    money = {"montant": "1000", "id_caisse": keys["id_caisse"]}
    made(f"{api}/finances/paiements", "id_paiement", id_moyen=keys["id_moyen"], id_facture=keys["id_facture"], **money)
    made(f"{api}/finances/categories-depenses", "id_categorie_depense", libelle="Essai")
    made(
        f"{api}/finances/depenses",
        "id_depense",
        libelle="Lessive",
        id_categorie_depense=keys["id_categorie_depense"],
        **money,
    )
    made(f"{api}/finances/tirages", "id_tirage", montant_compte="1", id_caisse=keys["id_caisse"])
    made(f"{api}/admin/roles", "id_role", code="ESSAI_DOCUMENT", libelle="Essai")
    made(f"{api}/core/parametres", "cle", cle="ESSAI", valeur="1")
    made(f"{api}/rh/services", "id_service", libelle="Lingerie")
    keys["id_employe"] = str(builders.employe(db))
    today = str(db.one("select core.aujourdhui()"))
    made(f"{api}/rh/pointages", "id_pointage", id_employe=keys["id_employe"], date=today)
    made(f"{api}/rh/paies", "id_paie", id_employe=keys["id_employe"], periode="2026-07", salaire_base="180000")
    made(f"{api}/abonnement/categories", "id_categorie_abonnement", libelle="Essai")
    made(
        f"{api}/residence/abonnements",
        "id_abonnement",
        id_client=keys["id_client"],
        service="Internet",
        type="MENSUEL",
        montant="1",
        date_debut="2026-08-01",
    )
    made(f"{api}/residence/categories-charges", "id_categorie_charge", libelle="Essai")
    keys["id_logement"] = str(builders.logement(db))
    occupied = builders.logement(db)
    keys["id_contrat"] = str(builders.contrat(db, id_logement=occupied, id_client=client))
    keys["id_batiment"] = str(builders.batiment(db))
    rent = {"montant": "95000", "id_moyen": keys["id_moyen"]}
    paid = witness.request("POST", f"{api}/residence/contrats/{{id_contrat}}/encaisser-loyer-lot", keys, json=rent)
    keys["id_echeance"] = paid.json()["echeances"][0]["id_echeance"]
    keys["residence.id_paiement"] = paid.json()["id_paiement"]
    keys["resident"] = str(
        db.one(
            "select u.id_utilisateur from auth.utilisateur u join residence.contrat_location c using (id_client) "
            "where c.id_contrat = %s",
            [keys["id_contrat"]],
        )
    )
    keys["id_caution"] = str(
        db.call("residence.caution_creer", id_contrat=keys["id_contrat"], montant="1")["id_caution"]
    )
    made(
        f"{api}/residence/charges",
        "id_charge",
        id_logement=str(occupied),
        id_categorie_charge=keys["id_categorie_charge"],
        periode="2026-08",
        montant="25000",
    )
    photos = f"{api}/residence/contrats/{{id_contrat}}/etat-des-lieux"
    made(photos, "id_photo", type="ENTREE", cle_objet=PHOTO)
    witness.http.runner.run(witness.http.services.storage.put(PHOTO, io.BytesIO(JPEG), "image/jpeg"))
    stay = {
        "type_prestation": "NUITEE",
        "id_logement": str(builders.logement(db)),
        "date_heure_arrivee": "2026-08-20 20:00:00",
        "tarif": "35000",
        "paiement": {"montant": "1000", "id_moyen": keys["id_moyen"]},
    }
    keys["id_sejour"] = witness.request("POST", f"{api}/residence/sejours", json=stay).json()["sejour"]["id_sejour"]
    made(f"{api}/market/categories-produits", "id_categorie_produit", libelle="Essai")
    made(f"{api}/market/fournisseurs", "id_fournisseur", nom="Essai")
    keys["id_produit"] = str(builders.produit(db, prix="100", seuil_alerte="20"))
    made(f"{api}/restaurant/categories", "id_categorie_plat", libelle="Essai")
    keys["id_plat"] = str(builders.plat(db, prix="100"))
    paid = {"paiement": {"montant": "200", "id_moyen": keys["id_moyen"]}, "id_client": keys["id_client"]}
    basket = {"lignes": [{"id_produit": keys["id_produit"], "quantite": "2"}], **paid}
    keys["id_vente"] = witness.request("POST", f"{api}/market/ventes", json=basket).json()["vente"]["id_vente"]
    meal = {"type": "SUR_PLACE", "lignes": [{"id_plat": keys["id_plat"], "quantite": "2"}], **paid}
    order = witness.request("POST", f"{api}/restaurant/commandes", json=meal).json()["commande"]
    keys["restaurant.id_commande"] = order["id_commande"]
    linen = {"type_vetement": "Chemise", "quantite": 4, "prestation": "Lavage", "tarif": "1000"}
    deposit = {"id_client": keys["id_client"], "lignes": [linen]}
    order = witness.request("POST", f"{api}/pressing/commandes", json=deposit).json()["commande"]
    keys["pressing.id_commande"] = order["id_commande"]
    hall = {"date_evenement": "2031-06-15", "heure_debut": "18:00", "duree": 5}
    made(f"{api}/salle-fete/reservations", "id_reservation", type_manifestation="Mariage", tarif="900000", **hall)
    made(f"{api}/signalements", "id_signalement", titre="Fuite", description="Sous l'évier.")
    photo = {"cle_objet": "etat-lieux/1-photo.jpg"}
    photo = witness.request("POST", f"{api}/signalements/{{id_signalement}}/photos", keys, json=photo).json()
    keys["signalements.id_photo"] = photo["id_photo"]
    keys["attendu"] = witness.request("POST", f"{api}/audit/sceller").json()["empreinte"]
    keys["id_sauvegarde"] = str(builders.sauvegarde(db))
    keys["id_notification"] = witness.request("GET", f"{api}/notifications").json()[0]["id_notification"]
    return keys


@contextmanager
def undone(db: Db) -> Iterator[None]:
    """What happens inside is forgotten."""

    class Undo(Exception):
        pass

    try:
        with db.connection.transaction():
            yield
            raise Undo
    except Undo:
        pass
