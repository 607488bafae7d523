"""A client that every slice keeps something of, and the search of the tables for texts that name him."""

import json
from dataclasses import dataclass
from typing import Any

import psycopg
from psycopg import sql
from psycopg.types.json import Jsonb

from tests import builders
from tests.conftest import Db, Http, ok
from tests.facturation.test_avoir import billed, credit, line
from tests.hors_ligne.appareil import inscribe, shop

# Texts that name the client: none occurs in another row of a test.
WORDS = (
    "Zéphirin", "Quartzo", "Quartzy", "Tombouctou", "Ouagalab", "Rocamadour", "Krypton", "Ixelles", "Yamoussa",
    "0700112233", "07 00 11 22 33", "0700445566", "CNI-77-XY", "PASS-88-ZW", "quartzo@example.com", "zef.quartzo",
    "203.0.113.77", "client-photo/zq1.png", "piece-identite/zq2.png", "piece-identite/zq3.png", "signalement/zq4.png",
    "CC-99-QZ",
)  # fmt: skip
SHEET = {"nom": "Quartzo", "prenoms": "Zéphirin", "tel_principal": "0700112233"}


@dataclass(frozen=True)
class Known:
    """The client, his account, and documents whose papers he holds."""

    client: int
    account: int
    invoice: int
    credit_note: int
    payment: int


def written(db: Db, http: Http) -> Known:
    """Let two accounts of the staff and the client himself write what a house keeps of a client."""
    admin, other = http.as_admin(), http.as_admin()
    body = SHEET | {
        "type_client": "LOCATAIRE", "date_naissance": "1971-03-05", "lieu_naissance": "Tombouctou",
        "profession": "Krypton",
        "photo": "client-photo/zq1.png", "tel_secondaire": "0700445566", "adresse": "12 rue Rocamadour",
        "ville": "Ixelles",
        "numero_contribuable": "CC-99-QZ", "email": "quartzo@example.com",
    }  # fmt: skip
    client = int(ok(admin.post("/api/v1/client/clients", json=body, headers={"Idempotency-Key": "zq"}))["id_client"])
    path = f"/api/v1/client/clients/{client}"
    _done(other.patch(path, json={"nom": "Quartzy"}), other.patch(path, json={"nom": "Quartzo", "photo": None}))
    paper = {"type_piece": "CNI", "numero": "CNI-77-XY", "copie_num": "piece-identite/zq2.png"}
    passport = {"type_piece": "PASSEPORT", "numero": "PASS-88-ZW", "copie_num_verso": "piece-identite/zq3.png"}
    relative = {"nom": "Yamoussa", "lien": "Frère", "tel_principal": "0700445566", "adresse": "Ouagalab"}
    _done(admin.post(f"{path}/pieces-identite", json=paper), other.post(f"{path}/pieces-identite", json=passport))
    _done(other.post(f"{path}/contacts-urgence", json=relative))
    account = _account(db, client)
    _portal(db, http.as_user(account), account)
    _orders(db, admin, client)
    invoice, credit_note, payment = _money(db, client)
    _copies(db, client)
    _device(db, admin, client)
    return Known(client, account, invoice, credit_note, payment)


def _done(*answers: Any) -> None:
    for answer in answers:
        assert answer.status_code in (200, 201), answer.text


def _account(db: Db, client: int) -> int:
    account = builders.utilisateur(
        db, role="RESIDENT", id_client=client, login="zef.quartzo", nom="Quartzo", prenom="Zéphirin"
    )
    for success in (True, False, True):
        db.execute(
            "insert into auth.connexion (id_utilisateur, succes, adresse_ip, agent) values (%s, %s, %s, 'Ouagalab/5')",
            [account, success, "203.0.113.77"],
        )
    db.execute(
        "insert into auth.jeton_rafraichissement (hash, id_utilisateur, famille, date_expiration, adresse_ip, agent)"
        " values ('zq', %s, gen_random_uuid(), now() + interval '1 day', '203.0.113.77', 'Ouagalab/5')",
        [account],
    )
    db.one("select auth._courriel('mot-de-passe', 'zef.quartzo')")
    facts = {"adresse": "203.0.113.77", "appareil": "Ouagalab/5"}
    db.one("select auth._avertir('connexion', a, %s) from auth.destinataire('zef.quartzo') a", [Jsonb(facts)])
    return account


def _portal(db: Db, own: Http, account: int) -> None:
    """The client reports an incident with a photo, from an address that the journal keeps, and one through the portal.

    The stored answer to the second one names no client.
    """
    body = {"titre": "Fuite", "description": "Zéphirin attend", "lieu": "Ixelles"}
    answer = own.post("/api/v1/signalements/portail", json=body, headers={"Idempotency-Key": "zs"})
    _done(answer)
    db.execute(
        "update signalement.signalement set statut = 'REJETE', note_resolution = 'Rien', date_resolution = now()"
        " where id_signalement = %s",
        [answer.json()["id_signalement"]],
    )
    db.acting(account)
    db.execute("select set_config('comptoir.adresse_ip', '203.0.113.77', true)")
    client = db.one("select id_client from auth.utilisateur where id_utilisateur = %s", [account])
    report = db.one(
        "insert into signalement.signalement (titre, description, type_signalement, id_client,"
        " id_utilisateur_declarant, lieu) values ('Fuite chez Zéphirin', 'Rocamadour', 'AUTRE', %s, %s, 'Ixelles')"
        " returning id_signalement",
        [client, account],
    )
    db.execute("insert into signalement.photo (id_signalement, cle_objet) values (%s, 'signalement/zq4.png')", [report])
    db.execute(
        "update signalement.signalement set statut = 'RESOLU', note_resolution = 'Vu avec Quartzo',"
        " date_resolution = now() where id_signalement = %s",
        [report],
    )
    db.acting(None)
    db.execute("select set_config('comptoir.adresse_ip', '', true)")


def _orders(db: Db, admin: Http, client: int) -> None:
    sheet = {"type_vetement": "Chemise", "quantite": "2", "prestation": "Repassage", "tarif": "500"}
    lines = [sheet | {"hors_catalogue": True}]
    order = admin.post("/api/v1/pressing/commandes", json={"id_client": client, "lignes": lines})
    _done(order)
    key = int(order.json()["commande"]["id_commande"])
    db.execute("update pressing.commande set notes = 'Appeler Zéphirin' where id_commande = %s", [key])
    for state in ("EN_TRAITEMENT", "PRET"):
        db.execute("update pressing.commande set statut = %s where id_commande = %s", [state, key])
    db.call("pressing.commande_retirer", id_commande=key, solde="1000", id_moyen=builders.moyen(db))
    hall = db.one(
        "insert into salle_fete.reservation (id_client, date_evenement, heure_debut, duree, type_manifestation,"
        " hors_catalogue, observations, statut) values (%s, core.aujourdhui() + 3, '10:00', 4, 'Mariage', true,"
        " 'Demande de Quartzo', 'EN_ATTENTE') returning id_reservation",
        [client],
    )
    db.execute(
        "update salle_fete.reservation set statut = 'ANNULEE', motif_annulation = 'Zéphirin absent'"
        " where id_reservation = %s",
        [hall],
    )


def _money(db: Db, client: int) -> tuple[int, int, int]:
    kept = billed(db, paid="5000", id_client=client)
    back = {"id_moyen": builders.moyen(db)}
    note = credit(db, kept, line(kept, 0, quantite="1"), remboursement=back)
    cancelled = billed(db, id_client=client)
    db.call("facturation.facture_annuler", id_facture=cancelled["id_facture"], motif="Erreur")
    # The reason of the credit note is sealed and stays. The reason of the invoice goes.
    for reason in (None, "Erreur sur Zéphirin"):
        values = [reason, cancelled["id_facture"]]
        db.execute("update facturation.facture set motif_annulation = %s where id_facture = %s", values)
    db.execute("update finances.paiement set motif = 'Reçu de Quartzo' where id_paiement = %s", [kept["paiement"]])
    return int(kept["id_facture"]), int(note["avoir"]["id_avoir"]), int(kept["paiement"])


def _copies(db: Db, client: int) -> None:
    """Sheets that brought him in, or tried to: also rows without his key, and as people write names and phones."""
    written = ["Quartzo", "Zéphirin", "0700112233"]
    _sheet(db, "clients", "FAIT", (written, "FAITE", client), (written, "REFUSEE", None))
    _sheet(db, "clients", "ANNULE", (written, "ACCEPTEE", None), ([], "ACCEPTEE", None))
    shouted, spaced = ["ZÉPHIRIN QUARTZO", "1000"], ["Exemple", "07 00 11 22 33"]
    _sheet(db, "factures", "FAIT", (shouted, "REFUSEE", None), (spaced, "REFUSEE", None))


def _device(db: Db, admin: Http, client: int) -> None:
    """A sale to him without a network, and exceptions: one would enrol him again, one is taken up."""
    device = inscribe(admin, shop(db))
    product, gone = builders.produit(db, "10", "500"), builders.produit(db, "0", "500")
    db.execute("update finances.version_fonds set depuis = '-infinity'")
    sold, missing = (device.sell(one, "500") for one in (product, gone))
    for sale in (sold, missing):
        sale["corps"]["id_client"] = str(client)
    device.do("POST", "/client/clients", SHEET)
    states = [answer["etat"] for answer in device.send()]
    assert states == ["ACCEPTEE", "EXCEPTION", "EXCEPTION"]
    enrolled, refused = (f"/exceptions/{row['id_exception']}" for row in ok(device.read("/exceptions")))
    body = missing["corps"] | {"lignes": sold["corps"]["lignes"]}
    place = f"/finances/caisses/{device.till}"
    _done(
        admin.post(f"{place}{refused}/reprendre", json={"motif": "Vu avec Quartzo", "corps": body}),
        admin.post(f"{place}{enrolled}/abandonner", json={"motif": "Zéphirin est connu"}),
    )


def _sheet(db: Db, kind: str, state: str, *rows: tuple[list[str], str, int | None]) -> None:
    sheet = db.one(
        "insert into echange.import (entite, fichier, empreinte, entetes, colonnes, etat) values"
        " (%s, 'feuille.csv', 'x', '{nom}', '{}', %s) returning id_import",
        [kind, state],
    )
    mark = "quartzo|zéphirin|00112233" if kind == "clients" else None
    for number, (cells, issue, key) in enumerate(rows, 2):
        fields = SHEET if "Quartzo" in cells else {"client": cells[0]} if cells else {}
        db.execute(
            "insert into echange.ligne (id_import, ligne, cellules, donnees, issue, id_entite, repere)"
            " values (%s, %s, %s, %s, %s, %s, %s)",
            [sheet, number, _text(cells), _text(fields), issue, key, mark],
        )


def _text(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)


def aged(db: Db, years: int = 12) -> None:
    """Move every business date into the past, as a superuser can, before anything is sealed."""
    moved = {
        "facturation.facture": ("date", "jour"), "facturation.avoir": ("date", "jour"),
        "finances.paiement": ("date", "jour"), "finances.mouvement_credit": ("date",),
        "pressing.commande": ("date_depot", "date_retrait_reelle"), "salle_fete.reservation": ("date_evenement",),
        "restaurant.commande": ("date",), "market.vente": ("date",),
        "abonnement.souscription": ("date_debut", "date_fin"),
    }  # fmt: skip
    db.execute("set constraints all immediate")
    db.execute("set local session_replication_role = replica")
    for table, columns in moved.items():
        sets = sql.SQL(", ").join(
            sql.SQL("{0} = {0} - make_interval(years => {1})").format(sql.Identifier(column), sql.Literal(years))
            for column in columns
        )
        db.connection.execute(sql.SQL("update {} set {}").format(sql.Identifier(*table.split(".")), sets))
    db.execute("set local session_replication_role = origin")


def remains(connection: psycopg.Connection[Any], words: tuple[str, ...] = WORDS) -> list[str]:
    """Search every row of every table for these texts, also inside of bytes. Return « table: text » for each."""
    tables = connection.execute(
        "select n.nspname, c.relname from pg_class c join pg_namespace n on n.oid = c.relnamespace"
        " where c.relkind = 'r' and n.nspname not in ('pg_catalog', 'information_schema', 'pg_toast') order by 1, 2"
    ).fetchall()
    hits = []
    for row in tables:
        schema, name = row.values() if isinstance(row, dict) else row
        query = sql.SQL(
            "select w from unnest(%s::text[]) w where exists (select from {} t"
            " where position(lower(w) in lower(t::text)) > 0"
            " or position(encode(convert_to(w, 'UTF8'), 'hex') in t::text) > 0)"
        ).format(sql.Identifier(schema, name))
        for hit in connection.execute(query, [list(words)]).fetchall():
            hits.append(f"{schema}.{name}: {next(iter(hit.values())) if isinstance(hit, dict) else hit[0]}")
    return hits
