create function residence.caution_verser(
  p_id_contrat bigint, p_date_versement date default null, p_montant core.montant_du_reglement default null,
  p_motif core.texte default null)
returns residence.caution_vue
language plpgsql volatile security definer set search_path = pg_catalog, pg_temp as $$
declare
  v residence.caution := residence._caution_verrouiller(p_id_contrat);
begin
  perform residence._caution_due(v);
  perform residence._caution_verser(v, 'VERSEMENT', coalesce(p_montant, v.montant::core.montant_du_reglement),
                                    residence._jour_passe(p_date_versement), p_motif, null);
  return residence.caution_detail(p_id_contrat);
end $$;
comment on function residence.caution_verser is 'Déclare une caution versée, sans écrire de paiement.';
