"""Documents and deployment files name the same settings and tables as the code."""

import re

import yaml

from app.base.settings import Settings
from app.jobs.tasks import CATCH_UP, CATCH_UP_CRON, JOBS
from tests.house.rule import ROOT, holds, same

BESIDE = {"COMPTOIR_MOT_DE_PASSE"}  # read by one command, not by the service
COMPOSE = yaml.safe_load((ROOT / "docker-compose.yml").read_text())
OWN_IMAGE = [service for service in COMPOSE["services"].values() if service.get("build")]


def settings() -> set[str]:
    """Return every variable that Settings.from_environment reads."""

    class Recorder(dict[str, str]):
        def get(self, name: str, default: str = "") -> str:  # type: ignore[override]
            names.add(name)
            if name == "S3_ENDPOINT":
                return "https://exemple.ci"
            return f"cle-{name}" if name.startswith("S3_") else default

    names: set[str] = set()
    Settings.from_environment(Recorder())
    return names


def test_every_setting_is_documented_and_no_other() -> None:
    text = (ROOT / "docs" / "reference.md").read_text()
    table = text[text.index("## Réglages") : text.index("Une variable refusée")]
    first_cells = [line.split("|")[1] for line in table.splitlines() if line.startswith("| `")]
    documented = {name for cell in first_cells for name in re.findall(r"`([A-Z0-9_]+)`", cell)}
    assert len(settings()) > 25
    same(
        "The table « Réglages » names every environment variable of the service, and no other.",
        documented,
        settings() | BESIDE,
        "give the variable that app/base/settings.py reads a row in that table, or take the row out",
        "docs/reference.md",
    )


def test_compose_sets_only_known_variables_and_gives_no_secret_a_default() -> None:
    assert len(OWN_IMAGE) == 3
    for service in OWN_IMAGE:
        holds(
            "Docker Compose sets only variables that the service reads.",
            [f"docker-compose.yml: {name}" for name in set(service["environment"]) - settings()],
            "take the variable out, or read it in app/base/settings.py",
        )
        assert service["environment"]["NODE_ENV"] == "production"
    text = (ROOT / "docker-compose.yml").read_text()
    example = (ROOT / ".env.example").read_text()
    for name, default in re.findall(r"\$\{([A-Z0-9_]+)([^}]*)\}", text):
        if re.search("(?<!PAGE_)MOT_DE_PASSE|SECRET$|ACCESS_KEY|SECRET_KEY|TOKEN", name):
            assert default.startswith(":?"), name
            assert f"\n{name}=\n" in example, name


def test_compose_passes_every_key_that_all_processes_share() -> None:
    shared = {name for name in settings() if re.fullmatch("(JWT|SECRETS|TRESORERIE)_(CLE|SECRET)(_PRECEDENTE?)?", name)}
    assert len(shared) == 6
    for service in OWN_IMAGE:
        assert shared <= set(service["environment"])


def test_the_settings_of_a_machine_have_no_comment_after_a_value() -> None:
    """A shell takes it off, but systemd makes it a part of the value: the service and its commands then differ."""
    page = (ROOT / "docs/mise-en-service.md").read_text()
    files = re.findall(r"^cat > \w+ <<'?FIN'?\n(.*?)^FIN$", page, re.MULTILINE | re.DOTALL)
    lines = [line for file in files for line in file.splitlines() if not line.startswith("#")]
    assert len(lines) > 10
    assert [line for line in lines if "#" in line] == []


def test_images_have_a_fixed_version() -> None:
    named = [service["image"] for service in COMPOSE["services"].values()]
    named += re.findall(r"^FROM (\S+:\S+)", (ROOT / "Dockerfile").read_text(), re.MULTILINE)
    assert len(named) >= 9
    holds(
        "Every image has a fixed version.",
        [f"docker-compose.yml, Dockerfile: {image}" for image in named if not re.search(r":v?\d+\.\d+", image)],
        "name the version as in postgres:18.1",
    )


def test_every_periodic_job_is_documented_with_its_cron() -> None:
    text = (ROOT / "docs" / "reference.md").read_text()
    documented = re.findall(r"^\| `([a-z-]+)` \| `([^`]+)` \|", text, re.MULTILINE)
    same(
        "The table of periodic jobs has every job with its cron.",
        [f"{name} at {cron}" for name, cron in documented],
        [
            f"{name} at {cron}"
            for name, cron in {job.name: job.cron for job in JOBS}.items() | {(CATCH_UP, CATCH_UP_CRON)}
        ],
        "copy the job and its cron from JOBS in app/jobs/tasks.py",
        "docs/reference.md",
    )


def test_every_notification_is_documented() -> None:
    code = "\n".join(path.read_text() for path in (ROOT / "sql").rglob("*.sql"))
    calls = re.findall(
        r"perform notification\._emettre\((.*?), '[A-Z]+',|function notification\._t90_demande_\w+\((.*?),",
        code,
        re.DOTALL,
    )
    emitted = [name for call in calls for name in re.findall(r"'([a-z_]+(?:\.[a-z_]+)+)'", "".join(call))]
    paragraph = (ROOT / "docs/api.md").read_text().partition("Événements émis :")[2].partition("\n\n")[0]
    assert len(emitted) > 15
    same(
        "docs/api.md names every notification.",
        re.findall(r"`([a-z_]+(?:\.[a-z_]+)+)`", paragraph),
        emitted,
        "add the event to the paragraph « Événements émis »",
        "docs/api.md",
    )


def test_every_file_that_a_page_names_exists() -> None:
    pages = [*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md")]
    folders = "app|bench|deploiement|docs|migrations|outils|sql|tests"
    broken = []
    for page in pages:
        text = page.read_text()
        named = set(re.findall(rf"`((?:{folders})/[\w./-]*)`", text))
        broken += [f"{page.relative_to(ROOT)}: {path}" for path in named if not (ROOT / path).exists()]
    assert len(pages) > 70
    holds("A file that a page names exists.", sorted(broken), "correct the path, or remove the sentence")


def test_every_decision_begins_with_what_it_decides_and_costs_and_is_in_the_index() -> None:
    folder = ROOT / "docs/decisions"
    pages = sorted(folder.glob("0*.md"))
    head = re.compile(r"# (\d+\. .+)\n\n\*\*Decided:\*\* .+\n(?:.+\n)*\n\*\*Costs:\*\* .+\n")
    titles = {page.name: match[1] for page in pages if (match := head.match(page.read_text()))}
    holds(
        "A decision begins with its number and title, then « Decided » and « Costs ».",
        [f"docs/decisions/{page.name}" for page in pages if page.name not in titles],
        "write its head as on the other pages",
    )
    same(
        "The index names every decision by its title.",
        re.findall(r"^- (\[\d+\. .+\]\(.+\))$", (folder / "README.md").read_text(), re.MULTILINE),
        [f"[{title}]({name})" for name, title in titles.items()],
        "correct the index",
        "docs/decisions/README.md",
    )
