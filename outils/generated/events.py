"""The table of the types of events in docs/evenements.md."""

from __future__ import annotations

from app.database.catalogue import Catalogue

MARK = "Ne pas modifier la suite. -->\n"


def document(before: str, catalogue: Catalogue) -> str:
    """The page, with its table of types written again."""
    lines = ["", "| Type | Permission | Ce qui le fait naître | Champs de `donnees` |", "|---|---|---|---|"]
    for event in catalogue.events:
        fields = ", ".join(f"`{attribute.name}`" for attribute in event.form.attributes)
        lines.append(f"| `{event.type}` | {event.permission} | {event.comment} | {fields} |")
    return before.partition(MARK)[0] + MARK + "\n".join(lines) + "\n"
