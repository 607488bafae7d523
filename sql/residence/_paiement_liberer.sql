-- The part of a payment beyond the amount owed by closed leases. It is the credit of the client, and can be refunded
-- from the payment. The refund of a lease uses the same parts.

create function residence._paiement_trop_percu(p_id_paiement bigint) returns table (id_facture bigint, montant numeric)
language sql stable
begin atomic
  select r.id_facture, r.montant
    from (select distinct e.id_contrat
            from finances._paiement_factures(p_id_paiement) x
            join facturation.facture f on f.id_facture = x.id_facture and f.source_type = 'LOCATION'
            join residence.echeance e on e.id_echeance = f.source_id and e.montant_du is not null) c
   cross join lateral residence._loyers_a_rendre(c.id_contrat, residence._a_rembourser(c.id_contrat)) r
   where r.id_paiement = p_id_paiement;
end;
comment on function residence._paiement_trop_percu is
  'Ce qu''un paiement a apporté de plus que ce que doivent des contrats clos, par facture.';

create function residence._paiement_contrats_verrouiller(p_id_paiement bigint, p_id_echeance bigint) returns void
language plpgsql volatile as $$
begin
  perform residence._contrat_verrouiller(c.id_contrat)
     from (select distinct e.id_contrat
             from residence.echeance e
            where e.id_echeance = p_id_echeance
               or e.id_echeance = any (array(
                    select f.source_id from finances._paiement_factures(p_id_paiement) x
                      join facturation.facture f on f.id_facture = x.id_facture and f.source_type = 'LOCATION'))
            order by 1) c;
end $$;
comment on function residence._paiement_contrats_verrouiller is
  'Verrouille, par identifiant, le contrat d''une échéance et ceux dont un paiement règle les échéances.';

-- Each part takes back the credit that the part before has left.
create function residence._loyer_detacher(p_id_paiement bigint, p_id_facture bigint, p_montant numeric) returns void
language plpgsql volatile as $$
begin
  perform finances._credit_reprendre(p_id_facture, p_montant, p_id_paiement);
  insert into finances.application_paiement (id_paiement, id_facture, montant)
  values (p_id_paiement, p_id_facture, -p_montant);
end $$;
comment on function residence._loyer_detacher is
  'Retire d''une facture de loyer ce qui en est rendu, et reprend le crédit que le client en avait. Refuse CREDIT_INSUFFISANT.';

create function residence._paiement_detacher(p_id_paiement bigint, p_id_contraire bigint, p_montant numeric)
returns void
language plpgsql volatile as $$
begin
  perform residence._loyers_factures_crediter(array(
    select f.source_id from residence._paiement_trop_percu(p_id_paiement) t
      join facturation.facture f on f.id_facture = t.id_facture));
  perform residence._loyer_detacher(p_id_contraire, r.id_facture, least(r.montant, p_montant - r.avant))
     from (select t.id_facture, t.montant, coalesce(sum(t.montant) over (order by t.id_facture desc
                    rows between unbounded preceding and 1 preceding), 0) as avant
             from residence._paiement_trop_percu(p_id_paiement) t
            order by t.id_facture) r
    where r.avant < p_montant;
end $$;
comment on function residence._paiement_detacher is
  'Retire de factures de contrats clos ce qu''un paiement contraire rend d''un paiement, la dernière facture d''abord. Refuse CREDIT_INSUFFISANT.';
-- The amounts paid of invoices decrease.
call core.ne_refuse_pas('residence._paiement_detacher', 'SURPAIEMENT', 'FACTURE_ANNULEE');
