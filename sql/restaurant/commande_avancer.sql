create function restaurant.commande_avancer(p_id_commande bigint, p_statut restaurant.statut_commande,
  p_motif core.texte default null)
returns restaurant.commande_detail_vue
language plpgsql volatile security definer set search_path = pg_catalog, pg_temp as $$
declare
  v restaurant.commande;
begin
  perform p_motif; -- newer clients send it; no view shows it yet
  perform restaurant._commande(p_id_commande);
  select * into strict v from restaurant.commande x where x.id_commande = p_id_commande for no key update;
  if v.statut = p_statut then
    perform core.refuser(409, 'TRANSITION_INTERDITE', format('La commande est déjà à l''état %s.', core.etat_ecrire(v.statut::text)));
  end if;
  update restaurant.commande x set statut = p_statut where x.id_commande = p_id_commande;
  return restaurant._commande(p_id_commande);
end $$;
comment on function restaurant.commande_avancer(bigint, restaurant.statut_commande, core.texte) is
  'Fait avancer une commande : EN_COURS, EN_PREPARATION, SERVIE, PAYEE. ANNULEE passe par l''annulation, qui rend l''argent ; « motif » ne sert qu''à elle.';
call core.peut_refuser('restaurant.commande_avancer', 'NOT_FOUND', 'TRANSITION_INTERDITE', 'COMMANDE_NON_REGLEE',
  'ANNULATION_SANS_REMBOURSEMENT');
