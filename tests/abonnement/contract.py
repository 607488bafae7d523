"""The request bodies of this slice, which the house tests compare with the API."""

from __future__ import annotations

# Required fields, then optional fields after a bar.
BODIES = {
    "CreerCategorieAbonnementDto": "libelle | description actif",
    "MajCategorieAbonnementDto": "| libelle description actif",
}
