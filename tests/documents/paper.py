"""Helpers that read an HTML page, and a PDF with poppler and zbar, where installed."""

from __future__ import annotations

import html
import re
import shutil
import struct
import subprocess
import zlib
from dataclasses import dataclass
from html.parser import HTMLParser
from pathlib import Path

import pytest

SQUARE = 16  # pixels


def tool(name: str) -> str:
    path = shutil.which(name)
    if path is None:
        pytest.skip(f"{name} is not installed (poppler-utils, zbar-tools)")
    return path


def text(pdf: bytes) -> str:
    """Return the text of all pages. Each run of spaces and line ends becomes one space."""
    out = subprocess.run([tool("pdftotext"), "-", "-"], input=pdf, capture_output=True, check=True).stdout
    return " ".join(out.decode().split())


def pages(pdf: bytes) -> list[str]:
    """Return the text of each page, in lines."""
    out = subprocess.run([tool("pdftotext"), "-layout", "-", "-"], input=pdf, capture_output=True, check=True).stdout
    return out.decode().removesuffix("\f").split("\f")


@dataclass(frozen=True)
class Word:
    """A word where it is printed, in points from the upper left corner of its page."""

    page: int
    left: float
    top: float
    right: float
    bottom: float
    text: str

    def covers(self, other: Word) -> bool:
        """Whether both are on one line and share more than the edge of a letter."""
        across = min(self.right, other.right) - max(self.left, other.left)
        down = min(self.bottom, other.bottom) - max(self.top, other.top)
        return across > 1 and down > min(self.bottom - self.top, other.bottom - other.top) / 2


def words(pdf: bytes) -> list[Word]:
    out = subprocess.run([tool("pdftotext"), "-bbox", "-", "-"], input=pdf, capture_output=True, check=True).stdout
    box = r'<word xMin="(.*?)" yMin="(.*?)" xMax="(.*?)" yMax="(.*?)">(.*?)</word>'
    return [
        Word(number, *map(float, edges), html.unescape(text))
        for number, page in enumerate(out.decode().split("</page>"), 1)
        for *edges, text in re.findall(box, page)
    ]


def misplaced(pdf: bytes, margin: float = 16) -> list[str]:
    """The words that another one covers or that leave the page inside its margins, in millimetres."""
    left, right = margin / 25.4 * 72 - 1, (sizes(pdf).width - margin) / 25.4 * 72 + 1
    printed = sorted(words(pdf), key=lambda word: (word.page, word.top))
    wrong = [word.text for word in printed if word.left < left or word.right > right]
    for rank, word in enumerate(printed):
        for other in printed[rank + 1 :]:
            if other.page != word.page or other.top > word.bottom:
                break
            if word.covers(other):
                wrong.append(f"{word.text} / {other.text}")
    return wrong


def page_text(page: str) -> str:
    """The text of an HTML page, without the text of its pictures. Words that only a span cuts stay whole."""
    body = re.sub(r"<(style|svg|title)\b.*?</\1>", " ", page, flags=re.DOTALL)
    return html.unescape(re.sub("<[^>]*>", " ", re.sub(r"</?(?:span|bdi)\b[^>]*>", "", body)))


def broken(page: str, pdf: bytes) -> list[str]:
    """The words of an HTML page that its PDF does not print whole."""
    return sorted({*page_text(page).split()} - {word.text for word in words(pdf)})


def fonts(pdf: bytes, folder: Path) -> set[str]:
    """Return the families of the fonts, without their subset and weight."""
    file = folder / "document.pdf"
    file.write_bytes(pdf)
    out = subprocess.run([tool("pdffonts"), str(file)], capture_output=True, check=True).stdout.decode()
    return {line.split()[0].partition("+")[2].partition("-")[0] for line in out.splitlines()[2:]}


class Html(HTMLParser):
    """The texts, tags and addresses of an HTML page."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.text: list[str] = []
        self.tags: set[str] = set()
        self.addresses: list[str] = []
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)
        self.addresses += [value or "" for name, value in attrs if name in ("src", "href", "srcset")]

    def handle_data(self, data: str) -> None:
        if self.lasttag != "style" and data.strip():
            self.text.append(data.strip())


@dataclass(frozen=True)
class Sizes:
    pages: int
    width: float  # millimetres
    height: float


def sizes(pdf: bytes) -> Sizes:
    """Return the number of pages and the size of the first page."""
    out = subprocess.run([tool("pdfinfo"), "-"], input=pdf, capture_output=True, check=True).stdout.decode()
    pages = re.search(r"Pages:\s+(\d+)", out)
    size = re.search(r"Page size:\s+([\d.]+) x ([\d.]+) pts", out)
    assert pages and size, out
    return Sizes(int(pages[1]), float(size[1]) / 72 * 25.4, float(size[2]) / 72 * 25.4)


def qr(pdf: bytes, folder: Path) -> str:
    """Return the text of the QR code on the first page."""
    reader = tool("zbarimg")
    image = folder / "page.pgm"
    image.write_bytes(_pgm(pdf, 200))
    return subprocess.run([reader, "-q", "--raw", str(image)], capture_output=True, check=True).stdout.decode().strip()


@dataclass(frozen=True)
class Image:
    width: int
    height: int
    grey: bytes

    def difference(self, other: Image) -> float:
        """Return the mean absolute difference, 0 to 255, of the square where the images differ most.

        A mean over the whole page would not show a missing word.
        """
        if abs(self.width - other.width) > 1 or abs(self.height - other.height) > max(2, self.height * 0.02):
            return 255.0
        wide, high = min(self.width, other.width), min(self.height, other.height)
        totals: dict[tuple[int, int], int] = {}
        for y in range(high):
            for x in range(wide):
                square = (x // SQUARE, y // SQUARE)
                delta = abs(self.grey[y * self.width + x] - other.grey[y * other.width + x])
                totals[square] = totals.get(square, 0) + delta
        return max(totals.values()) / SQUARE**2


def page(pdf: bytes, dpi: int = 40) -> Image:
    """Return the first page in grey, each pixel the mean of nine: this hides the hinting of other font versions."""
    header = re.match(rb"P5\s+(\d+)\s+(\d+)\s+255\s", raw := _pgm(pdf, dpi))
    assert header, raw[:20]
    width, height, grey = int(header[1]), int(header[2]), raw[header.end() :]
    return _blurred(Image(width, height, grey))


def _blurred(image: Image) -> Image:
    w, h, g = image.width, image.height, image.grey
    out = bytearray(g)
    for y in range(1, h - 1):
        for x in range(1, w - 1):
            i = y * w + x
            out[i] = (sum(g[i - w - 1 : i - w + 2]) + sum(g[i - 1 : i + 2]) + sum(g[i + w - 1 : i + w + 2])) // 9
    return Image(w, h, bytes(out))


def _pgm(pdf: bytes, dpi: int) -> bytes:
    command = [tool("pdftoppm"), "-r", str(dpi), "-f", "1", "-l", "1", "-gray", "-"]
    return subprocess.run(command, input=pdf, capture_output=True, check=True).stdout


# ---- PNG for grey images only


def write_png(path: Path, image: Image) -> None:
    rows = b"".join(b"\0" + image.grey[y * image.width : (y + 1) * image.width] for y in range(image.height))
    parts = [(b"IHDR", struct.pack(">IIBBBBB", image.width, image.height, 8, 0, 0, 0, 0))]
    parts += [(b"IDAT", zlib.compress(rows, 9)), (b"IEND", b"")]
    body = b"".join(
        struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data)) for kind, data in parts
    )
    path.write_bytes(b"\x89PNG\r\n\x1a\n" + body)


def read_png(path: Path) -> Image:
    """Read an image that write_png wrote."""
    raw = path.read_bytes()
    width, height = struct.unpack(">II", raw[16:24])
    length = struct.unpack(">I", raw[33:37])[0]
    rows = zlib.decompress(raw[41 : 41 + length])
    return Image(width, height, b"".join(rows[y * (width + 1) + 1 : (y + 1) * (width + 1)] for y in range(height)))
