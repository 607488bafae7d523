create function pressing.commande_retirer(
  p_id_commande bigint, p_solde core.montant default 0, p_id_moyen bigint default null)
returns pressing.commande_reglement
language plpgsql volatile security definer set search_path = pg_catalog, pg_temp as $$
declare
  v_reglement facturation.reglement;
begin
  perform pressing._commande_passer(p_id_commande, 'RETIRE');
  v_reglement := pressing._commande_regler(p_id_commande, p_solde, p_id_moyen);
  perform finances._solde_exiger(v_reglement, p_solde);
  return pressing._reponse(p_id_commande, v_reglement);
end $$;
comment on function pressing.commande_retirer is
  'Rend son linge au client contre le solde exact, encaissé sur la facture de la commande ; 0, ou rien, si tout est payé ou que des abonnements paient tout.';
