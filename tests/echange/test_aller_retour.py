"""A list exported as a file is a sheet to import: export, an empty base, import, and the same export again."""

import csv
import io

import pytest
from openpyxl import load_workbook

from app.database.words import label
from tests import builders
from tests.sheets import counts, done
from tests.witness import undone

# In the order in which one needs the other. Columns that the base gives or computes, and ids of another
# base, are not compared.
LISTS = {
    "clients": ("/client/clients", {"photo"}),
    "fournisseurs": ("/market/fournisseurs", {"date_creation"}),
    "produits": ("/market/produits", set()),
    "batiments": ("/residence/batiments", set()),
    "logements": ("/residence/logements", set()),
    "contrats": ("/residence/contrats", {"numero_contrat"}),
    "employes": ("/rh/employes", set()),
    "plats": ("/restaurant/plats", {"image_url"}),
    "prestations": ("/facturation/prestations", set()),
}


def exported(admin, path, file_format):
    answer = admin.get(path, params={"format": file_format, "sort": "", "order": ""})
    assert answer.status_code == 200, answer.text
    return answer.content


def rows(content, file_format, ignored):
    if file_format == "csv":
        lines = list(csv.reader(io.StringIO(content.decode("utf-8-sig")), delimiter=";"))
    else:
        book = load_workbook(io.BytesIO(content))
        lines = [["" if value is None else str(value) for value in line] for line in book.active.values]
    header, *body = lines
    ignored = {*ignored, *map(label, ignored)}
    ids = ("id_", "date_enr", "Identifiant ", "Date enr")
    kept = [n for n, name in enumerate(header) if name not in ignored and not name.startswith(ids)]
    return sorted(({header[n]: line[n] for n in kept} for line in body), key=lambda row: list(row.values()))


def fill(db):
    """Uneven rows: texts that look like formulas, separators, decimals, leases from the middle of a month."""
    first = builders.client(db, nom="=SOMME(A1)", prenoms="Awa; Rose", adresse='12, rue "B"\nprès du marché')
    builders.client(db, nom="'+Koffi", prenoms="N'Guessan", tel_principal="+2250701020304", sexe="F")
    supplier = db.call("market.fournisseur_creer", nom="@Savonnerie", telephone="+2250501020304")["id_fournisseur"]
    builders.produit(
        db, stock="12.50", prix="1234.55", nom="Savon 1/2 kg", date_entree="2026-01-05", id_fournisseur=supplier
    )
    tower = builders.batiment(db, nom="Tour-Est")
    rooms = [builders.logement(db, id_batiment=tower, numero=f"00{n}") for n in (1, 2)]
    builders.contrat(db, id_client=first, id_logement=rooms[0], date_debut="2026-03-17", montant_loyer="95000.50")
    builders.employe(db, salaire_base="181250.50")
    builders.plat(db, prix="3500.25")
    builders.prestation(db, prix="99.95", libelle="-Remise de clés")


@pytest.mark.parametrize("file_format", ["csv", "xlsx"])
def test_exported_lists_are_imported_into_an_empty_base(http, db, file_format):
    admin = http.as_admin()
    files = {}
    with undone(db):
        fill(db)
        db.acting(None)
        for entity, (path, _) in LISTS.items():
            files[entity] = exported(admin, path, file_format)
    for entity, (_, ignored) in LISTS.items():
        answer = done(admin, files[entity], entity)
        count = len(rows(files[entity], file_format, ignored))
        assert count and counts(answer) == (count, 0, 0), (entity, answer["erreurs"], answer["colonnes"])
    for entity, (path, ignored) in LISTS.items():
        again = exported(admin, path, file_format)
        assert rows(again, file_format, ignored) == rows(files[entity], file_format, ignored), entity
