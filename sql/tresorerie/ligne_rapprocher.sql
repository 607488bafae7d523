create function tresorerie.ligne_rapprocher(
  p_id_ligne bigint, p_id_paiements bigint[] default null, p_id_depense bigint default null,
  p_id_virement bigint default null)
returns tresorerie.ligne_vue
language plpgsql volatile security definer set search_path = pg_catalog, pg_temp as $$
declare
  v tresorerie.ligne := tresorerie._ligne_tenir(p_id_ligne, false);
begin
  if num_nonnulls(nullif(p_id_paiements, '{}'), p_id_depense, p_id_virement) <> 1 then
    perform core.refuser(400, 'RAPPROCHEMENT_D_UN_SEUL',
                         'Donnez soit des paiements, soit une dépense, soit un virement.');
  end if;
  perform tresorerie._ligne_lier(v, 'MAIN', p_id_paiements, p_id_depense, p_id_virement);
  return tresorerie._ligne(p_id_ligne);
end $$;
comment on function tresorerie.ligne_rapprocher is
  'Dit ce qu''est une ligne de relevé : un ou plusieurs paiements, une dépense, ou un virement avec ses frais ou sans eux, du même montant au franc près. Se défait par « détacher ».';
call core.peut_refuser('tresorerie.ligne_rapprocher', 'PAIEMENT_DEJA_RAPPROCHE', 'DEPENSE_DEJA_RAPPROCHEE',
  'VIREMENT_DEJA_RAPPROCHE');
