"""axe-core judges each page that a person sees, at the width of a phone, light and dark: it finds no violation."""

import os

import pytest

from app.jobs import letters
from tests import builders
from tests.audit.test_recu_verifiable import TOTAL, address, signed
from tests.audit.test_sceau import pay, tamper
from tests.browser.test_docs import document, operation, service, shorten
from tests.browser.test_page_mot_de_passe import PHONE
from tests.browser.visits import visit
from tests.conftest import connected
from tests.npm import installed
from tests.pressing.test_pressing_poids import SHIRT, deposit
from tests.sceau.dossiers import case_named
from tests.sceau.test_page_verificateur import PAGE, chosen, sentences, written

__all__ = ["document", "service"]

AXE = "axe-core@4.14.1"
LOGIN = "axe.exemple"
TAGS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]
RUN = """async tags => (await axe.run({runOnly: tags, resultTypes: ['violations']})).violations.flatMap(
  rule => rule.nodes.map(node => `${rule.id}: ${node.target.join(' ')}: ${node.failureSummary.split('\\n')[1]}`))"""


@pytest.fixture(scope="module")
def axe(tmp_path_factory):
    return (installed(tmp_path_factory.mktemp("axe"), AXE) / "axe-core/axe.min.js").read_text()


async def judged(at, axe, name):
    """The violations of the page, in both colour schemes."""
    found = []
    for scheme in ("light", "dark"):
        feature = {"name": "prefers-color-scheme", "value": scheme}
        await at.page._client.send("Emulation.setEmulatedMedia", {"features": [feature]})
        await at.page.evaluate(axe, force_expr=True)
        found += [f"{name}, {scheme}: {line}" for line in await at.page.evaluate(RUN, TAGS)]
        if folder := os.environ.get("CAPTURES"):
            await at.page.screenshot({"path": f"{folder}/axe-{name}-{scheme}.png", "fullPage": True})
    widths = await at.page.evaluate("() => [document.documentElement.scrollWidth, innerWidth]")
    return found + [f"{name} is {widths[0]} wide"] * (widths[0] > widths[1])


def test_the_page_of_a_document_has_no_violation(module_url, module_service, executable, axe):
    with connected(module_url) as db:
        valid, cancelled, altered, removed = (builders.facture(db) for _ in range(4))
        returned = pay(db, montant="500")
        signed(db)
        db.call("facturation.facture_annuler", id_facture=cancelled, motif="erreur de saisie")
        db.call("finances.paiement_rembourser", id_paiement=returned, montant="200")
        tamper(db, TOTAL, altered)
        tamper(db, "delete from facturation.facture where id_facture = %s", removed)
        invoices = {
            "valable": valid,
            "annulee": cancelled,
            "alteree": altered,
            "retiree": removed,
            "fraiche": builders.facture(db),
        }
        paths = {name: address(db, "facture", key) for name, key in invoices.items()}
        paths |= {"rembourse": address(db, "paiement", returned), "inconnu": "/verifier/f1-0"}

    async def body(at):
        await at.page.setViewport(PHONE)
        found = []
        for name, path in paths.items():
            await at.page.goto(module_service.url + path)
            found += await judged(at, axe, f"verifier-{name}")
        assert found == []

    visit(executable, body)


def test_the_password_page_has_no_violation(module_service, executable, axe):
    async def body(at):
        await at.page.setViewport(PHONE)
        await at.page.goto(f"{module_service.url}/mot-de-passe")
        found = await judged(at, axe, "mot-de-passe-incomplet")
        await at.page.goto("about:blank")
        await at.page.goto(f"{module_service.url}/mot-de-passe#jeton=x")
        found += await judged(at, axe, "mot-de-passe")
        await at.click("#enregistrer")
        await at.until("document.getElementById('probleme').textContent !== ''")
        assert found + await judged(at, axe, "mot-de-passe-refus") == []

    visit(executable, body)


def test_the_offline_verifier_has_no_violation(executable, axe, tmp_path):
    async def body(at):
        await at.page.setViewport(PHONE)
        found = []
        for name, state in (
            ("older root kept", "Prouvé"),
            ("altered amount", "Refusé"),
            ("proof: empty file", "Fichier"),
        ):
            folder = tmp_path / state
            folder.mkdir()
            await at.page.goto(PAGE.as_uri())
            found += await judged(at, axe, "verificateur")
            await chosen(at, *written(folder, case_named(name)).values())
            await sentences(at, state)
            found += await judged(at, axe, f"verificateur-{state}")
        assert found == []

    visit(executable, body)


def test_receipts_and_letters_have_no_violation(module_url, module_service, executable, axe):
    with connected(module_url) as db:
        builders.utilisateur(db, role="ADMINISTRATEUR", login=LOGIN)
        order = deposit(db, SHIRT, mode="UNITAIRE")
    login = {"login": LOGIN, "mot_de_passe": builders.PASSWORD}
    token = module_service.client.post("/auth/login", json=login).json()["accessToken"]
    path = f"/pressing/commandes/{order}/recu"
    receipt = module_service.client.get(path, headers={"Authorization": f"Bearer {token}"})
    names = dict.fromkeys(("nom", "login"), "Awa")

    async def body(at):
        await at.page.setViewport(PHONE)
        await at.page.setContent(receipt.text)  # its own address forbids scripts, those of axe too
        found = await judged(at, axe, "recu")
        letter = letters.compose(*letters.text_of("mot-de-passe"), names, "Maison Exemple", "https://example.com/")
        await at.page.setContent(letter.html)
        found += await judged(at, axe, "lettre")
        assert "\n".join(found) == ""

    visit(executable, body)


def test_the_docs_page_has_no_violation(service, document, executable, axe):
    paths = {path: document["paths"][path] for path in ("/api/v1/auth/login", "/api/v1/auth/me")}
    part = document | {"paths": paths, "webhooks": dict([*document["webhooks"].items()][:1])}

    async def body(at):
        await at.page.setViewport(PHONE)
        await shorten(at.page, part)
        await at.page.goto(f"{service.url}/docs", {"waitUntil": "networkidle0"})
        found = await judged(at, axe, "docs")
        await at.click(".opblock-tag[data-tag='Connexion'][data-is-open='false']")
        login = operation("auth_login")
        await at.click(f"{login} .opblock-summary-control")
        await at.click(f"{login} .try-out__btn")
        await at.click(f"{login} .execute")
        await at.text(f"{login} .live-responses-table tbody .response-col_status")
        found += await judged(at, axe, "docs-operation")
        await at.click(".auth-wrapper .authorize")
        await at.text(".auth-container")
        found += await judged(at, axe, "docs-connexion")
        assert found == []

    visit(executable, body)
