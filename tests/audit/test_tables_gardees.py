"""TRUNCATE is refused on every table with money."""

from tests.conftest import refused

MONEY = (
    *("finances.paiement", "finances.application_paiement", "finances.depense", "finances.tirage"),
    *("finances.periode_caisse", "finances.caisse", "facturation.facture", "facturation.facture_ligne"),
    *("market.vente", "market.vente_ligne", "market.mouvement_stock", "pressing.commande", "pressing.commande_ligne"),
    *("restaurant.commande", "restaurant.commande_ligne", "salle_fete.reservation"),
    *("residence.contrat_location", "residence.echeance", "residence.revision_loyer", "residence.caution"),
    *("residence.caution_evenement", "residence.charge_facturee", "residence.sejour_court", "residence.abonnement"),
    *("rh.paie", "rh.element_salaire"),
)


def test_a_table_with_money_refuses_truncate(db):
    for table in MONEY:
        with refused("TABLE_GARDEE", 409):
            db.execute(f"truncate {table} cascade")


def test_every_table_with_money_has_a_truncate_trigger(db):
    """The code guards tables in a loop over the catalogue, so the tables of later migrations are guarded too."""
    unguarded = db.all(
        "select distinct c.oid::regclass::text as nom from pg_class c join pg_attribute a on a.attrelid = c.oid"
        " join pg_type t on t.oid = a.atttypid"
        " where c.relkind = 'r' and t.typname in ('montant', 'montant_du_reglement', 'montant_signe', 'somme')"
        "   and c.oid::regclass::text not in ('audit.journal', 'finances.resume_paiement',"
        "     'finances.resume_depense', 'finances.resume_application', 'finances.resume_moyen',"
        "     'facturation.resume_facture', 'finances.resume_impaye')"
        "   and not exists (select from pg_trigger g where g.tgrelid = c.oid and g.tgtype & 32 = 32)"
    )
    assert unguarded == []
