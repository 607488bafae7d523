-- Locks, in this order: the advisory lock on the payment, the leases by id, the invoices by id, the payment, the till
-- (shared). Invoices are locked before their payment, but the payment says which ones: without the advisory lock, two
-- transactions could deadlock.

create function finances._paiement_verrouiller(
  p_id_paiement bigint, p_id_facture bigint default null, p_id_echeance bigint default null)
returns finances.paiement
language plpgsql volatile as $$
declare
  v finances.paiement;
begin
  perform finances.paiement_detail(p_id_paiement);
  perform pg_advisory_xact_lock(hashtextextended(p_id_paiement::text, core._verrou('PAIEMENT')));
  perform residence._paiement_contrats_verrouiller(p_id_paiement, p_id_echeance);
  perform from facturation.facture f
    where f.id_facture = p_id_facture
       or f.id_facture = any (array(select x.id_facture from finances._paiement_factures(p_id_paiement) x))
       or f.source_type = 'LOCATION' and f.source_id = p_id_echeance and not f.annulee
    order by f.id_facture for no key update;
  select * into strict v from finances.paiement p where p.id_paiement = p_id_paiement for no key update;
  return v;
end $$;
comment on function finances._paiement_verrouiller is
  'Ceux qui annulent, rendent ou appliquent un même paiement passent l''un après l''autre : verrouille ses contrats, ses factures et celle qu''il va régler, puis ce paiement. Refuse NOT_FOUND.';
