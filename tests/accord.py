"""Compares the reports: for the same days, every report must give the same sum under the same word."""

from collections import defaultdict
from decimal import Decimal
from typing import Any

from tests.conftest import Db

TRADES = {
    "VENTE_MARCHANDISES": ("market", None), "PRESSING": ("pressing", "chiffre_affaires_mois"),
    "RESTAURATION": ("restaurant", None), "SALLE_FETE": ("salle_fete", None),
}  # fmt: skip


def disagreements(db: Db, du: str, au: str) -> list[str]:
    """Return a line for each word under which two reports of these days differ, with the sum of each report."""
    by_word = _money(db, du, au) | _turnover(db, du, au) | _owed(db, du, au)
    return [f"{word} : {sums}" for word, sums in by_word.items() if len(set(sums.values())) > 1]


def _one(db: Db, call: str, *values: Any) -> Any:
    return db.one(f"select to_jsonb(x) from {call} x", list(values))


def _all(db: Db, call: str, *values: Any) -> list[Any]:
    return [row["x"] for row in db.all(f"select to_jsonb(x) as x from {call} x", list(values))]


def _sum(rows: Any, name: str) -> Decimal:
    return sum((Decimal(str(row[name])) for row in rows), Decimal(0)).quantize(Decimal("0.01"))


def _money(db: Db, du: str, au: str) -> dict[str, dict[str, Decimal]]:
    by_word: dict[str, dict[str, Decimal]] = defaultdict(dict)

    def add(report: str, rows: Any, **names: str) -> None:
        for word, name in names.items():
            by_word[word][report] = _sum(rows, name)

    flows = {word: word for word in ("encaissements", "decaissements", "depenses", "sorties", "solde")}
    for pas in ("jour", "semaine", "mois"):
        add(f"series {pas}", _all(db, f"rapports.series(%s, %s, '{pas}')", du, au), **flows)
    days = "(select * from rapports.mouvement_jour_vue where jour between %s and %s)"
    add("mouvement_jour_vue", _all(db, days, du, au), **flows)
    board = _all(db, "rapports.tableau_de_bord(%s, %s)", du, au)
    add("tableau par activité", [row for row in board if row["code"] != "TOTAL"], **flows)
    add("tableau, total", [row for row in board if row["code"] == "TOTAL"], **flows)
    finances = _all(db, "finances.tableau_de_bord(%s, %s)", du, au)
    add("finances.tableau_de_bord", finances, **(flows | {"solde": "marge_nette"}))
    consolidation = _one(db, "finances.consolidation(%s, %s)", du, au)
    add("consolidation", consolidation["par_activite"], **flows)
    add("consolidation, total", [consolidation["total"]], **flows)
    summary = _one(db, "rapports.synthese_globale(%s, %s)", du, au)
    names = {"encaissements": "total_recettes", "decaissements": "total_decaissements", "depenses": "total_depenses"}
    add("synthese", [summary], **names, sorties="total_sorties", solde="solde")
    add("synthese par activité", summary["recettes_par_activite"], encaissements="total_encaisse")
    finances = [_one(db, "rapports.dashboard(%s, %s)", du, au)["finances"]]
    names = {"encaissements": "recettes_mois"} | {name: f"{name}_mois" for name in flows if name != "encaissements"}
    add("dashboard", finances, **names)
    financial = _one(db, "rapports.financier(%s, %s)", du, au)
    for word in ("encaissements", "decaissements", "depenses"):
        add("financier", financial[word], **{word: "montant"})
    users = _all(db, "finances.paiements_par_utilisateur(%s, %s)", du, au)
    add("par utilisateur", users, encaissements="encaissements", decaissements="decaissements")
    for row in board:
        if row["code"] not in ("TOTAL", "SANS_ACTIVITE"):
            activity = _one(db, "rapports.activite(%s, %s, %s)", row["code"], du, au)
            word = f"recettes de {row['code']}"
            by_word[word] = {"activite": _sum([activity], "recettes"), "tableau": _sum([row], "encaissements")}
    return by_word


def _turnover(db: Db, du: str, au: str) -> dict[str, dict[str, Decimal]]:
    board = _all(db, "rapports.tableau_de_bord(%s, %s)", du, au)
    whole = _one(db, "rapports.dashboard(%s, %s)", du, au)
    by_word = {
        "chiffre d'affaires": {
            "dashboard": _sum([whole["finances"]], "chiffre_affaires_global_mois"),
            "tableau": _sum([row for row in board if row["code"] == "TOTAL"], "montant_factures"),
            "tableau par activité": _sum([row for row in board if row["code"] != "TOTAL"], "montant_factures"),
            "finances.tableau_de_bord": _sum(_all(db, "finances.tableau_de_bord(%s, %s)", du, au), "montant_factures"),
        }
    }
    for code, (part, name) in TRADES.items():
        own = _one(db, f"rapports.dashboard(%s, %s, '{code}')", du, au)
        sums = {
            "activite": _sum([_one(db, "rapports.activite(%s, %s, %s)", code, du, au)["indicateurs"]], "ca"),
            "dashboard, finances": _sum([own["finances"]], "chiffre_affaires_global_mois"),
            "tableau": _sum([row for row in board if row["code"] == code], "montant_factures"),
        }
        if name:
            sums["dashboard"] = _sum([own[part]], name)
            sums["dashboard de l'entreprise"] = _sum([whole[part]], name)
        by_word[f"chiffre d'affaires de {code}"] = sums
        if part in ("market", "restaurant"):
            day = _one(db, f"rapports.dashboard(%s, %s, '{code}')", au, au)
            by_word[f"chiffre d'affaires du jour de {code}"] = {
                "dashboard": _sum([day[part]], "chiffre_affaires_aujourd_hui"),
                "dashboard, finances": _sum([day["finances"]], "chiffre_affaires_global_mois"),
            }
    return by_word


def _owed(db: Db, du: str, au: str) -> dict[str, dict[str, Decimal]]:
    rows = _all(db, "(select * from rapports.impaye_vue where date_echeance between %s and %s)", du, au)
    rents = _all(db, "(select * from finances.impaye_vue where type = 'LOYER' and date_echeance <= core.aujourdhui())")
    today = _one(db, "rapports.dashboard()")
    return {
        "impayés": {
            "synthese": _sum([_one(db, "rapports.synthese_globale(%s, %s)", du, au)["impayes"]], "montant"),
            "financier": _sum(_one(db, "rapports.financier(%s, %s)", du, au)["impayes"], "reste"),
            "impaye_vue": _sum(rows, "reste"),
        },
        "loyers en retard": {
            "synthese": _sum([_one(db, "rapports.synthese_globale()")["residence"]["impayes"]], "montant"),
            "dashboard": _sum([today["residence"]], "impayes"),
            "impaye_vue": _sum(rents, "reste"),
        },
        "stock en alerte": {
            "synthese": Decimal(len(_one(db, "rapports.synthese_globale()")["market"]["stock"]["alertes"])),
            "dashboard": Decimal(today["market"]["stock"]["en_alerte"]),
        },
        "linge en cours": {
            "synthese": Decimal(_one(db, "rapports.synthese_globale()")["pressing"]["commandes_en_cours"]),
            "dashboard": Decimal(today["pressing"]["commandes_en_cours"]),
        },
    }
