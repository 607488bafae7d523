create function restaurant.commande_avancer(p_id_commande bigint, p_statut restaurant.statut_commande,
  p_motif core.texte default null)
returns restaurant.commande_detail_vue
language plpgsql volatile security definer set search_path = pg_catalog, pg_temp as $$
declare
  v restaurant.commande := restaurant._commande_verrouiller(p_id_commande);
  v_permission text := case when v.statut = 'EN_ATTENTE' and p_statut = 'EN_COURS' then 'RESTAURANT.VALIDER'
                            else 'RESTAURANT.MODIFIER' end;
begin
  -- The permission to accept a request serves to refuse it too.
  if not (auth._permise(v_permission) or v.statut = 'EN_ATTENTE' and auth._permise('RESTAURANT.VALIDER')) then
    perform auth._interdire(v_permission);
  end if;
  if v.statut = p_statut then
    perform core.refuser(409, 'TRANSITION_INTERDITE',
                         format('La commande est déjà à l''état %s.', core.etat_ecrire(v.statut::text)));
  elsif p_statut = 'ANNULEE' and v.montant_couvert is not null then
    -- Cancelling gives money or units back, and has its own permission.
    perform core.refuser(409, 'ANNULATION_SANS_REMBOURSEMENT',
                         'Une commande réglée ou facturée s''annule par l''opération qui rend ce qui l''a payée.');
  elsif v.statut = 'EN_ATTENTE' and p_statut = 'EN_COURS' then
    perform restaurant._plats_disponibles(array(
      select row(l.id_plat, l.quantite)::restaurant.ligne_commande from restaurant.commande_ligne l
       where l.id_commande = p_id_commande order by l.id_ligne));
  elsif v.statut = 'EN_PREPARATION' and p_statut = 'SERVIE' and v.montant_couvert is null then
    perform restaurant._commande_facturer(p_id_commande);
  end if;
  update restaurant.commande x
     set statut = p_statut, motif_annulation = case p_statut when 'ANNULEE' then p_motif end
   where x.id_commande = p_id_commande;
  return restaurant.commande_detail(p_id_commande);
end $$;
comment on function restaurant.commande_avancer is
  'Fait avancer une commande : EN_COURS, EN_PREPARATION, SERVIE, PAYEE. EN_COURS accepte une demande, dont les plats doivent être disponibles, et demande RESTAURANT.VALIDER ; ANNULEE la refuse avec « motif », que le client voit. Servie sans être réglée, elle reçoit sa facture, impayée. Une commande payée s''annule par /annuler.';
-- The order has lines of known dishes.
call core.ne_refuse_pas('restaurant.commande_avancer', 'COMMANDE_SANS_LIGNE', 'PLAT_INCONNU');
