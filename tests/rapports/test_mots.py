"""Each term for an amount has one definition. The histories of tests/compta compare the reports."""

from decimal import Decimal

from tests import builders
from tests.accord import disagreements


def test_the_comparison_reports_a_disagreement(db):
    """Checks the comparison itself: a changed report must be named."""
    builders.depense(db)
    body = db.one("select pg_get_functiondef('finances.tableau_de_bord'::regproc)")
    db.execute(body.replace("sum(m.depenses)", "sum(m.depenses) + 1"))
    today = str(db.today())
    assert [line.split(" : ")[0] for line in disagreements(db, today, today)] == ["depenses"]


def test_the_summary_holds_the_figures_of_a_dashboard(http, db):
    low = builders.produit(db, stock="2", seuil_alerte="5", nom="Savon")
    builders.produit(db, stock="50", seuil_alerte="5")
    builders.logement(db)
    lease = builders.contrat(db, date_debut="2026-01-17", date_fin_prevue="2026-12-16")
    linen = {"type_vetement": "Drap", "quantite": "3", "prestation": "Lavage", "tarif": "1250.50"}
    db.call("pressing.commande_creer", id_client=builders.client(db), lignes=[linen])
    db.call("rh.pointage_arriver", id_employe=builders.employe(db), date=str(db.today()))
    summary = http.as_admin().get("/rapports/synthese-globale").json()
    rents = http.as_admin().get("/residence/impayes", params={"limit": 1000}).json()
    late = [row for row in rents if row["id_contrat"] == str(lease)]
    owed = str(sum(Decimal(row["reste"]) for row in late))
    assert summary["residence"]["impayes"] == {"nombre": len(late), "montant": owed} and late
    free = db.one("select count(*) from residence.logement where statut = 'DISPONIBLE'")
    assert summary["residence"]["chambres_disponibles"] == free
    assert summary["market"]["stock"]["alertes"] == [{"id_produit": str(low), "nom": "Savon", "stock": "2.00"}]
    today = str(db.today())
    assert summary["pressing"] == {"jour": today, "commandes_en_cours": 1}
    assert summary["personnel"] == {"jour": today, "presents_aujourd_hui": 1}
    parts = Decimal(summary["total_depenses"]) + Decimal(summary["total_decaissements"])
    assert Decimal(summary["total_sorties"]) == parts


def test_the_summary_of_an_activity_leaves_out_the_other_activities(http, db):
    pressing = builders.utilisateur(db, role="RESPONSABLE_PRESSING", activite=builders.activite(db))
    summary = http.as_user(pressing).get("/rapports/synthese-globale").json()
    assert summary["pressing"] == {"jour": str(db.today()), "commandes_en_cours": 0}
    assert [summary[name] for name in ("residence", "market", "personnel")] == [None, None, None]
