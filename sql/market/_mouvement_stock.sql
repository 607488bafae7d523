-- Stock movements. Each movement changes the stock of its product, stores the resulting stock, and never changes.
-- Lock: the product. An operation on several products writes their movements in the order of the products' ids.

create view market.mouvement_stock_vue as
select m.id_mouvement, m.id_produit, p.reference, p.nom, m.date, m.type, m.quantite as quantite_mouvement, m.delta,
       m.stock_resultant, m.motif, m.document_ref, m.id_vente, m.id_utilisateur
  from market.mouvement_stock m
  join market.produit p on p.id_produit = m.id_produit
 where (select market._visible());
comment on view market.mouvement_stock_vue is 'Mouvements de stock.';
comment on column market.mouvement_stock_vue.reference is 'Référence du produit.';
comment on column market.mouvement_stock_vue.nom is 'Nom du produit.';
comment on column market.mouvement_stock_vue.quantite_mouvement is 'Quantité saisie ; signée pour un AJUSTEMENT.';
comment on column market.mouvement_stock_vue.stock_resultant is 'Stock du produit après ce mouvement.';

call core.detail('market._mouvement_stock', 'market.mouvement_stock_vue', 'id_mouvement');
comment on function market._mouvement_stock is 'Un mouvement de stock. Refuse NOT_FOUND.';

create function market._produits_verrouiller(p_id_produits bigint[]) returns void
language plpgsql volatile as $$
begin
  perform from market.produit p where p.id_produit = any (p_id_produits) order by p.id_produit for no key update;
end $$;
comment on function market._produits_verrouiller is
  'Verrouille des produits dans l''ordre de leurs identifiants : deux paniers s''attendent sans jamais se bloquer.';

create trigger t10_mouvement_auteur before insert on market.mouvement_stock
  for each row execute function core._t10_auteur();

create function market._t50_mouvement_stock() returns trigger
language plpgsql volatile as $$
declare
  v market.produit;
  v_delta numeric := case new.type when 'SORTIE' then -new.quantite else new.quantite end;
begin
  select * into v from market.produit p where p.id_produit = new.id_produit for no key update;
  if not found then
    new.stock_resultant := 0; -- the foreign key then refuses this row
    return new;
  elsif v.quantite_stock + v_delta < 0 then
    perform core.refuser(409, 'STOCK_INSUFFISANT',
      format('Stock insuffisant : il reste %s de « %s » (%s).', core.nombre_ecrire(v.quantite_stock), v.nom,
             v.reference),
      jsonb_build_object('id_produit', v.id_produit::text, 'produit', v.nom, 'reste', v.quantite_stock::text,
                         'demande', (-v_delta)::text));
  end if;
  new.stock_resultant := v.quantite_stock + v_delta;
  update market.produit p set quantite_stock = new.stock_resultant where p.id_produit = new.id_produit;
  return new;
end $$;
comment on function market._t50_mouvement_stock is
  'Ajoute le mouvement au stock du produit et note ce qui reste, jamais moins que zéro. Refuse STOCK_INSUFFISANT.';

create trigger t50_mouvement_stock before insert on market.mouvement_stock
  for each row execute function market._t50_mouvement_stock();

call core.figer('MOUVEMENT_FIGE', 'Un mouvement de stock ne change ni ne s''efface : il se corrige par un autre.',
  'before update or delete on market.mouvement_stock');

create function market._sous_le_seuil(p_mouvement market.mouvement_stock, p_produit market.produit) returns boolean
language sql immutable
return p_mouvement.stock_resultant < p_produit.seuil_alerte
   and p_mouvement.stock_resultant - p_mouvement.delta >= p_produit.seuil_alerte;
comment on function market._sous_le_seuil is
  'Vrai d''un mouvement qui fait passer un produit sous son seuil d''alerte.';

create function market._t90_mouvement_alerte() returns trigger
language plpgsql volatile as $$
begin
  perform notification._emettre(
    'market.stock_bas', 'MEDIUM', 'Stock bas',
    format('Il reste %s de « %s » (%s), sous le seuil de %s.', core.nombre_ecrire(new.stock_resultant), p.nom,
           p.reference, core.nombre_ecrire(p.seuil_alerte)),
    jsonb_build_object('id_produit', p.id_produit::text, 'reference', p.reference,
                       'quantite_stock', new.stock_resultant::text, 'seuil_alerte', p.seuil_alerte::text),
    'MARCHANDISE.VOIR', null, facturation._activite('VENTE_MARCHANDISES'), null)
     from market.produit p where p.id_produit = new.id_produit and market._sous_le_seuil(new, p);
  return null;
end $$;
comment on function market._t90_mouvement_alerte is
  'Signale le mouvement qui fait passer un produit sous son seuil d''alerte, une fois par passage.';

create trigger t90_mouvement_alerte after insert on market.mouvement_stock
  for each row when (new.delta < 0) execute function market._t90_mouvement_alerte();
