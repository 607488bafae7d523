"""Exchange: sheets whose rows become rows of the business, and the whole business in a folder of files, and back.

It offers: `whole.writing.export`, for the archive of an organisation.

- **Import.** A sheet whose rows run through the real operation, each in a savepoint. Its trial is the same function,
  undone. A type of `sql/echange/` is a row of an entity: its columns and their comments make the model, the check and
  the columns that are recognised. `sql/echange/_passer.sql`, `sheets/reading.py`
- **Whole export.** The tables as CSV, the documents as PDF and the files, from one snapshot (docs/decisions/0063).
  `whole/writing.py`, `whole/reading.py`
"""

from app.base.leaf import Leaf

LEAF = Leaf(
    commands={
        "export": (
            f"{__name__}.whole.writing:run",
            "écrire toute l'entreprise dans un dossier : tables en CSV, documents en PDF, fichiers",
        ),
        "import": (
            f"{__name__}.command:run",
            "importer une feuille (.xlsx, .csv), ou remettre un export dans une base neuve",
        ),
    },
    before="cle",
    routes={"echange": f"{__name__}.routes", "a_nouveaux": f"{__name__}.routes.opening"},
)
