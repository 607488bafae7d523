"""README.md and LISEZMOI.md are the same page in two languages, and no link of the documents is broken."""

import re
import tomllib
from pathlib import Path
from urllib.parse import unquote

import pytest
import yaml

from tests.house.rule import ROOT

TWINS = ("README.md", "LISEZMOI.md")
ENGLISH, FRENCH = ((ROOT / name).read_text() for name in TWINS)
DOCUMENTS = sorted([*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md"), *ROOT.glob(".github/**/*.md")])
HOSTS = {"example.com", "127.0.0.1", "github.com"}  # the last for public requests of other projects


def outline(text: str) -> list[str]:
    """Return the start of each heading, table row, list item and code fence; both pages must have the same."""
    return re.findall(r"^(#+ |\||- |```\w*)", text, re.MULTILINE)


def commands(text: str) -> list[str]:
    """Return the lines of the sh and sql blocks without their comments, which are translated."""
    blocks = "".join(re.findall(r"^```(?:sh|sql)\n(.*?)^```$", text, re.MULTILINE | re.DOTALL))
    return [line for line in blocks.splitlines() if not line.startswith("#") or line.startswith("# →")]


def links(text: str) -> list[str]:
    prose = re.sub(r"^```.*?^```$", "", text, flags=re.MULTILINE | re.DOTALL)
    return re.findall(r"\]\(([^)\s]+)\)", prose)


def anchors(text: str) -> set[str]:
    """Return the URL fragments of the headings, as the repository's web pages form them."""
    headings = re.findall(r"^#+ (.*)$", text, re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


def test_the_english_and_the_french_page_have_the_same_sections() -> None:
    assert len(outline(ENGLISH)) > 40
    assert outline(ENGLISH) == outline(FRENCH)


def test_the_english_and_the_french_page_have_the_same_commands_and_links() -> None:
    assert len(commands(ENGLISH)) > 10
    assert commands(ENGLISH) == commands(FRENCH)
    english, french = ([link for link in links(text) if link not in TWINS] for text in (ENGLISH, FRENCH))
    assert english == french


def test_the_pages_name_only_example_hosts() -> None:
    for text in (ENGLISH, FRENCH):
        assert set(re.findall(r"https?://([\w.-]+)", text)) <= HOSTS


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: str(path.relative_to(ROOT)))
def test_every_link_leads_to_an_existing_file_and_heading(document: Path) -> None:
    broken = []
    for link in links(document.read_text()):
        if re.match(r"\w+:", link):
            continue
        name, _, fragment = unquote(link).partition("#")
        target = document.parent / name if name else document
        if not target.exists() or (fragment and fragment not in anchors(target.read_text())):
            broken.append(link)
    assert not broken, f"{document.relative_to(ROOT)}: these links are broken: {', '.join(broken)}"


def test_every_picture_is_small_and_used() -> None:
    pictures = sorted((ROOT / "docs/images").glob("*.png"))
    shown = {link for link in links(ENGLISH) if link.endswith(".png")}
    assert {f"docs/images/{path.name}" for path in pictures} == shown
    assert all(1_000 < path.stat().st_size < 80_000 for path in pictures)


def test_the_map_has_the_rooms_in_the_order_of_import_linter() -> None:
    table = (ROOT / "docs/architecture.md").read_text().partition("| Rooms |")[2].partition("\n\n")[0]
    rows = [set(re.findall(r"`app/(\w+)", row.split("|")[1])) for row in table.splitlines()[2:]]
    contracts = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["importlinter"]["contracts"]
    [layers] = [contract["layers"] for contract in contracts if contract["id"] == "rooms"]
    assert rows == [set(layer.split(" | ")) - {"__main__"} for layer in layers]


def test_continuous_integration_runs_the_whole_check_on_each_version() -> None:
    job = yaml.safe_load((ROOT / ".github/workflows/ci.yml").read_text())["jobs"]["check"]
    assert job["strategy"]["matrix"] == {"postgresql": ["15", "18"], "python": ["3.11", "3.13"]}
    assert job["steps"][-1]["run"] == ".ci/run"
