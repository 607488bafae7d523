"""Helpers that read an HTML page, and a PDF with poppler and zbar, where installed."""

from __future__ import annotations

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
