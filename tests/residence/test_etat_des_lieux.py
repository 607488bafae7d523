"""Photos of move-in and move-out: the rows."""

from tests import builders
from tests.conftest import refused

CLE = "etat-lieux/1-0b7f9d4e-2c1a-4f7e-9a54-6d2f3a1b8c90.jpg"


def ajouter(db, contrat, **fields):
    fields = {"type": "ENTREE", "cle_objet": CLE} | fields
    return db.call("residence.etat_des_lieux_ajouter", id_contrat=contrat, **fields)


def lister(db, contrat, **filters):
    return db.rows("residence.etat_des_lieux_lister", id_contrat=contrat, **filters)


def test_photos_are_added_listed_and_deleted(db):
    contrat, other = builders.contrat(db), builders.contrat(db)
    user = builders.utilisateur(db, role="RESPONSABLE_RESIDENCE")
    db.acting(user)
    sortie = ajouter(db, contrat, type="SORTIE", piece="Cuisine", commentaire="Évier fendu")
    entree = ajouter(db, contrat)
    ajouter(db, other)
    assert (entree["id_contrat"], entree["id_utilisateur"], entree["piece"]) == (contrat, user, None)
    assert lister(db, contrat) == [entree, sortie]
    assert lister(db, contrat, type="SORTIE") == lister(db, contrat, recherche="evier") == [sortie]
    db.call("residence.etat_des_lieux_supprimer", id_photo=sortie["id_photo"])
    assert lister(db, contrat) == [entree]
    with refused("NOT_FOUND", status=404):
        db.call("residence.etat_des_lieux_supprimer", id_photo=sortie["id_photo"])
    with refused("NOT_FOUND", status=404):
        lister(db, 987654321)


def test_an_invalid_photo_is_refused(db):
    contrat = builders.contrat(db)
    for key, fields, rule, status in (
        (contrat, {"cle_objet": "client-photo/1-a.jpg"}, "PHOTO_D_UNE_AUTRE_CATEGORIE", 400),
        (contrat, {"cle_objet": "etat-lieux/../a.jpg"}, "CLE_OBJET_MAL_FORMEE", 400),
        (contrat, {"piece": "x" * 101}, "PIECE_TROP_LONGUE", 400),
        (987654321, {}, "NOT_FOUND", 404),
    ):
        with refused(rule, status=status):
            ajouter(db, key, **fields)
