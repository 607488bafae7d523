"""Leases as several files of this folder read them."""

from tests import builders


def instalments(db, lease):
    return db.all("select * from residence.echeance where id_contrat = %s order by date_echeance", [lease])


def collect(db, instalment, montant):
    """Pay this amount of the instalment in cash."""
    key = instalment["id_echeance"]
    return db.call("residence.echeance_encaisser", id_echeance=key, montant=montant, id_moyen=builders.moyen(db))


def lot(db, lease, montant):
    """Pay this amount of the rents of the lease in cash."""
    moyen = builders.moyen(db)
    return db.call("residence.contrat_encaisser_loyer_lot", id_contrat=lease, montant=montant, id_moyen=moyen)


def room_of(db, lease):
    """The key and the status of the room of a lease."""
    return db.one(
        "select l.id_logement, l.statut::text from residence.logement l"
        " join residence.contrat_location c using (id_logement) where c.id_contrat = %s",
        [lease],
    )


def empty(db, room):
    """Set the status of a room to free, as a user may do by hand."""
    db.execute("update residence.logement set statut = 'DISPONIBLE' where id_logement = %s", [room])


def terminate(db, lease, day=None):
    return db.call("residence.contrat_resilier", id_contrat=lease, date_resiliation=day)


def numero(db, lease):
    return str(db.one("select numero_contrat from residence.contrat_location where id_contrat = %s", [lease]))


def subscription(db, key):
    """The subscription as the list shows it."""
    return next(row for row in db.rows("residence.abonnement_lister") if row["id_abonnement"] == key)
