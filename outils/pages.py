"""What the judges read: the OpenAPI document, and every page that is served, printed or sent, with values in it."""

import json
import shutil
import tomllib
from string import Formatter

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

FOLDER = ROOT / ".venv/juges"
PAGES, OPENAPI = FOLDER / "pages", FOLDER / "openapi.json"
SITE = "https://example.com"
REFUSED = ("DOCUMENT_INCONNU", "DOCUMENT_RETIRE")  # a page of /verifier, where any other refusal is JSON


def write(url: str) -> None:
    """Write the files, from a database of this release.

    A template without constant data in the tests prints the example of its operation in the OpenAPI document.
    """
    shutil.rmtree(FOLDER, ignore_errors=True)
    PAGES.mkdir(parents=True)
    catalogue, table = read_catalogue(url), routes.load()
    OPENAPI.write_text(json.dumps(document(table, catalogue), ensure_ascii=False, indent=2))
    examples = Examples(table.examples)
    pages = {name: render(template, data, SITE) for name, (template, data) in DOCUMENTS.items()}
    fixed = {template for template, _ in DOCUMENTS.values()}
    organisation = ORGANISATION | {"decimales": 0, "fuseau": "UTC"}
    for number, route in enumerate(table.routes):
        if route.function is None:
            continue
        function = catalogue.functions[route.document or route.function]
        if route.template and route.template not in fixed:
            pages[f"{number}-{route.template}"] = render(route.template, examples.value("", function.returns), SITE)
        if route.report:
            row = examples.value("", function.returns)
            sheets = tables([row] if function.returns_set else row, function.returns, route.report.title)
            pages[f"{number}-rapport"] = reports.page(sheets, route.report, organisation, {})
    valid = examples.value("", catalogue.functions["audit.document_verifier"].returns)
    for data in (valid, *({"refus": code, "message": "Refusé."} for code in REFUSED)):
        page = render("verification.html", data | {"jeton": "f1-0123"}, SITE)
        pages[f"verification-{data.get('refus', 'valable')}"] = page
    for name, letter in tomllib.loads((ROOT / "app/jobs/letters.toml").read_text()).items():
        if isinstance(letter, dict):
            subject, paragraphs = letters.text_of(name)
            fields = {
                field: f"Awa & {field}"
                for _, field, _, _ in Formatter().parse(letter["objet"] + letter["texte"])
                if field not in (None, "lien")
            }
            composed = letters.compose(
                subject.format(**fields), paragraphs, fields, "Groupe Exemple", f"{SITE}/#jeton=a"
            )
            pages[f"lettre-{name}"] = composed.html
    for name, page in pages.items():
        (PAGES / f"{name}.html").write_text(page)
