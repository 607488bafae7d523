-- Refunds the rent paid beyond the amount that a lease owes. One counter-payment refunds each payment, by the method of
-- the request: the last instalment first, and the last payment of each first.
-- Locks, in this order: the lease, the invoices of its instalments by id, the instalments by id, the counter of credit
-- notes, the refunded payments, the till (shared), the client.

create type residence.paiement_rendu as (id_paiement bigint, montant core.montant, id_paiement_origine bigint);
comment on type residence.paiement_rendu is 'Paiement contraire, et celui qu''il rend en tout ou en partie.';

create type residence.remboursement_loyer as (
  id_contrat bigint, montant_rembourse core.montant, montant_a_rembourser core.somme,
  paiements residence.paiement_rendu[]);
comment on type residence.remboursement_loyer is 'Loyers rendus d''un contrat clos.';
comment on column residence.remboursement_loyer.montant_a_rembourser is 'Ce qui reste à rembourser.';

create function residence.contrat_rembourser(
  p_id_contrat bigint, p_id_moyen bigint, p_montant core.montant_du_reglement default null,
  p_id_caisse bigint default null)
returns residence.remboursement_loyer
language plpgsql volatile security definer set search_path = pg_catalog, pg_temp as $$
declare
  v_contrat residence.contrat_location := residence._contrat_verrouiller(p_id_contrat);
  v_du core.somme;
  v_echeances bigint[] := array(
    select e.id_echeance from residence.echeance e where e.id_contrat = p_id_contrat and e.montant_du is not null);
  v residence.remboursement_loyer;
begin
  perform residence._echeances_verrouiller(v_echeances);
  perform residence._loyers_factures_crediter(v_echeances);
  v_du := residence._a_rembourser(p_id_contrat);
  v.montant_rembourse := coalesce(p_montant, v_du);
  if v_du = 0 then
    perform core.refuser(409, 'RIEN_A_REMBOURSER',
                         format('Rien n''est à rembourser du contrat %s.', v_contrat.numero_contrat));
  elsif v.montant_rembourse > v_du then
    perform core.refuser(409, 'REMBOURSEMENT_EXCESSIF',
                         'Le remboursement dépasse ce qui est à rembourser de ce contrat.',
                         jsonb_build_object('montant_a_rembourser', v_du::text));
  elsif exists (select from finances.moyen_paiement m where m.id_moyen = p_id_moyen and not m.actif) then
    perform core.refuser(409, 'MOYEN_PAIEMENT_INACTIF', 'Ce moyen de paiement est désactivé.');
  end if;
  with rendus as (
    insert into finances.paiement (type, montant, id_moyen, id_activite, id_caisse, motif, reference,
                                   id_paiement_origine, id_client)
    select 'DECAISSEMENT', sum(r.montant), p_id_moyen, residence._activite(), p_id_caisse,
           'Loyer rendu, ' || v_contrat.numero_contrat, 'LOYER-' || v_contrat.numero_contrat, r.id_paiement,
           case when finances._est_credit(p_id_moyen) then v_contrat.id_client end
      from residence._loyers_a_rendre(p_id_contrat, v.montant_rembourse) r
     group by r.id_paiement order by r.id_paiement
    returning id_paiement, montant, id_paiement_origine
  )
  select array_agg(row(n.id_paiement, n.montant, n.id_paiement_origine)::residence.paiement_rendu
                   order by n.id_paiement)
    into v.paiements from rendus n;
  perform residence._loyer_detacher(x.id_paiement, x.id_facture, x.montant)
     from (select n.id_paiement, r.id_facture, r.montant
             from unnest(v.paiements) n
             join residence._loyers_a_rendre(p_id_contrat, v.montant_rembourse) r
               on r.id_paiement = n.id_paiement_origine
            order by n.id_paiement, r.id_facture) x;
  v.id_contrat := p_id_contrat;
  v.montant_a_rembourser := residence._a_rembourser(p_id_contrat);
  return v;
end $$;
comment on function residence.contrat_rembourser is
  'Rend ce qui a été payé au-delà de ce que doit un contrat résilié ou annulé, tout par défaut : un paiement contraire par paiement reçu, de la caisse de l''utilisateur s''il en a une, sinon de celle donnée ; l''échéance la plus lointaine d''abord ; le crédit qu''en avait le client est repris.';
-- The refund goes to the client of the lease, or to his credit. The amounts paid of rent invoices decrease.
call core.ne_refuse_pas('residence.contrat_rembourser', 'CREDIT_SANS_CLIENT', 'PAIEMENT_DE_CAUTION', 'SURPAIEMENT',
  'FACTURE_ANNULEE');

create function residence._loyers_a_rendre(p_id_contrat bigint, p_montant core.montant)
returns table (id_paiement bigint, id_facture bigint, montant numeric)
language sql stable
begin atomic
  with recus as (
    select t.id_facture, t.date_echeance, t.trop,
           coalesce(p.id_paiement_origine, p.id_paiement) as id_paiement, sum(a.montant) as reste
      from residence._loyers_en_trop(p_id_contrat) t
      join finances.imputation_vue a on a.id_facture = t.id_facture
      join finances.paiement p on p.id_paiement = a.id_paiement
     group by t.id_facture, t.date_echeance, t.trop, coalesce(p.id_paiement_origine, p.id_paiement)
    having sum(a.montant) > 0
  ), rendables as (
    select r.*, least(r.reste, r.trop - coalesce(sum(r.reste) over (
             partition by r.id_facture order by r.id_paiement desc
             rows between unbounded preceding and 1 preceding), 0)) as part
      from recus r
  ), ranges as (
    select r.*, coalesce(sum(r.part) over (order by r.date_echeance desc, r.id_facture desc, r.id_paiement desc
                           rows between unbounded preceding and 1 preceding), 0) as avant
      from rendables r where r.part > 0)
  select r.id_paiement, r.id_facture, least(r.part, p_montant - r.avant) from ranges r where r.avant < p_montant;
end;
comment on function residence._loyers_a_rendre is
  'De quels paiements, et de quelles factures, vient un montant à rendre.';
