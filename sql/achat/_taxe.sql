-- The tax that purchases let deduct. After each document of a bill, what is deducted of it is all of its tax, or the
-- share that is paid: the document takes the difference, so that parts always add up.

create function achat._taxe_deduire(p_id_achat bigint, p_id_paiement bigint, p_id_avoir bigint) returns void
language sql volatile
begin atomic
  insert into achat.taxe_deduite (id_achat, id_paiement, id_avoir, id_taxe, montant)
  select p_id_achat, p_id_paiement, p_id_avoir, t.id_taxe,
         case f.deduction when 'FACTURE' then t.montant
              else coalesce(core.arrondir(t.montant * least(greatest(f.montant_paye, 0), f.montant_total - f.montant_avoirs)
                                          / nullif(f.montant_total - f.montant_avoirs, 0)), 0) end - t.deduit
    from achat.facture f
   cross join lateral (
     select l.id_taxe,
            sum(l.montant_taxe - coalesce((select sum(a.montant_taxe) from achat.avoir_ligne a
                                            where a.id_ligne = l.id_ligne), 0)) as montant,
            coalesce((select sum(d.montant) from achat.taxe_deduite d
                        left join achat.paiement p on p.id_paiement = d.id_paiement
                       where d.id_achat = p_id_achat and d.id_taxe = l.id_taxe and p.date_annulation is null), 0) as deduit
       from achat.facture_ligne l
      where l.id_achat = p_id_achat and l.id_taxe is not null
      group by l.id_taxe) t
   where f.id_achat = p_id_achat and f.deduction <> 'AUCUNE'
     and case f.deduction when 'FACTURE' then t.montant
              else coalesce(core.arrondir(t.montant * least(greatest(f.montant_paye, 0), f.montant_total - f.montant_avoirs)
                                          / nullif(f.montant_total - f.montant_avoirs, 0)), 0) end <> t.deduit;
end;
comment on function achat._taxe_deduire is
  'Écrit ce qu''une facture, ou son paiement ou son avoir donné, ajoute à la taxe déduite de la facture.';

call core.figer('TAXE_DEDUITE_FIGEE', 'Une taxe déduite ne change ni ne s''efface.',
  'before update or delete on achat.taxe_deduite');
