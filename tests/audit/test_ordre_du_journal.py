"""The entries of a row are in the order of its versions, whatever its triggers do."""

import pytest

from tests import builders
from tests.audit.chaines import broken, keys
from tests.audit.test_instant import NOW

TODAY = "core.aujourdhui()"


@pytest.fixture
def older(db):
    """The keys of the rows that the migrations made."""
    return keys(db)


def test_an_invoice_paid_before_an_instant_is_paid_at_it_after_its_rent_is_refunded(db, http, older):
    start = db.one(f"select (date_trunc('month', {TODAY}) - interval '1 month')::date")
    lease = builders.contrat(
        db, montant_loyer="100000", date_debut=start, date_fin_prevue=db.one(f"select {TODAY} + 400")
    )
    moyen = builders.moyen(db)
    db.call("residence.contrat_encaisser_loyer_lot", id_contrat=lease, montant="200000", id_moyen=moyen)
    invoice = db.one("select max(id_facture) from facturation.facture")
    admin, path = http.as_admin(), f"/facturation/factures/{invoice}"
    instant, seen = db.one(f"select {NOW}"), admin.get(path).json()
    assert (seen["statut"], seen["montant_paye"]) == ("PAYEE", "100000.00")
    db.call("residence.contrat_resilier", id_contrat=lease, date_resiliation=start, motif="Départ")
    ended, after = db.one(f"select {NOW}"), admin.get(path).json()
    db.call("residence.contrat_rembourser", id_contrat=lease, id_moyen=moyen)
    assert admin.get(path, params={"instant": instant}).json() == seen
    assert admin.get(path, params={"instant": ended}).json() == after
    assert broken(db, older) == []


def test_a_deactivated_account_changes_once_in_the_journal(db, older):
    user = builders.utilisateur(db, role="DIRIGEANT")
    epoch = db.one("select epoque from auth.utilisateur where id_utilisateur = %s", [user])
    db.call("auth.utilisateur_desactiver", id_utilisateur=user)
    last = db.all(
        "select apres from audit.journal where entite = 'utilisateur' and entite_id = %s and operation = 'UPDATE'",
        [str(user)],
    )
    assert [(row["apres"]["actif"], row["apres"]["epoque"]) for row in last] == [(False, epoch + 1)]
    assert broken(db, older) == []


def test_an_update_inside_a_trigger_of_its_row_comes_after_the_update_that_fired_it(db, older):
    """A trigger of a DBA, which no house test reads."""
    client = builders.client(db, nom="Avant")
    db.execute(
        """create function client._t10_essai() returns trigger language plpgsql as $$
           begin update client.client set ville = 'Bouaké' where id_client = new.id_client; return null; end $$;
           create trigger t10_essai after update of nom on client.client
             for each row execute function client._t10_essai()"""
    )
    db.execute("update client.client set nom = 'Après' where id_client = %s", [client])
    assert broken(db, older) == []
