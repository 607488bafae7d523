"""Each document through HTTP: its text, its paper size, its QR code, its permission, and hostile texts in its data."""

import asyncio
import re
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import httpx
import pytest

from app.documents.templates import render
from app.documents.texts import typographic
from tests import builders
from tests.conftest import Db, Http, ok
from tests.documents import browsers, paper
from tests.documents.fixed import FACTURE, PRESSING
from tests.portail.residents import Resident, portal, resident
from tests.receiver import serving

A4 = (210.0, 297.0)


@pytest.fixture(autouse=True)
def browser() -> None:
    browsers.needed()


@pytest.fixture
def awa(db: Db) -> Resident:
    return resident(db, "Kouassi")


def pdf(answer: Any) -> bytes:
    assert answer.status_code == 200, answer.text
    assert answer.headers["content-type"] == "application/pdf"
    assert answer.headers["cache-control"] == "no-store"
    assert re.fullmatch(r'inline; filename="[\w-]+\.pdf"', answer.headers["content-disposition"])
    return bytes(answer.content)


def printed(http: Http, template: str, data: dict[str, Any]) -> bytes:
    return bytes(http.runner.run(http.services.renderer.pdf(render(template, data), data.get("largeur"))))


def a4(content: bytes) -> int:
    """Assert that the pages are A4. Return their number."""
    size = paper.sizes(content)
    assert (size.width, size.height) == pytest.approx(A4, abs=0.5)
    return size.pages


def invoice(http: Http, db: Db, libelle: str = "Chaises", **client: Any) -> str:
    db.acting(None)
    body = {
        "montant": "50000", "id_moyen": builders.moyen(db), "id_client": str(builders.client(db, **client)),
        "lignes": [{"libelle": libelle, "prix_unitaire": "95000"}],
    }  # fmt: skip
    path = f"/facturation/prestations/{builders.prestation(db, '95000')}/facturer"
    return str(ok(http.as_admin().post(path, json=body))["id_facture"])


def laundry(http: Http, db: Db, **client: Any) -> str:
    linen = {"type_vetement": "Chemise", "quantite": 4, "prestation": "Lavage", "tarif": "1000"}
    body = {"id_client": str(builders.client(db, **client)), "lignes": [linen], "date_retrait_prevue": "2031-03-04"}
    return str(ok(http.as_admin().post("/pressing/commandes", json=body))["commande"]["id_commande"])


# ---- text


def test_a_lease_names_its_parties_amounts_and_articles(http: Http, db: Db, awa: Resident) -> None:
    db.call(
        "client.piece_identite_creer", id_client=awa.client, type_piece="CNI", numero="C-77",
        autorite_delivrance="Préfecture", date_delivrance="2020-01-01", copie_num=None,
    )  # fmt: skip
    content = pdf(http.as_admin().get(f"/residence/contrats/{awa.contrat}/pdf"))
    text = paper.text(content)
    assert 3 <= a4(content) <= 4
    assert [int(n) for n in re.findall(r"Article (\d+) –", text)] == list(range(1, 26))
    for words in (
        awa.numero, "Awa Kouassi", awa.logement, awa.batiment, "100 000 FCFA par mois (cent mille francs CFA)",
        "150 000 FCFA (cent cinquante mille francs CFA)", "carte nationale d’identité n° C-77", "Lu et approuvé",
        "Le bailleur", "Le locataire", "délivrée le 1er janvier 2020 par Préfecture",
    ):  # fmt: skip
        assert words in text, words
    # The signatures are on the same page as the end of the text.
    pages = paper.sizes(content).pages
    last = text.partition(f"Page {pages - 1} / {pages}")[2]
    assert "Article 25 –" in last and "Fait à" in last and "Le locataire" in last


def test_a_yearly_lease_without_end_deposit_or_document_says_so(http: Http, db: Db) -> None:
    contrat = builders.contrat(db, type_location="ANNUEL", date_fin_prevue=None)
    text = paper.text(pdf(http.as_admin().get(f"/residence/contrats/{contrat}/pdf")))
    for words in (
        "Contrat de location annuelle", "conclu sans terme", "FCFA par an", "Aucune caution", "trois mois au moins",
    ):  # fmt: skip
        assert words in text, words
    assert "titulaire de la pièce" not in text and "None" not in text


def test_the_receipt_of_an_instalment_is_json_or_pdf_as_requested(http: Http, awa: Resident) -> None:
    admin, path = http.as_admin(), f"/residence/echeances/{awa.echeances[0]}/recu"
    plain = admin.get(path)
    assert plain.json()["montant"] == "100000.00"
    assert admin.get(path, params={"format": "json"}, headers={"accept": "application/pdf"}).json() == plain.json()
    by_query = pdf(admin.get(path, params={"format": "pdf"}))
    by_header = pdf(admin.get(path, headers={"accept": "text/html;q=0.5, Application/PDF;q=0.9"}))
    assert paper.text(by_query) == paper.text(by_header)
    assert admin.get(path, params={"format": "csv"}).json()["code"] == "VALIDATION_ERROR"
    text = paper.text(by_query)
    for words in ("Quittance de loyer", "Awa Kouassi", "cent mille francs CFA", awa.numero, awa.logement, "Espèces"):
        assert words in text, words
    unpaid = admin.get(f"/residence/echeances/{awa.echeances[1]}/recu", params={"format": "pdf"})
    assert (unpaid.status_code, unpaid.json()["code"]) == (404, "ECHEANCE_NON_PAYEE")


def test_the_portal_prints_the_receipts_of_instalments_and_payments(http: Http, db: Db, awa: Resident) -> None:
    resident_text = paper.text(pdf(portal(http, awa, f"echeances/{awa.echeances[0]}/recu/pdf")))
    staff = http.as_admin().get(f"/residence/echeances/{awa.echeances[0]}/recu", params={"format": "pdf"})
    assert resident_text == paper.text(pdf(staff))
    paid = pdf(portal(http, awa, f"paiements/{awa.paiements['service']}/recu/pdf"))
    text = paper.text(paid)
    assert a4(paid) == 1
    numero = db.one("select numero from facturation.facture where id_facture = %s", [awa.factures["service"]])
    for words in ("Reçu de paiement", "9 000 FCFA", "neuf mille francs CFA", "Mobile Money", numero, "Awa Kouassi"):
        assert words in text, words


def test_a_payslip_names_its_employee_elements_and_amount(http: Http, db: Db) -> None:
    admin = http.as_admin()
    paie = builders.paie(db, builders.employe(db, nom="Konan", prenom="Ali", fonction="OPERATEUR_LAVAGE"))
    alone = paper.text(pdf(admin.get(f"/rh/paies/{paie}/pdf")))
    assert "Net à payer" in alone and "Autres gains" not in alone and "Total des retenues" not in alone
    for kind, montant in (("PRIME", "15000"), ("RETENUE", "20000.50")):
        body = {"type": kind, "libelle": f"Un {kind.lower()}", "montant": montant}
        assert admin.post(f"/rh/paies/{paie}/elements", json=body).status_code == 201
    content = pdf(admin.get(f"/rh/paies/{paie}/pdf"))
    text = paper.text(content)
    assert a4(content) == 1
    for words in (
        "Bulletin de paie – août 2026", "Calculé, à valider", "Ali Konan", "Opérateur de lavage", "+ 15 000",
        "− 20 000,50", "174 999,50 FCFA", "L’employeur", "L’employé, Ali Konan",
        "cent soixante-quatorze mille neuf cent quatre-vingt-dix-neuf francs CFA et cinquante centimes",
    ):  # fmt: skip
        assert words in text, words


@pytest.mark.parametrize("largeur", [None, "58", "80"])
def test_the_receipt_of_the_laundry_is_a_page_of_the_requested_width(http: Http, db: Db, largeur: str | None) -> None:
    commande = laundry(http, db)
    query = {"largeur": largeur} if largeur else None
    answer = http.as_admin().get(f"/pressing/commandes/{commande}/recu", params=query)
    assert (answer.status_code, answer.headers["content-type"]) == (200, "text/html; charset=utf-8")
    assert "default-src 'none'" in answer.headers["content-security-policy"]
    page = paper.Html(answer.text)
    assert {"svg", "style"} <= page.tags and not page.tags & {"script", "img", "link"} and not page.addresses
    assert f"body {{ width: {largeur or 80}mm;" in answer.text
    text = " ".join(page.text)
    for words in ("Awa Exemple", "Chemise : Lavage", "4 000 FCFA", "Retrait prévu le", "04/03/2031", "Acompte"):
        assert words in text.replace("\u00a0", " "), words
    assert http.as_admin().get(f"/pressing/commandes/{commande}/recu?largeur=70").status_code == 400


# ---- paper size


@pytest.mark.parametrize("largeur", [58, 80])
@pytest.mark.parametrize("template, data", [("ticket.html", {"facture": FACTURE}), ("pressing.html", PRESSING)])
def test_a_ticket_has_the_width_of_its_paper_and_the_length_of_its_lines(
    http: Http, template: str, data: dict[str, Any], largeur: int
) -> None:
    heights = []
    for count in (1, 10, 200):
        source = data.get("facture", data)
        more = {"lignes": source["lignes"][:1] * count}
        several = {"facture": FACTURE | more} if "facture" in data else data | more
        size = paper.sizes(printed(http, template, several | {"largeur": largeur}))
        assert (size.pages, size.width) == (1, pytest.approx(largeur, abs=0.5))
        heights.append(size.height)
    assert heights == sorted(set(heights)) and heights[-1] > 10 * heights[0]


def test_a_fully_paid_laundry_receipt_says_paid() -> None:
    unpaid = render("pressing.html", PRESSING)
    paid = render("pressing.html", PRESSING | {"acompte": "7500.00", "reste": "0.00"})
    assert "Acompte" in unpaid and "Payé" not in unpaid and "Acompte" not in paid and "Payé" in paid


def test_a_ticket_shows_the_name_of_the_seller_or_else_the_login(db: Db) -> None:
    seller = builders.utilisateur(db, role="CAISSIER", login="awa.exemple")
    db.acting(seller)
    number = builders.facture(db)
    assert db.call("facturation.facture_document", id_facture=number)["vendeur"] == "awa.exemple"
    db.execute("update auth.utilisateur set nom = 'Exemple', prenom = 'Awa' where id_utilisateur = %s", [seller])
    assert db.call("facturation.facture_document", id_facture=number)["vendeur"] == "Awa Exemple"


def test_an_invoice_of_sixty_lines_repeats_its_header_and_numbers_its_pages(http: Http) -> None:
    lines = [FACTURE["lignes"][0] | {"libelle": f"Article {n}"} for n in range(60)]
    content = printed(http, "facture.html", FACTURE | {"lignes": lines})
    text = paper.text(content)
    pages = a4(content)
    assert pages in (3, 4) and text.count("Prix unitaire") >= pages - 1
    assert all(f"Page {n} / {pages}" in text for n in range(1, pages + 1))
    assert all(f"Article {n} " in text for n in range(60))


def test_the_largest_amounts_and_the_longest_names_are_printed_whole(http: Http) -> None:
    largest = "999999999999.99"
    line = {"libelle": "Anticonstitutionnellement" * 8, "quantite": 1, "prix_unitaire": largest, "total": largest}
    amounts = {"montant_total": largest, "montant_paye": "0.00", "reste": largest, "remise": "0.00", "paiements": []}
    client = FACTURE["client"] | {"nom": "W" * 200, "adresse": "A" * 300}
    data = FACTURE | amounts | {"lignes": [line] * 3, "client": client}
    for template, whole in (("facture.html", data), ("ticket.html", {"facture": data, "largeur": 58})):
        text = paper.text(printed(http, template, whole))
        assert "999 999 999 999,99 FCFA" in text
        assert text.count("W") == 200
    assert "neuf cent quatre-vingt-dix-neuf milliards" in paper.text(printed(http, "facture.html", data))


def test_a_cancelled_invoice_shows_its_reason_its_credit_note_and_no_amount_due(http: Http) -> None:
    cancelled = {"statut": "ANNULEE", "reste": "0.00", "motif_annulation": "Saisie <b>deux</b> fois"}
    whole = FACTURE | cancelled | {"avoirs": ["MM-AV-2026-001"]}
    for template, data in (("facture.html", whole), ("ticket.html", {"facture": whole, "largeur": 58})):
        text = paper.text(printed(http, template, data))
        assert "Saisie <b>deux</b> fois" in text
        assert "annulée" in text.lower() and "Avoir MM-AV-2026-001" in text
        assert "line-through" in render(template, data)
        assert "Arrêtée" not in text and "Reste à payer" not in text
    assert "Arrêtée la présente facture" in paper.text(printed(http, "facture.html", FACTURE))


@pytest.mark.parametrize("name, faces", [("Awa N’Guessan-Cœur", 2), ("Łukasz Škoda", 4), ("Ağa ₣", 4)])
def test_each_letter_is_printed_in_the_font_of_the_documents(http: Http, tmp_path: Path, name: str, faces: int) -> None:
    browsers.needed()
    data = FACTURE | {"client": FACTURE["client"] | {"nom": name}}
    assert render("facture.html", data).count("@font-face") == faces
    assert paper.fonts(printed(http, "facture.html", data), tmp_path) == {"SourceSans3ExtraLight"}


# ---- QR code


def test_the_qr_code_of_a_paper_leads_to_its_verification_and_a_forged_code_does_not(
    http: Http, db: Db, awa: Resident, tmp_path: Path
) -> None:
    admin = http.as_admin()
    facture = invoice(http, db)
    papers = [
        pdf(admin.get(f"/facturation/factures/{facture}/pdf")),
        pdf(admin.get(f"/facturation/factures/{facture}/ticket", params={"largeur": "58"})),
        pdf(admin.get(f"/residence/echeances/{awa.echeances[0]}/recu", params={"format": "pdf"})),
        pdf(portal(http, awa, f"paiements/{awa.paiements['service']}/recu/pdf")),
    ]
    site = http.services.settings.public_url
    for content in papers:
        address = paper.qr(content, tmp_path)
        assert address.startswith(f"{site}/verifier/")
        shown = http.get(address.removeprefix(site)).json()
        assert shown["numero"] in paper.text(content) and shown["etat"] == "VALABLE"
        assert admin.get("/facturation/controle", params={"code": address}).json()["authentique"]
        forged = address[:-1] + ("0" if address[-1] != "0" else "1")
        assert http.get(forged.removeprefix(site)).status_code == 404
        assert not admin.get("/facturation/controle", params={"code": forged}).json()["authentique"]


def test_documents_of_another_activity_are_not_found(http: Http, db: Db, awa: Resident) -> None:
    commande = laundry(http, db)
    restaurant = builders.activite(db, "RESTAURATION")
    other = http.as_user(builders.utilisateur(db, role="ADMINISTRATEUR", activite=restaurant))
    for path in (
        f"/residence/contrats/{awa.contrat}/pdf",
        f"/residence/echeances/{awa.echeances[0]}/recu?format=pdf",
        f"/pressing/commandes/{commande}/recu",
    ):
        assert other.get(path).status_code == 404, path


def test_eight_documents_opened_at_once_are_all_printed(http: Http, db: Db) -> None:
    path = f"/api/v1/facturation/factures/{invoice(http, db)}/pdf"
    admin = http.as_admin()

    async def open_tabs() -> list[httpx.Response]:
        headers = {"authorization": f"Bearer {admin.token}"}
        async with httpx.AsyncClient(transport=http.transport, base_url="http://essai", headers=headers) as client:
            return await asyncio.gather(*(client.get(path) for _ in range(8)))

    for answer in http.runner.run(open_tabs()):
        pdf(answer)


# ---- hostile texts


@pytest.fixture
def listener() -> Iterator[tuple[str, list[Any]]]:
    """A local address, and the list of the connections to it."""
    connections: list[Any] = []

    class Closing(ThreadingHTTPServer):
        def verify_request(self, _: Any, address: Any) -> bool:
            connections.append(address)
            return False

    with serving(Closing(("127.0.0.1", 0), BaseHTTPRequestHandler)) as server:
        yield f"http://127.0.0.1:{server.server_port}", connections


def test_hostile_texts_are_printed_literally_and_send_no_request(
    http: Http, db: Db, listener: tuple[str, list[Any]]
) -> None:
    address, connections = listener
    names = [
        f"<img src={address}/a>", "<script>document.title=1</script>", "{{7*7}}{% raw %}", "');}body{display:none}/*",
        f"</style><link rel=stylesheet href={address}/b>", "‮Awa‬ 🎉",
    ]  # fmt: skip
    admin = http.as_admin()
    db.execute(
        "update core.parametre set valeur = %s where cle in ('MENTIONS_LEGALES', 'ADRESSE_ORGANISATION')",
        [f'"}}<style>@import url({address}/c);</style>{address}/d'],
    )
    for name in names:
        client = {"nom": name, "prenoms": "Awa", "adresse": name}
        logement = builders.logement(db, nom=name, equipements=f"<iframe src={address}/e></iframe>")
        contrat = builders.contrat(db, id_client=builders.client(db, **client), id_logement=logement)
        employe = builders.employe(db, nom=name)
        contents = [
            pdf(admin.get(f"/facturation/factures/{invoice(http, db, name, **client)}/pdf")),
            pdf(admin.get(f"/residence/contrats/{contrat}/pdf")),
            pdf(admin.get(f"/rh/paies/{builders.paie(db, employe)}/pdf")),
        ]
        for document in contents:
            text = paper.text(document).replace(" ", "")
            if name.isascii():
                assert typographic(name).replace(" ", "") in text, name
            assert "Awa" in text or "Ali" in text
        page = admin.get(f"/pressing/commandes/{laundry(http, db, **client)}/recu").text
        assert not paper.Html(page).addresses and not paper.Html(page).tags & {"script", "img", "link", "iframe"}
    assert connections == []


def test_a_page_without_a_policy_sends_no_request(http: Http, listener: tuple[str, list[Any]]) -> None:
    """The browser blocks requests even for a page without the content security policy."""
    address, connections = listener
    page = (
        f"<link rel=stylesheet href={address}/1><img src={address}/2><iframe src={address}/3></iframe>"
        f"<style>@import url({address}/4);body{{background:url({address}/5)}}"
        f"@font-face{{font-family:x;src:url({address}/6)}}p{{font-family:x}}</style>"
        f"<script>fetch('{address}/7')</script>"
        f"<object data={address}/8></object><p>Un texte</p><img src=file:///etc/passwd>"
    )
    assert "Un texte" in paper.text(http.runner.run(http.services.renderer.pdf(page)))
    # A page that navigates away may print anything. The next document must be right.
    navigating = f"<meta http-equiv=refresh content='0;url={address}/9'><p>Un texte</p>"
    http.runner.run(http.services.renderer.pdf(navigating))
    assert "Un texte" in paper.text(http.runner.run(http.services.renderer.pdf("<p>Un texte</p>")))
    assert connections == []
