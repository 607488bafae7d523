create function residence.sejour_renoncer(p_id_sejour bigint, p_motif core.texte default null)
returns residence.portail_sejour
language plpgsql volatile security definer set search_path = pg_catalog, pg_temp as $$
begin
  perform residence.portail_sejour_detail(p_id_sejour);
  perform core._demande_en_attente(s.statut::text)
     from (select s.statut from residence.sejour_court s where s.id_sejour = p_id_sejour for no key update) s;
  update residence.sejour_court s set statut = 'ANNULE', motif_annulation = p_motif where s.id_sejour = p_id_sejour;
  return residence.portail_sejour_detail(p_id_sejour);
end $$;
comment on function residence.sejour_renoncer is
  'Le client connecté annule sa demande de séjour, tant qu''elle attend sa réponse.';
-- The row is a request, which is open and has no departure and no invoice.
call core.ne_refuse_pas('residence.sejour_renoncer', 'TRANSITION_INTERDITE', 'DEPART_NOTE', 'SEJOUR_CLOS',
  'SEJOUR_FACTURE');
