"""The journal: each table records the author, the address, and the row before and after a change, but no secret."""

from psycopg.types.json import Jsonb

from tests import builders

UNJOURNALED = {
    "audit.arbre", "audit.cle_sceau", "audit.feuillage", "audit.journal", "audit.noeud", "audit.publication",
    "audit.publication_envoi", "audit.sceau", "audit.tete", "auth.cle_usage", "auth.connexion",
    "auth.jeton_rafraichissement", "auth.jeton_reinitialisation", "auth.second_facteur_pas", "compta.cumul",
    "compta.ecriture", "core.compteur", "core.empreinte", "core.idempotence", "core.resume_etat", "echange.ligne",
    "evenement.evenement", "evenement.livraison", "evenement.webhook_suite", "facturation.resume_facture",
    "finances.operation_appareil", "finances.resume_application", "finances.resume_depense", "finances.resume_impaye",
    "finances.resume_moyen", "finances.resume_paiement", "finances.version_fonds", "jobs.horloge", "jobs.restauration",
    "jobs.sauvegarde", "jobs.total", "notification.lecture", "tresorerie.avis", "tresorerie.demande_suite",
    "tresorerie.ligne",
}  # fmt: skip


def traces(db, entite, entite_id):
    return db.all(
        "select * from audit.journal where entite = %s and entite_id = %s order by id_trace", [entite, str(entite_id)]
    )


def test_every_table_writes_to_the_journal_except_the_listed_tables(db):
    rows = db.all(
        "select c.oid::regclass::text as entite,"
        " array(select t.tgname::text from pg_trigger t"
        "        where t.tgrelid = c.oid and t.tgname ~ '^t(00|90)_journal_' order by 1) as triggers"
        " from pg_class c join pg_namespace n on n.oid = c.relnamespace"
        " where c.relkind in ('r', 'p') and not c.relispartition"
        " and c.relowner = 'comptoir_owner'::regrole and n.nspname not in ('migration', 'queue')"
    )
    assert {row["entite"] for row in rows if not row["triggers"]} == UNJOURNALED
    complete = ["t00_journal_modification", "t90_journal_insertion", "t90_journal_suppression"]
    assert all(row["triggers"] == complete for row in rows if row["triggers"])


def test_the_journal_records_an_insert_an_update_and_a_delete(db):
    user = builders.utilisateur(db, role="ADMINISTRATEUR")
    db.acting(user)
    key = db.one("insert into core.parametre (cle, valeur) values ('ESSAI', 'un') returning id_parametre")
    db.execute("update core.parametre set valeur = 'deux' where cle = 'ESSAI'")
    db.execute("delete from core.parametre where cle = 'ESSAI'")
    rows = traces(db, "parametre", key)
    assert [row["operation"] for row in rows] == ["INSERT", "UPDATE", "DELETE"]
    assert [(row["avant"] or {}).get("valeur") for row in rows] == [None, "un", "deux"]
    assert [(row["apres"] or {}).get("valeur") for row in rows] == ["un", "deux", None]
    causes = {(row["id_utilisateur"], row["module"], str(row["adresse_ip"]), row["requete"]) for row in rows}
    assert causes == {(user, "core", "192.0.2.1", "essai")}


def test_a_change_outside_the_api_has_no_author(db):
    [row] = traces(db, "client", builders.client(db))
    assert (row["id_utilisateur"], row["adresse_ip"], row["requete"]) == (None, None, None)


def test_an_update_that_changes_nothing_is_not_journaled(db):
    add = "insert into finances.moyen_paiement (libelle) values (%s) returning id_moyen"
    same, changed = (db.one(add, [name]) for name in ("Troc", "Don"))
    db.execute("update finances.moyen_paiement set actif = (id_moyen = %s) where id_moyen in (%s, %s)",
               [same, same, changed])  # fmt: skip
    assert [row["operation"] for row in traces(db, "moyen_paiement", same)] == ["INSERT"]
    assert [row["operation"] for row in traces(db, "moyen_paiement", changed)] == ["INSERT", "UPDATE"]


def test_one_statement_writes_one_journal_entry_per_row(db):
    db.execute("insert into finances.categorie_depense (libelle) select 'Essai ' || n from generate_series(1, 5) n")
    assert db.one("select count(*) from audit.journal where apres ->> 'libelle' like 'Essai _'") == 5


def test_the_journal_joins_the_columns_of_a_composite_key(db):
    role = db.one("insert into auth.role (code, libelle) values ('ESSAI', 'Essai') returning id_role")
    db.execute("insert into auth.role_permission (id_role, id_permission) values (%s, 3)", [role])
    [row] = traces(db, "role_permission", f"{role}-3")
    assert row["apres"] == {"id_role": role, "id_permission": 3}


def test_journal_entries_carry_the_amounts_of_invoices_and_payments(db):
    facture = builders.facture(db, "500")
    payment = db.call("finances.paiement_creer", montant="20", id_moyen=builders.moyen(db), id_facture=facture)
    assert [str(row["montant"]) for row in traces(db, "facture", facture)] == ["500.00", "500.00"]
    assert [str(row["montant"]) for row in traces(db, "paiement", payment["id_paiement"])] == ["20.00"]
    issued, paid = traces(db, "facture", facture)
    assert (issued["operation"], issued["apres"]["statut"]) == ("INSERT", "IMPAYEE")
    assert issued["apres"]["montant_total"] == 500
    assert (paid["avant"]["montant_paye"], paid["apres"]["montant_paye"]) == (0, 20)


def test_the_journal_masks_secrets(db):
    masked = "select audit._masquer(%s)"
    keys = ["mot_de_passe", "jeton", "token", "refresh_token", "hash", "secret"]
    filled = Jsonb(dict.fromkeys([*keys, "nom"], "ouvert"))
    assert db.one(masked, [filled]) == dict.fromkeys(keys, "***") | {"nom": "ouvert"}
    assert db.one(masked, [Jsonb(dict.fromkeys(keys))]) == dict.fromkeys(keys)


def test_no_password_reaches_the_journal(db):
    builders.utilisateur(db)
    assert db.one("select count(*) from audit.journal where apres::text like %s", ["%$2b$10$%"]) == 0


def test_the_journal_records_a_password_reset_without_the_password(db, http):
    user = builders.utilisateur(db, role="CLIENT")
    path, body = f"/admin/utilisateurs/{user}/reinitialiser-mot-de-passe", {"nouveau_mot_de_passe": "un-autre-secret"}
    assert http.as_admin().post(path, json=body, headers={"x-request-id": "mdp"}).status_code == 200
    [row] = db.all("select * from audit.journal where requete = 'mdp' and entite = 'secret'")
    assert (row["operation"], row["entite_id"]) == ("UPDATE", str(user))
    assert row["avant"]["mot_de_passe"] == row["apres"]["mot_de_passe"] == "***"
