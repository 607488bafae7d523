"""A sheet of clients from the trial to its undoing."""

from tests import builders
from tests.sheets import counts, done, fingerprint, problem, send, text, tried

BAD = ("Bad", "Phone", "abc", "AUTRE", "")
HEADER = ("Nom", "Prénoms", "Téléphone", "Type de client", "E-mail")
ROWS = (
    ("Kouassi", "Aya Rose", "0701020304", "locataire", "aya@example.com"),
    ("Traoré", "Issa", "+225 05 06 07 08 09", "AUTRE", ""),
)


def clients(http, **query):
    return http.get("/client/clients", params=query).json()


def test_a_trial_says_what_would_happen_and_leaves_nothing(admin, db):
    tried(admin, text(HEADER, ("Un", "Autre", "0700000000", "AUTRE", "")))  # makes the account's first traces
    before = fingerprint(db)
    answer = tried(admin, text(HEADER, *ROWS, BAD))
    after = fingerprint(db)
    assert {name for name in before if before[name] != after[name]} <= {"audit.journal"}
    assert (answer["entite"], answer["lignes"], answer["etat"]) == ("clients", 3, "ESSAYE")
    assert counts(answer) == (2, 0, 1)
    [error] = answer["erreurs"]
    assert error == {"ligne": 4, "champ": "tel_principal", "message": error["message"]}
    assert error["message"].startswith("Le numéro de téléphone n'est pas valable")
    fields = ("nom", "prenoms", "tel_principal", "type_client", "email")
    assert answer["colonnes"] == dict(zip(HEADER, fields, strict=True))
    assert db.one("select count(*) from audit.journal where module = 'client'") == 0


def test_the_import_makes_the_accepted_rows_through_the_operation(admin, db):
    answer = done(admin, text(HEADER, *ROWS, BAD))
    assert (answer["etat"], counts(answer), answer["fait"], answer["total"]) == ("FAIT", (2, 0, 1), 2, 2)
    aya, issa = (clients(admin, nom=name)[0] for name in ("Kouassi", "Traoré"))
    assert aya["code"] and (aya["type_client"], aya["email"]) == ("LOCATAIRE", "aya@example.com")
    assert issa["tel_principal"] == "+2250506070809"
    assert clients(admin, nom="Bad") == []
    author = db.one("select id_utilisateur from echange.import where id_import = %s", [answer["id_import"]])
    journal = "select id_utilisateur from audit.journal where entite = 'client' and operation = 'INSERT'"
    assert db.all(journal) == [{"id_utilisateur": author}] * len(db.all(journal))


def test_a_client_of_another_file_is_known_by_code_or_by_name_and_phone(admin):
    done(admin, text(HEADER, *ROWS))
    code = clients(admin, nom="Kouassi")[0]["code"]
    sheet = text(
        ("code", "nom", "prenoms", "tel_principal"),
        (code, "Renamed", "Since", "0100000000"),
        ("", "TRAORÉ", "issa", "05 06 07 08 09"),
        ("", "Traoré", "Issa", "0102030405"),
    )
    assert counts(tried(admin, sheet)) == (1, 2, 0)


def test_a_row_that_is_twice_in_the_file_is_made_once(admin):
    assert counts(tried(admin, text(HEADER, ROWS[0], ROWS[0]))) == (1, 1, 0)
    done(admin, text(HEADER, ROWS[0], ROWS[0]))
    assert len(clients(admin, nom="Kouassi")) == 1


def test_a_code_of_the_sheet_is_kept_and_the_next_number_follows_it(admin, db):
    db.execute("delete from core.compteur where type = 'CL'")
    rows = [("GSG-CL-041", "Un", "A", "0700000001"), ("P-7", "Deux", "B", "0700000002")]
    done(admin, text(("code", *HEADER[:3]), *rows))
    assert {(row["code"], row["nom"]) for row in clients(admin)} >= {row[:2] for row in rows}
    code = db.one("select code from client.client where id_client = %s", [builders.client(db)])
    assert code.endswith("-CL-042")


def test_with_tout_one_refused_row_refuses_all(admin):
    answer = tried(admin, text(HEADER, *ROWS, BAD))
    refused = admin.post(f"/imports/{answer['id_import']}/valider", params={"tout": "true"})
    assert (refused.status_code, refused.json()["code"]) == (409, "IMPORT_REFUSE")
    assert refused.json()["details"]["erreurs"][0]["ligne"] == 4
    assert clients(admin, nom="Kouassi") == []
    assert admin.get(f"/imports/{answer['id_import']}").json()["etat"] == "ESSAYE"


def test_a_row_refused_since_the_trial_refuses_all_with_tout_and_itself_without(admin, db):
    rows = [("A1", "Savon", "500", "X1"), ("A2", "Riz", "900", "X2")]
    answer = tried(admin, text(("reference", "nom", "prix_vente", "code_barre"), *rows), "produits")
    builders.produit(db, code_barre="X2")
    refused = admin.post(f"/imports/{answer['id_import']}/valider", params={"tout": "true"})
    assert (refused.status_code, refused.json()["code"]) == (409, "IMPORT_REFUSE")
    assert db.one("select count(*) from market.produit where reference in ('A1', 'A2')") == 0
    made = admin.post(f"/imports/{answer['id_import']}/valider").json()
    assert counts(made) == (1, 0, 1)
    assert (made["erreurs"][0]["ligne"], made["erreurs"][0]["champ"]) == (3, "code_barre")


def test_a_rule_of_the_commit_refuses_its_row_and_not_the_others(admin, db):
    """A deferred constraint is checked in the savepoint of its row, in the trial and in the import."""
    db.execute(
        """create function pg_temp.refuse() returns trigger language plpgsql as $$ begin
             raise check_violation using message = 'late', constraint = 'naissance_plausible';
           end $$"""
    )
    db.execute(
        """create constraint trigger late after insert on client.client deferrable initially deferred
             for each row when (new.nom = 'Late') execute function pg_temp.refuse()"""
    )
    sheet = text(HEADER, ROWS[0], ("Late", "A", "0700000000", "", ""), ROWS[1])
    answer = tried(admin, sheet)
    assert counts(answer) == (2, 0, 1)
    assert answer["erreurs"] == [{"ligne": 3, "champ": None, "message": "La date de naissance n'est pas plausible."}]
    assert counts(done(admin, sheet + b"\r\n")) == (2, 0, 1)
    assert len(clients(admin, nom="Kouassi")) == len(clients(admin, nom="Traoré")) == 1


def test_confirming_twice_and_with_the_same_key_makes_the_rows_once(admin):
    path = f"/imports/{tried(admin, text(HEADER, *ROWS))['id_import']}/valider"
    answers = [admin.post(path, headers=headers) for headers in ({"idempotency-key": "k"},) * 2 + ({},)]
    assert [answer.status_code for answer in answers] == [200, 200, 200]
    assert answers[1].headers["idempotency-replayed"] == "true"
    assert len(clients(admin, nom="Kouassi")) == 1


def test_a_trial_sent_again_with_its_key_is_the_same_import(admin):
    sheet, headers = text(HEADER, *ROWS), {"idempotency-key": "k"}
    form = {"data": {"entite": "clients"}, "files": {"file": ("clients.csv", sheet)}}
    first, second = (admin.post("/imports", headers=headers, **form) for _ in range(2))
    assert (first.status_code, first.json()) == (second.status_code, second.json())
    assert second.headers["idempotency-replayed"] == "true" and len(admin.get("/imports").json()) == 1
    form["files"] = {"file": ("clients.csv", sheet + b"\r\n")}
    assert admin.post("/imports", headers=headers, **form).status_code == 422


def test_an_import_is_listed_and_unknown_to_others(admin, http, db):
    number = tried(admin, text(HEADER, *ROWS))["id_import"]
    listed = admin.get("/imports", params={"entite": "clients", "etat": "ESSAYE"})
    assert [row["id_import"] for row in listed.json()] == [number]
    other = http.as_user(builders.utilisateur(db, role="ADMINISTRATEUR"))
    assert other.get("/imports").json() == []
    for method, path in (("GET", ""), ("POST", "/valider"), ("POST", "/annuler"), ("GET", "/rapport")):
        assert other.request(method, f"/imports/{number}{path}").status_code == 404


def test_columns_are_corrected_by_the_caller(admin):
    sheet = text(("Nom", "Prénoms", "Joindre au", "Remarque"), ("Koffi", "Ama", "0701020304", "x"))
    answer = tried(admin, sheet)
    assert answer["colonnes"] == {"Nom": "nom", "Prénoms": "prenoms", "Joindre au": None, "Remarque": None}
    assert answer["erreurs"][0]["champ"] == "tel_principal"
    corrected = tried(admin, sheet, colonnes='{"Joindre au": "tel_principal", "Remarque": null}')
    assert counts(corrected) == (1, 0, 0)
    for given, word in (
        ('{"Absente": "nom"}', "Absente"),
        ('{"Remarque": "pointure"}', "pointure"),
        ('{"Remarque": "nom", "Nom": "nom"}', "nom"),
        ("[1]", "objet JSON"),
        ("{", "objet JSON"),
    ):
        field, message = problem(send(admin, sheet, colonnes=given))
        assert field == "colonnes" and word in message


def test_two_columns_for_one_field_are_both_named(admin):
    sheet = text(("Nom", "Prénoms", "Téléphone", "Tel"), ("Koffi", "Ama", "0701020304", "0700000000"))
    field, message = problem(send(admin, sheet))
    assert field == "colonnes" and "« Téléphone »" in message and "« Tel »" in message
    assert counts(tried(admin, sheet, colonnes='{"Tel": "tel_secondaire"}')) == (1, 0, 0)
