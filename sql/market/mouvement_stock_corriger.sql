-- Lock: the product.

create function market.mouvement_stock_corriger(
  p_id_mouvement bigint, p_cout_unitaire core.montant, p_motif core.texte default null)
returns market.mouvement_stock_vue
language plpgsql volatile security definer set search_path = pg_catalog, pg_temp as $$
declare
  v market.mouvement_stock_vue := market._mouvement_stock(p_id_mouvement);
  v_id_mouvement bigint;
begin
  perform core._montant_verifier('cout_unitaire', p_cout_unitaire);
  perform market._produits_verrouiller(array[v.id_produit]);
  if v.origine_cout is null or v.origine_cout in ('RETOUR', 'CORRECTION')
     or v.delta <= 0 and v.origine_cout <> 'OUVERTURE' then
    perform core.refuser(409, 'COUT_NON_CORRIGEABLE',
      'Seul se corrige le coût d''une entrée, ou celui du stock d''ouverture.');
  elsif exists (select from market.mouvement_stock m
                 where m.id_mouvement_origine = p_id_mouvement and m.type = 'SORTIE') then
    perform core.refuser(409, 'COUT_NON_CORRIGEABLE', 'Cette entrée est défaite : son coût ne se corrige plus.');
  end if;
  insert into market.mouvement_stock as m (id_produit, type, quantite, cout_unitaire, id_mouvement_origine, motif)
  values (v.id_produit, 'AJUSTEMENT', 0, p_cout_unitaire, p_id_mouvement,
          coalesce(p_motif, format('Coût du mouvement %s corrigé', p_id_mouvement)))
  returning m.id_mouvement into v_id_mouvement;
  return market._mouvement_stock(v_id_mouvement);
end $$;
comment on function market.mouvement_stock_corriger is
  'Corrige le coût d''une entrée, venu plus tard ou saisi faux, par un mouvement du jour, sans réécrire le passé : « valeur » change le stock et son coût moyen, « ecart_de_cout » est la part des articles déjà sortis.';
-- The quantity is zero.
call core.ne_refuse_pas('market.mouvement_stock_corriger', 'STOCK_INSUFFISANT');
