"""Data to HTML: the templates of templates/, and their filters for amounts, dates and codes."""

import base64
import io
import re
from decimal import Decimal
from pathlib import Path
from typing import Any

import segno
from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup, escape
from num2words import num2words

from app.database.words import label
from app.documents.texts import long_date, month, number, plain_amount, recorded, short_date, typographic

HERE = Path(__file__).parent
CODE = re.compile(r"(?=.*\d)(?=.*-)[\w-]{1,16}")  # of a short reference
QUIET = 11  # white modules on each side of a barcode
CURRENCIES = dict.fromkeys(("FCFA", "XOF", "XAF"), ("franc CFA", "francs CFA")) | {"EUR": ("euro", "euros")}
# The files of fonts/: the subset in the file's name → the characters in the file.
ALPHABETS = {
    "latin": "U+0000-00FF,U+0131,U+0152-0153,U+02BB-02BC,U+02C6,U+02DA,U+02DC,U+2000-206F,U+20AC,U+2122,U+2212",
    "latin-ext": "U+0100-0130,U+0132-0151,U+0154-02BA,U+02BD-02C5,U+02C7-02CC,U+0304,U+0308,U+1E00-1EFF,U+20A0-20AB",
}


def amount(value: Any, currency: str = "") -> Markup:
    """`95 000 FCFA`. Its CSS class keeps it on one line, so its spaces are plain and can be copied."""
    digits = plain_amount(value).replace("\N{NO-BREAK SPACE}", " ")
    return Markup('<span class="montant">{}</span>').format(f"{digits} {currency}".strip())


def in_words(value: Any, currency: str) -> str:
    """`quatre-vingt-quinze mille francs CFA`."""
    whole = Decimal(str(value))
    units = int(whole)
    text = num2words(units, lang="fr")
    unit = CURRENCIES.get(currency, (currency, currency))[units > 1]
    if text.endswith(("million", "millions", "milliard", "milliards")):
        text += " d’" if unit.startswith("e") else " de "
    else:
        text += " "
    cents = int((whole - units) * 100)
    text = f"{text}{unit}".strip()
    return f"{text} et {num2words(cents, lang='fr')} centime{'s' if cents > 1 else ''}" if cents else text


def lines(text: str) -> Markup:
    """A text with `<br>` for its line ends."""
    return Markup("<br>").join(escape(text).splitlines())


def whole_codes(text: str) -> str:
    """A text whose short references, such as GSG-ME14-A, are not broken at their hyphens."""
    words = re.split("([ ,]+)", text)
    return Markup("").join(
        Markup('<span class="bref">{}</span>').format(word) if CODE.fullmatch(word) else word for word in words
    )


def qr_code(text: str) -> Markup:
    """A QR code as SVG."""
    out = io.BytesIO()
    segno.make(text, error="m", micro=False).save(
        out, kind="svg", xmldecl=False, svgns=False, border=0, omitsize=True, svgclass="qr", lineclass=None
    )
    return Markup(out.getvalue().decode())  # noqa: S704 - the SVG holds geometry, not the text


def bar_code(text: str) -> Markup:
    """A barcode as SVG: EAN-13 for thirteen digits, else Code 128. The narrowest bar is 0.33 mm wide."""
    import barcode  # only labels need it

    symbology = barcode.EAN13 if re.fullmatch("[0-9]{13}", text) else barcode.Code128
    modules = symbology(text).build()[0]
    bars = "".join(f"M{bar.start() + QUIET} 0h{len(bar[0])}v1h-{len(bar[0])}z" for bar in re.finditer("1+", modules))
    width = len(modules) + 2 * QUIET
    return Markup(
        '<svg class="barres" style="width:{}px" viewBox="0 0 {} 1" preserveAspectRatio="none"><path d="{}"/></svg>'
    ).format(width * 1.25, width, bars)


def css_text(text: Markup) -> str:
    """The text of a block for `content` in a style sheet. Every special character is escaped as its code point.

    CSS has no HTML entities, so the entities of the block (`&#39;` for an apostrophe) are unescaped first.
    """
    plain = typographic(text.unescape())
    return "".join(char if char.isalnum() or char == " " else f"\\{ord(char):x} " for char in plain)


def _faces(alphabet: str, characters: str) -> str:
    """The @font-face rules of an alphabet, with the font files in them."""
    faces = []
    for weight in (400, 600):
        file = HERE / f"fonts/source-sans-3-{alphabet}-{weight}-normal.woff2"
        data = base64.b64encode(file.read_bytes()).decode()
        faces.append(
            f"@font-face{{font-family:'Source Sans 3';font-weight:{weight};font-display:block;"
            f"src:url(data:font/woff2;base64,{data}) format('woff2');unicode-range:{characters}}}"
        )
    return "\n".join(faces)


def _pattern(ranges: str) -> re.Pattern[str]:
    """A pattern for the characters of a CSS unicode-range."""
    escaped = re.sub("[0-9A-F]{4}", r"\\u\g<0>", ranges)
    return re.compile(f"[{escaped.replace('U+', '').replace(',', '')}]")


# Chromium reads every font of a page, used or not. Without the extended alphabet, which few documents need, an invoice
# takes three quarters of the time.
_FONTS = [(_pattern(characters), _faces(alphabet, characters)) for alphabet, characters in ALPHABETS.items()]


def _fonts(data: Any) -> Markup:
    """The rules of the alphabets that the data of a document need."""
    text = str(data)
    faces = [rules for characters, rules in _FONTS if characters.search(text)]
    return Markup("\n".join(faces))  # noqa: S704 - constants of this module


def _printed(value: Any) -> Any:
    """The value as a template prints it. A plain apostrophe of markup is a quote in CSS or SVG, so it stays."""
    if isinstance(value, Markup):
        return value.replace("&#39;", "’")
    return typographic(value) if isinstance(value, str) else value


_ENVIRONMENT = Environment(
    loader=FileSystemLoader(HERE / "templates"),
    autoescape=True,
    undefined=StrictUndefined,
    trim_blocks=True,
    lstrip_blocks=True,
    finalize=_printed,
)
_ENVIRONMENT.filters |= {
    "montant": amount,
    "nombre": number,
    "en_lettres": in_words,
    "date_longue": long_date,
    "date_courte": short_date,
    "mois": month,
    "journal": recorded,
    "lignes": lines,
    "codes": whole_codes,
    "libelle": label,
    "qr": qr_code,
    "barres": bar_code,
    "css": css_text,
}


def render(template: str, data: Any, site: str = "") -> str:
    """Render a document. In the template, `d` is the answer of the operation, `site` the service's public address."""
    return _ENVIRONMENT.get_template(template).render(d=data, polices=_fonts(data), site=site)
