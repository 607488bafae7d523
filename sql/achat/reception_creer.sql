-- Lock: the products by id.

create type achat.ligne_recue as (id_produit bigint, quantite core.quantite, cout_unitaire core.montant);
comment on type achat.ligne_recue is 'Produit arrivé.';
comment on column achat.ligne_recue.cout_unitaire is 'Coût attendu d''une unité.';

create function achat.reception_creer(
  p_id_fournisseur bigint, p_lignes achat.ligne_recue[], p_date date default null,
  p_document_ref core.libelle default null)
returns achat.reception_detail_vue
language plpgsql volatile security definer set search_path = pg_catalog, pg_temp as $$
declare
  v_id_reception bigint;
  v_id_mouvement bigint;
  v_montant numeric;
  v record;
begin
  perform market._activite();
  if coalesce(cardinality(p_lignes), 0) = 0 then
    perform core.refuser(400, 'RECEPTION_SANS_LIGNE', 'Une réception compte au moins un produit.');
  end if;
  perform market._produits_verrouiller(array(select l.id_produit from unnest(p_lignes) l));
  insert into achat.reception as r (id_fournisseur, date, document_ref)
  values (p_id_fournisseur, coalesce(p_date, core.aujourdhui()), p_document_ref)
  returning r.id_reception into v_id_reception;
  for v in select l.* from unnest(p_lignes) l order by l.id_produit loop
    perform core._ligne_verifier('cout_unitaire', v.quantite, v.cout_unitaire);
    v_montant := core.arrondir(v.quantite * v.cout_unitaire);
    insert into market.mouvement_stock as m (id_produit, type, quantite, valeur, motif, document_ref, jour)
    values (v.id_produit, 'ENTREE', v.quantite, v_montant, 'Réception ' || v_id_reception, p_document_ref, p_date)
    returning m.id_mouvement into v_id_mouvement;
    insert into achat.reception_ligne (id_reception, id_produit, quantite, cout_unitaire, montant, id_mouvement)
    values (v_id_reception, v.id_produit, v.quantite, v.cout_unitaire, v_montant, v_id_mouvement);
  end loop;
  return achat.reception_detail(v_id_reception);
end $$;
comment on function achat.reception_creer is
  'Fait entrer en stock des marchandises arrivées avant leur facture, à leur coût attendu. La facture nommera cette réception.';
-- Goods come in.
call core.ne_refuse_pas('achat.reception_creer', 'STOCK_INSUFFISANT', 'COUT_D_UN_ACHAT');
-- The lines come from the request.
call core.peut_refuser('achat.reception_creer', 'PRODUIT_DEJA_RECU');
