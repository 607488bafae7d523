"""What the house tests hold this slice to: the bodies of its clients, and what an example alone does not make."""

from __future__ import annotations

from tests.conftest import Db
from tests.witness import Witness

# Required fields, then the optional ones after a bar.
BODIES = {
    "MasquerDonneesDto": "donnees |",
}


def make(db: Db, witness: Witness, keys: dict[str, str]) -> None:
    """Create the rows whose keys paths and bodies need, and add the keys to `keys`."""
    keys["attendu"] = witness.make("/api/v1/audit/sceller", keys)["empreinte"]
