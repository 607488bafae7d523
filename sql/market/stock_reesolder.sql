-- Rebuilding the stock and its value from its movements. One snapshot shows which products differ: a sale and its
-- movements are committed together, so a difference is real. Locks only these products, by id.

create type market.stock_ecart as (
  id_produit bigint, reference text, nom text, quantite_avant market.quantite_signee,
  quantite_apres market.quantite_signee, ecart market.quantite_signee, valeur_avant core.somme,
  valeur_apres core.somme);
comment on type market.stock_ecart is
  'Stock d''un produit qui ne faisait pas la somme de ses mouvements, en quantité ou en valeur.';
comment on column market.stock_ecart.ecart is 'quantite_apres − quantite_avant.';

create type market.stock_bilan as (produits bigint, ecarts market.stock_ecart[]);
comment on type market.stock_bilan is 'Ce que le recalcul du stock a trouvé.';
comment on column market.stock_bilan.produits is 'Nombre de produits comparés à leurs mouvements.';
comment on column market.stock_bilan.ecarts is 'Produits corrigés ; vide quand tout tombait juste.';

create function market.stock_reesolder() returns market.stock_bilan
language plpgsql volatile security definer set search_path = pg_catalog, pg_temp as $$
declare
  v market.stock_bilan;
  v_produits bigint[];
begin
  perform market._activite();
  select count(*), array_agg(p.id_produit) filter (
           where (p.quantite_stock, p.valeur_stock) <> (coalesce(m.quantite, 0), coalesce(m.valeur, 0)))
    into v.produits, v_produits
    from market.produit p
    left join (select m.id_produit, sum(m.delta) as quantite, sum(m.valeur) as valeur
                 from market.mouvement_stock m group by m.id_produit) m on m.id_produit = p.id_produit;
  perform market._produits_verrouiller(v_produits);
  with avant as materialized (
    select p.id_produit, p.quantite_stock, p.valeur_stock from market.produit p where p.id_produit = any (v_produits)
  ), apres as (
    -- The written value does not matter: the trigger of the product writes the sum of its movements.
    update market.produit p set quantite_stock = 0 where p.id_produit = any (v_produits)
    returning p.id_produit, p.reference, p.nom, p.quantite_stock, p.valeur_stock
  )
  select coalesce(array_agg(row(n.id_produit, n.reference, n.nom, a.quantite_stock, n.quantite_stock,
                                n.quantite_stock - a.quantite_stock, a.valeur_stock,
                                n.valeur_stock)::market.stock_ecart order by n.id_produit), '{}')
    into v.ecarts
    from apres n join avant a on a.id_produit = n.id_produit;
  return v;
end $$;
comment on function market.stock_reesolder is
  'Recalcule le stock de chaque produit et sa valeur depuis ses mouvements et rend chaque écart corrigé.';
