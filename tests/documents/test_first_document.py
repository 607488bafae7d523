"""The first document of a process imports libraries and starts a browser. Other requests must not wait for that."""

import subprocess
import sys
from pathlib import Path

from tests.documents import browsers

# Prints the modules that the thread of the event loop imports, then the number that other threads import.
SCRIPT = """
import asyncio, sys, threading
import app.commands.application
from app.documents import printing
from app.documents.renderer import Renderer
from tests.documents.fixed import DOCUMENTS

class Imports:
    def __init__(self):
        self.on_loop, self.elsewhere = [], []
    def find_spec(self, name, path=None, target=None):
        (self.on_loop if threading.current_thread() is threading.main_thread() else self.elsewhere).append(name)

async def main():
    imports = Imports()
    sys.meta_path.insert(0, imports)
    renderer = Renderer(None)
    document = await printing.document(renderer, "pdf", *DOCUMENTS["facture"], "http://essai")
    assert document.body.startswith(b"%PDF")
    await renderer.close()
    print(imports.on_loop, len(imports.elsewhere))

asyncio.run(main())
"""


def test_the_first_document_does_not_hold_the_event_loop() -> None:
    browsers.needed()
    root = Path(__file__).parents[2]
    out = subprocess.run([sys.executable, "-c", SCRIPT], cwd=root, capture_output=True, text=True, check=True).stdout
    on_loop, elsewhere = out.rsplit(maxsplit=1)
    assert on_loop == "[]" and int(elsewhere) > 50
