"""After any history, the journal tells each row in order, and each past instant as it was, to every account."""

import psycopg
import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from tests import builders
from tests.achat import achats
from tests.audit.chaines import broken, keys
from tests.preuve import selon

# A twin returns rows of its original; the other functions of passe return rows of views.
TWINS = """
select p.oid::regproc::text || '()' as past, c.oid::regclass::text as present
  from pg_proc p join pg_class c on c.reltype = p.prorettype and c.relkind = 'r'
 where p.pronamespace = 'passe'::regnamespace and p.pronargs = 0
"""
LISTS = {
    "/facturation/factures": "id_facture",
    "/finances/paiements": "id_paiement",
    "/finances/caisses": "id_caisse",
    "/residence/contrats": "id_contrat",
    "/market/produits": "id_produit",
    "/client/clients": "id_client",
    "/achat/factures": "id_achat",
    "/achat/receptions": "id_reception",
    "/achat/paiements": "id_paiement",
    "/compta/operations": "id_operation",
}
REPORTS = ("/achat/dettes", "/compta/balance", "/compta/bilan", "/compta/creances", "/compta/journaux",
           "/compta/resultat", "/market/rapports/stock", "/market/stock/historique")  # fmt: skip
STEPS = (
    "bill", "bill with taxes", "pay", "pay two invoices", "cancel payment", "date payment", "cancel invoice",
    "credit note repaid", "refund payment", "apply payment",
    "new client", "change client", "add contact", "delete contact", "delete client", "change invoiced client",
    "close till", "open till", "rename till", "deactivate account",
    "new lease", "pay rents", "revise rent", "end lease", "leave and get rents back", "rename room",
    "new product", "change product", "rename supplier", "sell", "return sale",
    "receive", "buy", "pay purchase", "cancel purchase payment", "credit purchase",
    "rebate", "take supplier money back", "record entry", "cancel entry",
)  # fmt: skip
READERS = ("admin", "cashier", "other cashier", "goods", "rooms")
LOOKS = selon(8, 20)
step = st.tuples(st.sampled_from(STEPS), st.integers(0, 7))
look = st.tuples(st.integers(0, 40), st.sampled_from(READERS))


@pytest.fixture
def build(db, http):
    return lambda: House(db, http)


@pytest.mark.timeout(selon(600, 7200))
@settings(max_examples=selon(1, 150), deadline=None, suppress_health_check=list(HealthCheck))
@example(
    steps=[(name, n) for n in (1, 2) for name in STEPS],
    looks=[(60 * place // LOOKS, READERS[place % len(READERS)]) for place in range(LOOKS)],
)
@given(steps=st.lists(step, min_size=15, max_size=40), looks=st.lists(look, min_size=LOOKS, max_size=LOOKS))
def test_the_journal_tells_any_history_as_it_happened(db, build, steps, looks):
    """Looks at random instants, each by one account and at every table, are found again afterwards."""
    with db.connection.transaction(force_rollback=True):
        older = keys(db)
        house = build()
        seen = []
        for place, (name, n) in enumerate([("", 0), *steps]):
            if name:
                house.try_to(name, n)
            for when, reader in looks:
                if min(when, len(steps)) == place:
                    seen.append((reader, house.now(), house.tables(), house.answers(reader)))
        for reader, instant, tables, answers in seen:
            assert house.tables(instant) == tables
            for path, answer in answers.items():
                again = house.readers[reader].get(path, params={"instant": instant})
                assert house.kept(again) == answer, (reader, path)
        assert broken(db, older) == []
        assert db.rows("jobs._controle_journal") == []


class House:
    """The rows of one history, and the accounts that read them."""

    def __init__(self, db, http):
        self.db, self.moyen = db, builders.moyen(db)
        self.till = builders.caisse(db)
        self.admin = builders.utilisateur(db, role="ADMINISTRATEUR")
        cashiers = [builders.utilisateur(db, caisse=till) for till in (self.till, builders.caisse(db))]
        trades = [builders.activite(db, code) for code in ("VENTE_MARCHANDISES", "LOCATION_RESIDENTIEL")]
        managers = [builders.utilisateur(db, role="DIRIGEANT", activite=trade) for trade in trades]
        accounts = (self.admin, *cashiers, *managers)
        self.readers = {name: http.as_user(user) for name, user in zip(READERS, accounts, strict=True)}
        self.twins = db.all(TWINS)
        db.call("core.taxe_creer", code="TVA", libelle="TVA", taux="18", nature="TAUX", du="2020-01-01")
        self.service, self.taxed = builders.prestation(db), builders.prestation(db, code_taxe="TVA")
        self.supplier = db.call("market.fournisseur_creer", nom="Grossiste")["id_fournisseur"]
        self.room = builders.logement(db)
        self.new_product(0)
        builders.client(db)
        self.new_lease(4)

    def now(self):
        return self.db.one("select to_char(clock_timestamp() at time zone 'UTC', 'YYYY-MM-DD\"T\"HH24:MI:SS.US\"Z\"')")

    def tables(self, instant=None):
        """A hash of the rows of each table that has a past, at an instant or now."""
        if instant is not None:
            self.db.one("select audit.instant_poser(%s)", [instant])
        source = "present" if instant is None else "past"
        digest = "select md5(string_agg(to_jsonb(t)::text, ',' order by to_jsonb(t)::text)) from"
        return {twin["present"]: self.db.one(f"{digest} {twin[source]} t") for twin in self.twins}

    def answers(self, reader):
        """The rows that an account reads now: the lists, and the last rows of each."""
        client, answers = self.readers[reader], {}
        for path, key in LISTS.items():
            answer = client.get(path)
            answers[path] = self.kept(answer)
            if answer.status_code == 200:
                rows = self.readers["admin"].get(path).json()
                for detail in (f"{path}/{row[key]}" for row in rows[-2:]):
                    answers[detail] = self.kept(client.get(detail))
        answers |= {path: self.kept(client.get(path)) for path in REPORTS}
        return answers

    def try_to(self, name, n):
        """Do a step of the history, unless it has no row for it yet or the rules refuse it."""
        self.db.acting(self.admin)
        try:
            with self.db.connection.transaction():
                getattr(self, name.replace(" ", "_"))(n)
        except LookupError:
            pass
        except psycopg.Error as error:
            assert error.sqlstate.startswith(("HT", "23", "P0002")), f"{name}: {error}"

    @staticmethod
    def kept(answer):
        # The body of a refusal names its request.
        body = answer.content if answer.status_code == 200 else b""
        return answer.status_code, body, answer.headers.get("x-total-count")

    def pick(self, query, n):
        """One row of the query. Raises LookupError without one."""
        rows = self.db.all(query)
        if not rows:
            raise LookupError(query)
        return rows[n % len(rows)]

    def bill(self, n, service=None):
        lines = [{"libelle": "Chaises", "prix_unitaire": "9000.50"}, {"libelle": "Tables", "prix_unitaire": "4000"}]
        self.db.call(
            "facturation.prestation_facturer",
            id_prestation=service or self.service, montant=str(n * 1000), id_moyen=self.moyen, lignes=lines,
            id_client=self.client(n) if n % 2 else None, remise="100" if n % 3 else "0",
        )  # fmt: skip

    def bill_with_taxes(self, n):
        self.bill(n, self.taxed)

    def invoice(self, n):
        return self.pick("select id_facture from facturation.facture order by 1", n)["id_facture"]

    def client(self, n):
        return self.pick("select id_client from client.client order by 1", n)["id_client"]

    def pay(self, n):
        target = {"id_facture": self.invoice(n), "id_caisse": self.till if n % 2 else None}
        self.db.call("finances.paiement_creer", montant="500", id_moyen=self.moyen, **target)

    def pay_two_invoices(self, n):
        payment = self.db.call("finances.paiement_creer", montant="900", id_moyen=self.moyen)
        for k in range(2):
            bill = self.pick("select id_facture from facturation.facture where id_client is null order by 1", n + k)
            self.db.call("finances.paiement_appliquer", id_paiement=payment["id_paiement"], montant="450", **bill)

    def payment(self, n):
        return self.pick("select id_paiement from finances.paiement order by 1", n)["id_paiement"]

    def cancel_payment(self, n):
        self.db.call("finances.paiement_annuler", id_paiement=self.payment(n), motif="Erreur")

    def date_payment(self, n):
        champs = {"motif": f"Motif {n}", "reference": f"REF-{n}" if n % 2 else None}
        self.db.call("finances.paiement_modifier", id_paiement=self.payment(n), champs=champs)

    def cancel_invoice(self, n):
        self.db.call("facturation.facture_annuler", id_facture=self.invoice(n), motif="Erreur")

    def credit_note_repaid(self, n):
        line = self.pick("select id_facture, id_ligne, total from facturation.facture_ligne order by 2", n)
        note = {"motif": "Repris", "lignes": [{"id_ligne": line["id_ligne"], "montant": str(line["total"])}]}
        self.db.call(
            "facturation.avoir_creer", id_facture=line["id_facture"], remboursement={"id_moyen": self.moyen}, **note
        )

    def refund_payment(self, n):
        self.db.call("finances.paiement_rembourser", id_paiement=self.payment(n))

    def apply_payment(self, n):
        self.db.call("finances.paiement_appliquer", id_paiement=self.payment(n), id_facture=self.invoice(n))

    def deactivate_account(self, n):
        self.db.call("auth.utilisateur_desactiver", id_utilisateur=builders.utilisateur(self.db, role="DIRIGEANT"))

    def new_client(self, n):
        builders.client(self.db, nom=f"Exemple {n}")

    def change_client(self, n):
        champs = {"nom": f"Nouveau {n}", "ville": "Bouaké" if n % 2 else None, "date_naissance": "1990-02-28"}
        self.db.call("client.client_modifier", id_client=self.client(n), champs=champs)

    def change_invoiced_client(self, n):
        client = self.pick("select id_client from facturation.facture where id_client is not null order by 1", n)
        self.db.call("client.client_modifier", **client, champs={"nom": f"Mariée {n}"})

    def add_contact(self, n):
        self.db.call(
            "client.contact_urgence_creer",
            id_client=self.client(n), nom=f"Proche {n}", lien="Sœur", tel_principal="+2250700000001",
        )  # fmt: skip
        self.db.call("client.piece_identite_creer", id_client=self.client(n), type_piece="CNI", numero=f"C-{n}")

    def delete_contact(self, n):
        contact = self.pick("select id_contact from client.contact_urgence order by 1", n)["id_contact"]
        self.db.execute("delete from client.contact_urgence where id_contact = %s", [contact])

    def delete_client(self, n):
        self.db.execute("delete from client.client where id_client = %s", [self.client(-1)])

    def close_till(self, n):
        self.db.call("finances.caisse_fermer", id_caisse=self.till)

    def open_till(self, n):
        self.db.call("finances.caisse_ouvrir", id_caisse=self.till, fond_initial=str(n * 100))

    def rename_till(self, n):
        till = self.till if n % 2 else builders.caisse(self.db, ouverte=n % 3 > 0)
        self.db.call("finances.caisse_modifier", id_caisse=till, champs={"libelle": f"Guichet {n}", "actif": n % 4 > 0})

    def new_lease(self, n):
        room = self.room if n % 2 else builders.logement(self.db)
        start, end = self.day(-15 * n - 5), self.day(200)
        lease = {"date_debut": start, "date_fin_prevue": end, "id_client": self.client(n), "id_logement": room}
        builders.contrat(self.db, actif=n % 3 > 0, **lease)

    def day(self, days):
        return self.db.one("select (core.aujourdhui() + %s)::text", [days])

    def lease(self, n):
        return self.pick("select id_contrat from residence.contrat_location order by 1", n)["id_contrat"]

    def pay_rents(self, n):
        self.db.call(
            "residence.contrat_encaisser_loyer_lot",
            id_contrat=self.lease(n), montant=str(60000 * (n + 1)), id_moyen=self.moyen,
        )  # fmt: skip

    def revise_rent(self, n):
        self.db.call(
            "residence.contrat_reviser_loyer",
            id_contrat=self.lease(n), nouveau_montant=f"{80000 + n}", date_effet=self.day(30 * (n - 4)),
        )  # fmt: skip

    def end_lease(self, n):
        day = self.day(-20 * n)
        self.db.call("residence.contrat_resilier", id_contrat=self.lease(n), date_resiliation=day, motif="Départ")

    def leave_and_get_rents_back(self, n):
        """The rents of the days after the first ten."""
        query = """select c.id_contrat, least(c.date_debut + 9, core.aujourdhui()) as date_resiliation
                     from residence.contrat_location c where c.statut = 'ACTIF' order by 1"""
        lease = self.pick(query, n)
        self.db.call("residence.contrat_resilier", **lease, motif="Départ")
        self.db.call("residence.contrat_rembourser", id_contrat=lease["id_contrat"], id_moyen=self.moyen)

    def rename_room(self, n):
        champs = {"code": f"R{n}", "nom": f"Résidence {n}"}
        building = self.db.one("select id_batiment from residence.logement where id_logement = %s", [self.room])
        self.db.call("residence.batiment_modifier", id_batiment=building, champs=champs)

    def new_product(self, n):
        builders.produit(self.db, stock=str(n + 5), id_fournisseur=self.supplier if n % 2 else None)

    def product(self, n):
        return self.pick("select id_produit from market.produit order by 1", n)["id_produit"]

    def change_product(self, n):
        tax = "TVA" if n % 2 else None
        champs = {"nom": f"Savon {n}", "prix_vente": str(100 + n), "actif": n % 3 > 0, "code_taxe": tax}
        self.db.call("market.produit_modifier", id_produit=self.product(n), champs=champs)

    def rename_supplier(self, n):
        self.db.call("market.fournisseur_modifier", id_fournisseur=self.supplier, champs={"nom": f"Grossiste {n}"})

    def sell(self, n):
        product = self.pick("select id_produit, prix_vente from market.produit where actif order by 1", n)
        lines = [{"id_produit": product["id_produit"], "quantite": "1"}]
        paid = {"montant": str(product["prix_vente"]), "id_moyen": self.moyen}
        self.db.call("market.vente_creer", lignes=lines, paiement=paid, id_client=self.client(n))

    def return_sale(self, n):
        sale = self.pick("select id_vente from market.vente order by 1", n)["id_vente"]
        self.db.call("market.vente_annuler", id_vente=sale, motif="Retour")

    def receive(self, n):
        achats.recevoir(self.db, self.product(n), id_fournisseur=self.supplier)

    def buy(self, n):
        received = self.pick("select id_reception, id_produit from achat.reception_ligne order by 1", n)
        line = {"id_reception": received["id_reception"] if n % 2 else None, "code_taxe": "TVA"}
        lines = [achats.article(received["id_produit"], 2, 90 + n, **line)]
        bill = achats.saisir(self.db, *lines, id_fournisseur=self.supplier, frais=str(n))["id_achat"]
        if n % 3:
            self.db.call("achat.facture_valider", id_achat=bill)

    def purchase(self, n):
        return self.pick("select id_achat from achat.facture where jour is not null order by 1", n)["id_achat"]

    def pay_purchase(self, n):
        achats.payer(self.db, self.purchase(n), 50, id_caisse=self.till if n % 2 else None)

    def cancel_purchase_payment(self, n):
        self.db.call("finances.depense_supprimer", **self.pick("select id_depense from achat.paiement order by 1", n))

    def credit_purchase(self, n):
        achats.crediter(self.db, self.purchase(n))

    def rebate(self, n):
        brought = "select id_achat, id_ligne from achat.facture_ligne where id_mouvement is not null order by 2"
        line = self.pick(brought, n)
        achats.crediter(self.db, line["id_achat"], {"id_ligne": line["id_ligne"], "montant": "5"})

    def take_supplier_money_back(self, n):
        bill = self.pick("select id_achat from achat.facture where reste < 0 order by 1", n)
        self.db.call("achat.paiement_creer", factures=[bill], id_moyen=self.moyen)

    def record_entry(self, n):
        lines = [{"compte": "681", "debit": str(n + 1)}, {"compte": "2845", "credit": str(n + 1)}]
        self.db.call("compta.operation_creer", date=str(self.db.today()), libelle=f"Dotation {n}", lignes=lines)

    def cancel_entry(self, n):
        self.db.call("compta.operation_annuler", **self.pick("select id_operation from compta.operation order by 1", n))
