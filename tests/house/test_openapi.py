"""The OpenAPI document: valid, named as the contract names things, true of the answers, usable by a generator."""

from __future__ import annotations

import gzip
import io
import json
import re
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from openapi_schema_validator import OAS31Validator, oas31_format_checker
from openapi_spec_validator import OpenAPIV31SpecValidator

from app import docs, openapi
from app.arguments import Arguments
from app.catalogue import Attribute, CatalogueError, Function, Parameter, PgType
from app.openapi.schemas import Schemas
from app.routes import GET, POST, Route, RouteTable
from tests import builders
from tests.conftest import Db, Http

OPENAPI_TYPESCRIPT = "openapi-typescript@7.9.1"
TYPESCRIPT = "typescript@5.9.3"
PHOTO = "etat-lieux/1-a.jpg"
JPEG = b"\xff\xd8\xff\xe0 photo"

# The bodies of the contract: required fields, then the optional ones after a bar.
BODIES = {
    "LoginDto": "login mot_de_passe |",
    "RefreshTokenDto": "refresh_token |",
    "LogoutDto": "refresh_token |",
    "InscriptionDto": "nom prenoms tel_principal login mot_de_passe | email",
    "MotDePasseOublieDto": "login |",
    "ReinitialiserAvecJetonDto": "jeton nouveau_mot_de_passe |",
    "CreerUtilisateurDto": "login mot_de_passe id_role "
    "| nom prenom id_activite_scope id_caisse id_employe id_client actif",
    "MajUtilisateurDto": "| nom prenom login id_role id_activite_scope id_caisse id_employe id_client actif",
    "ReinitialiserMotDePasseDto": "nouveau_mot_de_passe |",
    "CreerRoleDto": "code libelle | description",
    "MajRoleDto": "| code libelle description",
    "MajPermissionsRoleDto": "id_permissions |",
    "AjouterPermissionRoleDto": "id_permission |",
    "CreerParametreDto": "cle valeur | description",
    "MajParametreDto": "valeur | description",
    "CreerClientDto": "nom prenoms tel_principal type_client | date_naissance lieu_naissance sexe nationalite "
    "profession photo tel_secondaire email adresse ville pays",
    "MajClientDto": "| nom prenoms tel_principal type_client date_naissance lieu_naissance sexe nationalite "
    "profession photo tel_secondaire email adresse ville pays",
    "CreerContactDto": "nom lien tel_principal | prenom tel_secondaire adresse email",
    "CreerPieceDto": "type_piece numero "
    "| date_delivrance date_expiration autorite_delivrance copie_num copie_num_verso",
    "MajPieceDto": "| date_delivrance date_expiration autorite_delivrance copie_num copie_num_verso",
    "CreerPrestationDto": "libelle prix | categorie description id_activite actif",
    "MajPrestationDto": "| libelle categorie prix description id_activite actif",
    "FacturerPrestationDto": "montant id_moyen | id_client client lignes remise",
    "NouveauClientFacturationDto": "nom prenoms tel_principal | type_client",
    "LigneFacturationDto": "libelle prix_unitaire | quantite",
    "MajFactureDto": "| libelle",
    "CreerPaiementDto": "montant id_moyen | id_activite id_caisse date motif reference id_facture",
    "MajPaiementDto": "| date id_moyen motif reference",
    "CreerDepenseDto": "montant id_categorie_depense libelle | date id_activite id_caisse justificatif",
    "MajDepenseDto": "| date montant id_categorie_depense id_activite libelle justificatif",
    "CreerCategorieDepenseDto": "libelle |",
    "MajCategorieDepenseDto": "| libelle",
    "CreerMoyenPaiementDto": "libelle | actif",
    "MajMoyenPaiementDto": "| libelle actif",
    "CreerCaisseDto": "libelle id_activite | actif",
    "MajCaisseDto": "| libelle actif",
    "OuvrirCaisseDto": "| fond_initial",
    "CreerTirageDto": "montant_compte | date id_caisse note",
    "CreerCommandePressingDto": "id_client lignes | date_retrait_prevue paiement",
    "MajCommandePressingDto": "| id_client date_retrait_prevue lignes",
    "LigneCommandePressingDto": "type_vetement quantite prestation tarif |",
    "PaiementAcompteDto": "montant id_moyen |",
    "EncaisserSoldePressingDto": "solde id_moyen |",
    "CreerReservationFeteDto": "date_evenement heure_debut duree type_manifestation tarif "
    "| id_client client observations",
    "NouveauClientFeteDto": "nom prenoms tel_principal | type_client",
    "MajReservationFeteDto": "| date_evenement heure_debut duree type_manifestation tarif acompte observations statut",
    "PaiementReservationDto": "montant id_moyen |",
    "ConfirmerReservationFeteDto": "paiement |",
    "RealiserReservationFeteDto": "paiement |",
    "AnnulerReservationFeteDto": "| motif",
    "CreerSignalementDto": "titre description | id_activite",
    "ClotureSignalementDto": "note_resolution |",
    "AjouterPhotoSignalementDto": "cle_objet |",
    "CreerCategorieAbonnementDto": "libelle | description actif",
    "MajCategorieAbonnementDto": "| libelle description actif",
    "CreerSejourDto": "type_prestation id_logement date_heure_arrivee tarif "
    "| id_client client date_heure_depart_prevue duree montant_total paiement statut",
    "NouveauClientSejourDto": "nom prenoms tel_principal | type_client",
    "PaiementSejourDto": "montant id_moyen |",
    "MajSejourDto": "| type_prestation id_logement date_heure_arrivee date_heure_depart_prevue "
    "date_heure_depart_reelle duree tarif id_moyen_paiement statut",
    "PayerSejourDto": "montant id_moyen |",
    "CreerCategorieChargeDto": "libelle | actif",
    "MajCategorieChargeDto": "| libelle actif",
    "CreerChargeDto": "id_logement id_categorie_charge periode montant "
    "| compteur_numero lecture_debut lecture_fin consommation",
    "PayerChargeDto": "montant id_moyen |",
    # id_categorie_abonnement is beyond the contract: what a category of subscriptions is for.
    "CreerAbonnementDto": "id_client service type montant date_debut "
    "| id_logement date_fin montant_paye statut id_categorie_abonnement",
    "MajAbonnementDto": "| id_client id_logement service type montant date_debut date_fin montant_paye statut "
    "id_categorie_abonnement",
    "AjouterPhotoEtatLieuxDto": "type cle_objet | piece commentaire",
    "CreerBatimentDto": "code nom | adresse actif",
    "MajBatimentDto": "| code nom adresse actif",
    # numero is beyond the contract: an older client types it.
    "CreerLogementDto": "id_batiment type tarif | numero nom equipements statut etat",
    "MajLogementDto": "| nom type tarif equipements statut etat id_batiment",
    "CreerLogementsLotDto": "id_batiment type tarif quantite | statut nom equipements etat",
    "CreerContratDto": "id_client id_logement date_debut montant_loyer type_location "
    "| statut date_fin_prevue duree_mois periodicite date_signature",
    "DevenirResidentDto": "id_logement date_debut montant_loyer type_location "
    "| date_fin_prevue duree_mois periodicite date_signature",
    "ResilierContratDto": "| date_resiliation motif",
    "ReviserLoyerDto": "nouveau_montant | date_effet motif",
    "EncaisserLoyerDto": "montant id_moyen | date",
    "EncaisserLotDto": "montant id_moyen | date",
    "CreerCautionDto": "montant |",
    "VersementCautionDto": "| date_versement montant motif",
    "EncaisserCautionDto": "id_moyen | montant date reference",
    "RembourserCautionDto": "id_moyen | retenue motif_retenue date",
    "RestituerCautionDto": "| retenue motif_retenue",
    "GenererEcheancesDto": "| jusqu_au",
    "RestaurerSauvegardeDto": "confirmation |",
    "MajPlanificationDto": "frequence heure active |",
    "CreerServiceRhDto": "libelle |",
    "MajServiceRhDto": "| libelle",
    "CreerEmployeDto": "nom prenom fonction date_embauche type_contrat salaire_base "
    "| telephone id_service autres_infos",
    "MajEmployeDto": "| nom prenom telephone fonction id_service date_embauche type_contrat salaire_base statut "
    "autres_infos",
    "MajPointageDto": "| heure_arrivee heure_depart duree_travaillee statut heures_sup note",
    "PointerArriveeDto": "id_employe date | statut note",
    "CreerPaieDto": "id_employe periode salaire_base |",
    "AjouterElementSalaireDto": "type libelle montant |",
    "PayerPaieDto": "id_moyen |",
    "CreerCategorieProduitDto": "libelle |",
    "MajCategorieProduitDto": "| libelle actif",
    "CreerFournisseurDto": "nom | contact telephone email adresse",
    "MajFournisseurDto": "| nom contact telephone email adresse actif",
    # image_url is beyond the contract: newer clients write it.
    "CreerProduitDto": "nom prix_achat prix_vente "
    "| id_categorie_produit quantite_initiale seuil_alerte id_fournisseur date_entree actif image_url",
    "MajProduitDto": "| nom id_categorie_produit prix_achat prix_vente seuil_alerte id_fournisseur actif image_url",
    "LigneVenteDto": "id_produit quantite |",
    "PaiementVenteDto": "montant id_moyen |",
    "CreerVenteDto": "lignes paiement | remise id_client",
    "AjouterMouvementDto": "id_produit type quantite | motif document_ref",
    "CreerCategoriePlatDto": "libelle |",
    "CreerPlatDto": "nom prix | id_categorie_plat disponible description image_url",
    "MajPlatDto": "| nom id_categorie_plat prix disponible description image_url",
    "LigneCommandeRestaurantDto": "id_plat quantite |",
    "PaiementCommandeDto": "montant id_moyen |",
    "CreerCommandeRestaurantDto": "type lignes paiement | id_client",
    "MajStatutCommandeDto": "statut |",
    "MasquerDonneesDto": "donnees |",
}
ANSWERS = {
    "Activite", "Caisse", "CaisseDetail", "CategorieDepense", "Client", "ClientDetail", "ContactUrgence", "Depense",
    "Facture", "FactureDetail", "FactureLigne", "Impaye", "MoyenPaiement", "Notification", "Paiement",
    "PaiementDetail", "Parametre", "PeriodeCaisse", "Permission", "PieceIdentite", "Prestation", "Reglement", "Role",
    "Session", "Tirage", "Utilisateur",
}  # fmt: skip


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


# ---- the document


def test_it_is_valid(document: Any) -> None:
    OpenAPIV31SpecValidator(document).validate()


def test_operation_ids_are_unique_and_usable_as_names(document: Any) -> None:
    found = [operation["operationId"] for _, _, operation in operations(document)]
    assert len(found) == len(set(found))
    assert not [name for name in found if not re.fullmatch(r"[a-z][a-z0-9_]*", name)]


def test_bodies_are_those_of_the_contract(document: Any) -> None:
    schemas = document["components"]["schemas"]
    found = {}
    for name in (name for name in schemas if name.endswith("Dto")):
        required = schemas[name].get("required", [])
        optional = schemas[name]["properties"].keys() - set(required)
        found[name] = (set(required), optional)
        assert schemas[name]["additionalProperties"] is False
    expected = {}
    for name, fields in BODIES.items():
        required, _, optional = fields.partition("|")
        expected[name] = (set(required.split()), set(optional.split()))
    assert {name: found.get(name) for name in expected} == expected
    unnamed = found.keys() - expected.keys()
    assert not [name for name in unnamed if not re.match(r"[A-Z][A-Za-z]+Dto$", name)]
    assert not [name for name in unnamed if re.search(r"(Entree|Nouveau)Dto$", name)], "name it in its route"


def test_nullable_and_default_fields_of_a_body(document: Any) -> None:
    schemas = document["components"]["schemas"]
    creer, maj = schemas["CreerClientDto"]["properties"], schemas["MajClientDto"]["properties"]
    assert creer["nom"]["type"] == maj["nom"]["type"] == "string"
    assert maj["email"]["type"] == creer["email"]["type"] == ["string", "null"]
    assert None in maj["sexe"]["enum"] and None not in maj["type_client"]["enum"]
    assert schemas["CreerPrestationDto"]["properties"]["actif"]["default"] is True
    facturer = schemas["FacturerPrestationDto"]["properties"]
    assert facturer["lignes"]["items"] == {"$ref": "#/components/schemas/LigneFacturationDto"}
    assert {"$ref": "#/components/schemas/NouveauClientFacturationDto"} in facturer["client"]["anyOf"]
    assert facturer["montant"]["type"] == ["string", "number"] and facturer["montant"]["minimum"] == 0
    assert schemas["LigneFacturationDto"]["properties"]["libelle"]["description"] == "Texte de la ligne."


def test_answers_have_good_names(document: Any) -> None:
    schemas = document["components"]["schemas"]
    assert not ANSWERS - schemas.keys()
    assert not [name for name in schemas if "_" in name or name.endswith("Vue") or not name[0].isupper()]
    for method, path, operation in operations(document):
        (success,) = (answer for status, answer in operation["responses"].items() if status < "300")
        if method != "DELETE":
            assert success["content"], path


def test_every_operation_tells_its_permission_and_its_errors(http: Http, document: Any) -> None:
    for route in http.services.table.routes:
        operation = document["paths"][route.path][route.method.lower()]
        text, refusals = operation["description"], {status for status in operation["responses"] if status > "399"}
        assert {"400", "401", "503"} <= refusals
        if route.permission:
            words = route.permission.replace("|", " ou ")
            assert operation["x-permission"] == route.permission and f"Permission : {words}." in text
            assert "403" in refusals
        else:
            assert "x-permission" not in operation and "Accès : " in text
        assert (operation.get("security") == []) == route.public
        function = http.services.catalogue.functions.get(route.function or "")
        named = re.search(r"Refuse : ([A-Z_, ]+)", function.comment or "") if function else None
        if named:
            rules = named[1].strip().rstrip(",").split(", ")
            assert operation["x-refus"] == rules
            assert all(f"`{rule}`" in text for rule in rules) and "Refuse" not in text
    for status, answer in document["components"]["responses"].items():
        assert ("Retry-After" in answer.get("headers", {})) == (status in ("Refus429", "Refus503"))


def test_every_named_refusal_exists(db: Db, document: Any) -> None:
    """« Refuse : … » is made by hand: a rule that nothing refuses any more is noticed here."""
    bodies = db.one("select string_agg(p.prosrc, ' ') from pg_proc p where p.proowner::regrole::text ~ '^comptoir_'")
    known = set(re.findall(r"refuser\(\s*\d+,\s*'([A-Z_]+)'", bodies))
    known |= {row["name"].upper() for row in db.all("select conname as name from pg_constraint")}
    known |= {row["name"].upper() for row in db.all("select relname as name from pg_class where relkind = 'i'")}
    for _, path, operation in operations(document):
        assert not set(operation.get("x-refus", ())) - known - {"NOT_FOUND", "UNAUTHORIZED"}, path


def test_summaries_are_one_french_sentence(document: Any) -> None:
    for _, path, operation in operations(document):
        summary = operation["summary"]
        assert summary == summary.strip() and 4 < len(summary) < 130, path
        assert summary[0].isupper() and not summary.endswith((".", ":", ";", ",")), path
        assert "Refuse" not in summary and "p_" not in operation["description"], path
    tags = {tag["name"]: tag["description"] for tag in document["tags"]}
    assert {tag for _, _, operation in operations(document) for tag in operation["tags"]} == set(tags)
    assert all(text.endswith(".") for text in tags.values())


def test_the_examples_of_bodies_pass_their_checker_and_their_schema(http: Http, document: Any) -> None:
    named = http.services.catalogue.named
    seen = 0
    for route in http.services.table.routes:
        content = body_schema(document["paths"][route.path][route.method.lower()])
        assert (content is None) == (route.body is None), route.path
        if content is None:
            continue
        example = content["example"]
        assert example and not wrong(document, content["schema"], example), route.path
        outside = {key: "1" for key in re.findall(r"{(\w+)}", route.path)}
        if route.fields:
            checker = Arguments([Parameter(name, named(kind), True, None) for name, kind in route.fields], None)
        else:
            assert route.function
            parameters = http.services.catalogue.functions[route.function].parameters
            checker = Arguments(parameters, named(route.champs) if route.champs else None)
        checker.check(outside, example)
        seen += 1
    assert seen > 30


def test_the_examples_of_answers_fit_their_schema(document: Any) -> None:
    schemas = document["components"]["schemas"]
    examples = [(name, example) for name, schema in schemas.items() for example in schema.get("examples", ())]
    assert {"Erreur", "Facture", "FactureDetail", "Reglement", "Tirage"} <= {name for name, _ in examples}
    for name, example in examples:
        assert not wrong(document, {"$ref": f"#/components/schemas/{name}"}, example), name


def test_defaults_are_constants_of_the_right_type(document: Any) -> None:
    limit = parameter(document, "/api/v1/client/clients", "limit")
    assert limit["schema"] == {"type": "integer", "minimum": 1, "maximum": 1000, "default": 100}
    for _, path, operation in operations(document):
        for found in operation.get("parameters", ()):
            if "default" in found.get("schema", {}):
                assert not wrong(document, found["schema"], found["schema"]["default"]), path


def parameter(document: Any, path: str, name: str) -> Any:
    return next(p for p in document["paths"][path]["get"]["parameters"] if p.get("name") == name)


def test_lists_tell_their_headers_and_posts_their_key(document: Any) -> None:
    paths = document["paths"]
    listed = paths["/api/v1/client/clients"]
    assert set(listed["get"]["responses"]["200"]["headers"]) == {"X-Total-Count", "X-Total-Capped", "Link"}
    assert "headers" not in paths["/api/v1/admin/roles"]["get"]["responses"]["200"]  # not paged
    assert {"$ref": "#/components/parameters/IdempotencyKey"} in listed["post"]["parameters"]
    assert "Idempotency-Replayed" in listed["post"]["responses"]["201"]["headers"]
    assert "parameters" not in paths["/api/v1/auth/login"]["post"]


# ---- what the builder refuses


BIGINT = PgType(20, "pg_catalog", "int8", "base")


def composite(schema: str, name: str) -> PgType:
    return PgType(0, schema, name, "composite", attributes=[Attribute("id", BIGINT, None, False)])


def function(schema: str, name: str, parameters: list[Parameter], returns: PgType) -> Function:
    return Function(schema, name, parameters, returns, False, "s", "Un essai.")


def made(http: Http, functions: list[Function], *routes: Route) -> Any:
    catalogue = http.services.catalogue
    changed = type(catalogue)(
        {f.qualified: f for f in functions}, catalogue.types, {}, set(), dict.fromkeys(["", "a", "b"], "Essai.")
    )
    return openapi.document(RouteTable(list(routes), set()), changed)


def test_two_slices_that_answer_with_one_name_get_their_slice_before_it(http: Http) -> None:
    functions = [function(s, f"{n}_x", [], composite(s, f"{n}_vue")) for s, n in (("a", "commande"), ("b", "commande"))]
    functions.append(function("b", "autre_x", [], composite("b", "autre_vue")))
    routes = [GET(f"/{f.schema}/{f.name}", f.qualified, None) for f in functions]
    assert {"ACommande", "BCommande", "Autre"} <= made(http, functions, *routes)["components"]["schemas"].keys()


def test_one_name_for_two_shapes_and_a_name_for_no_field_are_refused(http: Http) -> None:
    ligne, autre = composite("a", "ligne"), composite("a", "autre_ligne")
    autre.attributes[0].name = "code"
    one, other = (Parameter("lignes", kind, True, None) for kind in (ligne, autre))
    functions = [function("a", "un", [one], BIGINT), function("a", "deux", [other], BIGINT)]
    routes = [POST(f"/{f.name}", f.qualified, None, f"{f.name}Dto", lignes="LigneDto") for f in functions]
    with pytest.raises(CatalogueError, match="Deux schémas différents s'appellent LigneDto"):
        made(http, functions, *routes)
    with pytest.raises(CatalogueError, match="des champs qu'il n'a pas : article"):
        made(http, functions[:1], POST("/un", "a.un", None, "UnDto", article="ArticleDto"))


# ---- null or not


def test_what_the_document_says_is_never_null_never_is(http: Http, db: Db) -> None:
    """The planner folds `column is null` into false for a column that it can prove: no outer join, NOT NULL below."""

    def proven(source: str, column: str) -> bool:
        plan = db.all(f'explain (costs off) select from {source} v where v."{column}" is null')
        return any("One-Time Filter: false" in row["QUERY PLAN"] for row in plan)

    def uncast(view: str) -> str:
        """The view without its casts: never null stays never null through them, but the planner does not look below."""
        text = db.one("select pg_get_viewdef(%s::regclass)", [view]).rstrip(";")
        text = re.sub(r"::[\w.]+ AS ", " AS ", text)
        return f"({re.sub(r'([a-z]+[.][a-z_]+_vue) (?=[a-z])', lambda found: uncast(found[1]) + ' ', text)})"

    schemas = Schemas(http.services.table, http.services.catalogue)
    claimed = 0
    for kind in http.services.catalogue.types.values():
        if kind.kind != "composite" or not kind.name.endswith("_vue"):
            continue
        view = f"{kind.schema}.{kind.name}"
        for attribute in kind.attributes:
            if schemas.never_null(kind, attribute):
                assert proven(view, attribute.name) or proven(uncast(view), attribute.name), (view, attribute.name)
                claimed += 1
    assert claimed > 60
    # And the proof tells the two apart.
    assert proven("facturation.facture_vue", "numero")
    assert not proven("facturation.facture_vue", "client_nom")


def test_null_or_not_in_the_schema(document: Any) -> None:
    facture = document["components"]["schemas"]["FactureDetail"]["properties"]
    assert facture["numero"]["type"] == "string" and facture["lignes"]["type"] == "array"
    assert facture["client_nom"]["type"] == ["string", "null"]
    assert facture["id_client"]["type"] == ["string", "null"]
    periode = document["components"]["schemas"]["CaisseDetail"]["properties"]["periode"]
    assert {"type": "null"} in periode["anyOf"]


# ---- the answers are what the document says


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
    keys["id_contrat"] = str(builders.contrat(db, id_logement=occupied))
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


def test_every_get_answers_as_documented(witness: Witness, known: dict[str, str]) -> None:
    templates = {path: operation for method, path, operation in operations(witness.document) if method == "GET"}
    resident = Witness(witness.http.as_user(known["resident"]), witness.document)
    for template, operation in templates.items():
        assert all(key(known, template, name) for name in re.findall(r"{(\w+)}", template)), f"`known` lacks {template}"
        client = resident if "/portail/" in template else witness
        assert client.request("GET", template, known, params=required(operation)).status_code == 200, template
    assert witness.answered | resident.answered >= {("GET", template) for template in templates}


def test_lists_with_every_filter_answer_as_documented(witness: Witness, known: dict[str, str]) -> None:
    """Each query parameter with a value of its documented type, one at a time."""
    values = {"string": "1", "integer": "1", "boolean": "true"}
    for method, template, operation in operations(witness.document):
        for found in operation.get("parameters", ()):
            if method != "GET" or found.get("in") != "query" or found["name"] in ("sort", "format"):
                continue
            schema = found["schema"]
            formats = {inner.get("format") for inner in [schema, *schema.get("anyOf", ())]}
            value = schema["enum"][0] if "enum" in schema else values[schema["type"]]
            if formats & {"date", "date-time"}:
                value = "2026-08-15"
            if schema.get("pattern", "").startswith("^[0-9]{4}-"):
                value = "2026-08"
            value = PHOTO if found["name"] == "key" else known.get(found["name"], value)
            params = required(operation) | {found["name"]: value}
            answer = witness.request("GET", template, known, params=params)
            assert answer.status_code == 200, (template, found["name"], answer.text)


# What an example cannot do by itself: it names a token, or needs a state that is another one here.
REFUSED = {
    ("POST", "/api/v1/auth/login"): 401,
    ("POST", "/api/v1/auth/refresh"): 401,
    ("POST", "/api/v1/auth/reinitialiser-mot-de-passe"): 400,
    ("POST", "/api/v1/finances/tirages"): 400,  # an administrator has to name a till
    ("POST", "/api/v1/finances/caisses/{id_caisse}/ouvrir"): 409,
    ("DELETE", "/api/v1/finances/categories-depenses/{id_categorie_depense}"): 409,
    ("POST", "/api/v1/pressing/commandes/{id_commande}/pret"): 409,  # not in treatment yet
    ("POST", "/api/v1/pressing/commandes/{id_commande}/retirer"): 409,  # not ready yet
    ("PATCH", "/api/v1/salle-fete/reservations/{id_reservation}"): 409,  # an edit never changes the state
    ("POST", "/api/v1/salle-fete/reservations/{id_reservation}/realiser"): 409,  # not confirmed yet
    ("POST", "/api/v1/market/ventes"): 422,  # no such product
    ("POST", "/api/v1/restaurant/commandes"): 422,  # no such dish
    ("POST", "/api/v1/restaurant/commandes/{id_commande}/statut"): 409,  # it is not served yet
    ("POST", "/api/v1/residence/charges"): 409,  # this room is free
    ("POST", "/api/v1/residence/contrats/{id_contrat}/activer"): 409,  # it is in force already
    ("POST", "/api/v1/residence/echeances/{id_echeance}/encaisser"): 409,  # paid already
    ("POST", "/api/v1/residence/contrats/{id_contrat}/caution"): 409,  # declared already
    ("POST", "/api/v1/residence/contrats/{id_contrat}/caution/rembourser"): 409,  # never collected
    ("POST", "/api/v1/residence/contrats/{id_contrat}/caution/restitution"): 409,
    ("POST", "/api/v1/rh/pointages"): 409,  # this employee is there already
    ("PATCH", "/api/v1/rh/pointages/{id_pointage}"): 400,  # its departure is before this arrival
    ("POST", "/api/v1/rh/paies/{id_paie}/payer"): 409,  # not validated yet
    ("POST", "/api/v1/admin/sauvegardes/{id_sauvegarde}/restaurer"): 503,  # the test has no database but its own
}


def test_every_other_operation_answers_as_documented_to_its_example(
    witness: Witness, known: dict[str, str], db: Db
) -> None:
    public = Witness(replace(witness.http, token=None), witness.document)  # a logout would end the session
    for method, template, operation in operations(witness.document):
        if method == "GET":
            continue
        example = (body_schema(operation) or {}).get("example", {})
        body = {name: known[name] if name in known and name.startswith("id_") else example[name] for name in example}
        client = witness if operation.get("security") != [] else public
        sent: dict[str, Any] = {"json": body}
        if form := operation.get("requestBody", {}).get("content", {}).get("multipart/form-data"):
            fields = {name: field["enum"][0] for name, field in form["schema"]["properties"].items() if "enum" in field}
            sent = {"data": fields, "files": {"file": ("photo.jpg", JPEG)}}
        with undone(db):
            answer = client.request(method, template, known, **sent)
        expected = REFUSED.get((method, template))
        assert answer.status_code == expected if expected else answer.status_code < 300, (template, answer.text)


def test_refusals_answer_as_documented(witness: Witness, http: Http, known: dict[str, str]) -> None:
    clients = "/api/v1/client/clients"
    statuses = [
        witness.request("GET", clients, params={"limit": "0"}).status_code,
        witness.request("GET", clients, token="faux").status_code,
        witness.request("GET", "/api/v1/admin/roles", token=http.as_user(known["id_utilisateur"]).token).status_code,
        witness.request("GET", f"{clients}/{{id_client}}", {"id_client": "0"}).status_code,
        witness.request("POST", clients, content=b"{}", headers={"content-type": "text/plain"}).status_code,
        witness.request("POST", clients, content=b"x" * 1_100_000).status_code,
        witness.request("POST", "/api/v1/finances/caisses/{id_caisse}/ouvrir", known).status_code,
        [witness.request("POST", "/api/v1/auth/login", json={}).status_code for _ in range(6)][-1],
    ]
    assert statuses == [400, 401, 403, 404, 415, 413, 409, 429]


# ---- what serves it


def test_it_is_sent_again_only_when_it_changed(http: Http) -> None:
    first = http.get("/docs-json")
    assert first.headers["cache-control"] == "no-cache"
    again = http.get("/docs-json", headers={"if-none-match": first.headers["etag"]})
    assert (again.status_code, again.content) == (304, b"")
    assert len(first.content) < 1_000_000 and len(gzip.compress(first.content)) < 100_000


@pytest.mark.parametrize(
    "path, kind, cache",
    [
        ("/docs", "text/html; charset=utf-8", "no-cache"),
        ("/docs/page.js", "text/javascript; charset=utf-8", "no-cache"),
        ("/docs/page.css", "text/css; charset=utf-8", "no-cache"),
        ("/docs-json", "application/json", "no-cache"),
        ("/docs/statique/swagger-ui.css", "text/css; charset=utf-8", "public, max-age=86400"),
        ("/docs/statique/swagger-ui-bundle.js", "text/javascript; charset=utf-8", "public, max-age=86400"),
        ("/docs/statique/favicon-32x32.png", "image/png", "public, max-age=86400"),
    ],
)
def test_the_page_and_its_assets(http: Http, path: str, kind: str, cache: str) -> None:
    answer = http.get(path)
    assert answer.status_code == 200
    assert answer.headers["content-type"] == kind
    assert answer.headers["cache-control"] == cache
    assert answer.headers["x-content-type-options"] == "nosniff"
    assert http.get(path, headers={"if-none-match": answer.headers["etag"]}).status_code == 304


def test_the_page_names_nothing_from_elsewhere(http: Http) -> None:
    page = http.get("/docs")
    named = re.findall(r'(?:src|href)="([^"]+)"', page.text)
    assert len(named) == 5 and all(http.get(path).status_code == 200 for path in named)
    policy = page.headers["content-security-policy"]
    assert "default-src 'none'" in policy and "script-src 'self';" in policy and "http" not in policy


@pytest.mark.parametrize(
    "name",
    ["swagger-editor-bundle.js", "swagger-editor-bundle.js.map", "swagger-ui-es-bundle.js", "LICENSE", "index.css", "",
     "../__init__.py", "%2e%2e/__init__.py", "/etc/passwd"],
)  # fmt: skip
def test_nothing_else_of_the_package_is_served(http: Http, name: str) -> None:
    assert http.get(f"/docs/statique/{name}").status_code in (404, 405)
    assert name not in docs.ASSETS


# ---- a typed client


CLIENT_TS = """
import type { components, paths } from "./api";

type Facture = components["schemas"]["FactureDetail"];
type Posted<B> = { post: { requestBody: { content: { "application/json": B } } } };
type Body<P extends keyof paths> = paths[P] extends Posted<infer B> ? B : never;

export const numero = (facture: Facture): string => facture.numero;
export const client = (facture: Facture): string => facture.client_nom ?? "";
export const total = (facture: Facture): number => facture.lignes.reduce((sum, ligne) => sum + Number(ligne.total), 0);
export const login: Body<"/api/v1/auth/login"> = { login: "awa.exemple", mot_de_passe: "motdepasse" };
export const facturer: Body<"/api/v1/facturation/prestations/{id_prestation}/facturer"> = {
  montant: "5000.00", id_moyen: 1, lignes: [{ libelle: "Chaises", prix_unitaire: "500" }],
};
// @ts-expect-error the password is required
export const incomplete: Body<"/api/v1/auth/login"> = { login: "awa.exemple" };
// @ts-expect-error a client's name may be null
export const nullable = (facture: Facture): string => facture.client_nom;
"""
OFFLINE = re.compile(r"ENOTFOUND|EAI_AGAIN|ECONN|ETIMEDOUT|ENETUNREACH|ERR_SOCKET|CERT|network", re.IGNORECASE)


def test_a_typed_client_can_be_generated(document: Any, tmp_path: Path) -> None:
    npm = shutil.which("npm")
    if npm is None:
        pytest.skip("npm is not installed: no TypeScript client to generate")
    installed = run(tmp_path, npm, "install", "--no-audit", "--no-fund", "--prefer-offline", "--ignore-scripts",
                    "--fetch-retries=1", "--fetch-timeout=20000", OPENAPI_TYPESCRIPT, TYPESCRIPT)  # fmt: skip
    if installed.returncode and OFFLINE.search(installed.stderr):
        reason = next(line for line in installed.stderr.splitlines() if OFFLINE.search(line))
        pytest.skip(f"the npm registry cannot be reached: {reason}")
    assert installed.returncode == 0, installed.stderr
    (tmp_path / "api.json").write_text(json.dumps(document))
    (tmp_path / "client.ts").write_text(CLIENT_TS)
    tools = tmp_path / "node_modules" / ".bin"
    generated = run(tmp_path, str(tools / "openapi-typescript"), "api.json", "--output", "api.d.ts")
    assert generated.returncode == 0, generated.stderr
    compiled = run(tmp_path, str(tools / "tsc"), "--noEmit", "--strict", "--target", "es2022", "api.d.ts", "client.ts")
    assert compiled.returncode == 0, compiled.stdout


def run(folder: Path, *command: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=60)
