create view market.produit_vue as
with droit as materialized (select auth._permise('MARCHANDISE.VOIR') as interne)
select p.id_produit, p.reference, p.nom, p.id_categorie_produit,
       (case when d.interne then p.prix_achat end)::core.montant as prix_achat, p.prix_vente, p.quantite_stock,
       (case when d.interne then p.seuil_alerte end)::market.stock as seuil_alerte,
       case when d.interne then p.id_fournisseur end as id_fournisseur,
       case when d.interne then p.date_entree end as date_entree, p.actif, p.image_url, p.code_barre,
       (select c.libelle from market.categorie_produit c where c.id_categorie_produit = p.id_categorie_produit)
         as categorie_libelle,
       case when d.interne then (select f.nom from market.fournisseur f where f.id_fournisseur = p.id_fournisseur) end
         as fournisseur_nom,
       p.code_taxe::core.code,
       (case when d.interne then round(p.valeur_stock / nullif(p.quantite_stock, 0), 2) end)::core.montant
         as cout_moyen,
       (case when d.interne then p.valeur_stock end)::core.somme as valeur_stock
  from market.produit p
 cross join droit d
 where (select market._visible());
comment on view market.produit_vue is
  'Produits de la boutique ; sans la permission MARCHANDISE.VOIR, seulement ce qui sert à commander.';
comment on column market.produit_vue.prix_achat is 'Null pour qui commande dans son espace.';
comment on column market.produit_vue.quantite_stock is 'Somme des mouvements, tenue par la base.';
comment on column market.produit_vue.cout_moyen is
  'valeur_stock / quantite_stock ; null quand le stock est vide, et pour qui commande dans son espace.';
comment on column market.produit_vue.valeur_stock is
  'Valeur du stock au coût moyen, somme des valeurs des mouvements ; null pour qui commande dans son espace.';
call core.peut_etre_null('market.produit_vue', 'prix_achat', 'seuil_alerte', 'categorie_libelle', 'fournisseur_nom',
  'cout_moyen', 'valeur_stock');

create function market._t10_produit_reference() returns trigger
language plpgsql volatile as $$
begin
  -- A user may have given a reference of the same form. A number that is already used is skipped.
  loop
    new.reference := core._numeroter('REF');
    exit when not exists (select from market.produit p where p.reference = new.reference);
  end loop;
  return new;
end $$;
comment on function market._t10_produit_reference is 'Donne la référence <ORG>-REF-<NNN> d''un produit.';

create trigger t10_produit_reference before insert on market.produit
  for each row when (new.reference is null) execute function market._t10_produit_reference();

-- The trigger of a movement updates the stock at depth 1. For any other update of these columns, by hand or to rebuild
-- them, this trigger writes the sums of the movements, whatever the written values are.
create function market._t50_produit_stock() returns trigger
language plpgsql volatile as $$
begin
  select coalesce(sum(m.delta), 0), coalesce(sum(m.valeur), 0) into new.quantite_stock, new.valeur_stock
    from market.mouvement_stock m where m.id_produit = new.id_produit;
  return new;
end $$;
comment on function market._t50_produit_stock is
  'quantite_stock et valeur_stock = sommes des mouvements, quoi qu''on y écrive.';

create trigger t50_produit_stock before insert or update of quantite_stock, valeur_stock on market.produit
  for each row when (pg_trigger_depth() = 0) execute function market._t50_produit_stock();

create function market._t90_produit_alerte() returns trigger
language plpgsql volatile as $$
begin
  perform notification._emettre(
    'market.stock_bas', 'MEDIUM', 'Stock bas',
    format('Il reste %s de « %s » (%s), sous le seuil de %s.', core.nombre_ecrire(new.quantite_stock), new.nom,
           new.reference, core.nombre_ecrire(new.seuil_alerte)),
    jsonb_build_object('id_produit', new.id_produit::text, 'reference', new.reference,
                       'quantite_stock', new.quantite_stock::text, 'seuil_alerte', new.seuil_alerte::text),
    'MARCHANDISE.VOIR', null, facturation._activite('VENTE_MARCHANDISES'), null);
  return null;
end $$;
comment on function market._t90_produit_alerte is
  'Signale la sortie qui fait passer un produit sous son seuil d''alerte, une fois par passage.';

create trigger t90_produit_alerte after update of quantite_stock on market.produit
  for each row when (new.quantite_stock < new.seuil_alerte and old.quantite_stock >= new.seuil_alerte)
  execute function market._t90_produit_alerte();
