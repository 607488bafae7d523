-- The tax that purchases let deduct. After each document of a bill, what is deducted of it is all of its tax, or the
-- share that is paid: the document takes the difference, so that parts always add up. A cancelled payment loses its
-- difference and takes what rounding leaves, one unit of the currency or so.

create function achat._taxe_deduire(p_id_achat bigint, p_id_paiement bigint, p_id_avoir bigint) returns void
language sql volatile
begin atomic
  with f as (
    select f.deduction, greatest(f.montant_paye, 0) as paye, f.montant_total - f.montant_avoirs as total
      from achat.facture f where f.id_achat = p_id_achat and f.deduction <> 'AUCUNE'),
  t as (
    select l.id_taxe, sum(l.montant_taxe - coalesce((
             select sum(a.montant_taxe) from achat.avoir_ligne a where a.id_ligne = l.id_ligne), 0)) as montant
      from achat.facture_ligne l
     where l.id_achat = p_id_achat and l.id_taxe is not null
     group by l.id_taxe),
  d as (
    select t.id_taxe, case f.deduction when 'FACTURE' then t.montant
                           else coalesce(core.arrondir(t.montant * least(f.paye, f.total) / nullif(f.total, 0)), 0) end
                      - coalesce((
             select sum(x.montant) from achat.taxe_deduite x left join achat.paiement p on p.id_paiement = x.id_paiement
              where x.id_achat = p_id_achat and x.id_taxe = t.id_taxe
                and (p.date_annulation is null or x.annulation)), 0) as montant
      from f cross join t)
  insert into achat.taxe_deduite (id_achat, id_paiement, id_avoir, id_taxe, montant, annulation)
  select p_id_achat, p_id_paiement, p_id_avoir, d.id_taxe, d.montant, exists (
           select from achat.paiement p where p.id_paiement = p_id_paiement and p.date_annulation is not null)
    from d where d.montant <> 0;
end;
comment on function achat._taxe_deduire is
  'Écrit ce qu''une facture, ou son paiement, qui peut être annulé, ou son avoir donné, ajoute à la taxe déduite de la facture.';

create view achat.taxe_deduite_vue as
select d.id_achat, d.id_taxe, coalesce(a.jour, p.jour, f.jour) as jour, d.montant
  from achat.taxe_deduite d
  join achat.facture f on f.id_achat = d.id_achat
  left join achat.avoir a on a.id_avoir = d.id_avoir
  left join achat.paiement p on p.id_paiement = d.id_paiement
 where p.date_annulation is null or d.annulation;
comment on view achat.taxe_deduite_vue is 'Taxe déductible de chaque document d''achat qui tient.';
comment on column achat.taxe_deduite_vue.jour is 'Date de gestion de l''avoir, du paiement ou de la facture.';

call core.figer('TAXE_DEDUITE_FIGEE', 'Une taxe déduite ne change ni ne s''efface.',
  'before update or delete on achat.taxe_deduite');
