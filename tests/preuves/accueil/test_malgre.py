"""A backup of a business whose money has a wrong row can be restored, when the operator accepts the check by name."""

import os
import re
from collections.abc import Iterator
from pathlib import Path

import psycopg
import pytest

from app.base.settings import Settings
from app.database import schema
from app.database.release import HERE
from app.leaves.demonstration import filling
from app.leaves.demonstration.replay import replayed
from app.leaves.echange.whole.manifest import ExportError
from app.vault import backup, restoration
from app.vault.backup import BackupError
from app.vault.cipher import Keys
from tests import builders
from tests.conftest import _clone
from tests.preuves.accueil.test_export import content, export, load, take_back_an_article
from tests.preuves.backup.test_backup import drop_the_others
from tests.server import BACKUP_KEY, SECRETS, quiet

KEYS = Keys.of(Settings.from_environment({"SAUVEGARDE_CLE": BACKUP_KEY}))
LATE = "resume_avance"  # a late job, which a restore runs


def paid(condition: str = "true") -> str:
    """The first receipt that meets a condition."""
    receipts = "finances.paiement where type = 'ENCAISSEMENT' and not credit"
    return f"(select min(id_paiement) from {receipts} and {condition})"


REFUND = """insert into finances.paiement
        (type, montant, id_moyen, id_activite, id_paiement_origine, date, jour, annulation)
    select 'DECAISSEMENT', {}, id_moyen, id_activite, id_paiement, date, jour, {} from finances.paiement
     where id_paiement = {}"""
DAMAGES = {
    "facture_payee": f"update finances.paiement set id_facture = null where id_paiement = {paid('id_facture > 1')}",
    "paiement_applique": f"""insert into finances.application_paiement (id_paiement, id_facture, montant)
        values ({paid("id_facture > 2")}, 1, 1000000)""",
    "paiement_rendu": REFUND.format("montant + 1", "false", paid("id_paiement > 10")),
    "paiement_sur_facture": f"""insert into finances.application_paiement (id_paiement, id_facture, montant)
        values ({paid("id_paiement > 20")}, (select max(id_facture) from facturation.facture), -1)""",
    "paiement_annule": REFUND.format("1", "true", paid("id_paiement > 30 and montant > 1")),
    "comptage": """update finances.tirage set montant_attendu = montant_attendu + 1
         where id_tirage = (select max(id_tirage) from finances.tirage)""",
    "sejour_termine": """update residence.sejour_court set date_heure_depart_reelle = null where statut = 'TERMINE';
        update facturation.facture set montant_paye = 0, reste = montant_total where source_type = 'SEJOUR'""",
    "facture_lignes": "update facturation.facture_ligne set total = total + 1 where id_ligne = 1",
    "ligne_total": "update facturation.facture_ligne set quantite = quantite + 1 where id_ligne = 2",
    "facture_solde": "update facturation.facture set reste = reste + 1 where id_facture = 3",
    "facture_avoirs": "update facturation.facture set montant_avoirs = montant_avoirs + 1 where id_facture = 2",
    "avoir_lignes": "update facturation.avoir_ligne set montant = montant + 1",
    "taxes": "update facturation.avoir set montant_taxe = montant_taxe + 1",
    "credit": """insert into finances.mouvement_credit (id_client, montant, id_paiement)
        select min(id_client), -1000000, (select min(id_paiement) from finances.paiement) from client.client""",
    "numeros": "update core.compteur set valeur = valeur + 1 where type = 'FAC'",
    "echeance_payee": "update residence.echeance set montant_paye = montant_paye - 1 where montant_paye > 1",
    "echeance_montant": "update residence.echeance set montant = montant + 1 where id_echeance = 1",
    "paie_payee": "update rh.paie set salaire_base = salaire_base + 1 where statut = 'PAYEE'",
    "stock": "update market.produit set quantite_stock = quantite_stock + 1 where id_produit = 1",
    "stock_valeur": "update market.produit set valeur_stock = valeur_stock + 1 where id_produit = 1",
    "achat": "update achat.facture set montant_avoirs = montant_avoirs + 1 where jour is not null",
    "achat_paye": "update achat.paiement set montant = montant + 1",
    "depense_negative": """update finances.depense set montant = -montant where id_depense = (
         select min(d.id_depense) from finances.depense d
          where not exists (select from achat.paiement p where p.id_depense = d.id_depense))""",
    "commande_payee": "update market.vente set total = total + 1 where statut = 'PAYEE'",
    "abonnement": "update abonnement.souscription set statut = 'ANNULEE' where id_souscription = 1",
    "abonnement_rendu": """update restaurant.commande set statut = 'ANNULEE'
         where id_commande in (select id_commande_restaurant from abonnement.mouvement where type = 'CONSOMMATION')""",
    "resume": "update finances.resume_paiement set nombre = nombre + 1",
    "resume_facture": "update facturation.resume_facture set nombre = nombre + 1",
    "resume_depense": "update finances.resume_depense set montant = montant + 1",
    "resume_moyen": "insert into finances.resume_moyen (jour, id_moyen, montant) values ('2020-01-01', 1, 1)",
    "resume_impaye": "update finances.resume_impaye set nombre = nombre + 1",
    "resume_application": "update finances.resume_application set montant = montant + 1",
    "cloture": """insert into compta.periode (periode, nombre, total_debit, total_credit, empreinte)
        values ('2020-01', 0, 0, 0, '\\x00')""",
    "cumul": """insert into compta.cumul (periode, journal, type, compte, nombre, debit, credit)
        values ('2020-01', 'VE', 'FACTURE', '4111', 1, 1, 0)""",
    "journal": "update client.client set nom = nom || 'x' where id_client = 1",
}


@pytest.fixture(scope="module")
def damaged(worker_id: str) -> Iterator[str]:
    """The demonstration with every kind of damage. The fixture drops what a restore leaves beside it."""
    with schema.scratch(os.environ["ESSAIS_POSTGRES"], f"essai_{worker_id}_malgre") as url:
        with replayed(url):
            filling.play(url, 1, 2, builders.PASSWORD_HASH, SECRETS)
        take_back_an_article(url)
        with psycopg.connect(url) as connection:
            connection.execute("select jobs._resumer()")
            connection.execute("set session_replication_role = replica")  # as a damaged disk does
            for damage in DAMAGES.values():
                connection.execute(damage)
        yield url
        drop_the_others(url)


def broken_checks(url: str) -> set[str]:
    with psycopg.connect(url, autocommit=True) as connection:
        return {name for name, _ in restoration._differences(connection)}


def checks() -> set[str]:
    """The names in the view jobs._controle_vue, each before its sentence."""
    text = (HERE.code / "jobs/_controle.sql").read_text()
    return set(re.findall(r"^ *\(?select '(\w+)'(?: as controle)?,\s+(?:format\(|c from)", text, re.MULTILINE))


def test_each_check_is_broken_by_its_damage(damaged: str) -> None:
    assert set(DAMAGES) == checks() - {LATE}
    assert broken_checks(damaged) - {restoration.SEALS} == set(DAMAGES)


def test_a_damaged_base_is_restored_when_each_broken_check_is_named(damaged: str, tmp_path: Path) -> None:
    file = tmp_path / "nuit.dump"
    backup.dump(damaged, file, KEYS)
    broken = broken_checks(damaged)
    with pytest.raises(BackupError) as refused:
        restoration.restore(damaged, file, KEYS, despite=broken - {"stock"}, say=quiet)
    assert "stock : Le produit" in str(refused.value) and "--malgre stock" in str(refused.value)
    before = content(damaged)
    lines: list[str] = []
    restoration.restore(damaged, file, KEYS, despite=broken, say=lines.append)
    printed = {line.split(" : ")[0] for line in lines}
    assert {f"Accepté malgré {name}" for name in broken} <= printed
    after = content(damaged)
    money = [name for name in before if name.split(".")[0] in ("finances", "facturation", "market")]
    assert [after[name] for name in money] == [before[name] for name in money]


def test_a_damaged_export_is_imported_when_its_checks_are_named(damaged: str, tmp_path: Path, worker_id: str) -> None:
    export(damaged, tmp_path / "entreprise", tmp_path / "etat")
    broken = broken_checks(damaged)
    with _clone(f"essai_{worker_id}_malgre_arrivee") as target:
        with pytest.raises(ExportError, match="--malgre stock"):
            load(target, tmp_path / "entreprise", tmp_path / "etat", despite=broken - {"stock"})
        load(target, tmp_path / "entreprise", tmp_path / "etat", despite=broken)
        assert broken_checks(target) == broken
