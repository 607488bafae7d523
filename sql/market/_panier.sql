create type market.ligne_vente as (id_produit bigint, quantite core.quantite);
comment on type market.ligne_vente is 'Ligne à vendre ; son prix est celui du produit.';
comment on column market.ligne_vente.id_produit is 'Produit.';
comment on column market.ligne_vente.quantite is 'Quantité.';

create function market._panier_verifier(p_lignes market.ligne_vente[]) returns void
language plpgsql stable as $$
declare
  v record;
begin
  if coalesce(cardinality(p_lignes), 0) = 0 then
    perform core.refuser(400, 'VENTE_SANS_LIGNE', 'Une vente compte au moins une ligne.');
  end if;
  select l.id_produit, p.nom, p.actif into v
    from unnest(p_lignes) with ordinality as l (id_produit, quantite, rang)
    left join market.produit p on p.id_produit = l.id_produit
   where p.actif is not true
   order by l.rang limit 1;
  if found and v.actif is null then
    perform core.refuser(422, 'PRODUIT_INCONNU', format('Le produit %s n''existe pas.', v.id_produit));
  elsif found then
    perform core.refuser(409, 'PRODUIT_INACTIF', format('Le produit « %s » est désactivé.', v.nom));
  end if;
end $$;
comment on function market._panier_verifier is
  'Vérifie qu''un panier a des lignes et que ses produits existent et sont actifs. Refuse VENTE_SANS_LIGNE, PRODUIT_INCONNU, PRODUIT_INACTIF.';

create function market._panier_verrouiller(p_lignes market.ligne_vente[]) returns void
language plpgsql volatile as $$
begin
  perform market._produits_verrouiller(array(select l.id_produit from unnest(p_lignes) l));
  -- A statement of its own sees the products as they are once locked.
  perform market._panier_verifier(p_lignes);
end $$;
comment on function market._panier_verrouiller is
  'Verrouille les produits d''un panier, qui doivent exister et être actifs.';

create function market._vente_lignes_ecrire(p_id_vente bigint, p_lignes market.ligne_vente[]) returns void
language sql volatile
begin atomic
  insert into market.vente_ligne (id_vente, id_produit, quantite, prix_unitaire, prix_achat)
  select p_id_vente, l.id_produit, l.quantite, finances._prix_vu('PRODUIT', p.id_produit, p.prix_vente), p.prix_achat
    from unnest(p_lignes) with ordinality as l (id_produit, quantite, rang)
    join market.produit p on p.id_produit = l.id_produit
   order by l.rang;
end;
comment on function market._vente_lignes_ecrire is
  'Écrit les lignes d''une vente aux prix du catalogue, ou à ceux que l''appareil voyait, juste avant elle.';
call core.ne_refuse_pas('market._vente_lignes_ecrire', 'VENTE_FIGEE');
