"""The OpenAPI document, and every page that is served, printed or sent, for outils/judges.py."""

import json
import re
import shutil
import tomllib

from app import routes
from app.base.settings import ROOT
from app.commands.application import read_catalogue
from app.documents import reports
from app.documents.tables import tables
from app.documents.templates import render
from app.jobs import letters
from app.openapi.document import document
from app.openapi.examples import Examples
from tests.documents.fixed import DOCUMENTS, ORGANISATION

PAGES, OPENAPI = ROOT / ".venv/juges/pages", ROOT / ".venv/juges/openapi.json"
SITE = "https://example.com"
REFUSED = ("DOCUMENT_INCONNU", "DOCUMENT_RETIRE")  # a page of /verifier; another refusal is JSON


def write(url: str) -> None:
    """Write the files, from a database of this release. A template unknown to the tests prints an example."""
    shutil.rmtree(PAGES, ignore_errors=True)
    PAGES.mkdir(parents=True)
    catalogue, table = read_catalogue(url), routes.load()
    OPENAPI.write_text(json.dumps(document(table, catalogue), ensure_ascii=False, indent=2))
    example = Examples(table.examples).value
    pages = {name: render(template, data, SITE) for name, (template, data) in DOCUMENTS.items()}
    fixed = {template for template, _ in DOCUMENTS.values()}
    for route in (route for route in table.routes if route.function):
        function = catalogue.functions[str(route.document or route.function)]
        row, name = example("", function.returns), f"{function.schema}.{function.name}"
        if route.template and route.template not in fixed:
            pages[name] = render(route.template, row, SITE)
        if route.report:
            sheets = tables([row] if function.returns_set else row, function.returns, route.report.title)
            pages[name] = reports.page(sheets, route.report, ORGANISATION | {"decimales": 0, "fuseau": "UTC"}, {})
    valid = example("", catalogue.functions["audit.document_verifier"].returns)
    for data in (valid, *({"refus": code, "message": "Refusé."} for code in REFUSED)):
        pages[f"verifier-{data.get('refus')}"] = render("verification.html", data | {"jeton": "f1-0123"}, SITE)
    for name, letter in tomllib.loads((ROOT / "app/jobs/letters.toml").read_text()).items():
        if isinstance(letter, dict):
            fields = {field: f"Awa & {field}" for field in re.findall(r"{(\w+)}", str(letter)) if field != "lien"}
            subject, paragraphs = letters.text_of(name)
            pages[name] = letters.compose(subject.format(**fields), paragraphs, fields, "Exemple", f"{SITE}/#a").html
    for name, page in pages.items():
        (PAGES / f"{name}.html").write_text(page)
