"""The request bodies of this slice, which the house tests compare with the API, and the rows of its examples."""

BODIES = {
    "MajCompteDto": "| compte libelle",
    "CreerOperationDto": "date libelle lignes | id_activite",
    "CreerANouveauxDto": "date lignes | libelle",
    "LigneOperationDto": "compte | libelle debit credit",
    "AnnulerOperationDto": "| motif",
}


def make(db, witness, keys):
    """A case, and a closed month that comes before everything else of the tests."""
    keys["cas"] = "CLIENTS"
    keys["compte"] = "571"
    keys["periode"] = witness.http.post("/compta/periodes/1999-01/cloturer").json()["periode"]
    lines = [{"compte": "521", "debit": "10"}, {"compte": "771", "credit": "10"}]
    made = {"date": str(db.today()), "libelle": "Intérêts", "lignes": lines}
    keys["id_operation"] = witness.make("/api/v1/compta/operations", keys, made)["id_operation"]
    keys["annee"] = "1999"
