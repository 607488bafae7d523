"""The request bodies of this slice, which the house tests compare with the API, and the rows of its examples."""

from tests import builders

BODIES = {
    "CreerCompteTresorerieDto": "libelle genre id_moyen | fournisseur identifiant id_activite actif",
    "MajCompteTresorerieDto": "| libelle genre fournisseur identifiant actif",
    "CoteVirementDto": "| id_caisse id_compte",
    "CreerVirementDto": "de vers montant | frais id_moyen reference date",
    "AnnulerVirementDto": "| motif",
    "AccesCompteDto": "cle | secret identifiant adresse adresse_jeton unite",
    "CreerDemandeDto": "id_compte montant | id_facture id_echeance id_charge telephone expire_le",
    "AnnulerDemandeDto": "| motif",
    "RapprocherLigneDto": "| id_paiements id_depense id_virement",
    "ConstaterLigneDto": "nature | id_facture id_activite id_categorie_depense id_caisse id_compte motif",
}


def make(db, witness, keys):
    account = {"libelle": "Banque", "genre": "BANQUE", "id_moyen": str(builders.moyen(db, "Virement")),
               "id_activite": keys["id_activite"]}  # fmt: skip
    keys["id_compte"] = witness.make("/api/v1/tresorerie/comptes", keys, account)["id_compte"]
    till = str(builders.caisse(db))
    builders.payer(db, "5000", id_caisse=till)
    deposit = {"de": {"id_caisse": till}, "vers": {"id_compte": keys["id_compte"]}, "montant": "1000", "frais": "5"}
    keys["id_virement"] = witness.make("/api/v1/tresorerie/virements", keys, deposit)["id_virement"]
    # An address that the service refuses before it connects: no example leaves this machine.
    phone = account | {"libelle": "Wave", "fournisseur": "WAVE", "id_moyen": str(builders.moyen(db, "Mobile Money"))}
    keys["id_compte"] = witness.make("/api/v1/tresorerie/comptes", keys, phone)["id_compte"]
    access = {"cle": "essai", "adresse": "https://127.0.0.1"}
    path = f"/api/v1/tresorerie/comptes/{keys['id_compte']}/acces"
    keys["tresorerie.jeton"] = witness.http.put(path, json=access).json()["url_avis"].rpartition("/")[2]
    bill = builders.facture(db, id_prestation=builders.prestation(db, id_activite=keys["id_activite"]))
    demand = {"id_compte": keys["id_compte"], "montant": "100", "id_facture": str(bill)}
    keys["id_demande"] = witness.make("/api/v1/tresorerie/demandes", keys, demand)["id_demande"]
    statement = {"files": {"file": ("releve.csv", b"Date;Libelle;Montant\n2026-01-02;Recu;5\n")}}
    path = f"/tresorerie/comptes/{keys['id_compte']}/releves"
    keys["id_releve"] = witness.http.request("POST", path, **statement).json()["id_releve"]
    keys["id_ligne"] = str(db.one("select max(id_ligne) from tresorerie.ligne"))
