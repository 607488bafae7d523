create function residence.sejour_renoncer(p_id_sejour bigint, p_motif core.texte default null)
returns residence.portail_sejour
language plpgsql volatile security definer set search_path = pg_catalog, pg_temp as $$
declare
  v residence.sejour_court;
begin
  perform residence.portail_sejour_detail(p_id_sejour);
  select * into strict v from residence.sejour_court s where s.id_sejour = p_id_sejour for no key update;
  perform core._demande_en_attente(v.statut::text);
  update residence.sejour_court s set statut = 'ANNULE', motif_annulation = p_motif where s.id_sejour = p_id_sejour;
  return residence.portail_sejour_detail(p_id_sejour);
end $$;
comment on function residence.sejour_renoncer is
  'Le client connecté annule sa demande de séjour, tant qu''elle attend sa réponse.';
-- The row is a request, which is open and has no departure and no invoice.
call core.ne_refuse_pas('residence.sejour_renoncer', 'TRANSITION_INTERDITE', 'DEPART_NOTE', 'SEJOUR_CLOS',
  'SEJOUR_FACTURE');
