"""The public page of a document, its proof, the signed roots and their keys."""

import base64
import json
import re
from hashlib import sha256
from urllib.parse import urljoin

import psycopg
import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

from app.seals import signing
from tests import builders, merkle
from tests.audit.test_sceau import findings, pay, seal, tamper
from tests.audit.test_sceau_arbre import cut_down, grow, leaves
from tests.conftest import refusal, refused
from tests.facturation.test_avoir import billed, credit, line

BROWSER = {"accept": "text/html,application/xhtml+xml,*/*;q=0.8"}
SHOWN = {
    "organisation", "devise", "type", "numero", "jour", "montant", "etat", "montant_retire", "scelle_le", "sceau",
    "racine", "racine_date", "paiement_scelle_le",
}  # fmt: skip


def token(db, piece, key):
    return str(db.one("select core._jeton(%s::core.piece, %s)", [piece, key]))


def address(db, piece, key):
    """The public page of a document."""
    return f"/verifier/{token(db, piece, key)}"


def signed(db):
    """Seal, sign, and return the signed root."""
    seal(db)
    signing.sign(db.connection)
    return str(db.one("select texte from audit.tete_vue order by taille desc limit 1"))


def keys(http):
    return http.get("/.well-known/comptoir-sceau.json").json()


def checked_root(text, known):
    """The size and the root of a note that one of these keys has signed."""
    body, _, note = text.partition("\n\n")
    origin, size, root, date = body.split("\n")
    assert origin == known["origine"] and date.startswith("date 2")
    _, name, signature = note.removesuffix("\n").split(" ")
    raw = base64.b64decode(signature)
    assert name == origin
    [key] = [key for key in known["cles"] if key["id"] == raw[:4].hex()]
    public = base64.b64decode(key["publique"])
    assert raw[:4] == sha256(origin.encode() + b"\n\x01" + public).digest()[:4]
    Ed25519PublicKey.from_public_bytes(public).verify(raw[4:], (body + "\n").encode())
    return int(size), base64.b64decode(root)


def proven(proof, known):
    """Compute the root from the proof, as the verifier outside of the service does. Return the statement."""
    size, root = checked_root(proof["racine"], known)
    salt, rest = bytes.fromhex(proof["sel"]), bytes.fromhex(proof["complement"])
    data = sha256(sha256(salt + proof["enonce"].encode()).digest() + rest).digest()
    computed, place, last = sha256(b"\x00" + data).digest(), proof["rang"], size - 1
    for part in map(bytes.fromhex, proof["chemin"]):  # RFC 9162, 2.1.3.2
        assert last
        if place % 2 or place == last:
            computed = merkle.node(part, computed)
            while not place % 2 and place:
                place, last = place >> 1, last >> 1
        else:
            computed = merkle.node(computed, part)
        place, last = place >> 1, last >> 1
    assert last == 0 and computed == root
    return json.loads(proof["enonce"])


# ---- the page


def test_a_document_shows_what_its_paper_shows_and_nothing_else(http, db):
    invoice = billed(db, paid="100", id_client=builders.client(db, nom="Inventé", prenoms="Aline"))
    signed(db)
    answer = http.get(address(db, "facture", invoice["id_facture"]))
    shown, query = answer.json(), "select numero, jour, montant_total from facturation.facture where id_facture = %s"
    (row,) = db.all(query, [invoice["id_facture"]])
    assert answer.status_code == 200 and shown.keys() == SHOWN
    assert (shown["type"], shown["etat"], shown["montant_retire"]) == ("facture", "VALABLE", "0.00")
    assert (shown["numero"], shown["jour"]) == (row["numero"], str(row["jour"]))
    assert shown["montant"] == str(row["montant_total"]) and shown["sceau"] and len(shown["racine"]) == 64
    assert "Inventé" not in answer.text and "Aline" not in answer.text


def test_a_browser_gets_a_page_without_anything_from_elsewhere(http, db):
    key = builders.facture(db, "95000")
    signed(db)
    answer = http.get(address(db, "facture", key), headers=BROWSER)
    assert answer.status_code == 200 and answer.headers["content-type"].startswith("text/html")
    assert "default-src 'none'; style-src 'self'" in answer.headers["content-security-policy"]
    sheet = re.search('rel="stylesheet" href="([^"]+)"', answer.text)
    assert sheet and http.get(urljoin(str(answer.url), sheet[1])).headers["content-type"].startswith("text/css")
    assert "Valable" in answer.text and "95 000 FCFA" in answer.text and "Garder la preuve" in answer.text
    assert "http://" not in answer.text and "https://" not in answer.text and "<script" not in answer.text


def test_an_unknown_token_gets_404_in_words(http, db):
    path = "/verifier/f1-0123456789abcdef0123456789abcdef"
    answer, page = http.get(path), http.get(path, headers=BROWSER)
    assert (answer.status_code, answer.json()["code"]) == (404, "DOCUMENT_INCONNU")
    assert page.status_code == 404
    assert "Ce code n’est celui d’aucun document établi ici" in page.text.replace("&#39;", "’")


def test_a_token_leads_to_its_document_only(http, db):
    one, other = builders.facture(db), builders.facture(db)
    of_one = token(db, "facture", one)
    for forged in (
        of_one.replace(f"f{one}-", f"f{other}-"), of_one.replace("f", "a", 1), of_one.replace("f", "p", 1),
        of_one.upper(), of_one[:-1], of_one + "0", f"f0{of_one[1:]}", of_one.replace("-", "|"),
    ):  # fmt: skip
        assert http.get(f"/verifier/{forged}").status_code == 404, forged
    assert http.get(f"/verifier/{of_one}").status_code == 200


def test_the_token_of_another_database_is_unknown(http, db):
    of_here = token(db, "facture", builders.facture(db))
    tamper(db, "update core.secret_documents set secret = substring(secret from 9) || substring(secret for 8)")
    assert http.get(f"/verifier/{of_here}").status_code == 404


def test_a_hostile_token_gets_a_refusal(http, db):
    for hostile in ("%00", "%F0%9F%92%A9", "..%2f..", "x" * 3000, "f9999999999999999999-0", "'--"):
        assert 400 <= http.get(f"/verifier/{hostile}").status_code < 500, hostile


def test_the_state_of_a_document_is_that_of_today(http, db):
    cancelled, credited = builders.facture(db), billed(db, paid="100")
    paid, returned = pay(db), pay(db, montant="500")
    addresses = {
        "cancelled": address(db, "facture", cancelled), "credited": address(db, "facture", credited["id_facture"]),
        "undone": address(db, "paiement", paid), "returned": address(db, "paiement", returned),
    }  # fmt: skip

    def states():
        read = {name: http.get(path).json() for name, path in addresses.items()}
        return {name: (shown["etat"], shown["montant_retire"]) for name, shown in read.items()}

    signed(db)
    assert set(states().values()) == {("VALABLE", "0.00")}
    db.call("facturation.facture_annuler", id_facture=cancelled, motif="erreur de saisie")
    note = credit(db, credited, line(credited, 0, quantite="1"))["avoir"]
    db.call("finances.paiement_annuler", id_paiement=paid, motif="saisi deux fois")
    db.call("finances.paiement_rembourser", id_paiement=returned, montant="200")
    now, whole = states(), str(note["montant_total"])
    assert now.pop("cancelled")[0] == "ANNULE"
    assert now == {"credited": ("CREDITE", whole), "undone": ("ANNULE", "0.00"), "returned": ("REMBOURSE", "200.00")}
    shown = http.get(address(db, "avoir", note["id_avoir"])).json()
    assert (shown["type"], shown["numero"], shown["etat"]) == ("avoir", note["numero"], "VALABLE")


LEAF = """update audit.sceau s set empreintes[x.place] = audit._engager(f.sels[x.place], e.empreinte, e.enonce)
  from audit.feuillage f, audit.empreinte_vue e, audit.sceau t cross join array_position(t.ids, %s::bigint) x (place)
 where f.rang = s.rang and t.rang = s.rang and s.registre = 'facture'
   and e.registre = 'facture' and e.id = t.ids[x.place]"""
JOURNAL = """update audit.sceau set empreintes = array_fill(sha256('x'), array[cardinality(ids)])
            where registre = 'journal' and %s > 0"""
SWAP = """update audit.sceau set empreintes = array(
            select e.feuille from unnest(empreintes) with ordinality e (feuille, place) order by e.place desc)
           where registre = 'facture' and %s > 0"""


TOTAL = "update facturation.facture set montant_total = 1, montant_taxe = 0 where id_facture = %s"


def test_the_page_of_an_altered_document_reports_it(http, db):
    invoice = builders.facture(db, "95000")
    builders.facture(db)
    signed(db)
    path = address(db, "facture", invoice)
    assert http.get(path).json()["etat"] == "VALABLE"
    for changes in (
        [TOTAL],
        ["update facturation.facture set numero = 'F-1' where id_facture = %s"],
        ["update facturation.facture_ligne set libelle = 'autre' where id_facture = %s"],
        ["delete from facturation.facture_ligne where id_facture = %s"],
        [TOTAL, LEAF],
        ["update audit.feuillage set sels = '{}' where %s > 0"],
        [JOURNAL],
        [SWAP],
    ):
        with db.connection.transaction(force_rollback=True):
            for change in changes:
                tamper(db, change, invoice)
            assert http.get(path).json()["etat"] == "ALTERE", changes
            page = http.get(path, headers=BROWSER)
            assert page.status_code == 200 and "Altéré" in page.text
            assert "Valable" not in page.text and "preuve" not in page.text


def test_a_document_removed_after_its_seal_is_reported(http, db):
    sealed = builders.facture(db)
    signed(db)
    fresh = builders.facture(db)
    tamper(db, "delete from facturation.facture where id_facture in (%s, %s)", sealed, fresh)
    path = address(db, "facture", sealed)
    for answer in (http.get(path), http.get(f"{path}/preuve")):
        assert (answer.status_code, answer.json()["code"]) == (409, "DOCUMENT_RETIRE")
    page = http.get(path, headers=BROWSER)
    assert page.status_code == 409 and "Document retiré des livres" in page.text
    assert http.get(address(db, "facture", fresh)).status_code == 404


def test_calls_of_one_address_are_bounded(http, db):
    path = address(db, "facture", builders.facture(db))
    assert [http.get(path).status_code for _ in range(61)] == [200] * 60 + [429]


def test_staff_checks_the_code_and_papers_from_before_tokens(http, db):
    invoice = builders.facture(db, "700")
    number = db.one("select numero from facturation.facture where id_facture = %s", [invoice])
    admin = http.as_admin()
    printed = f"https://comptoir.example.com{address(db, 'facture', invoice)}"
    former = f"{number}|700.00|" + db.one("select core._signer(%s)", [f"{number}|700.00"])
    for code in (printed, former):
        shown = admin.get("/facturation/controle", params={"code": code}).json()
        assert (shown["authentique"], shown["numero"], shown["montant"]) == (True, number, "700.00")
    for forged in (printed[:-1], former.replace("700", "7000", 1), "x"):
        assert admin.get("/facturation/controle", params={"code": forged}).json()["authentique"] is False


# ---- proofs


def proof_of(http, db, piece, key):
    return http.get(f"{address(db, piece, key)}/preuve").json()


def test_a_proof_needs_a_sealed_document(http, db):
    path = address(db, "facture", builders.facture(db))
    assert refusal(http.get(f"{path}/preuve")) == (409, "PAS_ENCORE_SCELLE")
    assert http.get(path).json()["sceau"] is None
    seal(db)  # without a signature
    assert http.get(f"{path}/preuve").status_code == 409


def test_the_proof_of_each_document_leads_to_a_signed_root(http, db):
    invoice = billed(db, paid="300")
    note = credit(db, invoice, line(invoice, 0, quantite="1"))["avoir"]
    grow(db, 700)
    pay(db)
    signed(db)
    grow(db, 5)
    signed(db)
    known = keys(http)
    papers = {"facture": invoice["id_facture"], "avoir": note["id_avoir"], "paiement": invoice["paiement"]}
    statements = {piece: proven(proof_of(http, db, piece, key), known) for piece, key in papers.items()}
    number = db.one("select numero from facturation.facture where id_facture = %s", [invoice["id_facture"]])
    assert statements["facture"]["numero"] == number and statements["facture"]["type"] == "facture"
    assert statements["avoir"]["montant"] == str(note["montant_total"])
    number = f"PAIEMENT-{invoice['paiement']}"
    assert statements["paiement"] == {"type": "paiement", "numero": number, "montant": "300.00"}


def test_a_proof_of_a_seal_from_before_the_tree_holds(http, db):
    invoice = builders.facture(db)
    seal(db)
    cut_down(db)
    pay(db)
    signed(db)
    assert proven(proof_of(http, db, "facture", invoice), keys(http))["type"] == "facture"


def test_a_proof_tells_nothing_of_its_neighbours(http, db):
    """The hashes of a proof come from salted leaves: the contents alone do not give them."""
    invoice = builders.facture(db)
    signed(db)
    proof = proof_of(http, db, "facture", invoice)
    guesses = db.all("select empreinte from audit.empreinte_vue")
    leaf_hashes = {sha256(b"\x00" + bytes(row["empreinte"])).hexdigest() for row in guesses}
    assert leaf_hashes.isdisjoint(proof["chemin"])
    salts = db.one("select sels from audit.feuillage order by rang limit 1")
    assert bytes(salts[0]).hex() not in json.dumps(proof)


def test_an_altered_amount_breaks_the_proof_and_is_reported(http, db):
    invoice = builders.facture(db)
    signed(db)
    tamper(db, "update facturation.facture set montant_total = 1, montant_taxe = 0 where id_facture = %s", invoice)
    proof = proof_of(http, db, "facture", invoice)
    with pytest.raises(AssertionError):
        proven(proof, keys(http))
    assert ("CHANGEE", "facture", [invoice]) in findings(db)


# ---- roots and keys


def test_consistency_links_any_two_signed_roots(http, db):
    known, roots = None, []
    for number in (3, 300, 1, 40):
        grow(db, number)
        roots.append(signed(db))
    known, data = keys(http), leaves(db)
    for place, former in enumerate(roots):
        for later in roots[place:]:
            (small, _), (large, _) = checked_root(former, known), checked_root(later, known)
            answer = http.get("/verifier/coherence", params={"de": small, "a": large}).json()
            assert (answer["de"], answer["a"]) == (former, later)
            assert [bytes.fromhex(part) for part in answer["chemin"]] == merkle.consistency(small, data[:large])
    (size, _), (last, _) = checked_root(roots[0], known), checked_root(roots[-1], known)
    assert http.get("/verifier/coherence", params={"de": size}).json()["a"] == roots[-1]
    assert http.get("/verifier/coherence", params={"de": size + 1}).json()["code"] == "RACINE_INCONNUE"
    assert http.get("/verifier/coherence", params={"de": last, "a": size}).json()["code"] == "RACINES_INVERSEES"


def test_a_consistency_reads_its_two_roots_among_those_of_many_years(http, db):
    grow(db, 3)
    signed(db)
    years = """insert into audit.tete
               select n * 10, t.rang, t.racine, t.date, t.id_cle, t.signature
                 from audit.tete t, generate_series(1000, 20000) n"""
    tamper(db, years)
    read = "select seq_tup_read + idx_tup_fetch from pg_stat_xact_all_tables where relid = 'audit.tete'::regclass"
    for parameters in ({}, {"de": 60_001}, {"a": 60_001}):
        for _ in range(8):  # a function keeps the plan of its sixth call
            before = db.one(read)
            http.get("/verifier/coherence", params=parameters)
            assert db.one(read) - before < 10


def test_a_new_key_is_signed_by_the_former_one_which_loses_its_private_part(http, db):
    builders.facture(db)
    former_root = signed(db)
    for _ in range(2):
        signing.replace_key(db.connection)
    builders.facture(db)
    root = signed(db)
    known = keys(http)
    assert [key["au"] is None for key in known["cles"]] == [False, False, True]
    for before, key in zip(known["cles"], known["cles"][1:], strict=False):
        text = f"comptoir-cle/1\n{known['origine']}\n{key['publique']}\n{key['du']}\n".encode()
        public = Ed25519PublicKey.from_public_bytes(base64.b64decode(before["publique"]))
        public.verify(base64.b64decode(key["signature"]), text)
    assert checked_root(former_root, known)[0] < checked_root(root, known)[0]
    assert db.one("select count(*) from audit.cle_sceau where graine is not null") == 1
    assert "graine" not in json.dumps(known)


def test_only_the_owner_of_the_tables_reads_the_private_key_or_signs(db):
    signed(db)
    for role in ("comptoir_code", "comptoir_app", "comptoir_lecture", "comptoir_travail", "comptoir_portail"):
        for statement in (
            "select graine from audit.cle_sceau",
            "select * from audit.cle_sceau",
            "update audit.cle_sceau set graine = null",
            "insert into audit.tete select * from audit.tete",
            "insert into audit.publication (jour, taille) select now(), taille from audit.tete",
        ):
            with pytest.raises(psycopg.errors.InsufficientPrivilege), db.connection.transaction():
                db.execute(f"set local role {role}")
                db.execute(statement)


def test_roots_and_keys_refuse_every_rewrite(db):
    signed(db)
    for statement in (
        "update audit.cle_sceau set publique = sha256('x')",
        "delete from audit.cle_sceau",
        "update audit.tete set signature = signature",
        "delete from audit.tete",
        "update audit.arbre set origine = gen_random_uuid()",
    ):
        with refused("REGISTRE_FIGE", 409):
            db.execute(statement)


def test_sealing_nothing_new_signs_nothing_new(db):
    builders.facture(db)
    signed(db)
    before = db.all("select * from audit.tete")
    signed(db)
    assert db.all("select * from audit.tete") == before and len(before) == 1
