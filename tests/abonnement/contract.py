"""What the house tests hold this slice to: the bodies of its clients."""

from __future__ import annotations

# Required fields, then the optional ones after a bar.
BODIES = {
    "CreerCategorieAbonnementDto": "libelle | description actif",
    "MajCategorieAbonnementDto": "| libelle description actif",
}
