"""Writes two years of a business with set-based SQL: a million payments in a minute or two. Operations take hours.

    python -m bench.donnees postgresql://… --paiements 1000000

It needs an empty, migrated database without other users, and a superuser: triggers and checks of foreign keys are off
while it writes (session_replication_role), so the journal stays empty. At the end `jobs._controler()`, which also
checks a restored database, and the queries of INVARIANTS check the data. The same seed gives the same data, relative
to the present day.

There are three invoices for ten payments and one expense for twenty. A twentieth of the recent invoices and a
five-hundredth of the others are half paid; a few invoices are cancelled and refunded.
"""

from __future__ import annotations

import argparse
import sys
import time
from typing import Any

import psycopg
from psycopg.rows import scalar_row

from app.commands.demo.house import FIRST_NAMES, NAMES

SEED = 20260801
SERVICES = {
    "PRESSING": (("Lavage costume", 3000), ("Repassage lot de 10", 5000), ("Nettoyage rideaux", 12000)),
    "RESTAURATION": (("Plateau repas", 3500), ("Buffet par personne", 7500), ("Cocktail", 45000)),
    "SALLE_FETE": (("Location de la salle", 200000), ("Location de chaises", 15000), ("Sonorisation", 60000)),
    "LOCATION_RESIDENTIEL": (("Ménage", 5000), ("Linge de lit", 3000), ("Dépannage", 10000)),
    "VENTE_MARCHANDISES": (("Livraison", 2000), ("Emballage cadeau", 1000)),
}
EXPENSES = (("Électricité", "Facture du mois"), ("Fournitures", "Papier, savon"), ("Transport", "Course en ville"))
DAYS = 730
INVARIANTS = {
    "aucun surpaiement": "select count(*) from facturation.facture where montant_paye > montant_total",
    "un paiement, une application": """
        select count(*) from finances.paiement p
         where (select count(*) from finances.application_paiement a where a.id_paiement = p.id_paiement) <> 1""",
    "une application a la somme de son paiement": """
        select count(*) from finances.application_paiement a
          left join finances.paiement p using (id_paiement)
          left join facturation.facture f using (id_facture)
         where a.montant is distinct from case p.type when 'ENCAISSEMENT' then p.montant else -p.montant end
            or p.id_activite <> f.id_activite or p.jour < f.jour""",
    "un paiement est d'une période de sa caisse": """
        select count(*) from finances.paiement p
          left join finances.periode_caisse c on c.id_periode = p.id_periode and c.id_caisse = p.id_caisse
                                             and p.date >= c.ouverture and p.date <= coalesce(c.fermeture, p.date)
         where p.id_caisse is not null and c.id_periode is null""",
    "le jour est celui de la date": """
        select count(*) from finances.paiement p where p.jour <> core.jour(p.date) or p.jour > core.aujourdhui()""",
    "les montants écrits sont ceux qui se déduisent": "select count(*) from jobs._controler()",
}

# Each statement fills one table. `n` is the number of payments. Random numbers come from random() after setseed().
STEPS = (
    (
        "caisses",
        """
        insert into finances.caisse (libelle, id_activite)
        select 'Caisse ' || lower(a.libelle), a.id_activite from core.activite a
         where a.code = any (%(codes)s) order by a.id_activite""",
    ),
    (
        "périodes de caisse",
        """
        insert into finances.periode_caisse (id_caisse, ouverture, fermeture, fond_initial, id_utilisateur_ouverture)
        select c.id_caisse, core.debut_du_jour(j::date),
               case when j::date < core.aujourdhui()
                    then core.debut_du_jour(j::date + 1) - interval '1 microsecond' end,
               10000, 1
          from generate_series(core.aujourdhui() - %(jours)s, core.aujourdhui(), interval '1 day') j,
               finances.caisse c
         order by j, c.id_caisse""",
    ),
    (
        "clients",
        """
        insert into client.client (code, nom, prenoms, tel_principal, type_client)
        select core._numero('CL', null, n), (%(noms)s::text[])[1 + n %% cardinality(%(noms)s::text[])],
               (%(prenoms)s::text[])[1 + n / 7 %% cardinality(%(prenoms)s::text[])], '+22507' || core._chiffres(n, 8),
               'PASSAGE'
          from generate_series(1, greatest(10, %(n)s / 100)) n""",
    ),
    (
        "prestations",
        """
        insert into facturation.prestation (libelle, prix, id_activite)
        select s.libelle, s.prix, a.id_activite
          from unnest(%(prestations)s::text[], %(prix)s::numeric[], %(codes_prestations)s::text[])
               s (libelle, prix, code)
          join core.activite a on a.code = s.code""",
    ),
    (
        "brouillon des factures",
        # Spread evenly over the opening hours, with more invoices as the business grows; ids follow the dates.
        """
        create temp table brouillon on commit drop as
        with tirees as (
          select core.debut_du_jour(core.aujourdhui() - (%(jours)s * (1 - sqrt(random())))::integer)
                   + (7 + 10 * random()) * interval '1 hour' as date,
                 1 + floor(random() * (select count(*) from facturation.prestation))::bigint as id_prestation,
                 1 + floor(random() * (select count(*) from client.client))::bigint as id_client,
                 1 + floor(random() * 4) as quantite, random() as sort, random() as sort_annulee
            from generate_series(1, %(n)s * 3 / 10))
        select row_number() over (order by least(t.date, now()), t.sort) as id_facture,
               least(t.date, now()) as date, t.quantite,
               t.id_client, s.id_activite, s.libelle, s.prix, (t.quantite * s.prix)::numeric(14,2) as total,
               -- More of the recent invoices are only part paid.
               case when t.sort < case when t.date > now() - interval '60 days' then 0.05 else 0.002 end
                    then 0.5 else 1 end as part,
               t.sort_annulee < 0.005 as annulee
          from tirees t
          join facturation.prestation s using (id_prestation)""",
    ),
    ("", "create unique index on brouillon (id_facture)"),
    ("", "analyze brouillon"),
    (
        "brouillon des paiements",
        """
        create temp table versement on commit drop as
        with tires as (
          -- Every invoice has a payment, some have several.
          select case when n <= %(n)s * 3 / 10 then n
                      else 1 + floor(random() * (%(n)s * 3 / 10))::bigint end as id_facture,
                 random() * random() as attente,
                 random() < 0.8 as en_caisse, 1 + floor(random() * 2)::bigint as moyen, n
            from generate_series(1, %(n)s) n
        ), parts as (
          select t.*, b.date as date_facture, b.id_activite, b.libelle, b.annulee, round(b.total * b.part) as du,
                 row_number() over w as rang, count(*) over (partition by t.id_facture) as nombre
            from tires t join brouillon b using (id_facture)
          window w as (partition by t.id_facture order by t.attente, t.n)
        )
        select row_number() over (order by d.date, p.n) as id_paiement, p.id_facture, p.id_activite, p.en_caisse,
               p.libelle, p.annulee, d.date, case when p.en_caisse then p.moyen else 4 end as id_moyen,
               case when p.rang < p.nombre then floor(p.du / p.nombre)
                    else p.du - floor(p.du / p.nombre) * (p.nombre - 1) end as montant
          from parts p,
               -- The first payment is immediate, the others follow within forty days and not in the future.
               lateral (select p.date_facture + case when p.rang = 1 then 0 else p.attente end
                               * least(interval '40 days', now() - p.date_facture) as date) d""",
    ),
    (
        "paiements",
        """
        insert into finances.paiement (id_paiement, date, jour, montant, id_moyen, id_activite, id_caisse, id_periode,
                                       id_utilisateur, motif)
        overriding system value
        select v.id_paiement, v.date, core.jour(v.date), v.montant, v.id_moyen, v.id_activite, c.id_caisse,
               p.id_periode, 1, v.libelle
          from versement v
          left join finances.caisse c on c.id_activite = v.id_activite and v.en_caisse
          left join finances.periode_caisse p on p.id_caisse = c.id_caisse
                                             and core.jour(p.ouverture) = core.jour(v.date)
         order by v.id_paiement""",
    ),
    (
        "remboursements",
        """
        insert into finances.paiement (id_paiement, date, jour, montant, type, id_moyen, id_activite, id_caisse,
                                       id_periode, id_utilisateur, motif, id_paiement_origine)
        overriding system value
        select %(n)s + row_number() over (order by p.id_paiement), p.date, p.jour, p.montant, 'DECAISSEMENT',
               p.id_moyen, p.id_activite, p.id_caisse, p.id_periode, 1, 'Annulation', p.id_paiement
          from versement v join finances.paiement p using (id_paiement)
         where v.annulee
         order by p.id_paiement""",
    ),
    (
        "applications",
        """
        insert into finances.application_paiement (id_paiement, id_facture, montant)
        select p.id_paiement, v.id_facture, case p.type when 'ENCAISSEMENT' then p.montant else -p.montant end
          from finances.paiement p
          join versement v on v.id_paiement = coalesce(p.id_paiement_origine, p.id_paiement)
         order by p.id_paiement""",
    ),
    (
        "factures",
        """
        insert into facturation.facture (id_facture, numero, date, jour, id_client, id_activite, id_utilisateur,
                                         libelle, montant_total, montant_paye, annulee, source_type)
        overriding system value
        select b.id_facture,
               core._numero('FAC', extract(year from j.jour)::integer,
                            row_number() over (partition by extract(year from j.jour) order by b.id_facture)),
               b.date, j.jour, b.id_client, b.id_activite, 1, b.libelle, b.total,
               case when b.annulee then 0 else coalesce(v.paye, 0) end, b.annulee, 'PRESTATION'
          from brouillon b
          left join (select v.id_facture, sum(v.montant) as paye from versement v group by 1) v using (id_facture),
               lateral (select core.jour(b.date) as jour) j
         order by b.id_facture""",
    ),
    (
        "lignes",
        """
        insert into facturation.facture_ligne (id_facture, libelle, quantite, prix_unitaire)
        select b.id_facture, b.libelle, b.quantite, b.prix from brouillon b order by b.id_facture""",
    ),
    (
        "dépenses",
        """
        insert into finances.depense (date, jour, montant, id_categorie_depense, id_activite, id_utilisateur, libelle)
        select d.date, core.jour(d.date), 500 * (1 + floor(random() * 19)), c.id_categorie_depense, a.id_activite, 1,
               c.libelle
          from (select now() - %(jours)s * random() * interval '1 day' as date, floor(random() * 3) as rang,
                       1 + floor(random() * 6) as id_activite
                  from generate_series(1, %(n)s / 20)) d
          join (select c.*, row_number() over (order by c.id_categorie_depense) - 1 as rang
                  from finances.categorie_depense c) c using (rang)
          join core.activite a using (id_activite)
         order by d.date""",
    ),
    (
        "compteurs",
        """
        insert into core.compteur (type, annee, valeur)
        select 'FAC', extract(year from f.jour), count(*) from facturation.facture f group by 2
        union all select 'CL', 0, count(*) from client.client
        on conflict (type, annee) do update set valeur = excluded.valeur""",
    ),
    ("", "select setval('finances.paiement_id_paiement_seq', (select max(id_paiement) from finances.paiement))"),
    ("", "select setval('facturation.facture_id_facture_seq', (select max(id_facture) from facturation.facture))"),
)


def fill(url: str, payments: int, say: Any = print) -> None:
    """Write the data in one transaction, then vacuum and analyze."""
    offers = [(label, price, code) for code, services in SERVICES.items() for label, price in services]
    values = {
        "n": payments,
        "jours": DAYS,
        "codes": list(SERVICES),
        "noms": list(NAMES),
        "prenoms": list(FIRST_NAMES),
        "prestations": [label for label, _, _ in offers],
        "prix": [price for _, price, _ in offers],
        "codes_prestations": [code for _, _, code in offers],
    }
    with psycopg.connect(url) as connection:
        if value(connection, "select exists (select from finances.paiement) or exists (select from client.client)"):
            raise SystemExit("Cette base a déjà des paiements ou des clients : il en faut une vide, migrée.")
        connection.execute("select set_config('TimeZone', core.fuseau(), true), setseed(%s)", [SEED % 1000 / 1000])
        connection.execute("set local session_replication_role = replica")
        connection.execute("set local work_mem = '256MB'")
        connection.cursor().executemany(
            "insert into finances.categorie_depense (libelle) values (%s)", [[name] for name, _ in EXPENSES]
        )
        for name, statement in STEPS:
            begun = time.monotonic()
            written = connection.execute(statement, values if "%(" in statement else None).rowcount
            if name:
                say(f"{name} : {written} en {time.monotonic() - begun:.1f} s")
        connection.commit()
        connection.autocommit = True
        connection.execute("vacuum analyze")


def broken(url: str, invariants: dict[str, str] = INVARIANTS) -> list[str]:
    """The names of the invariants that the data breaks."""
    with psycopg.connect(url) as connection:
        return [name for name, query in invariants.items() if value(connection, query) != 0]


def value(connection: psycopg.Connection[Any], query: str) -> Any:
    """The result of a query with one row and one column."""
    return connection.cursor(row_factory=scalar_row).execute(query).fetchone()


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m bench.donnees", description="Remplit une base d'essai vide.")
    parser.add_argument("url", help="base migrée et vide, en superutilisateur")
    parser.add_argument("--paiements", type=int, default=1_000_000)
    arguments = parser.parse_args()
    fill(arguments.url, arguments.paiements)
    problems = broken(arguments.url)
    for problem in problems:
        print(f"invariant rompu : {problem}", file=sys.stderr)
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
