"""Archives of the journal: closed months in the store, verified there, and put back."""

from app.base.leaf import Leaf

LEAF = Leaf(
    commands={
        "archive": (
            f"{__name__}.archive:archive",
            "mettre un mois clos du journal dans le stockage, le relire, le remettre",
        ),
    },
    before="sceau",
)
