call core.renoncement(
  'residence.sejour_renoncer', 'residence.sejour_court', 'residence.portail_sejour_detail', 'ANNULE');
comment on function residence.sejour_renoncer is
  'Le client connecté annule sa demande de séjour, tant qu''elle attend sa réponse.';
-- The row is a request, which is open and has no departure and no invoice.
call core.ne_refuse_pas('residence.sejour_renoncer', 'TRANSITION_INTERDITE', 'DEPART_NOTE', 'SEJOUR_CLOS',
  'SEJOUR_FACTURE');
