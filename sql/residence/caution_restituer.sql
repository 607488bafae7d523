create function residence.caution_restituer(
  p_id_contrat bigint, p_retenue core.montant default null, p_motif_retenue core.texte default null)
returns residence.caution_vue
language plpgsql volatile security definer set search_path = pg_catalog, pg_temp as $$
declare
  v residence.caution := residence._caution_verrouiller(p_id_contrat);
begin
  perform residence._caution_a_rendre(v, coalesce(p_retenue, 0), false);
  perform residence._caution_rendre(v, 'RESTITUTION', coalesce(p_retenue, 0), p_motif_retenue, core.aujourdhui(), null);
  return residence._caution(p_id_contrat);
end $$;
comment on function residence.caution_restituer(bigint, core.montant, core.texte) is
  'Déclare restituée une caution versée sur déclaration, moins la retenue, sans écrire de paiement. Refuse : NOT_FOUND, CAUTION_NON_VERSEE, CAUTION_DEJA_RESTITUEE, RETENUE_INVALIDE, CAUTION_ENCAISSEE.';
