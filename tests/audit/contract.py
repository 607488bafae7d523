"""What the house tests hold this slice to: the bodies of its clients, and what an example alone does not make."""

from __future__ import annotations

from tests.conftest import Db
from tests.witness import Witness

# Required fields, then the optional ones after a bar.
BODIES = {
    "MasquerDonneesDto": "donnees |",
}


def make(db: Db, witness: Witness, known: dict[str, str]) -> None:
    """Add one real thing for keys of paths and bodies."""
    known["attendu"] = witness.make("/api/v1/audit/sceller", known)["empreinte"]
