"""Checks a database after any fault: its sums, numbers, links and seals must be right."""

from tests.conftest import execute

# One sentence for each error.
_WRONG = """
  select 'contrôle : ' || x from jobs._controler() x
  union all
  -- Numbers are unique. If there are as many numbers as the counter gave, none is missing.
  select format('série %s %s : %s numéros, le compteur en a donné %s', c.type, c.annee, coalesce(n.nombre, 0), c.valeur)
    from core.compteur c
    left join (select 'CPR' as type, split_part(numero_commande, '-', 2)::int as annee, count(*) as nombre
                 from pressing.commande group by 2
               union all select 'CON', substring(numero_contrat from '[0-9]{4}')::int, count(*)
                 from residence.contrat_location group by 2
               union all select 'CL', 0, count(*) from client.client
               union all select 'REF', 0, count(*) from market.produit
               union all select 'EMP', 0, count(*) from rh.employe) n on n.type = c.type and n.annee = c.annee
   where c.type not in ('FAC', 'AVO') and coalesce(n.nombre, 0) <> c.valeur
  union all
  select format('facture %s sans ligne', f.numero) from facturation.facture f
   where not exists (select from facturation.facture_ligne l where l.id_facture = f.id_facture)
  union all
  select format('facture %s sans sa source %s %s', f.numero, f.source_type, f.source_id)
    from facturation.facture f
    left join (select 'VENTE'::facturation.source_type as source_type, id_vente as source_id from market.vente
               union all select 'COMMANDE_PRESSING', id_commande from pressing.commande
               union all select 'COMMANDE_RESTAURANT', id_commande from restaurant.commande
               union all select 'ABONNEMENT', id_souscription from abonnement.souscription
               union all select 'SEJOUR', id_sejour from residence.sejour_court
               union all select 'CHARGE', id_charge from residence.charge_facturee
               union all select 'LOCATION', id_echeance from residence.echeance
               union all select 'RESERVATION_FETE', id_reservation from salle_fete.reservation) s
      using (source_type, source_id)
   where f.source_type not in ('PRESTATION', 'AUTRE') and s.source_id is null
  union all
  select format('vente %s sans ligne', v.id_vente) from market.vente v
   where not exists (select from market.vente_ligne l where l.id_vente = v.id_vente)
  union all
  select format('paiement %s de %s, appliqué pour %s', p.id_paiement, p.montant, sum(a.montant))
    from finances.paiement p join finances.imputation_vue a using (id_paiement)
   group by p.id_paiement having abs(sum(a.montant)) > p.montant
  union all
  select format('paiement %s dans la période d''une autre caisse', p.id_paiement)
    from finances.paiement p join finances.periode_caisse c using (id_periode) where c.id_caisse <> p.id_caisse
  union all
  select format('caisse %s : %s périodes ouvertes', c.id_caisse, count(*))
    from finances.periode_caisse c where c.fermeture is null group by c.id_caisse having count(*) > 1
  union all
  select format('clé d''idempotence sans réponse : %s', i.cle) from core.idempotence i where i.reponse is null
"""


def wrong(url: str) -> list[str]:
    """Return each error as a sentence. Seal the journal first, then verify every seal."""
    errors = execute(url, _WRONG)
    execute(url, "select audit.sceller()")
    return [error for (error,) in errors + execute(url, "select 'sceau : ' || message from audit.verifier()")]


def payments(url: str) -> dict[str, str]:
    """Return the amounts of all payments by id, as the API writes them."""
    return dict(execute(url, "select id_paiement::text, montant::text from finances.paiement"))
