"""Erasing a client: what forbids it, what goes, what stays, and what is still noticed afterwards."""

import pytest

from tests import builders, forgotten, livre
from tests.audit.test_recu_verifiable import keys, proven, signed, token
from tests.audit.test_sceau import after, findings, seal, tamper
from tests.audit.test_sceau_arbre import cut_down
from tests.conftest import ok, refusal, refused
from tests.facturation import test_avoir
from tests.forgotten import remains
from tests.portail.demandes import KINDS, account, client_of
from tests.residence import test_sejour

REASON = {"motif": "Demande de l'intéressé"}


def erase(http, client, **options):
    return http.post(f"/client/clients/{client}/anonymiser", json=REASON, **options)


def forget(http, client):
    """Erase the client as an administrator. Return the answer."""
    return ok(erase(http.as_admin(), client))


@pytest.fixture
def known(db, http):
    """A client whose last operation is twelve years old, with sealed books."""
    known = forgotten.written(db, http)
    forgotten.aged(db)
    return known


def reports(http):
    """Sums of the house: the consolidation, the ledger, the unpaid invoices, the payments."""
    hidden = {"libelle", "motif", "client_nom", "client_prenoms", "client"}
    sums = [http.get("/finances/consolidation").json()]
    for path in ("/compta/ecritures?limit=1000", "/finances/impayes", "/finances/paiements?limit=1000"):
        sums.append([{name: row[name] for name in row.keys() - hidden} for row in http.get(path).json()])
    return sums


def test_no_table_names_an_erased_client_and_a_rehearsed_erasure_changes_nothing(http, db, known):
    before = remains(db.connection)
    assert {hit.partition(": ")[2] for hit in before} == set(forgotten.WORDS)
    rehearsed = erase(http.as_admin(), known.client, headers={"Prefer": "tx=rollback"})
    assert rehearsed.status_code == 200 and rehearsed.json()["entrees"] > 0
    assert (remains(db.connection), db.one("select count(*) from audit.effacement")) == (before, 0)
    signed(db)
    ledger = livre.wrong(db)
    done = forget(http, known.client)
    # The worker needs the keys of the files until it has deleted them.
    files = {"client-photo/zq1.png", "piece-identite/zq2.png", "piece-identite/zq3.png", "signalement/zq4.png"}
    assert set(remains(db.connection)) == {f"queue.procrastinate_jobs: {file}" for file in files}
    assert set(done["fichiers"]) == files and done["mois_archives"] == []
    assert done["entrees"] == db.one("select sum(cardinality(empreintes)) from audit.effacement")
    assert done["lignes"] > 20 and done["evenements"] > 3
    assert findings(db) == [] and livre.wrong(db) == ledger


def test_money_numbers_reports_and_past_answers_lose_the_name_and_nothing_else(http, db, known):
    admin = http.as_admin()
    instant = db.one("select to_char(clock_timestamp() at time zone 'UTC', 'YYYY-MM-DD\"T\"HH24:MI:SS.US\"Z\"')")
    own, bill = f"/client/clients/{known.client}", f"/facturation/factures/{known.invoice}"

    def past():
        paths = ("/client/clients", own, bill, "/finances/paiements")
        answers = [admin.get(path, params={"instant": instant}) for path in paths]
        assert {answer.status_code for answer in answers} == {200}
        return answers

    sums, invoice, earlier = reports(admin), admin.get(bill).json(), past()
    assert "Quartzo" in earlier[0].text
    forget(http, known.client)
    assert reports(admin) == sums
    assert admin.get(bill).json() == invoice | {"client_nom": "[effacé]", "client_prenoms": "[effacé]"}
    printed = admin.get(f"{bill}/pdf")
    assert printed.status_code == 200 and printed.content.startswith(b"%PDF")
    later = past()
    assert not [word for word in forgotten.WORDS for answer in later if word in answer.text]
    assert later[2].json()["montant_total"] == earlier[2].json()["montant_total"]
    assert [row["montant"] for row in later[3].json()] == [row["montant"] for row in earlier[3].json()]


def test_proofs_from_before_and_after_an_erasure_agree(http, db, known):
    pieces = [("facture", known.invoice), ("avoir", known.credit_note), ("paiement", known.payment)]
    signed(db)
    paths = [f"/verifier/{token(db, piece, key)}" for piece, key in pieces]
    before = [http.get(f"{path}/preuve").json() for path in paths]
    statements = [proven(proof, keys(http)) for proof in before]
    forget(http, known.client)
    seal(db)
    assert [proven(proof, keys(http)) for proof in before] == statements
    after = [http.get(f"{path}/preuve").json() for path in paths]
    same = ("enonce", "sel", "complement", "rang")
    assert [[proof[part] for part in same] for proof in after] == [[proof[part] for part in same] for proof in before]
    assert findings(db) == []


def test_entries_sealed_before_the_tree_are_erased_too(http, db, known):
    seal(db)
    cut_down(db)
    former = "select empreintes from audit.sceau where racine is null order by rang"
    kept = db.all(former)
    assert findings(db) == []
    forget(http, known.client)
    assert findings(db) == [] and db.all(former) == kept
    one = name(db)
    tamper(db, "update audit.journal set apres = null where id_trace = %s", one)
    assert findings(db) == [("CHANGEE", "journal", [one])]


def test_the_account_of_an_erased_client_is_closed(http, db, known):
    own = http.as_user(known.account)
    assert own.get("/client/portail").status_code == 200
    forget(http, known.client)
    assert own.get("/client/portail").status_code == 401
    [row] = db.all("select login, nom, email, actif from auth.utilisateur where id_utilisateur = %s", [known.account])
    assert row == {"login": f"efface-{known.account}", "nom": None, "email": None, "actif": False}
    jobs = db.all("select args from queue.procrastinate_jobs where task_name in ('courriel', 'avertir') order by id")
    link, warning = (job["args"] for job in jobs)
    assert link["login"] == warning["login"] == f"efface-{known.account}"
    assert warning.keys() == {"modele", "login", "organisation"}


def test_labels_of_closed_months_lose_the_name_and_the_month_stays_intact(http, db, known):
    month = db.one("select to_char(jour, 'YYYY-MM') from facturation.facture where id_facture = %s", [known.invoice])
    db.call("compta.periode_cloturer", periode=month)
    assert any(hit.startswith("compta.ecriture") for hit in remains(db.connection))
    entries = "select numero, compte, debit, credit, piece, reference from compta.ecriture order by numero"
    sums = db.all(entries)
    forget(http, known.client)
    assert not [hit for hit in remains(db.connection) if hit.startswith("compta.")]
    assert db.all(entries) == sums
    assert db.call("compta.periode_detail", periode=month)["intacte"]
    tamper(db, "update compta.ecriture set debit = debit + 1 where debit > 0")
    assert not db.call("compta.periode_detail", periode=month)["intacte"]


def paid_lease(db, **payment):
    """A client and a lease of one month, which is paid."""
    client = builders.client(db)
    lease = builders.contrat(db, id_client=client, date_debut="2010-01-01", date_fin_prevue="2010-01-31")
    key = db.one("select id_echeance from residence.echeance where id_contrat = %s", [lease])
    payment |= {"montant": "95000", "id_moyen": builders.moyen(db)}
    db.call("residence.echeance_encaisser", id_echeance=key, **payment)
    return client, lease


def test_the_label_of_a_kept_deposit_of_a_closed_month_loses_its_reason(http, db):
    client, lease = paid_lease(db, date="2010-01-01T10:00:00Z")
    method = builders.moyen(db)
    db.call("residence.caution_creer", id_contrat=lease, montant="150000")
    db.call("residence.caution_encaisser", id_contrat=lease, id_moyen=method, date="2010-01-02")
    kept = {"retenue": "25000", "motif_retenue": "Vitre de Quartzo", "date": "2010-01-31"}
    db.call("residence.caution_rembourser", id_contrat=lease, id_moyen=method, **kept)
    db.one("select jobs.transition_contrats_expires()")
    db.call("compta.periode_cloturer", periode="2010-01")
    labels = "select count(*) from compta.ecriture where libelle like %s"
    assert db.one(labels, ["%Quartzo%"]) == 2
    forgotten.aged(db)
    forget(http, client)
    assert db.one(labels, ["%Quartzo%"]) == 0
    assert db.call("compta.periode_detail", periode="2010-01")["intacte"]


def test_the_journal_of_a_photo_of_a_room_loses_the_name_of_the_room(http, db):
    client = builders.client(db)
    lease = builders.contrat(db, False, id_client=client, date_debut="2010-01-01", date_fin_prevue="2010-01-31")
    photo = {"type": "ENTREE", "cle_objet": "etat-lieux/zq.jpg", "piece": "Chambre de Quartzo"}
    db.call("residence.etat_des_lieux_ajouter", id_contrat=lease, **photo)
    db.call("residence.contrat_annuler", id_contrat=lease)
    db.tamper("update residence.contrat_location set date_resiliation = '2010-01-31' where id_contrat = %s", lease)
    assert forget(http, client)["fichiers"] == ["etat-lieux/zq.jpg"]
    assert remains(db.connection, ("Quartzo",)) == []


def test_a_file_that_the_shop_or_the_menu_shows_is_not_removed(http, db):
    keys = ["produit-photo/a.png", "plat-photo/b.png"]
    client = builders.client(db, photo=keys[0])
    builders.produit(db, image_url=keys[0])
    builders.plat(db, image_url=keys[1])
    db.execute("update client.client set photo = %s where id_client = %s", [keys[1], client])
    assert forget(http, client)["fichiers"] == []


# ---- what forbids it


def test_an_erased_client_is_not_erased_again_and_takes_nothing_new(http, db, known):
    admin = http.as_admin()
    forget(http, known.client)
    assert refusal(erase(admin, known.client)) == (409, "CLIENT_DEJA_EFFACE")
    path = f"/client/clients/{known.client}"
    relative = {"nom": "Exemple", "lien": "Sœur", "tel_principal": "0700000000"}
    for answer in (
        admin.patch(path, json={"nom": "Exemple"}),
        admin.post(f"{path}/contacts-urgence", json=relative),
        admin.post(f"{path}/pieces-identite", json={"type_piece": "CNI", "numero": "1"}),
    ):
        assert refusal(answer) == (409, "CLIENT_EFFACE"), answer.text
    with refused("CLIENT_EFFACE", 409):
        db.execute("insert into market.vente (id_client, total) values (%s, 0)", [known.client])


def test_the_legal_retention_runs_from_the_last_operation(http, db):
    known = forgotten.written(db, http)
    forgotten.aged(db, years=9)
    admin = http.as_admin()
    answer = erase(admin, known.client)
    day = db.one("select (core.aujourdhui() - make_interval(years => 9) + make_interval(years => 10))::date")
    assert refusal(answer) == (409, "RETENTION_EN_COURS")
    assert abs((day - type(day).fromisoformat(answer.json()["details"]["jusqu_au"])).days) <= 3
    setting = admin.put("/core/parametres/RETENTION_LEGALE", json={"valeur": "8"})
    assert setting.status_code == 200 and erase(admin, known.client).status_code == 200


def test_a_refused_request_of_each_trade_counts_for_the_retention(http, db):
    for kind in KINDS.values():
        user = account(db)
        assert kind.decide(http, kind.request(http, db, user), "annuler").status_code == 200
        assert refusal(erase(http.as_admin(), client_of(db, user))) == (409, "RETENTION_EN_COURS"), kind.staff


def test_a_deposit_kept_without_a_payment_counts_for_the_retention(db):
    client = builders.client(db)
    lease = builders.contrat(db, id_client=client, date_debut="2010-01-01", date_fin_prevue="2010-12-31")
    moyen = builders.moyen(db)
    db.call("residence.caution_creer", id_contrat=lease, montant="1000")
    db.call("residence.caution_encaisser", id_contrat=lease, id_moyen=moyen, date="2010-01-05")
    db.call("residence.caution_rembourser", id_contrat=lease, id_moyen=moyen, retenue="1000", date="2011-03-01")
    assert str(db.one("select client._derniere_operation(%s)", [client])) == "2011-03-01"


def test_a_retention_outside_of_one_to_thirty_years_is_refused(http):
    for years in ("0", "31", "-1", "dix", "", "1.5"):
        answer = http.as_admin().put("/core/parametres/RETENTION_LEGALE", json={"valeur": years})
        assert answer.status_code == 400, years


def test_a_client_with_something_open_is_kept(http, db):
    billed, credited, *others = (builders.client(db) for _ in range(5))
    test_avoir.billed(db, paid="1", id_client=billed)
    paid = test_avoir.billed(db, paid="5000", id_client=credited)
    test_avoir.credit(db, paid, test_avoir.line(paid, 0, quantite="1"))
    for make, client in zip((builders.contrat, builders.abonnement, builders.souscription), others, strict=True):
        make(db, id_client=client)
    forgotten.aged(db)
    assert all(open_of(http, client) for client in (billed, credited, *others))


def open_of(http, client):
    """Return the open things that forbid to erase this client."""
    answer = erase(http.as_admin(), client)
    assert refusal(answer) == (409, "CLIENT_EN_COURS"), answer.text
    return answer.json()["details"]["en_cours"]


def test_a_client_with_unpaid_rent_of_a_past_lease_is_kept(http, db):
    client = builders.client(db)
    builders.contrat(db, id_client=client, date_debut="2010-01-01", date_fin_prevue="2010-03-31")
    db.one("select jobs.transition_contrats_expires()")
    assert db.one("select count(*) from facturation.facture") == 0
    assert open_of(http, client) == ["un loyer à payer"]


def test_a_client_who_gets_rent_back_is_kept(http, db):
    client, lease = paid_lease(db)
    db.call("residence.contrat_resilier", id_contrat=lease, date_resiliation="2010-01-15")
    assert open_of(http, client) == ["un crédit", "un loyer à rendre"]


def test_a_client_with_an_unpaid_stay_is_kept(http, db):
    client = builders.client(db)
    stay, _ = test_sejour.sejour(db, id_client=client)
    test_sejour.modifier(db, stay, statut="TERMINE")
    assert open_of(http, client) == ["un séjour à payer"]


def test_the_client_of_a_member_of_the_staff_is_kept(http, db):
    client = builders.client(db)
    account = builders.utilisateur(db, role="RESPONSABLE_PRESSING", id_client=client)
    assert refusal(erase(http.as_admin(), client)) == (409, "COMPTE_DU_PERSONNEL")
    db.execute("update auth.utilisateur set actif = false where id_utilisateur = %s", [account])
    forget(http, client)


# ---- what is still noticed


@pytest.fixture
def erased(http, db, known):
    signed(db)
    forget(http, known.client)
    seal(db)
    return known


def name(db):
    """An entry that has lost the name of the client."""
    query = "select min(id_trace) from audit.journal where entite = 'client' and apres ->> 'nom' = '[effacé]'"
    return int(db.one(query))


def amount(db):
    """An entry with an amount, which no erasure has touched."""
    query = """select max(j.id_trace) from audit.journal j where j.entite = 'facture' and j.montant > 0
                  and not exists (select from audit.effacement e where e.ids @> j.id_trace)"""
    return int(db.one(query))


CHANGES = [
    "montant = 1",
    "apres = apres || '{\"id_client\": 1}'",
    'apres = apres || \'{"nom": "Autre"}\'',
    "apres = apres - 'code'",
    "apres = '{}'",
    "module = 'core'",
    "adresse_ip = '127.0.0.9'",
    "date_heure = date_heure + interval '1 second'",
]


def test_an_erased_entry_loses_texts_and_nothing_else_and_an_unerased_entry_stays_frozen(db, erased):
    for statement in (
        *(f"update audit.journal set {change} where id_trace = {name(db)}" for change in CHANGES),
        f"update audit.journal set apres = null where id_trace = {amount(db)}",
        "update audit.feuillage set sels = array_fill(null::bytea, array[cardinality(sels)])",
        "delete from audit.effacement",
    ):
        with refused("REGISTRE_FIGE", 409):
            db.execute(statement)


def test_a_tampered_entry_and_an_erasure_that_did_not_happen_are_reported(db, erased):
    other = amount(db)
    entries = sorted([name(db), other])
    town = 'update audit.journal set apres = apres || \'{"ville": "Ailleurs"}\' where id_trace in (%s, %s)'
    assert after(db, town, *entries) == [("CHANGEE", "journal", entries)]
    # A forged erasure that keeps the salt, and a removed salt.
    for forged in ((_FORGED, other, other, other), (_WITHOUT_SALT, other)):
        assert after(db, *forged) == [("CHANGEE", "journal", [other])]


def test_a_forged_erasure_does_not_let_an_amount_change(db, erased):
    other = amount(db)
    db.execute(_FORGED, [other, other, other])
    for change in ("montant = 1", "apres = apres || '{\"montant_total\": null}'"):
        with refused("REGISTRE_FIGE", 409):
            db.execute(f"update audit.journal set {change} where id_trace = %s", [other])
    # A superuser goes past the triggers, but the erasure has kept the fingerprint of the entry.
    tamper(db, _WITHOUT_SALT, other)
    tamper(db, "update audit.journal set montant = 1 where id_trace = %s", other)
    assert findings(db) == [("CHANGEE", "journal", [other])]


_FORGED = """
insert into audit.effacement (id_client, motif, ids, empreintes, evenements)
select (select min(id_client) from client.client), 'faux', int8multirange(int8range(%s, %s, '[]')),
       array[audit._trace_empreinte(j)], '{}' from audit.journal j where j.id_trace = %s
"""
_WITHOUT_SALT = """
update audit.feuillage f set sels[array_position(s.ids, k.id)] = null
  from audit.sceau s, (select %s::bigint as id) k
 where s.rang = f.rang and s.registre = 'journal' and k.id = any (s.ids)
"""


# ---- the file


def test_the_file_has_every_row_of_a_client(http, db, known):
    answer = http.as_admin().get(f"/client/clients/{known.client}/donnees")
    assert answer.status_code == 200
    assert answer.headers["content-disposition"] == f'attachment; filename="client-{known.client}.json"'
    kept = answer.json()
    assert kept["fiche"]["nom"] == "Quartzo" and len(kept["pieces_identite"]) == 2 and len(kept["connexions"]) == 3
    assert {row["id_facture"] for row in kept["factures"]} >= {known.invoice} and len(kept["avoirs"]) == 2
    assert any(row["avant"] and row["avant"].get("nom") == "Quartzy" for row in kept["journal"])
    # A row of a sheet that only names him may be about another client.
    assert [word for word in forgotten.WORDS if word not in answer.text] == ["07 00 11 22 33"]
    own = http.as_user(known.account).get("/client/portail/donnees")
    assert own.status_code == 200 and own.json()["fiche"] == kept["fiche"]
    assert "$2b$" not in answer.text and '"hash"' not in answer.text
    # The file has the addresses of the client, and none of the staff.
    assert "203.0.113.77" in {row["adresse_ip"] for row in kept["journal"]}
    assert db.one("select min(adresse_ip) from audit.journal where entite = 'client'") is not None
    assert kept["journal"][0]["entite"] == "Client" and kept["journal"][0]["adresse_ip"] is None


def test_the_file_has_the_api_keys_of_the_account_without_their_secrets(http, db):
    client = builders.client(db)
    account = builders.utilisateur(db, role="CLIENT", id_client=client)
    db.execute("insert into auth.cle (id_utilisateur, libelle, prefixe, hash, permissions)"
               " values (%s, 'Tableur de Zéphirin', 'zq', 'secret-zq', '{PORTAIL.VOIR}')", [account])  # fmt: skip
    answer = http.as_admin().get(f"/client/clients/{client}/donnees")
    assert [row["libelle"] for row in answer.json()["cles"]] == ["Tableur de Zéphirin"]
    assert "secret-zq" not in answer.text


def test_the_file_of_an_erased_client_says_what_is_left(http, db, erased):
    answer = http.as_admin().get(f"/client/clients/{erased.client}/donnees")
    assert answer.status_code == 200 and answer.json()["fiche"]["nom"] == "[effacé]"
    assert answer.json()["effacements"][0]["motif"] == REASON["motif"] and answer.json()["factures"]
    assert [word for word in forgotten.WORDS if word in answer.text] == []
