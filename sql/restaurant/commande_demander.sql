create function restaurant.commande_demander(
  p_type restaurant.type_commande, p_lignes restaurant.ligne_commande[], p_adresse_livraison core.texte default null,
  p_notes core.texte default null)
returns restaurant.portail_commande
language plpgsql volatile security definer set search_path = pg_catalog, pg_temp as $$
declare
  v_id_client bigint := client._portail_client();
  v_id_commande bigint := nextval('restaurant.commande_id_commande_seq');
begin
  perform restaurant._plats_disponibles(p_lignes);
  perform restaurant._commande_lignes_ecrire(v_id_commande, p_lignes);
  insert into restaurant.commande (id_commande, id_client, type, statut, origine, adresse_livraison, notes)
  overriding system value
  values (v_id_commande, v_id_client, p_type, 'EN_ATTENTE', 'PORTAIL', p_adresse_livraison, p_notes);
  return restaurant.portail_commande_detail(v_id_commande);
end $$;
comment on function restaurant.commande_demander is
  'Commande des plats au nom du client connecté, au prix de ce jour ; une LIVRAISON a une adresse. La cuisine ne la commence qu''une fois acceptée.';
-- The function writes the origin.
call core.peut_refuser('restaurant.commande_demander', 'LIVRAISON_SANS_ADRESSE');
-- The row exists when its detail is read.
call core.ne_refuse_pas('restaurant.commande_demander', 'NOT_FOUND');
