"""PI-SPI: its published document played by Prism, both units of amounts, codes that the package of the BCEAO reads."""

import json
import subprocess
import sys
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import pytest

from app.leaves.providers import pispi
from app.leaves.providers.adapter import Access, Claim
from tests import builders, npm
from tests.conftest import ok
from tests.documents import paper
from tests.portail.residents import resident
from tests.pressing.test_pressing_commande import deposer
from tests.server import eventually, free_port
from tests.tresorerie.fournisseur import ALIAS, LOOPBACK, account, ask, keys, permit_loopback, providing

DOCUMENT = Path(__file__).parents[3] / "shared" / "providers" / "pispi-openapi.json"
PACKAGE = "bceao-pispi-qrcode==1.0.2"
DECODE = """
import json, sys
from bceao_pispi_qrcode import PispiQrPayload
read = PispiQrPayload.decode(sys.argv[1])
print(json.dumps([read.alias, read.amount, read.reference_label, read.qr_type.value, read.country_code.value]))
"""


@contextmanager
def prism(folder):
    """Prism plays the document, whose own examples break its schemas, and says which requests it does not describe."""
    npm.installed(folder, "@stoplight/prism-cli@5")
    port = free_port()
    command = [folder / "node_modules/.bin/prism", "mock", "--port", str(port), str(DOCUMENT)]
    log = (folder / "prism.log").open("w+")
    process = subprocess.Popen(command, stdout=log, stderr=log)
    try:
        eventually(lambda: process.poll() is not None or "is listening" in (folder / "prism.log").read_text())
        yield f"http://127.0.0.1:{port}"
        assert "Violation: request" not in (folder / "prism.log").read_text()
    finally:
        process.terminate()
        process.wait()
        log.close()


def claim(settings, url, **fields):
    own = {"settings": replace(settings, webhook_networks=LOOPBACK), "access": Access("jeton"), "api": url}
    names = {"compte": ALIAS, "reference": "D123", "identifiant": None, "expire_le": None, "qr": None}
    return Claim(**own | names | fields)


def test_the_published_document_accepts_our_calls_and_we_read_its_answers(http, tmp_path):
    if not DOCUMENT.exists():
        pytest.skip(f"{DOCUMENT.name} is not beside this checkout")
    with prism(tmp_path) as url:
        named = {"montant": "1000", "telephone": "9b1b3499-3e50-435b-b757-ac7a83d8aa96", "libelle": "Facture"}
        sent = http.runner.run(pispi.ask(claim(http.services.settings, url, **named)))
        seen = http.runner.run(pispi.look(claim(http.services.settings, url)))
    assert (sent.etat, bool(sent.reference)) == ("ATTENTE", True)
    assert seen.etat in ("ATTENTE", "PAYEE", "REFUSEE") and seen.reference


@pytest.mark.parametrize("unit", ["FRANC", "CENTIEME"])
def test_the_unit_of_an_account_is_that_of_the_amounts_of_its_provider(http, db, monkeypatch, unit):
    permit_loopback(http, monkeypatch)
    with providing() as provider:
        number, _ = account(http, provider, "PI_SPI")
        assert keys(http, provider, number, unite=unit)["unite"] == unit
        made = ask(http, number, telephone="+2250700000000")
        written = {"FRANC": "1000", "CENTIEME": "100000"}[unit]
        assert provider.sessions[provider.named(made["reference"])].amount == written
        provider.pay(made["reference"])
        paid = ok(http.as_admin().post(f"/tresorerie/demandes/{made['id_demande']}/verifier"))
        assert paid["statut"] == "PAYEE", paid["motif"]
        assert db.one("select montant::text from finances.paiement") == "1000.00"
        assert keys(http, provider, number)["unite"] == unit  # other keys keep the unit


def test_keys_of_oauth_give_a_token_that_the_calls_carry(http, db, monkeypatch):
    permit_loopback(http, monkeypatch)
    with providing() as provider:
        number, _ = account(http, provider, "PI_SPI")
        keys(http, provider, number, adresse_jeton=f"{provider.url}/jeton")
        assert ask(http, number, telephone="+2250700000000")["statut"] == "ENVOYEE"
        assert provider.calls == ["POST /jeton", "POST /demandes-paiements"]


def test_the_client_finds_the_code_wherever_a_debt_is_printed(http, db, monkeypatch):
    permit_loopback(http, monkeypatch)
    awa = resident(db, "Kouassi")
    bill = builders.facture(db, "1000", id_client=awa.client)
    order, _ = deposer(db, acompte="1000")
    pages = [(http.as_user(awa.user), f"/facturation/portail/factures/{bill}/pdf"),
             (http.as_admin(), f"/facturation/factures/{bill}/pdf"),
             (http.as_admin(), f"/facturation/factures/{bill}/ticket"),
             (http.as_admin(), f"/pressing/commandes/{order}/recu")]  # fmt: skip

    def printed():
        for client, path in pages:
            answer = client.get(path)
            assert answer.status_code == 200, answer.text
            text = paper.text(answer.content) if answer.content.startswith(b"%PDF") else answer.text
            yield "PI-SPI" in text

    assert [*printed()] == [False] * 4
    account_of(db)
    assert [*printed()] == [True] * 4
    builders.payer(db, "1000", id_facture=bill)
    assert [*printed()] == [False] * 3 + [True]


def account_of(db):
    fields = {"libelle": "PI-SPI", "genre": "MOBILE", "fournisseur": "PI_SPI", "identifiant": ALIAS}
    db.call("tresorerie.compte_creer", **fields, id_moyen=builders.moyen(db, "Virement"))


def test_the_package_of_the_bceao_reads_our_codes(http, db, monkeypatch, tmp_path):
    permit_loopback(http, monkeypatch)
    with providing() as provider:
        account(http, provider, "PI_SPI")
        bill = builders.facture(db, "1234.50")
        owed = db.one("select f from facturation.facture f where id_facture = %s", [bill])
        assert owed is not None
        code = db.one("select (facturation.facture_document(%s)).qr_paiement", [bill])
        assert db.one("select ((facturation.facture_ticket(%s)).facture).qr_paiement", [bill]) == code
        number = db.one("select numero::text from facturation.facture where id_facture = %s", [bill])
        builders.payer(db, "1234.50", id_facture=bill)
        assert db.one("select (facturation.facture_document(%s)).qr_paiement", [bill]) is None
    command = [sys.executable, "-m", "pip", "install", "-q", "--target", str(tmp_path), "--no-deps", PACKAGE]
    installed = subprocess.run([*command, "qrcode"], capture_output=True, text=True)
    if installed.returncode:
        pytest.skip(f"PyPI cannot be reached: {installed.stderr[-200:]}")
    enums = (
        tmp_path / "bceao_pispi_qrcode/models/enums.py"
    )  # it is written for Python 3.14: it names a class inside itself
    enums.write_text(f"from __future__ import annotations\n{enums.read_text()}")
    read = subprocess.run(
        [sys.executable, "-c", DECODE, code], env={"PYTHONPATH": str(tmp_path)}, capture_output=True, text=True
    )
    assert read.returncode == 0, read.stderr
    assert json.loads(read.stdout) == [ALIAS, 1234.5, number, "dynamic", "CI"]
