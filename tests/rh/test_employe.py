"""Services and employees: the database gives the code, and an account belongs to one employee at most."""

from tests import builders
from tests.conftest import refused

FIELDS = {
    "nom": "Koné", "prenom": "Ali", "fonction": "CAISSIER", "date_embauche": "2026-03-01", "type_contrat": "CDI",
    "salaire_base": "180000",
}  # fmt: skip
HASH = "$2b$10$" + "g" * 53


def create(db, **fields):
    return db.call("rh.employe_creer", **(FIELDS | fields))


def modify(db, employe, **champs):
    return db.call("rh.employe_modifier", id_employe=employe["id_employe"], champs=champs)


def account(db, **fields):
    role = db.one("select id_role from auth.role where code = 'RH'")
    return db.call("auth.utilisateur_creer", **({"login": "ali.kone", "mot_de_passe": HASH, "id_role": role} | fields))


def edit_account(db, user, **champs):
    return db.call("auth.utilisateur_modifier", id_utilisateur=user["id_utilisateur"], champs=champs)


def owner(db, employe):
    return db.one("select id_utilisateur from rh.employe where id_employe = %s", [employe])


def service(db, libelle):
    return db.call("rh.service_creer", libelle=libelle)


def rename(db, id_service, libelle):
    return db.call("rh.service_modifier", id_service=id_service, champs={"libelle": libelle})


def test_services_have_labels_of_their_own_and_are_listed_in_order(db):
    second, first = service(db, "Lingerie"), service(db, "Accueil")
    assert list(first) == ["id_service", "libelle"]
    assert db.rows("rh.service_lister") == [first, second]
    with refused("SERVICE_EXISTANT", status=409):
        service(db, "Accueil")
    with refused("SERVICE_EXISTANT", status=409):
        rename(db, second["id_service"], "Accueil")
    with refused("LIBELLE_REMPLI", status=400):
        service(db, " ")
    with refused("NOT_FOUND", status=404):
        rename(db, 987654321, "X")
    renamed = rename(db, first["id_service"], "Zone d'accueil")
    assert db.rows("rh.service_lister") == [second, renamed]


def test_a_new_employee_gets_a_code_and_the_status_actif(db):
    reception = service(db, "Accueil")["id_service"]
    employe = create(db, telephone="+225 07 02 00 00", id_service=reception, autres_infos="Permis B")
    assert list(employe) == [
        "id_employe", "code", "nom", "prenom", "telephone", "fonction", "id_service", "date_embauche", "type_contrat",
        "salaire_base", "statut", "autres_infos", "service_libelle", "date_sortie",
    ]  # fmt: skip
    shown = employe["statut"], str(employe["salaire_base"]), employe["service_libelle"]
    assert shown == ("ACTIF", "180000.00", "Accueil")
    assert db.call("rh.employe_detail", id_employe=employe["id_employe"]) == employe


def test_employee_codes_are_consecutive_and_continue_after_an_imported_code(db):
    org = db.one("select core.parametre('CODE_ORGANISATION')")
    assert [create(db)["code"] for _ in range(2)] == [f"{org}-EMP-001", f"{org}-EMP-002"]
    builders.employe(db, code="VIEUX-EMP-0999")
    assert create(db)["code"] == f"{org}-EMP-1000"
    with refused("CODE_EMPLOYE_EXISTANT", status=409):
        builders.employe(db, code=f"{org}-EMP-001")


def test_an_invalid_employee_is_refused(db):
    employe = create(db)
    for fields, rule, status in (
        ({"nom": " "}, "LIBELLE_REMPLI", 400),
        ({"telephone": "abc"}, "TELEPHONE_MAL_FORME", 400),
        ({"salaire_base": "-1"}, "MONTANT_POSITIF", 400),
        ({"id_service": 987654321}, "EMPLOYE_SERVICE_INCONNU", 422),
    ):
        with refused(rule, status=status):
            create(db, **fields)
        with refused(rule, status=status):
            modify(db, employe, **fields)


def test_only_the_sent_fields_of_an_employee_change(db):
    employe = create(db, telephone="0700000000", autres_infos="Permis B")
    changed = {"telephone": None, "statut": "SUSPENDU"}
    assert modify(db, employe, **changed) == employe | changed
    for statut in ("INACTIF", "ACTIF", "SUSPENDU", "ACTIF", "INACTIF", "SUSPENDU"):
        assert modify(db, employe, statut=statut)["statut"] == statut
    with refused("NOT_FOUND", status=404):
        modify(db, {"id_employe": 987654321}, nom="X")
    with refused("NOT_FOUND", status=404):
        db.call("rh.employe_detail", id_employe=987654321)


def test_the_list_of_employees_filters(db):
    employe = create(db, telephone="+225 07 02 00 00")
    matching = [
        {"recherche": "kone ali"}, {"recherche": "ALI koné"}, {"recherche": "EMP-001"}, {"nom": "kone"},
        {"prenom": "ali"}, {"telephone": "07 02"}, {"fonction": "CAISSIER"}, {"type_contrat": "CDI"},
        {"statut": "ACTIF"}, {"embauche_du": "2026-03-01", "embauche_au": "2026-03-01"}, {"sans_compte": True},
        {"sans_compte": False},
    ]  # fmt: skip
    others = [
        {"recherche": "personne"}, {"nom": "ali"}, {"telephone": "99"}, {"fonction": "SERVEUR"},
        {"type_contrat": "CDD"}, {"statut": "INACTIF"}, {"embauche_du": "2026-03-02"}, {"embauche_au": "2026-02-28"},
        {"id_service": 987654321},
    ]  # fmt: skip
    for filters in matching + others:
        assert db.rows("rh.employe_lister", **filters) == ([employe] if filters in matching else []), filters


def test_an_account_can_be_linked_to_an_employee_and_moved(db):
    first, second = create(db)["id_employe"], create(db)["id_employe"]
    user = account(db, id_employe=first)
    assert owner(db, first) == user["id_utilisateur"] and "id_employe" not in user
    assert [e["id_employe"] for e in db.rows("rh.employe_lister", sans_compte=True)] == [second]
    assert len(db.rows("rh.employe_lister", sans_compte=False)) == 2
    edit_account(db, user, nom="Koné")
    assert owner(db, first) == user["id_utilisateur"]  # the field was not sent, so it did not change
    edit_account(db, user, id_employe=first)
    edit_account(db, user, id_employe=second)
    assert (owner(db, first), owner(db, second)) == (None, user["id_utilisateur"])
    edit_account(db, user, id_employe=None)
    assert (owner(db, first), owner(db, second)) == (None, None)


def test_an_employee_has_at_most_one_account(db):
    employe = create(db)["id_employe"]
    first = account(db, id_employe=employe)["id_utilisateur"]
    wrong = ((employe, "EMPLOYE_DEJA_LIE", 409), (987654321, "EMPLOYE_INCONNU", 422))
    for id_employe, rule, status in wrong:
        with refused(rule, status=status):
            account(db, login="second.compte", id_employe=id_employe)
    other = account(db, login="second.compte")
    for id_employe, rule, status in wrong:
        with refused(rule, status=status):
            edit_account(db, other, id_employe=id_employe)
    assert owner(db, employe) == first
    # Direct SQL cannot link a second account either.
    with refused("COMPTE_DEJA_LIE", status=409):
        builders.employe(db, id_utilisateur=first)
