"""Many organisations on many servers, served by one process. Each is a database (docs/decisions/0067).

It may import: every room. Its folder may be absent: the process then serves the organisation of DATABASE_URL.

- **Organisation.** One database; the registry, a database of its own, gives its host names, server, state and version.
  One process serves all that have its release. `migrations/annuaire/`, `directory.py`, `registry.py`
- **Services of an organisation.** What a request uses that belongs to one organisation: opened at the first request,
  closed when idle. The rest is shared. `serving.py`, `application.py`
- **Turn.** The worker of many organisations looks after one queue at a time in each of four places. `rounds.py`
- **Operator.** Organisations are made from a template, moved, upgraded and removed by commands. `making.py`,
  `moving.py`, `upgrading.py`, `removal.py`
"""

from app.base.leaf import Leaf
from app.leaves.organisations import commandline

LEAF = Leaf(
    commands={
        "organisation": (
            f"{__name__}.commands:organisation",
            "créer, lister, suspendre, déplacer, supprimer des organisations (ANNUAIRE_URL)",
        ),
        "serveur": (f"{__name__}.commands:server", "ajouter, lister, retirer les serveurs de l'annuaire"),
        "pgbouncer": (
            f"{__name__}.pgbouncer:pgbouncer",
            "écrire la section [databases] de PgBouncer depuis l'annuaire",
        ),
    },
    before="check",
    options={"": commandline.chosen_option, "migrate": commandline.migrate_options},
    hook=commandline.run,
)
