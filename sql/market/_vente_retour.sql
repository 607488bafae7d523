-- Sold products that come back to the stock: with a credit note, or when the sale is cancelled.
-- Locks, in this order: the sale, its products by id.

-- An invoice has the lines of its sale, in the same order, and neither ever changes.
create function market._lignes_vendues(p_id_facture bigint)
returns table (id_ligne bigint, id_vente bigint, id_produit bigint)
language sql stable
begin atomic
  select f.id_ligne, v.id_vente, v.id_produit
    from (select l.id_ligne, x.source_id as id_vente, row_number() over (order by l.id_ligne) as rang
            from facturation.facture x
            join facturation.facture_ligne l on l.id_facture = x.id_facture
           where x.id_facture = p_id_facture and x.source_type = 'VENTE') f
    join (select l.id_vente, l.id_produit, row_number() over (order by l.id_ligne) as rang
            from market.vente_ligne l
           where l.id_vente = (select x.source_id from facturation.facture x
                                where x.id_facture = p_id_facture and x.source_type = 'VENTE')) v on v.rang = f.rang;
end;
comment on function market._lignes_vendues is 'Produit de chaque ligne de la facture d''une vente.';

create function market._vente_articles_rentrer(p_id_facture bigint, p_lignes facturation.ligne_a_crediter[])
returns void
language plpgsql volatile as $$
declare
  v_lignes facturation.ligne_a_crediter[] := array(select l from unnest(p_lignes) l where l.retour_stock);
  v_id_vente bigint := (select f.source_id from facturation.facture f
                         where f.id_facture = p_id_facture and f.source_type = 'VENTE');
begin
  if cardinality(v_lignes) = 0 then
    return;
  elsif exists (select from unnest(v_lignes) l
                 where l.quantite is null
                    or l.id_ligne not in (select v.id_ligne from market._lignes_vendues(p_id_facture) v)) then
    perform core.refuser(400, 'RETOUR_STOCK_IMPOSSIBLE',
      'Seul un article vendu, crédité d''une quantité, rentre en stock.');
  end if;
  perform market._vente_verrouiller(v_id_vente);
  insert into market.mouvement_stock (id_produit, type, quantite, motif, id_vente)
  select v.id_produit, 'ENTREE', sum(l.quantite), 'Avoir sur la vente ' || v_id_vente, v_id_vente
    from unnest(v_lignes) l
    join market._lignes_vendues(p_id_facture) v on v.id_ligne = l.id_ligne
   group by v.id_produit order by v.id_produit;
end $$;
comment on function market._vente_articles_rentrer is
  'Fait rentrer en stock les articles des lignes créditées qui le demandent ; l''avoir vérifie ensuite leurs quantités. Refuse RETOUR_STOCK_IMPOSSIBLE.';
-- The movements are ENTREE.
call core.ne_refuse_pas('market._vente_articles_rentrer', 'STOCK_INSUFFISANT');

create function market._vente_stock_rendre(p_id_vente bigint, p_motif core.texte) returns void
language sql volatile
begin atomic
  insert into market.mouvement_stock (id_produit, type, quantite, motif, id_vente)
  select l.id_produit, 'ENTREE', sum(l.quantite), p_motif, p_id_vente
    from (select v.id_produit, v.quantite from market.vente_ligne v where v.id_vente = p_id_vente
          union all
          select v.id_produit, -a.quantite
            from facturation.facture f
           cross join lateral market._lignes_vendues(f.id_facture) v
            join facturation.avoir_ligne a on a.id_ligne = v.id_ligne and a.retour_stock
           where f.source_type = 'VENTE' and f.source_id = p_id_vente) l
   group by l.id_produit
  having sum(l.quantite) > 0
   order by l.id_produit;
end;
comment on function market._vente_stock_rendre is
  'Fait rentrer en stock les produits d''une vente qui s''annule, sauf ceux que des avoirs y ont déjà rentrés.';
