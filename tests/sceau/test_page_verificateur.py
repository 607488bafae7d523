"""verificateur.html, opened from a disk in a browser without a network, gives the verdicts of verificateur.py."""

import base64
import random
import re
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest

from tests.browser.conftest import executable
from tests.browser.visits import Visit, visit
from tests.preuve import selon
from tests.sceau.dossiers import CASES, PROVEN, REFUSED, Case, case_named
from tests.sceau.test_verificateur import verdict

__all__ = ["executable"]

PAGE = Path(__file__).parents[2] / "deploiement/verificateur.html"
STATES = ["prouve", "refuse", "inutilisable"]
COLOURS = {"light": ["rgb(27, 107, 58)", "rgb(179, 38, 30)"], "dark": ["rgb(134, 217, 165)", "rgb(255, 155, 147)"]}
VERIFY = """async cases => {
  const file = named => named && {name: named[0], data: fromBase64(named[1])}
  const verdicts = []
  for (const {proof, keys, kept, consistencies} of cases) {
    verdicts.push(await verify({proof: file(proof), keys: file(keys), kept: kept.map(file),
      consistencies: consistencies.map(file)}))
  }
  return verdicts
}"""
Files = dict[str, Any]


async def opened(at: Visit) -> None:
    await at.page.setOfflineMode(True)
    await at.page.goto(PAGE.as_uri())


def sent(files: Files) -> Files:
    """The files in base64, as a call of the browser takes them."""

    def one(file: Any) -> Any:
        return file and (file[0], base64.b64encode(file[1]).decode())

    return {kind: list(map(one, value)) if isinstance(value, list) else one(value) for kind, value in files.items()}


def compare(executable: str, all_files: list[Files]) -> None:
    """Both verifiers give the same state and the same sentences for all these files."""
    verdicts = []

    async def body(at: Visit) -> None:
        await opened(at)
        for start in range(0, len(all_files), 50):
            verdicts.extend(await at.page.evaluate(VERIFY, [sent(files) for files in all_files[start : start + 50]]))
        assert at.errors == []

    visit(executable, body)
    for files, shown in zip(all_files, verdicts, strict=True):
        state, lines = verdict(files)
        assert (shown["state"], shown["lines"]) == (STATES[state], lines)


def damaged(draw: random.Random, case: Case) -> Files:
    """The files of a case, one of them with a few bytes replaced."""
    files = case.files()
    kinds = [kind for kind in files if files[kind]]
    kind = draw.choice(kinds)
    name, data = files[kind][0] if isinstance(files[kind], list) else files[kind]
    start = draw.randint(0, len(data))
    with_new = draw.choice(
        [b"", draw.randbytes(3), b'"', b"\\", b"\\u0030", b"0", b"-1", b"1e2", b"[", b"}", b",", b" ", b"=", b"A"]
    )
    data = data[:start] + with_new + data[start + draw.randint(0, 3) :]
    files[kind] = [(name, data), *files[kind][1:]] if isinstance(files[kind], list) else (name, data)
    return files


def test_the_page_gives_the_verdict_of_the_program_on_every_case_and_on_damaged_files(executable: str) -> None:
    draw = random.Random(7)
    cases = [case for case in CASES if case.state in (PROVEN, REFUSED)]
    broken = [damaged(draw, draw.choice(cases)) for _ in range(selon(40, 400))]
    compare(executable, [*(case.files() for case in CASES), *broken])


async def chosen(at: Visit, *paths: Path) -> None:
    field = await at.page.querySelector("#fichiers")
    await field.uploadFile(*map(str, paths))


async def sentences(at: Visit, start: str) -> list[str]:
    """Wait for the verdict that begins with these words, and return its lines."""
    await at.until("s => document.getElementById('verdict').textContent.startsWith(s)", start)
    return list(await at.page.evaluate("() => [...document.querySelectorAll('#verdict p')].map(p => p.textContent)"))


def written(folder: Path, case: Case) -> dict[str, Path]:
    files = case.files()
    named = [files["proof"], files["keys"], *files["kept"], *files["consistencies"]]
    for name, data in named:
        (folder / name).write_bytes(data)
    return {name: folder / name for name, _ in named}


@pytest.mark.parametrize(("name", "scheme"), [("older root kept", "light"), ("altered amount", "dark")])
def test_a_customer_chooses_files_on_a_phone_and_reads_the_verdict(
    executable: str, tmp_path: Path, name: str, scheme: str
) -> None:
    case = case_named(name)
    paths = written(tmp_path, case)
    state, lines = verdict(case.files())

    async def body(at: Visit) -> None:
        await opened(at)
        await at.shot("verificateur")
        await at.prefer(scheme)
        assert await at.page.title() == "Vérifier un reçu"
        assert await at.page.evaluate("() => document.getElementById('verdict').getAttribute('role')") == "status"
        await chosen(at, paths["preuve.json"])
        assert await sentences(at, "Il manque les clés")
        await chosen(at, *(path for file, path in paths.items() if file != "preuve.json"))
        assert await sentences(at, lines[0]) == lines
        colour = await at.page.evaluate("() => getComputedStyle(document.getElementById('verdict')).borderColor")
        assert colour == COLOURS[scheme][state]
        assert len(await at.page.querySelectorAll("#liste li")) == len(paths)
        await at.shot(f"verificateur-{STATES[state]}")
        await at.click("#recommencer")
        assert await at.page.evaluate("() => document.querySelectorAll('main li, #verdict p').length") == 0
        assert at.errors == []
        assert [url for url in at.requests if not url.startswith(("data:", PAGE.as_uri()))] == []

    visit(executable, body)


DROP = """files => {
  const data = new DataTransfer()
  for (const [name, text] of files) data.items.add(new File([fromBase64(text)], name))
  document.body.dispatchEvent(new DragEvent('drop', {bubbles: true, cancelable: true, dataTransfer: data}))
}"""


def test_dropped_files_are_sorted_by_their_content(executable: str) -> None:
    """A second proof takes the place of the first; a foreign file stops the verdict until the user begins again."""
    case = case_named("chain of three consistencies")
    files = sent(case.files())
    others = [files["keys"], *files["kept"], *files["consistencies"]]
    forged = sent(case_named("altered amount").files())["proof"]

    async def body(at: Visit) -> None:
        await opened(at)
        await at.page.evaluate(DROP, [forged, *others])
        await sentences(at, "Refusé : ")
        await at.page.evaluate(DROP, [files["proof"]])
        assert await sentences(at, "Prouvé : ") == verdict(case.files())[1]
        await at.page.evaluate(DROP, [["photo.jpg", "/9j/4A=="]])
        await sentences(at, "Fichier inutilisable : photo.jpg n'est pas un fichier de Comptoir")
        await at.shot("verificateur-fichier")
        await at.click("#recommencer")
        await at.page.evaluate(DROP, [files["keys"]])
        await sentences(at, "Il manque la preuve du reçu")

    visit(executable, body)


@pytest.mark.parametrize(
    "without",
    [
        "crypto.subtle.importKey = () => Promise.reject(new DOMException('', 'NotSupportedError'))",
        "Object.defineProperty(crypto, 'subtle', {value: undefined})",
    ],
)
def test_a_browser_without_ed25519_names_the_program(executable: str, without: str) -> None:
    async def body(at: Visit) -> None:
        await opened(at)
        await at.page.evaluate(f"() => {{ {without} }}")
        [shown] = await at.page.evaluate(VERIFY, [sent(case_named("proof alone").files())])
        assert shown["state"] == "impossible" and "verificateur.py" in shown["lines"][0]

    visit(executable, body)


def test_a_browser_that_accepts_lax_signatures_gives_the_same_verdict(executable: str) -> None:
    """Browsers may differ on these signatures; the page refuses them before it calls the browser."""
    cases = [case for case in CASES if case.name.startswith("signature ")]
    assert len(cases) == 5

    async def body(at: Visit) -> None:
        await opened(at)
        await at.page.evaluate("() => { crypto.subtle.verify = () => Promise.resolve(true) }")
        verdicts = await at.page.evaluate(VERIFY, [sent(case.files()) for case in cases])
        assert [shown["lines"] for shown in verdicts] == [verdict(case.files())[1] for case in cases]

    visit(executable, body)


def test_the_page_runs_no_other_script_and_opens_no_connection(executable: str) -> None:
    async def body(at: Visit) -> None:
        await at.page.goto(PAGE.as_uri())
        assert await at.violations() >= 3

    visit(executable, body)


def test_the_policy_of_the_page_has_the_hash_of_its_script_and_style() -> None:
    page = PAGE.read_text()
    for part in ("script", "style"):
        [body] = re.findall(f"<{part}>(.*?)</{part}>", page, re.DOTALL)
        assert f"{part}-src 'sha256-{base64.b64encode(sha256(body.encode()).digest()).decode()}';" in page
