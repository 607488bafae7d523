call core.renoncement('pressing.commande_renoncer', 'pressing.commande', 'pressing.portail_commande_detail');
comment on function pressing.commande_renoncer is
  'Le client connecté annule son annonce de linge, tant qu''elle attend sa réponse.';
-- The row is a request, which has no invoice.
call core.ne_refuse_pas('pressing.commande_renoncer', 'TRANSITION_INTERDITE', 'COMMANDE_FACTUREE');
