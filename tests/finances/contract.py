"""The request bodies of this slice, which the house tests compare with the API, and the rows of its examples."""

from tests import builders
from tests.conftest import ok
from tests.hors_ligne.appareil import inscribe

BODIES = {
    "CreerPaiementDto": "montant id_moyen | id_activite id_caisse date motif reference id_facture",
    "MajPaiementDto": "| date id_moyen motif reference",
    "CreerDepenseDto": "montant id_categorie_depense libelle | date id_activite id_caisse justificatif id_compte",
    "MajDepenseDto": "| date montant id_categorie_depense id_activite libelle justificatif",
    "CreerCategorieDepenseDto": "libelle |",
    "MajCategorieDepenseDto": "| libelle",
    "CreerMoyenPaiementDto": "libelle | actif",
    "MajMoyenPaiementDto": "| libelle actif",
    "CreerCaisseDto": "libelle id_activite | actif",
    "MajActiviteDto": "| code_taxe",
    "MajCaisseDto": "| libelle actif",
    "OuvrirCaisseDto": "| fond_initial",
    "CreerTirageDto": "montant_compte | date id_caisse note motif",
    "FermerCaisseDto": "| motif",
    "CreerAppareilDto": "libelle |",
    "RevoquerAppareilDto": "| motif",
    "LotDto": "id_appareil operations | derniere_sequence",
    "ReprendreExceptionDto": "motif | corps instant",
    "AbandonnerExceptionDto": "motif |",
}


def make(db, witness, keys):
    keys["id_caisse"] = str(builders.caisse(db))
    keys["id_utilisateur"] = str(builders.utilisateur(db, caisse=int(keys["id_caisse"])))
    money = {"montant": "1000", "id_caisse": keys["id_caisse"]}
    paid = money | {"id_moyen": keys["id_moyen"], "id_facture": keys["id_facture"]}
    keys["id_paiement"] = witness.make("/api/v1/finances/paiements", keys, paid)["id_paiement"]
    kind = witness.make("/api/v1/finances/categories-depenses", keys, {"libelle": "Essai"})
    keys["id_categorie_depense"] = kind["id_categorie_depense"]
    spent = money | {"libelle": "Lessive", "id_categorie_depense": keys["id_categorie_depense"]}
    keys["id_depense"] = witness.make("/api/v1/finances/depenses", keys, spent)["id_depense"]
    device = inscribe(witness.http, keys["id_caisse"])
    device.do("POST", "/client/clients", {})
    device.send()
    keys["id_appareil"] = device.id
    [refused] = ok(device.read("/exceptions"))
    keys["id_exception"] = refused["id_exception"]
    count = {"montant_compte": "1", "id_caisse": keys["id_caisse"]}
    keys["id_tirage"] = witness.make("/api/v1/finances/tirages", keys, count)["id_tirage"]
