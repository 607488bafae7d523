"""The two jobs of the residence. A second run changes nothing."""

from datetime import date, timedelta

from tests import builders


def count(db, lease):
    return db.one("select count(*) from residence.echeance where id_contrat = %s", [lease])


def test_open_ended_leases_get_their_instalments_once(db):
    today = db.one("select core.aujourdhui()")
    opened = builders.contrat(db, date_debut=today, date_fin_prevue=None, montant_loyer="1000")
    waiting = builders.contrat(db, date_debut=today, date_fin_prevue=None, actif=False)
    ended = builders.contrat(db, date_debut=today, date_fin_prevue=None)
    db.call("residence.contrat_resilier", id_contrat=ended)
    bounded = builders.contrat(db)
    before = {lease: count(db, lease) for lease in (waiting, ended, bounded)}
    year = today.replace(year=today.year + 1) - timedelta(days=1)
    assert db.call("jobs.generer_echeances") == {"jusqu_au": year, "contrats": 0, "echeances": 0, "factures": 0}
    last = db.one("select max(date_fin) from residence.echeance where id_contrat = %s", [opened])
    until = date(last.year + 1, last.month, 1)
    first = db.call("jobs.generer_echeances", jusqu_au=until)
    assert (first["contrats"], first["echeances"]) == (1, 12)
    assert db.one("select max(date_fin) from residence.echeance where id_contrat = %s", [opened]) >= until
    again = db.call("jobs.generer_echeances", jusqu_au=until)
    assert (again["contrats"], again["echeances"]) == (0, 0)
    assert {lease: count(db, lease) for lease in before} == before


def test_an_instalment_after_a_revision_has_the_revised_rent(db):
    today = db.one("select core.aujourdhui()")
    lease = builders.contrat(db, date_debut=today.replace(day=1), date_fin_prevue=None, montant_loyer="1000")
    last = db.one("select max(date_fin) from residence.echeance where id_contrat = %s", [lease])
    after = last + timedelta(days=1)
    db.call("residence.contrat_reviser_loyer", id_contrat=lease, nouveau_montant="1500", date_effet=after)
    db.call("jobs.generer_echeances", jusqu_au=after)
    rows = db.all("select montant from residence.echeance where id_contrat = %s order by date_echeance", [lease])
    assert [int(row["montant"]) for row in rows[-2:]] == [1000, 1500]


def test_a_run_for_many_leases_gives_each_instalment_its_own_rent(db):
    today = db.one("select core.aujourdhui()")
    for number in range(6):
        start, kind = today - timedelta(days=11 * number), "ANNUEL" if number == 5 else "MENSUEL"
        fields = {"date_debut": start, "montant_loyer": f"{1000 + number}", "type_location": kind}
        lease = builders.contrat(db, date_fin_prevue=None, **fields)
        # Some leases have no revision, some have two for the same day and one for an earlier day.
        for step in range(number % 4):
            day = today + timedelta(days=(500, 500, 430)[step])
            rent = f"{2000 + 10 * number + step}"
            db.call("residence.contrat_reviser_loyer", id_contrat=lease, nouveau_montant=rent, date_effet=day)
    run = db.call("jobs.generer_echeances", jusqu_au=today + timedelta(days=900))
    assert run["contrats"] == 6 and run["echeances"] > 80
    rows = db.all("""
        select e.montant::numeric, residence._loyer_periode(c.type_location, coalesce((
                 select r.nouveau_montant from residence.revision_loyer r
                  where r.id_contrat = e.id_contrat and r.date_effet <= e.date_echeance
                  order by r.date_effet desc, r.id_revision desc limit 1), c.loyer_initial),
               c.date_debut, e.date_echeance, e.date_fin)::numeric as expected
          from residence.echeance e join residence.contrat_location c using (id_contrat)""")
    assert all(row["montant"] == row["expected"] for row in rows)
    assert len({row["montant"] for row in rows}) > 12


def test_leases_after_their_end_date_are_closed_once(db):
    today = db.one("select core.aujourdhui()")
    yesterday, start = today - timedelta(days=1), today - timedelta(days=60)
    over = builders.contrat(db, date_debut=start, date_fin_prevue=yesterday)
    freed = builders.contrat(db, date_debut=start, date_fin_prevue=yesterday)
    db.execute(
        "update residence.logement set statut = 'DISPONIBLE' where id_logement = "
        "(select id_logement from residence.contrat_location where id_contrat = %s)",
        [freed],
    )
    builders.contrat(db, date_debut=start, date_fin_prevue=today)
    builders.contrat(db, date_debut=start, date_fin_prevue=yesterday, actif=False)
    builders.contrat(db, date_debut=start, date_fin_prevue=None)
    leases = db.all(
        "select id_contrat, id_client, numero_contrat from residence.contrat_location where id_contrat = any(%s)"
        " order by 1",
        [[over, freed]],
    )
    ended = {"contrats": 2, "logements": 1, "numeros": [lease["numero_contrat"] for lease in leases], "sejours": 0}
    assert db.call("jobs.transition_contrats_expires") == ended
    states = db.all(
        "select c.statut, l.statut as logement from residence.contrat_location c "
        "join residence.logement l using (id_logement) order by c.id_contrat"
    )
    assert [(row["statut"], row["logement"]) for row in states] == [
        ("TERMINE", "EN_NETTOYAGE"), ("TERMINE", "DISPONIBLE"),
        ("ACTIF", "OCCUPE"), ("EN_ATTENTE", "RESERVE"), ("ACTIF", "OCCUPE"),
    ]  # fmt: skip
    notices = db.all(
        "select evenement, permission, donnees from notification.notification order by (donnees ->> 'id_contrat')::int"
    )
    assert [tuple(row.values()) for row in notices] == [
        ("residence.contrat_expire", "RESIDENCE.VOIR", {name: str(value) for name, value in lease.items()})
        for lease in leases
    ]
    assert db.call("jobs.transition_contrats_expires") == {"contrats": 0, "logements": 0, "numeros": [], "sejours": 0}
