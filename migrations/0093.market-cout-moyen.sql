-- Stock at its weighted average cost. Each movement carries its cost, its value, and the value of the stock after it.
-- depends: 0092.tresorerie-releves
-- squawk-ignore-file ban-drop-constraint, constraint-missing-not-valid -- the new one allows more rows than the old one
-- squawk-ignore-file adding-foreign-key-constraint -- the column is new, and null in each row
-- squawk-ignore-file require-concurrent-index-creation -- no row of before is in the index
create type market.origine_cout as enum ('SAISI', 'MOYEN', 'FICHE', 'RETOUR', 'OUVERTURE', 'CORRECTION');
comment on type market.origine_cout is
  'D''où vient le coût d''un mouvement : SAISI avec lui ; MOYEN, le coût moyen du stock ; FICHE, le prix d''achat de la fiche quand le stock est vide ; RETOUR, le coût auquel ces articles étaient sortis ou entrés ; OUVERTURE, la mise à jour qui a donné sa valeur au stock ; CORRECTION, le nouveau coût d''une entrée.';

alter table market.produit add column valeur_stock core.somme not null default 0;
comment on column market.produit.valeur_stock is
  'Somme des valeurs des mouvements, tenue par des déclencheurs ; divisée par quantite_stock, le coût moyen.';

alter table market.mouvement_stock
  add column cout_unitaire core.somme,
  add column origine_cout market.origine_cout,
  add column valeur core.somme,
  add column valeur_resultante core.somme,
  add column ecart_de_cout core.somme,
  add column id_mouvement_origine bigint
    constraint mouvement_d_origine_inconnu references market.mouvement_stock,
  drop constraint quantite_du_mouvement,
  add constraint quantite_du_mouvement check (
    quantite > 0 or type = 'AJUSTEMENT' and (quantite <> 0 or cout_unitaire is not null)) not valid;
alter table market.mouvement_stock validate constraint quantite_du_mouvement;
create index mouvement_stock_id_mouvement_origine on market.mouvement_stock (id_mouvement_origine)
  where id_mouvement_origine is not null;
comment on column market.mouvement_stock.cout_unitaire is
  'Coût d''une unité, null d''un mouvement d''avant le coût moyen. Posé par un déclencheur, sauf SAISI.';
comment on column market.mouvement_stock.origine_cout is 'D''où vient le coût, null d''un mouvement d''avant le coût moyen.';
comment on column market.mouvement_stock.valeur is
  'Ce que le mouvement ajoute à la valeur du stock, à l''unité de la devise. Posée par un déclencheur.';
comment on column market.mouvement_stock.valeur_resultante is 'Valeur du stock du produit après ce mouvement, posée par un déclencheur.';
comment on column market.mouvement_stock.ecart_de_cout is
  'D''une CORRECTION : ce que le nouveau coût ajoute aux articles déjà sortis, hors du stock et daté du mouvement. Posé par un déclencheur.';
comment on column market.mouvement_stock.id_mouvement_origine is 'Entrée dont celui-ci corrige le coût, ou qu''il défait.';
comment on constraint quantite_du_mouvement on market.mouvement_stock is 'La quantité est plus grande que zéro, ou différente de zéro pour un AJUSTEMENT.';
comment on constraint mouvement_d_origine_inconnu on market.mouvement_stock is 'Le mouvement d''origine n''existe pas.';

-- The movements of before have no value. The goods in stock are worth the price on the sheet, and one movement says so.
insert into market.mouvement_stock (id_produit, type, quantite, stock_resultant, motif, cout_unitaire, origine_cout, valeur,
                                    valeur_resultante)
select p.id_produit, 'AJUSTEMENT', 0, p.quantite_stock, 'Valeur du stock à la mise à jour', p.prix_achat, 'OUVERTURE',
       v.valeur, v.valeur
  from market.produit p
 cross join lateral (select round(p.quantite_stock * p.prix_achat, coalesce(
   (select d.valeur from core.parametre d where d.cle = 'DEVISE_DECIMALES')::integer, 0)) as valeur) v
 where p.quantite_stock > 0
 order by p.id_produit;
update market.produit p set valeur_stock = m.valeur
  from market.mouvement_stock m
 where m.id_produit = p.id_produit and m.origine_cout = 'OUVERTURE';
