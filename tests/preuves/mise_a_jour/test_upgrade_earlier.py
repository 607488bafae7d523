"""A database of an earlier release, with data, upgrades to this one in one transaction.

PostgreSQL refuses to read a new label of an enum in the transaction that adds it. Code that names such a label where
PostgreSQL reads it while loading (a view, a SQL body, the condition of a trigger) therefore fails here only.
"""

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from app.database import schema
from app.database.release import HERE, Release
from app.database.upgrade.tables import Tables
from app.vault import backup, restoration
from tests.conftest import _clone, execute, one
from tests.preuves.backup.test_backup import KEYS, drop_the_others

LAST = "0049"  # the last migration of the earlier release

DATA = """
insert into client.client (code, nom, prenoms, tel_principal, type_client)
values ('ORG-CL-001', 'Exemple', 'Awa', '+2250700000000', 'PASSAGE');
insert into residence.batiment (code, nom) values ('A', 'Les Essais');
insert into residence.logement (numero, type, tarif, id_batiment) values ('ORG-CH01-A', 'CHAMBRE', 9500, 1);
insert into residence.sejour_court (type_prestation, id_client, id_logement, date_heure_arrivee,
  date_heure_depart_prevue, tarif, montant_total, statut)
values ('NUITEE', 1, 1, '2026-03-10 20:00Z', '2026-03-12 12:00Z', 9500, 19000, 'ANNULE'),
       ('SIESTE', null, 1, '2026-03-17 13:00Z', '2026-03-17 18:00Z', 4250.50, 4250.50, 'EN_COURS');
insert into salle_fete.reservation (id_client, date_evenement, heure_debut, duree, type_manifestation, tarif, statut)
values (1, '2031-05-17', '14:00', 6, 'Mariage', 150000, 'CONFIRMEE'),
       (null, '2031-05-17', '14:00', 3, 'Réunion', 90000, 'ANNULEE');
insert into restaurant.plat (nom, prix) values ('Riz', 2000.50);
insert into restaurant.commande (id_client, type, total, statut) values (1, 'SUR_PLACE', 4001, 'SERVIE');
insert into restaurant.commande_ligne (id_commande, id_plat, quantite, prix_unitaire) values (1, 1, 2, 2000.50);
insert into pressing.commande (id_client, numero_commande, montant_total) values (1, 'CPR-2026-0001', 1501.50);
insert into pressing.commande_ligne (id_commande, type_vetement, quantite, prestation, tarif)
values (1, 'Chemise', 3, 'Lavage', 500.50);
insert into market.produit (reference, nom, prix_achat, prix_vente, quantite_stock)
values ('REF-1', 'Riz', 333.33, 900, 3.5), ('REF-2', 'Huile', 5000, 9000, 0);
insert into market.mouvement_stock (id_produit, type, quantite, stock_resultant)
values (1, 'ENTREE', 4, 4), (1, 'SORTIE', 0.5, 3.5);
insert into finances.paiement (date, jour, montant, type, id_moyen)
values ('2026-03-10', '2026-03-10', 700, 'ENCAISSEMENT', 2), ('2026-03-10', '2026-03-10', 200, 'DECAISSEMENT', 2),
       ('2026-03-11', '2026-03-11', 9, 'ENCAISSEMENT', 2);
insert into finances.resume_paiement (jour, encaissements, decaissements, nombre) values ('2026-03-10', 700, 200, 2);
update core.resume_etat set jusqu_a = 2 where entite = 'finances.paiement';
"""


@pytest.fixture
def earlier(tmp_path: Path, worker_id: str) -> Iterator[str]:
    """A database with the tables and the data of the earlier release."""
    folder = tmp_path / HERE.migrations.name
    folder.mkdir()
    for path in HERE.migrations.glob("*.sql"):
        if path.name[:4] <= LAST:
            shutil.copy(path, folder)
    with _clone(f"essai_{worker_id}_source") as url, schema.scratch(url, f"essai_{worker_id}_avant") as scratch:
        with schema.connect(scratch, 5.0) as connection:
            schema.create_roles(connection)
            schema._prepare(connection)
            tables = Tables(connection, Release(tmp_path))
            for migration in tables.pending():
                tables.run(migration)
                tables.mark(migration)
        execute(scratch, DATA)
        yield scratch


@pytest.mark.bref
def test_an_earlier_release_with_data_upgrades(earlier: str) -> None:
    assert schema.migrate(earlier, lambda line: None)
    assert schema.drift(earlier) == []
    for query, expected in (
        (
            "select statut, montant_total::text, origine from residence.sejour_court_vue order by id_sejour",
            [("ANNULE", "19000.00", "COMPTOIR"), ("EN_COURS", "4250.50", "COMPTOIR")],
        ),
        (
            "select statut, solde::text, origine from salle_fete.reservation_vue order by id_reservation",
            [("CONFIRMEE", "150000.00", "COMPTOIR"), ("ANNULEE", "0.00", "COMPTOIR")],
        ),
        # Payments that were summed, and one that was not.
        ("select jour::text, montant::text from finances.resume_moyen", [("2026-03-10", "500.00")]),
        (
            "select (tresorerie.compte_creer('Mobile', 'MOBILE', 2)).solde::text",
            [("509.00",)],
        ),
        # The goods in stock are worth the price on the sheet, from the upgrade on.
        (
            "select quantite_stock::text, valeur_stock::text from market.produit order by id_produit",
            [("3.50", "1167.00"), ("0.00", "0.00")],
        ),
        (
            "select type, delta::text, valeur::text, valeur_resultante::text, cout_unitaire::text,"
            "       core.jour(date) = core.aujourdhui() from market.mouvement_stock order by id_mouvement",
            [
                ("ENTREE", "4.00", None, None, None, True),
                ("SORTIE", "-0.50", None, None, None, True),
                ("AJUSTEMENT", "0.00", "1167.00", "1167.00", "333.33", True),
            ],
        ),
        (
            "select market._valeur_du_stock(core.aujourdhui() - 1)::text, market._valeur_du_stock(null)::text",
            [(None, "1167.00")],
        ),
        ("select (market.mouvement_stock_creer(1, 'SORTIE', 1)).valeur::text", [("-333.00",)]),
        ("select (market.mouvement_stock_corriger(3, 400)).valeur::text", [("166.00",)]),
        ("select valeur_stock::text from market.produit where id_produit = 1", [("1000.00",)]),
        ("select phrase from jobs._controler() as phrase where phrase like '%stock%'", []),
        # Orders of the earlier release were settled without subscriptions.
        ("select total::text, montant_couvert::text from restaurant.commande", [("4001.00", "0.00")]),
        ("select montant_total::text, montant_couvert::text from pressing.commande", [("1501.50", "0.00")]),
    ):
        assert execute(earlier, query) == expected, query
    held = (
        "select array_agg(p.code::text order by p.code) from auth.role r join auth.role_permission using (id_role)"
        " join auth.permission p using (id_permission) where r.code = 'CLIENT'"
    )
    assert one(earlier, held) == [
        "MARCHANDISE.COMMANDER", "PORTAIL.VOIR", "PRESSING.DECLARER", "RESIDENCE.DEMANDER", "RESTAURANT.COMMANDER",
        "SALLE_FETE.DEMANDER",
    ]  # fmt: skip


def test_a_backup_of_an_earlier_release_restores_into_this_one(earlier: str, tmp_path: Path) -> None:
    file = tmp_path / "avant.dump"
    backup.dump(earlier, file, KEYS, say=lambda line: None)
    schema.migrate(earlier, lambda line: None)
    execute(earlier, "update restaurant.plat set nom = 'Foutou'")
    try:
        # The order above was served without being paid, which an earlier release allowed.
        restoration.restore(earlier, file, KEYS, despite=["commande_payee"], say=lambda line: None)
        assert one(earlier, "select array_agg(nom::text) from restaurant.plat") == ["Riz"]
        assert schema.drift(earlier) == []
    finally:
        drop_the_others(earlier)
