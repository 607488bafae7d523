"""axe-core judges each page that a person sees at the width of a phone, light and dark, and finds no violation.

`Visit.shot` asks it: here for documents, receipts and letters, elsewhere for /docs, for the password page and for the
offline verifier.
"""

import pytest

from app.jobs.letters import compose, text_of
from tests import builders
from tests.audit.test_recu_verifiable import TOTAL, address, signed
from tests.audit.test_sceau import pay, tamper
from tests.browser.test_docs import LOGIN, service
from tests.browser.visits import Visit, visit
from tests.conftest import connected
from tests.pressing.test_pressing_poids import SHIRT, deposit

__all__ = ["service"]


def test_the_pages_of_documents_receipts_and_letters_have_no_violation(module_url, service, executable, tmp_path):
    if not Visit.axe:
        pytest.skip("npm or its registry is missing: axe-core judges no page")
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

    async def body(at):
        for name, path in paths.items():
            await at.page.goto(service.url + path)
            await at.shot(f"verifier-{name}")
        for name, html in ("recu", receipt), ("lettre", letter):  # the address of the receipt forbids every script
            (tmp_path / f"{name}.html").write_text(html)
            await at.page.goto((tmp_path / f"{name}.html").as_uri())
            await at.shot(name)

    visit(executable, body)
