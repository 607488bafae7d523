"""Reading statements: each format as banks write it, sheets in other words, and files made to harm."""

import io
import json
import re
import subprocess
import sys
import tarfile
import time
import zipfile

import pytest
from ofxtools.Parser import TreeBuilder

from app.base.failure import Failure
from app.leaves.providers import statement
from app.leaves.providers.statement import read
from tests import sheets
from tests.conftest import refusal
from tests.tresorerie.argent import compte
from tests.tresorerie.releve import sent, state, taken

CAMT = """<?xml version="1.0" encoding="UTF-8"?>
<Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.08"><BkToCstmrStmt><GrpHdr><MsgId>M1</MsgId></GrpHdr><Stmt>
<Id>S1</Id><Acct><Id><Othr><Id>CI000 01234</Id></Othr></Id><Ccy>XOF</Ccy></Acct>
<Bal><Tp><CdOrPrtry><Cd>OPBD</Cd></CdOrPrtry></Tp><Amt Ccy="XOF">1000</Amt><CdtDbtInd>CRDT</CdtDbtInd></Bal>
<Bal><Tp><CdOrPrtry><Cd>CLBD</Cd></CdOrPrtry></Tp><Amt Ccy="XOF">1450.00</Amt><CdtDbtInd>CRDT</CdtDbtInd></Bal>
<Ntry><Amt Ccy="XOF">500</Amt><CdtDbtInd>CRDT</CdtDbtInd><Sts><Cd>BOOK</Cd></Sts>
 <BookgDt><Dt>2026-10-02</Dt></BookgDt><AcctSvcrRef>B-1</AcctSvcrRef><NtryDtls><TxDtls>
 <Refs><EndToEndId>E-1</EndToEndId></Refs><RltdPties><Dbtr><Pty><Nm>Awa &amp; fils</Nm></Pty></Dbtr></RltdPties>
 <RmtInf><Ustrd>Loyer   octobre</Ustrd></RmtInf></TxDtls></NtryDtls></Ntry>
<Ntry><Amt Ccy="XOF">50</Amt><CdtDbtInd>DBIT</CdtDbtInd><Sts>BOOK</Sts>
 <BookgDt><DtTm>2026-10-03T08:00:00</DtTm></BookgDt>
 <AddtlNtryInf>Frais</AddtlNtryInf></Ntry>
<Ntry><Amt Ccy="XOF">7</Amt><CdtDbtInd>CRDT</CdtDbtInd><Sts><Cd>PDNG</Cd></Sts></Ntry>
</Stmt></BkToCstmrStmt></Document>"""
MT940 = """{1:F01BANKCIABAXXX0000000000}{2:I940BANKCIABXXXXN}{4:
:20:REL1
:25:CI00001234
:28C:1/1
:60F:C261001XOF1000,
:61:2610021002C500,NTRFE-1//B-1
:86:Loyer octobre
Awa
:61:2610031003D50,00NCHGNONREF
:86:Frais
:62F:C261003XOF1450,
-}
"""
OFX = """OFXHEADER:100
DATA:OFXSGML
ENCODING:USASCII
CHARSET:1252

<OFX><BANKMSGSRSV1><STMTTRNRS><TRNUID>1<STMTRS><CURDEF>XOF
<BANKACCTFROM><BANKID>CI<ACCTID>CI00001234<ACCTTYPE>CHECKING</BANKACCTFROM>
<BANKTRANLIST><DTSTART>20261001<DTEND>20261031
<STMTTRN><TRNTYPE>CREDIT<DTPOSTED>20261002120000[0:GMT]<TRNAMT>500.00<FITID>B-1<NAME>Loyer octobre
<MEMO>Awa &amp; fils</STMTTRN>
<STMTTRN><TRNTYPE>FEE<DTPOSTED>20261003<TRNAMT>-50<FITID>B-2<NAME><![CDATA[Frais]]></STMTTRN>
</BANKTRANLIST><LEDGERBAL><BALAMT>1450<DTASOF>20261031</LEDGERBAL></STMTRS></STMTTRNRS></BANKMSGSRSV1></OFX>"""
SHEET = """Date opération;Nature;N° transaction;Sortie;Entrée;Solde après
02/10/2026;Loyer;B-1;;500,00 F;1 500
3/10/26;Frais;;50;;1450"""
PYCAMT = "pycamt==1.1.1"
PEER = """
import json, sys
from pycamt.parser import Camt053ParseError, Camt053Parser
def read(text):
    try:
        parser = Camt053Parser(text)
        lines = [["-" * (row["CreditDebitIndicator"] == "DBIT") + row["Amount"], row["BookingDate"] or ""]
                 for row in parser.get_transactions()]
        return [lines, [[info["IBAN"], info["OpeningBalance"]] for info in parser.get_statement_info()]]
    except Camt053ParseError:
        return None
print(json.dumps([read(text) for text in json.loads(sys.argv[1])]))
"""
XML = '<?xml version="1.0"?>'
LAUGHS = "".join(f'<!ENTITY b{n} "{f"&b{n - 1};" * 10}">' for n in range(1, 9))


def parsed(http, content, **words):
    """The kind of a file, and its parts."""
    sheet = http.services.catalogue.named("tresorerie.feuille")
    return read(io.BytesIO(content if isinstance(content, bytes) else content.encode()), sheet, words)


def lines(db, parts):
    """The lines of the parts of a file as SQL reads them."""
    query = "select jour::text, montant::float, libelle, reference, identifiant, ecrit::float as solde"
    return db.all(f"{query} from tresorerie._releve_lire(%s::jsonb)", [json.dumps(parts)])


@pytest.mark.parametrize(
    ("content", "kind", "balances", "identifiers", "references"),
    [
        (CAMT, "CAMT_053", ("1000", "1450.00"), ["B-1", None], ["E-1", None]),
        (MT940, "MT940", ("1000", "1450"), ["B-1", None], ["E-1", None]),
        (OFX, "OFX", (None, "1450"), ["B-1", "B-2"], [None, None]),
        (SHEET, "FEUILLE", (None, None), ["B-1", None], [None, None]),
    ],
)
def test_each_format_gives_its_lines_and_balances(http, db, content, kind, balances, identifiers, references):
    label, [part] = parsed(http, content)
    read = lines(db, [part])
    assert (label, part.get("ouverture"), part.get("cloture")) == (kind, *balances)
    assert [(line["jour"], line["montant"]) for line in read] == [("2026-10-02", 500), ("2026-10-03", -50)]
    assert [line["identifiant"] for line in read] == identifiers
    assert [line["reference"] for line in read] == references
    assert read[0]["libelle"].startswith("Loyer") and read[1]["libelle"] == "Frais"
    if kind == "CAMT_053":
        assert read[0]["libelle"] == "Loyer octobre Awa & fils"
    if kind != "FEUILLE":
        assert (part["compte"].replace(" ", ""), part["devise"]) == ("CI00001234", "XOF")
    bank = compte(db, "Virement", genre="BANQUE", identifiant="CI000 01234")
    made = taken(http.as_admin(), bank, content.encode())
    assert (made["format"], made["nouvelles"], made["prouve"]) == (kind, 2, kind != "OFX")
    assert state(db, bank)["solde_releve"] == 1450
    if kind in ("CAMT_053", "MT940"):
        wrong = sent(http.as_admin(), bank, content.replace("1450", "1451").encode())
        assert (wrong.status_code, wrong.json()["code"]) == (400, "RELEVE_FAUX")
        assert "à la ligne 2 :" in wrong.json()["message"]


def test_a_file_of_several_days_or_accounts_has_several_parts(http, db):
    next_day = MT940.replace("XOF1000,", "XOF1450,").replace(":62F:C261003XOF1450,", ":62F:C261003XOF1900,")
    assert [part["ouverture"] for part in parsed(http, MT940 + next_day)[1]] == ["1000", "1450"]
    head, _, rest = CAMT.partition("<Stmt>")
    other = f"{head}<Stmt>{rest.partition('</Stmt>')[0].replace('01234', '99999')}</Stmt><Stmt>{rest}"
    bank = compte(db, "Virement", genre="BANQUE", identifiant="CI00001234")
    assert taken(http.as_admin(), bank, other.encode())["lignes"] == 2
    unnamed = compte(db, "Chèque")
    assert sent(http.as_admin(), unnamed, other.encode()).json()["code"] == "RELEVE_DE_PLUSIEURS_COMPTES"


@pytest.mark.parametrize(
    "content", [OFX, OFX.replace("<FITID>B-1<NAME>", "<FITID>B-1</FITID><CHECKNUM></CHECKNUM><NAME>")]
)
def test_our_reading_of_ofx_agrees_with_ofxtools(http, content):
    peer = TreeBuilder()
    peer.feed(content[content.index("<OFX>") :])
    root = peer.close()
    values = [[entry.findtext(name) for name in ("TRNAMT", "FITID")] for entry in root.iter("STMTTRN")]
    _, [part] = parsed(http, content)
    assert values == [[line["montant"], *line["identifiant"]] for line in part["lignes"]] and len(values) == 2
    assert root.find(".//LEDGERBAL/BALAMT").text == part["cloture"]


def test_our_reading_of_camt_agrees_with_pycamt_on_the_samples_of_pycamt(http, tmp_path):
    pip = [sys.executable, "-m", "pip", "-q"]
    fetch = [*pip, "download", "--no-deps", "--no-binary", ":all:", "-d", str(tmp_path), PYCAMT]
    for command in (fetch, [*pip, "install", "--target", str(tmp_path), PYCAMT]):
        outcome = subprocess.run(command, capture_output=True, text=True)
        if outcome.returncode:
            pytest.skip(f"PyPI cannot be reached: {outcome.stderr[-200:]}")
    [archive] = tmp_path.glob("pycamt-*.tar.gz")
    with tarfile.open(archive) as files:
        sources = [files.extractfile(name).read().decode() for name in files.getnames() if "/tests/test_" in name]
    samples = [text for source in sources for text in re.findall(r"<Document.*?</Document>", source, re.DOTALL)
               if "BkToCstmrStmt>" in text and "{" not in text]  # fmt: skip
    command = [sys.executable, "-c", PEER, json.dumps(samples)]
    peer = subprocess.run(command, capture_output=True, text=True, env={"PYTHONPATH": str(tmp_path)})
    assert peer.returncode == 0, peer.stderr
    agreed = 0
    for sample, answer in zip(samples, json.loads(peer.stdout), strict=True):
        if answer is None:  # pycamt refuses it
            continue
        _, parts = parsed(http, sample)
        read = [[line["montant"], line["jour"]] for part in parts for line in part["lignes"]]
        assert [read, [[part["compte"], part.get("ouverture")] for part in parts]] == answer
        agreed += 1
    assert agreed >= 6


def test_a_sheet_is_read_by_the_words_of_a_provider_and_as_a_workbook(http, db):
    rows = (("Horodatage", "Qui", "Net", "Balance"), ("2026-10-02", "Awa", 500, 500), ("2026-10-03", "Frais", -50, 450))
    words = {"horodatage": "jour", "QUI": "libelle", "net": "montant"}
    for content in (sheets.text(*rows), sheets.workbook(*rows)):
        _, parts = parsed(http, content, **words)
        assert [(line["libelle"], line["montant"], line["solde"]) for line in lines(db, parts)] == [
            ("Awa", 500, 500), ("Frais", -50, 450)]  # fmt: skip
    # A row with a balance alone counts in the proof, and a row without numbers is a remark.
    text = "Date;Libellé;Débit;Crédit;Solde\n2026-10-01;Report;;;100\n;Octobre;;;\n2026-10-02;Reçu;;5;105"
    assert [(line["montant"], line["solde"]) for line in lines(db, parsed(http, text)[1])] == [(0, 100), (5, 105)]


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("", "vide"),
        ("Date;Libellé\n2026-10-01;x", "colonnes date"),
        ("Nom;Prénom\nA;B", "reconnue"),
        ("Date;Montant\n2026-13-01;5", "Ligne 2 : « 2026-13-01 » n'est pas une date"),
        ("Date;Montant\n2026-10-01;dix", "Ligne 2 : « dix » n'est pas un montant"),
        ("Date;Montant\n2026-10-01;25.000", "Ligne 2 : « 25.000 » se lit 25000 ou 25"),
        ("Date;Montant\n2026-10-01;1E+9", "Ligne 2 :"),
        (CAMT.replace("<Amt Ccy=\"XOF\">500", "<Amt Ccy=\"XOF\">NaN"), "n'est pas un montant"),
        (CAMT[:900], "lisible"),
        (XML + "<Document/>", "n'a pas de relevé"),
        (XML + '<!DOCTYPE a [<!ENTITY x "y">]><a>&x;</a>', "lisible"),
        (XML + f'<!DOCTYPE a [<!ENTITY b0 "ha">{LAUGHS}]><a>&b8;</a>', "lisible"),
        (XML + '<!DOCTYPE a SYSTEM "file:///etc/passwd"><a/>', "lisible"),
        (OFX.replace("<OFX>", '<OFX><!ENTITY x "y">'), "lisible"),
        (OFX.replace("20261002120000[0:GMT]", "le 2"), "n'est pas une date"),
        (MT940.replace(":61:261002", ":61:26x002"), "lisible"),
        ("<a>" * 1_900_000, "lisible"),
        ("<a/>" * 2_600_000, "trop long"),
        ("<OFX>" + "<A><![CDATA[" * 800_000, "lisible"),
        ("<OFX>" + "<A>" * 1_900_000, "lisible"),
        ("<OFX>" + "<STMTRS>" * 20 + "<STMTTRN/>" * 50_000 + "</STMTRS>" * 20 + "</OFX>", "lisible"),
        ("<OFX><STMTRS>" + "<STMTTRN>" * 50 + "<NAME>x" * 100_000 + "</STMTTRN>" * 50 + "</STMTRS></OFX>", "lisible"),
        ("<OFX><STMTRS>" + "<STMTTRN/>" * 900_000 + "</STMTRS></OFX>", "trop long"),
        ("<OFX>" + "<STMTRS/>" * 900_000 + "</OFX>", "trop long"),
        ("<A><B><BkToCstmrStmt><Stmt>" + "<Ntry/>" * 1_400_000, "trop long"),
        ("<A><B><BkToCstmrStmt>" + "<Stmt/>" * 1_400_000, "trop long"),
        (":20:X\n:25:1\n:86:" + "x" * (10 << 20), "trop long"),
        (":20:X\n:25:1\n" * 800_000, "trop long"),
        (":20:X\n:25:1\n" + ":99:\n" * 2_000_000, "trop long"),
        (b"\0" * (10 << 20), "ni un classeur"),
    ],
)  # fmt: skip
def test_a_file_that_is_no_statement_is_refused_with_what_to_do(http, db, content, message):
    began = time.process_time()
    try:
        parsed(http, content)
    except Failure as problem:
        text = str(problem)
    else:  # the file is read, and SQL refuses what is in it
        content = content if isinstance(content, bytes) else content.encode()
        answer = sent(http.as_admin(), compte(db), content)
        assert refusal(answer) == (400, "RELEVE_ILLISIBLE")
        text = answer.json()["message"]
    assert message in text
    assert time.process_time() - began < 20  # of the processor: files made to harm take less than a second each


def test_workbooks_made_to_harm_are_measured_first(http, db):
    bomb = io.BytesIO()
    with zipfile.ZipFile(bomb, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("xl/workbook.xml", b" " * (201 << 20))
    with pytest.raises(Failure, match="décompressé"):
        parsed(http, bomb.getvalue())
    with pytest.raises(Failure, match="colonnes"):
        parsed(http, sheets.workbook(["Date", *[""] * 300, "Montant"]))
    answer = sent(http.as_admin(), compte(db), b"x" * ((10 << 20) + 1))
    assert (answer.status_code, answer.json()["code"]) == (413, "CORPS_TROP_GRAND")
    assert statement.LINES == 100_000
