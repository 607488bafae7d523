call core.renoncement(
  'salle_fete.reservation_renoncer', 'salle_fete.reservation', 'salle_fete.portail_reservation_detail');
comment on function salle_fete.reservation_renoncer is
  'Le client connecté annule sa demande de la salle, tant qu''elle attend sa réponse.';
-- The row is a request.
call core.ne_refuse_pas('salle_fete.reservation_renoncer', 'TRANSITION_INTERDITE');
