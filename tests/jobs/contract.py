"""What the house tests hold this slice to: the bodies of its clients, and what an example alone does not make."""

from __future__ import annotations

from tests import builders
from tests.conftest import Db
from tests.witness import Witness

# Required fields, then the optional ones after a bar.
BODIES = {
    "GenererEcheancesDto": "| jusqu_au",
    "RestaurerSauvegardeDto": "confirmation |",
    "MajPlanificationDto": "frequence | heure active activee",
}


def make(db: Db, witness: Witness, known: dict[str, str]) -> None:
    """Add one real thing for keys of paths and bodies."""
    known["id_sauvegarde"] = str(builders.sauvegarde(db))
