create type echange.produits as (
  reference core.libelle, nom core.libelle, prix_achat core.montant, prix_vente core.montant, categorie core.libelle,
  quantite_initiale market.stock, seuil_alerte market.stock, fournisseur core.libelle, date_entree date, actif boolean,
  code_barre market.code_barre);
comment on type echange.produits is 'Une ligne d''une feuille de produits.';
comment on column echange.produits.reference is 'Référence : sans elle, la base en donne une.';
comment on column echange.produits.nom is 'Nom : désignation du produit.';
comment on column echange.produits.prix_achat is 'Prix d''achat : 0 si rien n''est dit.';
comment on column echange.produits.prix_vente is 'Prix de vente : d''une unité.';
comment on column echange.produits.categorie is 'Catégorie : libellé d''une catégorie qui existe.';
comment on column echange.produits.quantite_initiale is 'Quantité en stock : au jour de l''import.';
comment on column echange.produits.seuil_alerte is 'Seuil d''alerte : en dessous, le produit est signalé.';
comment on column echange.produits.fournisseur is 'Fournisseur : nom d''un fournisseur qui existe.';
comment on column echange.produits.date_entree is 'Date d''entrée : au catalogue, aujourd''hui si rien n''est dit.';
comment on column echange.produits.actif is 'Actif : oui ou non, oui si rien n''est dit.';
comment on column echange.produits.code_barre is 'Code-barres : celui de l''emballage.';
call core.peut_etre_null('echange.produits', 'reference', 'prix_achat', 'categorie', 'quantite_initiale',
  'seuil_alerte', 'fournisseur', 'date_entree', 'actif', 'code_barre');

create function echange._produits(p echange.produits) returns echange.issue
language plpgsql volatile as $$
declare
  v_id_produit bigint := case when (p).reference is not null
    then (select x.id_produit from market.produit x where x.reference = (p).reference)
    else (select x.id_produit from market.produit x
           where lower(x.nom) = lower((p).nom) and not echange._defait('produits', x.id_produit) limit 1) end;
begin
  return row(
    coalesce(v_id_produit, (market.produit_creer(
      p_nom => (p).nom, p_prix_achat => coalesce((p).prix_achat, 0), p_prix_vente => (p).prix_vente,
      p_id_categorie_produit => echange._trouver('categorie', (p).categorie, array(
        select c.id_categorie_produit from market.categorie_produit c where lower(c.libelle) = lower((p).categorie)),
        'Aucune catégorie de produits ne s''appelle « %s ».'),
      p_quantite_initiale => coalesce((p).quantite_initiale, 0), p_seuil_alerte => coalesce((p).seuil_alerte, 0),
      p_id_fournisseur => echange._trouver('fournisseur', (p).fournisseur, array(
        select f.id_fournisseur from market.fournisseur f where lower(f.nom) = lower((p).fournisseur)
         order by f.actif desc, f.id_fournisseur), 'Aucun fournisseur ne s''appelle « %s ».'),
      p_date_entree => (p).date_entree, p_actif => coalesce((p).actif, true), p_reference => (p).reference,
      p_code_barre => (p).code_barre)).id_produit),
    v_id_produit is not null, coalesce((p).reference, lower((p).nom)))::echange.issue;
end $$;
comment on function echange._produits is 'Ajoute un produit ; la même référence, ou le même nom, existe déjà.';
