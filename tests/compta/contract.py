"""The request bodies of this slice, which the house tests compare with the API, and the rows of its examples."""

BODIES = {"MajCompteDto": "| compte libelle"}


def make(db, witness, keys):
    """A case, and a closed month that comes before everything else of the tests."""
    keys["cas"] = "CLIENTS"
    keys["compte"] = "571"
    keys["periode"] = witness.http.post("/compta/periodes/1999-01/cloturer").json()["periode"]
