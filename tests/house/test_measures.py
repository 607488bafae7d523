"""The dashboard of Grafana, the alerts of Prometheus and docs/reference.md use the metrics of the service."""

import json
import re
import shutil
import subprocess
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import pytest
import yaml

from app.database.database import Load
from app.database.pool import Usage
from app.http import metrics
from app.leaves.organisations import serving
from tests.house.rule import ROOT, holds

DASHBOARD = ROOT / "deploiement/grafana/tableaux/comptoir.json"
ALERTS = ROOT / "deploiement/prometheus/alertes.yml"
NAME = re.compile(r"\b(?:http|svc|db|process|python)_\w+")
TARGET = {"job", "instance"}  # Prometheus adds these to every sample, and renames the label of a metric to exported_job


class Use(NamedTuple):
    """An expression, and the text beside its values."""

    expression: str
    text: str

    def metrics(self) -> set[str]:
        return set(NAME.findall(self.expression))

    def labels(self) -> set[str]:
        """Return every label that the expression or the text names."""
        lists = re.findall(r"\b(?:by|on) \(([^)]*)\)", self.expression)
        tests = re.findall(r"(\w+)(?:=~|!~|!=|=)\"", self.expression)
        return {*tests, *self.shown(), *(label for names in lists for label in names.split(", ") if label)}

    def shown(self) -> set[str]:
        return set(re.findall(r"{{(?: ?\$labels\.)?(\w+) ?}}", self.text))


def rules() -> list[dict[str, Any]]:
    return list(yaml.safe_load(ALERTS.read_text())["groups"][0]["rules"])


def uses() -> list[Use]:
    panels = json.loads(DASHBOARD.read_text())["panels"]
    shown = [Use(target["expr"], target.get("legendFormat", "")) for panel in panels for target in panel["targets"]]
    return shown + [Use(rule["expr"], " ".join(rule["annotations"].values())) for rule in rules()]


@cache
def exposed() -> dict[str, set[str]]:
    """Return the samples of /metrics, each with its labels as Prometheus stores them."""
    metrics.observe("GET", "/essai", 200, 0.001)
    serving.CALLS.labels("acme").inc(0)
    jobs = metrics.Jobs({"todo": 0}, [("menage", "succeeded", 1)], [("1", "ACTIF", 0, 0.0, 0)])
    text = metrics.scrape(Load({"primary": Usage(0, 0, 1)}, {"primary": 0}, {"replica": 0.0}), jobs).decode()
    samples: dict[str, set[str]] = {}
    for line in text.splitlines():
        if not line.startswith("#"):
            labels = set(re.findall(r'(\w+)="', line))
            samples[re.split(r"[{ ]", line)[0]] = TARGET | {f"exported_{x}" if x in TARGET else x for x in labels}
    return samples


def own() -> set[str]:
    return {name for name in exposed() if re.match(r"(svc|db)_", name) and not name.endswith("_created")}


def test_the_dashboard_and_the_alerts_use_existing_metrics() -> None:
    holds(
        "The dashboard and the alerts use only metrics that the service has.",
        [f"{name} in {use.expression}" for use in uses() for name in use.metrics() - set(exposed())],
        "correct the name; app/http/metrics.py has them all",
    )


def test_the_dashboard_and_the_alerts_use_existing_labels() -> None:
    known = {use: set().union(TARGET, *(exposed().get(name, set()) for name in use.metrics())) for use in uses()}
    holds(
        "The dashboard and the alerts use only labels that the metrics have.",
        [f"{label} in {use.expression}" for use in uses() for label in use.labels() - known[use]],
        "correct the label; app/http/metrics.py has them all",
    )


def test_a_shown_label_is_one_of_the_metric_and_is_kept_by_the_expression() -> None:
    """Prometheus names `job` the target. The label `job` of a metric is exported_job."""
    lost = []
    for use in uses():
        lists = re.findall(r"\bby \(([^)]*)\)", use.expression)
        kept = lists[-1].split(", ") if lists else None
        lost += [f"{label} in {use.expression}" for label in use.shown() if kept is not None and label not in kept]
        if any("exported_job" in exposed().get(name, set()) for name in use.metrics()):
            lost += [f"job in {use.expression}" for label in use.labels() if label == "job"]
    holds(
        "A label that a legend or an alert shows has the value of the metric.",
        lost,
        "name the label in `by (…)`, and exported_job instead of job",
    )


def test_the_dashboard_or_an_alert_uses_every_metric_of_the_service() -> None:
    used = set().union(*(use.metrics() for use in uses()))
    holds(
        "The dashboard or an alert uses every metric of the service.",
        [f"app/http/metrics.py: {name}" for name in own() - used],
        "give the metric a panel in deploiement/grafana/tableaux/comptoir.json, or remove it",
    )


def test_every_metric_of_the_service_is_documented() -> None:
    text = (ROOT / "docs" / "reference.md").read_text()
    holds(
        "docs/reference.md describes every metric of the service.",
        [f"docs/reference.md: {name} is missing" for name in own() - set(re.findall(r"\b(?:svc|db)_\w+", text))],
        "describe the metric there",
    )


def test_every_alert_says_what_it_means_and_what_to_do() -> None:
    assert all({"summary", "action"} <= set(rule["annotations"]) for rule in rules())


@pytest.mark.skipif(
    shutil.which("promtool") is None, reason="promtool n'est pas installé (paquet prometheus de Debian)"
)
def test_the_first_failure_of_a_job_raises_an_alert_with_the_name_of_the_job(tmp_path: Path) -> None:
    """Its counter has no sample before, and a second API process that appears later is no failure."""
    series = 'svc_jobs_total{job="comptoir",instance="%s",exported_job="menage",outcome="%s"}'
    case = {
        "interval": "1m",
        "input_series": [
            {"series": 'up{job="comptoir",instance="a"}', "values": "1x300"},
            {"series": series % ("a", "succeeded"), "values": "4x300"},
            {"series": series % ("a", "failed"), "values": "_x120 1x180"},
            {"series": series % ("b", "failed"), "values": "_x240 1x60"},
        ],
        "alert_rule_test": [
            {"alertname": "TacheEchouee", "eval_time": moment, "exp_alerts": alerts}
            for moment, alerts in (("119m", []), ("125m", [failed("menage")]), ("200m", []), ("245m", []))
        ],
    }
    file = tmp_path / "essai.yml"
    file.write_text(yaml.safe_dump({"rule_files": [str(ALERTS)], "tests": [case]}))
    result = subprocess.run(["promtool", "test", "rules", str(file)], capture_output=True, text=True)
    assert result.returncode == 0, result.stdout + result.stderr


def failed(job: str) -> dict[str, Any]:
    [rule] = [rule for rule in rules() if rule["alert"] == "TacheEchouee"]
    labels = {"exported_job": job, "gravite": "critique"}
    summary = f"La tâche {job} a échoué et ne sera pas reprise."
    return {"exp_labels": labels, "exp_annotations": {**rule["annotations"], "summary": summary}}
