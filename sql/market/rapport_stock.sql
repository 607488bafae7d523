-- The stock of a past day is the present one without what has moved since. A purchase counts on the day of its paper,
-- which is never after its entry, and a movement on the day of the zone that the house had then. A day of before the
-- average cost has a value for each product that no movement has changed between it and the upgrade.

create function market._stock_au(p_au date)
returns table (id_produit bigint, quantite numeric, valeur numeric)
language sql stable
begin atomic
  select p.id_produit, p.quantite_stock - coalesce(m.delta, 0),
         case when m.inconnue then null else p.valeur_stock - coalesce(m.valeur, 0) end
    from market.produit p
    left join (select m.id_produit, sum(m.delta) as delta, bool_or(m.valeur is null) as inconnue,
                      sum(m.valeur) filter (where m.origine_cout <> 'OUVERTURE') as valeur
                 from market.mouvement_stock m
                where m.date >= core.debut_du_jour(coalesce(p_au, core.aujourdhui()) - 1)
                  and coalesce(m.jour, core.jour(m.date)) > coalesce(p_au, core.aujourdhui())
                group by m.id_produit) m on m.id_produit = p.id_produit;
end;
comment on function market._stock_au is
  'Quantité et valeur de chaque produit au soir d''un jour ; valeur null d''avant le coût moyen.';

create function market._valeur_du_stock(p_au date) returns core.somme
language sql stable
return (select case when bool_or(s.valeur is null) then null else coalesce(sum(s.valeur), 0) end
          from market._stock_au(p_au) s);
comment on function market._valeur_du_stock is 'Valeur de tout le stock au soir d''un jour ; null si celle d''un produit ne se sait pas.';

create type market.stock_valeur as (
  id_produit bigint, reference text, nom text, quantite_stock market.stock, cout_moyen core.montant,
  valeur_stock core.somme);
comment on type market.stock_valeur is 'Stock d''un produit et sa valeur, au soir d''un jour.';
comment on column market.stock_valeur.cout_moyen is 'valeur_stock / quantite_stock.';
comment on column market.stock_valeur.valeur_stock is 'Null d''un jour d''avant le coût moyen.';
call core.peut_etre_null('market.stock_valeur', 'cout_moyen', 'valeur_stock');

create function market.rapport_stock(p_au date default null) returns setof market.stock_valeur
language sql stable security definer set search_path = pg_catalog, pg_temp
begin atomic
  select p.id_produit, p.reference, p.nom::text, s.quantite::market.stock,
         round(s.valeur / s.quantite, 2)::core.montant, s.valeur::core.somme
    from market._stock_au(p_au) s
    join market.produit p on p.id_produit = s.id_produit
   where s.quantite > 0 and (select market._visible())
   order by p.nom, p.id_produit;
end;
comment on function market.rapport_stock is
  'Produits en stock au soir du jour « au », désactivés compris, leur coût moyen et leur valeur, par nom. Jour par défaut : aujourd''hui.';
