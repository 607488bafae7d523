"""A sum has a wider type than an entry, and an entry has a ceiling. No entered amount can make a report fail."""

import re
from decimal import Decimal

import pytest

from tests import builders
from tests.conftest import refused
from tests.witness import Witness, operations, required

CEILING = Decimal(1_000_000_000)
LARGEST = Decimal("999999999999.99")  # the largest value of an amount column: a thousand times the ceiling
ROWS = 1001  # rows with the largest amount, equal to a million rows at the ceiling

# Tables whose rows are summed, and the columns that must differ between the copies of a row.
COPIED = {
    "finances.paiement": {},
    "finances.depense": {"date_annulation": "null"},
    "facturation.facture": {
        "numero": "'ESSAI-' || g", "source_type": "'AUTRE'", "montant_paye": "0", "montant_avoirs": "0",
        "montant_credit": "0", "montant_taxe": "0",
    },
    "residence.echeance": {
        "date_echeance": "date '1930-01-01' + g * interval '1 month'",
        "date_fin": "date '1930-01-28' + g * interval '1 month'", "montant_paye": "0",
    },
    "residence.charge_facturee": {"periode": "to_char(date '1930-01-01' + g * interval '1 month', 'YYYY-MM')"},
    "market.produit": {"reference": "'ESSAI-' || g", "code_barre": "null", "quantite_stock": "9999999999.99"},
    "market.vente": {"remise": "0"},
    "market.vente_ligne": {"quantite": "1"},
    "pressing.commande": {"numero_commande": "'ESSAI-' || g"},
    "restaurant.commande": {},
    "restaurant.commande_ligne": {"quantite": "1"},
    "rh.paie": {
        "periode": "to_char(date '1930-01-01' + g * interval '1 month', 'YYYY-MM')", "total_retenues": "0",
        "statut": "'CALCULEE'",
    },
}  # fmt: skip
AMOUNTS = ("montant", "montant_du_reglement", "montant_signe", "somme")


def multiply(db, table, columns_):
    """Copy one row of the table, with the largest amounts. Triggers are off, because they refuse such amounts."""
    columns = db.all(
        "select a.attname as name, t.typname as type from pg_attribute a join pg_type t on t.oid = a.atttypid"
        " where a.attrelid = %s::regclass and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''"
        " and a.attidentity = ''",
        [table],
    )
    values = {
        c["name"]: columns_.get(c["name"]) or (str(LARGEST) if c["type"] in AMOUNTS else f't."{c["name"]}"')
        for c in columns
    }
    names = ", ".join(f'"{name}"' for name in values)
    db.execute(
        f"insert into {table} ({names}) select {', '.join(values.values())}"
        f" from (select * from {table} limit 1) t, generate_series(1, {ROWS}) g"
    )


@pytest.fixture
def enormous(db, keys):
    db.acting(None)
    builders.paie(db)
    db.acting(int(keys["id_utilisateur"]))
    paid = builders.paiement(db, "40")
    db.acting(None)
    db.execute("set local session_replication_role = replica")
    for table, columns_ in COPIED.items():
        multiply(db, table, columns_)
    db.execute(
        "insert into finances.paiement"
        " (date, jour, montant, type, id_moyen, id_activite, id_caisse, id_periode, id_utilisateur)"
        " select date, jour, %s, 'DECAISSEMENT', id_moyen, id_activite, id_caisse, id_periode, %s"
        f" from finances.paiement, generate_series(1, {ROWS // 2}) where id_paiement = %s",
        [LARGEST, keys["id_utilisateur"], paid["id_paiement"]],
    )
    db.execute("set local session_replication_role = origin")
    db.execute(f"analyze {', '.join(COPIED)}")  # plans of earlier tests are for nearly empty tables
    return keys


def test_no_report_fails_on_the_largest_amounts(witness, enormous, db):
    """A report reads the rows, and then their stored sums. A paper shows the sums of its ticket or of its row, and an
    export of the ledger its lines."""
    resident = Witness(witness.http.as_user(enormous["resident"]), witness.document)
    for read in ("", "/api/v1/(rapports|dashboard|finances|facturation)"):
        for method, template, operation in operations(witness.document):
            if method == "GET" and re.match(read, template) and not template.endswith(("/pdf", "/export")):
                client = resident if "/portail" in template else witness
                page = {"limit": "20"} if "'limit'" in str(operation.get("parameters")) else {}
                answer = client.request("GET", template, enormous, params=required(operation, enormous) | page)
                assert answer.status_code == 200, (template, answer.text[:300])
        total = Decimal(witness.request("GET", "/api/v1/rapports/synthese-globale").json()["total_recettes"])
        assert total > CEILING * 1_000_000
        for rows in ("paiements", "factures", "depenses"):
            assert read or db.one(f"select jobs.resumer_{rows}()") > ROWS
    assert db.all("select * from jobs._controler() c where c like '%%résumé%%'", []) == []


def test_a_till_with_the_largest_amounts_can_be_counted(enormous, db):
    db.tamper("delete from finances.tirage")
    tirage = db.call("finances.tirage_creer", montant_compte="12.50", id_caisse=enormous["id_caisse"])
    assert abs(Decimal(tirage["montant_attendu"])) > CEILING * 1_000_000
    assert Decimal(tirage["ecart"]) == Decimal("12.50") - Decimal(tirage["montant_attendu"])


def test_every_stored_sum_has_the_type_of_sums(db):
    """A sum that a trigger or a job stores has its own type."""
    stored = {
        "facturation.avoir": "montant_total montant_excedent montant_taxe",
        "facturation.facture": "montant_total montant_paye montant_avoirs montant_credit montant_taxe reste",
        "facturation.resume_facture": "factures avoirs",
        "finances.resume_application": "montant",
        "finances.resume_depense": "montant",
        "finances.resume_paiement": "encaissements decaissements",
        "finances.tirage": "montant_attendu ecart",
        "market.vente": "total",
        "pressing.commande": "montant_total",
        "restaurant.commande": "total",
        "residence.sejour_court": "montant_total",
        "rh.paie": "total_elements total_retenues montant_a_payer",
    }
    query = "select atttypid::regtype::text from pg_attribute where attrelid = %s::regclass and attname = %s"
    for table, columns in stored.items():
        for column in columns.split():
            assert db.one(query, [table, column]) == "core.somme", (table, column)


def test_no_view_or_function_casts_a_sum_to_the_type_of_an_entry(db):
    """A report that casts a sum to the type of an entry would fail on the first large sum."""
    narrow = re.compile(
        r"sum\((?:[^()]|\((?:[^()]|\([^()]*\))*\))*\)(?: filter \([^)]*\))?(?:, \(?0\)?(?:::\w+)?\))?\)*::"
        r"(?:core\.(?:montant|nombre)(?:_signe|_du_reglement)?\b|numeric\()",
        re.IGNORECASE,  # PostgreSQL writes COALESCE and FILTER in capitals
    )
    rows = db.all(
        "select c.oid::regclass::text as name, pg_get_viewdef(c.oid) as body from pg_class c where c.relkind = 'v'"
        " and c.relnamespace::regnamespace::text not in ('pg_catalog', 'information_schema', 'queue')"
        " union all select p.oid::regprocedure::text, pg_get_functiondef(p.oid) from pg_proc p"
        " where p.prokind = 'f' and p.pronamespace::regnamespace::text not in"
        " ('pg_catalog', 'information_schema', 'queue', 'public')",
        [],
    )
    assert [row["name"] for row in rows if narrow.search(row["body"])] == []


def entries(db):
    """Entries one cent above the ceiling: one for each rule that bounds an amount, a line, a total or a settlement."""
    much, moyen = str(CEILING + Decimal("0.01")), str(builders.moyen(db))
    linen = {"type_vetement": "Drap", "quantite": 1, "prestation": "Lavage"}
    service = builders.prestation(db)

    def order(*lines):
        return "POST", "/pressing/commandes", {"id_client": str(builders.client(db)), "lignes": [*lines]}

    def invoice(*prices):
        lines = [{"libelle": "x", "prix_unitaire": price} for price in prices]
        body = {"montant": "0", "id_moyen": moyen, "lignes": lines}
        return "POST", f"/facturation/prestations/{service}/facturer", body

    stay = {
        "type_prestation": "NUITEE", "id_logement": str(builders.logement(db)), "tarif": "250000000.01",
        "date_heure_arrivee": "2026-08-20 20:00:00", "date_heure_depart_prevue": "2026-08-24 10:00:00",
    }  # fmt: skip
    expense = {"montant": much, "libelle": "x", "id_categorie_depense": str(builders.categorie_depense(db))}
    deduction = {"type": "RETENUE", "libelle": "x", "montant": f"-{much}"}
    return {
        "payment": ("POST", "/finances/paiements", {"montant": much, "id_moyen": moyen}),
        "expense": ("POST", "/finances/depenses", expense),
        "opening": ("POST", f"/finances/caisses/{builders.caisse(db, ouverte=False)}/ouvrir", {"fond_initial": much}),
        "service_changed": ("PATCH", f"/facturation/prestations/{service}", {"prix": much}),
        "unpaid_invoice": invoice(much),
        "unpaid_invoice_of_many_lines": invoice("600000000", "600000000"),
        "linen": order(linen | {"tarif": much}),
        "linen_in_number": order(linen | {"quantite": 334_000, "tarif": "2994.02"}),
        "linen_in_lines": order(*[linen | {"tarif": "600000000"}] * 2),
        "stay_of_four_nights": ("POST", "/residence/sejours", stay),
        "deduction": ("POST", f"/rh/paies/{builders.paie(db)}/elements", deduction),
    }


def test_every_entry_above_the_ceiling_is_refused(db, http):
    admin = http.as_admin()
    for name, (method, path, body) in entries(db).items():
        answer = admin.request(method, path, json=body)
        assert (answer.status_code, answer.json()["code"]) == (400, "MONTANT_TROP_GRAND"), (name, answer.text)
        message = answer.json()["message"].replace("\N{NO-BREAK SPACE}", " ")
        assert "1 000 000 000" in message and answer.json()["details"]["champ"], name


def test_the_ceiling_is_a_setting_with_limits(db):
    assert builders.paiement(db, CEILING)["montant"] == CEILING
    db.call("core.parametre_modifier", cle="MONTANT_MAXIMAL", valeur="2000000")
    with refused("MONTANT_TROP_GRAND", 400):
        builders.paiement(db, "2000000.01")
    builders.paiement(db, "2000000")
    for wrong in ("999999", "1000000000000", "1e9", "-5", "beaucoup"):
        with refused("MONTANT_MAXIMAL_INVALIDE", 400):
            db.call("core.parametre_modifier", cle="MONTANT_MAXIMAL", valeur=wrong)


def test_an_amount_entered_under_a_higher_ceiling_can_be_refunded_or_lowered(db):
    db.call("core.parametre_modifier", cle="MONTANT_MAXIMAL", valeur="9000000000")
    paid = builders.paiement(db, "8000000000", id_activite=2)
    dish = builders.plat(db, prix="7000000000")
    db.call("core.parametre_modifier", cle="MONTANT_MAXIMAL", valeur="1000000000")
    db.execute(
        "insert into finances.paiement (montant, type, id_moyen, id_activite, id_paiement_origine)"
        " values (8000000000, 'DECAISSEMENT', 1, 2, %s)",
        [paid["id_paiement"]],
    )
    db.call("restaurant.plat_modifier", id_plat=dish, champs={"prix": "6000000000"})
    with refused("MONTANT_TROP_GRAND", 400):
        db.call("restaurant.plat_modifier", id_plat=dish, champs={"prix": "6500000000"})


def test_every_column_of_entered_amounts_has_the_ceiling_trigger(db):
    unguarded = db.all(
        "select c.oid::regclass::text || '.' || a.attname as name"
        " from pg_attribute a join pg_class c on c.oid = a.attrelid"
        " where c.relkind = 'r' and a.attgenerated = '' and not a.attisdropped"
        " and a.atttypid::regtype::text in ('core.montant', 'core.montant_du_reglement', 'core.montant_signe')"
        " and not exists (select from pg_trigger t where t.tgrelid = c.oid"
        "                  and t.tgtype & 20 = 20"  # before insert, and update
        "                  and t.tgfoid in ('core._t60_montant_maximal'::regproc, 'core._t20_ligne_maximale'::regproc)"
        "                  and encode(t.tgargs, 'escape') ~ ('(^|\\\\000)' || a.attname || '\\\\000'))",
        [],
    )
    # The triggers of a settlement bound what they write, and an application is never larger than its payment.
    # An operation that no counter-transfer calls bounds a transfer. The ledger has sums of what is bounded.
    assert {row["name"] for row in unguarded} == {
        "compta.ecriture.credit",
        "compta.ecriture.debit",
        "facturation.facture.remise",
        "facturation.facture_ligne.prix_unitaire",
        "finances.application_paiement.montant",
        "finances.paiement.montant",
        "tresorerie.virement.frais",
        "tresorerie.virement.montant",
    }
