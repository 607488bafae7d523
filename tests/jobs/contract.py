"""The request bodies of this slice, which the house tests compare with the API, and the rows of its examples."""

from tests import builders
from tests.conftest import Db
from tests.witness import Witness

BODIES = {
    "GenererEcheancesDto": "| jusqu_au",
    "RestaurerSauvegardeDto": "confirmation |",
    "MajPlanificationDto": "frequence | heure active activee",
}


def make(db: Db, witness: Witness, keys: dict[str, str]) -> None:
    keys["id_sauvegarde"] = str(builders.sauvegarde(db))
