create function pressing.commande_annuler(p_id_commande bigint, p_motif core.texte default null)
returns pressing.commande_detail_vue
language sql volatile security definer set search_path = pg_catalog, pg_temp
return pressing._commande_passer(p_id_commande, 'ANNULEE', p_motif);
comment on function pressing.commande_annuler is 'Annule une commande qui n''a pas de facture.';
-- The order may have an invoice.
call core.peut_refuser('pressing.commande_annuler', 'COMMANDE_FACTUREE');
