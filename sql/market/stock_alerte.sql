create view market.stock_alerte_vue as
select p.id_produit, p.reference, p.nom, p.quantite_stock, p.seuil_alerte,
       case when p.quantite_stock <= 0 then 'ÉPUISÉ' else 'BAS' end as niveau
  from market.produit_vue p
 where p.actif and p.quantite_stock < p.seuil_alerte;
comment on view market.stock_alerte_vue is 'Produits actifs dont le stock est strictement sous le seuil.';
comment on column market.stock_alerte_vue.niveau is 'ÉPUISÉ quand il ne reste rien, sinon BAS.';
call core.jamais_null('market.stock_alerte_vue', 'niveau');

call core.liste_entiere('market.stock_alerte', 'market.stock_alerte_vue', 'v.nom, v.id_produit');
comment on function market.stock_alerte is 'Produits actifs dont le stock est strictement sous le seuil d''alerte, par nom.';
