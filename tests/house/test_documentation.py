"""What documents and deployment files say of settings, metrics and tables is what the code has."""

from __future__ import annotations

import json
import re
from pathlib import Path

import yaml

from app.base.settings import Settings
from app.database.pool import Usage
from app.http import metrics
from app.jobs.worker import CATCH_UP, CATCH_UP_CRON, JOBS

ROOT = Path(__file__).parents[2]
DEPLOYMENT = ROOT / "deploiement"
BESIDE = {"COMPTOIR_MOT_DE_PASSE"}  # read by one command, no part of the settings
COMPOSE = yaml.safe_load((ROOT / "docker-compose.yml").read_text())
OWN_IMAGE = [service for service in COMPOSE["services"].values() if service.get("build")]


def settings() -> set[str]:
    """Every variable that reading the environment asks for."""

    class Asked(dict[str, str]):
        def get(self, name: str, default: str = "") -> str:  # type: ignore[override]
            names.add(name)
            if name == "S3_ENDPOINT":
                return "https://exemple.ci"
            return f"cle-{name}" if name.startswith("S3_") else default

    names: set[str] = set()
    Settings.from_environment(Asked())
    return names


def exposed() -> set[str]:
    """The names of the samples of /metrics."""
    metrics.observe("GET", "/essai", 200, 0.001)
    jobs = metrics.Jobs({"todo": 0}, [("menage", "succeeded", 1)])
    text = metrics.scrape({"primary": Usage(0, 0, 1)}, jobs).decode()
    return {re.split(r"[{ ]", line)[0] for line in text.splitlines() if not line.startswith("#")}


def test_every_setting_is_documented_and_no_other() -> None:
    text = (ROOT / "docs" / "operations.md").read_text()
    table = text[text.index("## Réglages") : text.index("Une variable refusée")]
    first_cells = [line.split("|")[1] for line in table.splitlines() if line.startswith("| `")]
    documented = {name for cell in first_cells for name in re.findall(r"`([A-Z0-9_]+)`", cell)}
    assert len(settings()) > 25
    assert documented == settings() | BESIDE


def test_compose_sets_what_exists_and_gives_no_secret_a_default() -> None:
    assert len(OWN_IMAGE) == 3
    for service in OWN_IMAGE:
        assert set(service["environment"]) <= settings()
        assert service["environment"]["NODE_ENV"] == "production"
    text = (ROOT / "docker-compose.yml").read_text()
    example = (ROOT / ".env.example").read_text()
    for name, otherwise in re.findall(r"\$\{([A-Z0-9_]+)([^}]*)\}", text):
        if re.search("(?<!PAGE_)MOT_DE_PASSE|SECRET$|ACCESS_KEY|SECRET_KEY|TOKEN", name):
            assert otherwise.startswith(":?"), name
            assert f"\n{name}=\n" in example, name


def test_images_have_a_fixed_version() -> None:
    named = [service["image"] for service in COMPOSE["services"].values()]
    named += re.findall(r"^FROM (\S+:\S+)", (ROOT / "Dockerfile").read_text(), re.MULTILINE)
    assert len(named) >= 9
    for image in named:
        assert re.search(r":v?\d+\.\d+", image), image


def test_the_dashboard_and_the_alerts_ask_for_metrics_that_exist() -> None:
    dashboard = json.loads((DEPLOYMENT / "grafana/tableaux/comptoir.json").read_text())
    asked = [target["expr"] for panel in dashboard["panels"] for target in panel["targets"]]
    rules = yaml.safe_load((DEPLOYMENT / "prometheus/alertes.yml").read_text())["groups"][0]["rules"]
    asked += [rule["expr"] for rule in rules]
    names = {name for expr in asked for name in re.findall(r"\b(?:http|svc|db|process|python)_\w+", expr)}
    assert len(names) >= 8
    assert names <= exposed()
    text = (ROOT / "docs" / "operations.md").read_text()
    assert all({"summary", "action"} <= set(rule["annotations"]) for rule in rules)
    assert {name for name in exposed() if re.match(r"(svc|db)_", name)} <= set(re.findall(r"\b(?:svc|db)_\w+", text))


def test_every_periodic_job_is_documented_with_its_hours() -> None:
    text = (ROOT / "docs" / "operations.md").read_text()
    documented = dict(re.findall(r"^\| `([a-z-]+)` \| `([^`]+)` \|", text, re.MULTILINE))
    assert documented == {job.name: job.cron for job in JOBS} | {CATCH_UP: CATCH_UP_CRON}


def test_scaling_names_every_table_once() -> None:
    tables = re.findall(r"^\| `(\w+\.\w+)` \|", (ROOT / "docs/schema.md").read_text(), re.MULTILINE)
    text = (ROOT / "docs" / "scaling.md").read_text()
    rows = [line for line in text.splitlines() if line.startswith("| `")]
    named = [name for row in rows for name in re.findall(r"`(\w+\.\w+)`", row.split("|")[1])]
    assert len(tables) > 60
    assert sorted(named) == sorted(tables)
