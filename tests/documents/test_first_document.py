"""The first document of a process imports libraries and starts a browser. Other requests must not wait for that."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from tests.documents import browsers

# Prints the longest turn of the event loop in milliseconds: processor time, because another program may run in between.
SCRIPT = """
import asyncio, resource
import app.application
from app.documents import printing
from app.documents.renderer import Renderer
from tests.documents.fixed import DOCUMENTS

def processor():
    return sum(resource.getrusage(resource.RUSAGE_THREAD)[:2])

async def main():
    turns = []
    async def watch():
        while True:
            before = processor()
            await asyncio.sleep(0.001)
            turns.append(processor() - before)
    watching = asyncio.create_task(watch())
    renderer = Renderer(None)
    document = await printing.pdf(renderer, *DOCUMENTS["facture"])
    assert document.body.startswith(b"%PDF")
    watching.cancel()
    await renderer.close()
    print(max(turns) * 1000)

asyncio.run(main())
"""


def test_the_first_document_does_not_hold_the_event_loop() -> None:
    browsers.needed()
    root = Path(__file__).parents[2]
    out = subprocess.run([sys.executable, "-c", SCRIPT], cwd=root, capture_output=True, text=True, check=True).stdout
    assert float(out) < 30, out
