"""verificateur.py proves true receipts, and refuses each forgery and each damaged file with one sentence."""

import importlib.util
import json
import re
import subprocess
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pymerkle import InmemoryTree, verify_consistency, verify_inclusion

from tests import merkle
from tests.examples import EXAMPLES
from tests.sceau.dossiers import BOOKS, CASES, KEPT, PLACE, PROOF, PROVEN, REFUSED, SIZE, Case, case_named, raw
from tests.sceau.livres import Books

PROGRAM = Path(__file__).parents[2] / "deploiement/verificateur.py"


def loaded() -> ModuleType:
    spec = importlib.util.spec_from_file_location("verificateur", PROGRAM)
    assert spec and spec.loader
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


VERIFIER = loaded()


def verdict(files: dict[str, Any]) -> tuple[int, list[str]]:
    """Return the exit code and the lines that the program would print."""

    def file(named: tuple[str, bytes]) -> Any:
        return VERIFIER.File(*named)

    try:
        proof = file(files["proof"]) if files["proof"] else None
        kept, consistencies = (list(map(file, files[kind])) for kind in ("kept", "consistencies"))
        lines = VERIFIER.verify(proof, file(files["keys"]), kept, consistencies)
    except VERIFIER.Refused as refusal:
        return 1, [f"Refusé : {refusal}"]
    except VERIFIER.Unusable as fault:
        return 2, [f"Fichier inutilisable : {fault}"]
    return 0, lines


def test_a_verdict_has_its_state_and_its_sentence() -> None:
    for case in CASES:
        state, lines = verdict(case.files())
        assert (state, case.says in "\n".join(lines)) == (case.state, True), (case.name, lines)
        if state != PROVEN:
            [line] = lines
            assert re.search(r"[:;] .+\.$", line), "a refusal says what to do"


def test_a_proven_receipt_is_described_in_words() -> None:
    case = case_named("older root kept")
    assert BOOKS.statement(PLACE).endswith('"jour": "2026-01-06", "montant": "4365987.47"}')
    assert verdict(case.files())[1] == [
        "Prouvé : facture FAC-2026-000321 du 6 janvier 2026, montant 4\u202f365\u202f987,47.",
        "C'est l'entrée 322 des livres de Maison Exemple, qui en comptaient 700 le 23 novembre 2026 à 00:00:03 UTC.",
        f"Leur racine est signée par la clé {BOOKS.keys[1].id(BOOKS.origin).hex()}, en service du 1er juillet 2026 à "
        "08:30:00 UTC à ce jour.",
        "Prouvé : les livres de Maison Exemple du 23 novembre 2026 à 00:00:03 UTC (700 entrées) commencent par ceux du "
        "20 novembre 2026 à 00:00:01 UTC (450 entrées), sans changement.",
        "Depuis la racine gardee1 (450 entrées, 20 novembre 2026 à 00:00:01 UTC), les livres la prolongent sans rien y "
        "changer.",
        "Tout repose sur cles.json : ce fichier doit venir de Maison Exemple, et non d'un autre.",
    ]


@given(st.integers(1, 3000), st.integers(0), st.integers(0), st.binary(max_size=40))
@EXAMPLES
def test_trees_of_every_size_agree_with_pymerkle_and_the_verifier(
    size: int, place: int, former: int, seed: bytes
) -> None:
    leaves = [seed + str(number).encode() for number in range(size)]
    place, former = place % size, former % size + 1
    tree = InmemoryTree.init_from_entries(leaves)
    roots = merkle.root(leaves[:former]), merkle.root(leaves)
    assert roots == (tree.get_root(former), tree.get_root(size))
    inclusion, consistency = tree.prove_inclusion(place + 1, size), tree.prove_consistency(former, size)
    verify_inclusion(tree.get_leaf(place + 1), roots[1], inclusion)
    verify_consistency(*roots, consistency)
    path, between = merkle.path(place, leaves), merkle.consistency(former, leaves)
    # pymerkle puts the leaf, or the hashes of the former tree, before the path.
    assert inclusion.path[1:] == path
    leaf = merkle.root([leaves[place]])
    assert VERIFIER.root_above(leaf, place, size, path) == roots[1]
    assert VERIFIER.roots_above(roots[0], former, size, between) == roots
    for wrong in (path[1:], [*path, leaf]) if path else ([leaf],):
        assert VERIFIER.root_above(leaf, place, size, wrong) is None
    for wrong in (between[1:], [*between, leaf]) if between else ([leaf],):
        assert VERIFIER.roots_above(roots[0], former, size, wrong) is None


@given(st.integers(1, 300), st.integers(0), st.integers(0), st.integers(0, 2**32))
@EXAMPLES
def test_books_of_every_size_are_proven_and_a_moved_receipt_is_not(
    size: int, place: int, former: int, seed: int
) -> None:
    books, place, former = Books(seed, size), place % size, former % size + 1
    case = Case("", PROVEN, "", books.proof(place, size), books.keys_file(), [books.root(former)])
    case.consistencies = [books.consistency(former, size)]
    assert verdict(case.files())[0] == PROVEN
    if size > 1:
        case.proof = {**books.proof(place, size), "enonce": books.statement((place + 1) % size)}
        assert verdict(case.files())[0] == REFUSED


def test_the_points_of_small_order_are_all_refused() -> None:
    """Eight points are multiples of one of order 8; each of them is refused as a key."""
    small, VERIFIER.SMALL = VERIFIER.SMALL, set()
    try:
        of_order_8 = VERIFIER.point(max(small - {VERIFIER.P - 1}).to_bytes(32, "little"))
        points = {multiple_y(number, of_order_8) for number in range(8)}
    finally:
        VERIFIER.SMALL = small
    assert points == small
    assert not any(VERIFIER.point((y + (sign << 255)).to_bytes(32, "little")) for y in small for sign in (0, 1))


def multiple_y(number: int, point: Any) -> int:
    _, y, z, _ = VERIFIER.multiplied(number, point)
    return int(y * pow(z, -1, VERIFIER.P) % VERIFIER.P)


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text() | st.sampled_from(list(PROOF.values())),
    lambda values: st.lists(values) | st.dictionaries(st.text() | st.sampled_from(list(PROOF)), values),
)


@st.composite
def damaged(draw: st.DrawFn, original: bytes) -> bytes:
    """The original with a stretch of bytes replaced."""
    start = draw(st.integers(0, len(original)))
    end = draw(st.integers(start, min(len(original), start + 40)))
    return original[:start] + draw(st.binary(max_size=40)) + original[end:]


def contents(original: Any) -> st.SearchStrategy[bytes]:
    fields = st.fixed_dictionaries({name: st.just(value) | JSON for name, value in original.items()})
    texts = (JSON | fields).map(lambda value: json.dumps(value).encode())
    return st.binary(max_size=300) | texts | damaged(raw(original))


LINK = BOOKS.consistency(KEPT, SIZE)


@given(
    proof=contents(PROOF) | st.just(raw(PROOF)),
    keys=contents(BOOKS.keys_file()) | st.just(raw(BOOKS.keys_file())),
    kept=st.lists(st.binary(max_size=300) | damaged(LINK["de"].encode()), max_size=1),
    link=st.lists(contents(LINK), max_size=1),
)
@EXAMPLES
def test_no_bytes_crash_the_verifier(proof: bytes, keys: bytes, kept: list[bytes], link: list[bytes]) -> None:
    lists = {"kept": [("gardee", data) for data in kept], "consistencies": [("coherence", data) for data in link]}
    state, lines = verdict({"proof": ("preuve.json", proof), "keys": ("cles.json", keys), **lists})
    assert lines
    if state == PROVEN:  # only white space may have changed, or what no signature covers: the name
        assert json.loads(proof) == PROOF and all(json.loads(data) == LINK for data in link) and not kept


def command(folder: Path, case: Case) -> subprocess.CompletedProcess[str]:
    """Write the files, and run the program with no package and no setting of the environment."""
    arguments: list[str] = []
    files = case.files()
    for option, named in (("", [files["proof"]]), ("--cles", [files["keys"]]), ("--racine", files["kept"]),
                          ("--coherence", files["consistencies"])):  # fmt: skip
        for name, data in filter(None, named):
            (folder / name).write_bytes(data)
            arguments += [option, name] if option else [name]
    return run(folder, *arguments)


def run(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    line = [sys.executable, "-I", "-S", str(PROGRAM), *arguments]
    return subprocess.run(line, cwd=folder, env={}, capture_output=True, text=True)


@pytest.mark.parametrize("name", ["chain of three consistencies", "altered amount", "proof: empty file"])
def test_the_program_prints_the_verdict_and_exits_with_its_code(tmp_path: Path, name: str) -> None:
    case = case_named(name)
    result = command(tmp_path, case)
    state, lines = verdict(case.files())
    assert (result.returncode, result.stdout.splitlines(), result.stderr) == (state, lines, "")


def test_files_that_do_not_open_and_wrong_arguments_exit_with_2(tmp_path: Path) -> None:
    missing = run(tmp_path, "preuve.json", "--cles", "cles.json")
    assert (missing.returncode, missing.stderr) == (2, "")
    assert missing.stdout.startswith("Fichier inutilisable : preuve.json ne s'ouvre pas")
    (tmp_path / "preuve.json").mkdir()
    assert run(tmp_path, "preuve.json", "--cles", "cles.json").stdout == missing.stdout
    for arguments in ([], ["preuve.json"], ["--clé", "x"], ["a", "b", "--cles", "c"]):
        result = run(tmp_path, *arguments)
        assert result.returncode == 2 and result.stderr.startswith("Arguments incompris.")
    assert run(tmp_path, "--help").stdout.startswith("Usage : python3 verificateur.py preuve.json")


def test_a_terminal_without_accents_still_shows_the_verdict(tmp_path: Path) -> None:
    command(tmp_path, case_named("proof alone"))
    options = ["-I", "-S", "-X", "utf8=0", str(PROGRAM), "preuve.json", "--cles", "cles.json"]
    environment = {"LC_ALL": "POSIX", "PYTHONCOERCECLOCALE": "0"}
    result = subprocess.run([sys.executable, *options], cwd=tmp_path, env=environment, capture_output=True)
    assert result.returncode == 0 and result.stdout.startswith(b"Prouv")
    assert result.stderr == b""
