create function market.vente_demander(p_lignes market.ligne_vente[], p_note core.texte default null)
returns market.portail_vente
language plpgsql volatile security definer set search_path = pg_catalog, pg_temp as $$
declare
  v_id_client bigint := client._portail_client();
  v_id_vente bigint := nextval('market.vente_id_vente_seq');
begin
  perform market._panier_verifier(p_lignes);
  perform market._vente_lignes_ecrire(v_id_vente, p_lignes);
  insert into market.vente (id_vente, id_client, statut, origine, note)
  overriding system value
  values (v_id_vente, v_id_client, 'EN_ATTENTE', 'PORTAIL', p_note);
  return market.portail_vente_detail(v_id_vente);
end $$;
comment on function market.vente_demander is
  'Commande des produits de la boutique au nom du client connecté, au prix de ce jour. La demande ne sort aucun stock : son acceptation le fait.';
-- The row exists when its detail is read.
call core.ne_refuse_pas('market.vente_demander', 'NOT_FOUND');
