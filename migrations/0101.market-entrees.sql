-- The last entry of a product after the moment of a device is found without a look at its sales.
-- depends: 0100.finances-jour-des-applications
-- squawk-ignore require-concurrent-index-creation -- the entries of a shop are few beside its sales
create index mouvement_stock_entree on market.mouvement_stock (id_produit, date) where delta >= 0;
