call core.renoncement('restaurant.commande_renoncer', 'restaurant.commande', 'restaurant.portail_commande_detail');
comment on function restaurant.commande_renoncer is
  'Le client connecté annule sa commande au restaurant, tant qu''elle attend sa réponse.';
-- The row is a request, which has no invoice, and the function does not pay it.
call core.ne_refuse_pas('restaurant.commande_renoncer', 'TRANSITION_INTERDITE', 'ANNULATION_SANS_REMBOURSEMENT',
  'COMMANDE_NON_REGLEE');
