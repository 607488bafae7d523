-- Lock: the bill.

create function achat.facture_annuler(p_id_achat bigint) returns achat.achat_detail_vue
language plpgsql volatile security definer set search_path = pg_catalog, pg_temp as $$
begin
  perform achat._brouillon_exiger(achat._facture_verrouiller(p_id_achat));
  perform achat._facture_guichet(p_id_achat, 'SUPPRIMER');
  update achat.facture f set statut = 'ANNULEE' where f.id_achat = p_id_achat;
  return achat.facture_detail(p_id_achat);
end $$;
comment on function achat.facture_annuler is
  'Abandonne un brouillon : le numéro de son fournisseur peut resservir. Une facture validée se crédite.';
call core.ne_refuse_pas('achat.facture_annuler', 'TRANSITION_INTERDITE');
