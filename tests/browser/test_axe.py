"""axe-core judges each page that a person sees, at the width of a phone, light and dark: it finds no violation."""

import os

import pytest

from app.jobs.letters import compose, text_of
from tests import builders
from tests.audit.test_recu_verifiable import TOTAL, address, signed
from tests.audit.test_sceau import pay, tamper
from tests.browser.test_docs import LOGIN, document, operation, service, shorten
from tests.browser.test_page_mot_de_passe import PHONE
from tests.browser.visits import Visit, visit
from tests.conftest import connected
from tests.npm import installed
from tests.pressing.test_pressing_poids import SHIRT, deposit
from tests.sceau.dossiers import case_named
from tests.sceau.test_page_verificateur import PAGE, chosen, sentences, written

__all__ = ["document", "service"]

TAGS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]
RUN = """async tags => (await axe.run({runOnly: tags, resultTypes: ['violations']})).violations.flatMap(
  rule => rule.nodes.map(node => `${rule.id}: ${node.target.join(' ')}: ${node.failureSummary.split('\\n')[1]}`))"""


@pytest.fixture
def judge(executable, tmp_path):
    """Call the body with the visit, and with a function that asserts that the page has no violation now."""
    script = (installed(tmp_path, "axe-core@4.14.1") / "axe-core/axe.min.js").read_text()

    def judged(body):
        async def run(at: Visit):
            async def clean(name, schemes=("light", "dark")):
                for scheme in schemes:
                    feature = {"name": "prefers-color-scheme", "value": scheme}
                    await at.page._client.send("Emulation.setEmulatedMedia", {"features": [feature]})
                    await at.page.evaluate(script, force_expr=True)
                    assert "\n".join(await at.page.evaluate(RUN, TAGS)) == "", (name, scheme)
                    if folder := os.environ.get("CAPTURES"):
                        await at.page.screenshot({"path": f"{folder}/{name}-{scheme}.png", "fullPage": True})
                assert await at.page.evaluate("() => document.documentElement.scrollWidth <= innerWidth"), name

            await at.page.setViewport(PHONE)
            await body(at, clean)

        visit(executable, run)

    return judged


def test_the_pages_of_documents_receipts_and_letters_have_no_violation(module_url, service, judge, tmp_path):
    with connected(module_url) as db:
        states = {name: builders.facture(db) for name in ("valable", "annulee", "alteree", "retiree")}
        returned = pay(db, montant="500")
        signed(db)
        db.call("facturation.facture_annuler", id_facture=states["annulee"], motif="erreur de saisie")
        db.call("finances.paiement_rembourser", id_paiement=returned, montant="200")
        tamper(db, TOTAL, states["alteree"])
        tamper(db, "delete from facturation.facture where id_facture = %s", states["retiree"])
        states["fraiche"] = builders.facture(db)
        paths = {name: address(db, "facture", key) for name, key in states.items()}
        paths |= {"rembourse": address(db, "paiement", returned), "inconnu": "/verifier/f1-0"}
        order = deposit(db, SHIRT, mode="UNITAIRE")
    login = {"login": LOGIN, "mot_de_passe": builders.PASSWORD}
    bearer = {"Authorization": f"Bearer {service.client.post('/auth/login', json=login).json()['accessToken']}"}
    receipt = service.client.get(f"/pressing/commandes/{order}/recu", headers=bearer).text
    letter = compose(*text_of("mot-de-passe"), {"nom": "Awa", "login": "awa"}, "Maison", "https://example.com/").html

    async def body(at, clean):
        for name, path in paths.items():
            await at.page.goto(service.url + path)
            await clean(f"verifier-{name}")
        for name, html in ("recu", receipt), ("lettre", letter):  # the address of the receipt forbids every script
            (tmp_path / f"{name}.html").write_text(html)
            await at.page.goto((tmp_path / f"{name}.html").as_uri())
            await clean(name)

    judge(body)


def test_the_password_page_and_the_offline_verifier_have_no_violation(service, judge, tmp_path):
    async def body(at, clean):
        for fragment in "", "#jeton=x":
            await at.page.goto("about:blank")
            await at.page.goto(f"{service.url}/mot-de-passe{fragment}")
            await clean(f"mot-de-passe{fragment[:6]}")
        await at.click("#enregistrer")
        await at.until("document.getElementById('probleme').textContent !== ''")
        await clean("mot-de-passe-refus")
        for name, state in (
            ("older root kept", "Prouvé"),
            ("altered amount", "Refusé"),
            ("proof: empty file", "Fichier"),
        ):
            await at.page.goto(PAGE.as_uri())
            await clean("verificateur")
            await chosen(at, *written(tmp_path, case_named(name)).values())
            await sentences(at, state)
            await clean(f"verificateur-{name.partition(':')[0]}")

    judge(body)


def test_the_docs_page_has_no_violation(service, document, judge):
    paths = {path: document["paths"][path] for path in ("/api/v1/auth/login", "/api/v1/auth/me")}
    part = document | {"paths": paths, "webhooks": dict([*document["webhooks"].items()][:1])}

    async def body(at, clean):
        await shorten(at.page, part)
        await at.page.goto(f"{service.url}/docs", {"waitUntil": "networkidle0"})
        await clean("docs", ["light"])  # Swagger UI has one scheme
        login = operation("auth_login")
        for selector in ".opblock-tag[data-tag='Connexion']", f"{login} .opblock-summary-control":
            await at.click(selector)
        for selector in ".try-out__btn", ".execute":
            await at.click(f"{login} {selector}")
        await at.text(f"{login} .live-responses-table tbody .response-col_status")
        await clean("docs-operation", ["light"])
        await at.click(".auth-wrapper .authorize")
        await at.text(".auth-container")
        await clean("docs-connexion", ["light"])

    judge(body)
