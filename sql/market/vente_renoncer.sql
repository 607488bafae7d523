call core.renoncement('market.vente_renoncer', 'market.vente', 'market.portail_vente_detail');
comment on function market.vente_renoncer is
  'Le client connecté annule sa demande à la boutique, tant qu''elle attend sa réponse.';
-- The row is a request, which has no invoice.
call core.ne_refuse_pas('market.vente_renoncer', 'TRANSITION_INTERDITE', 'ANNULATION_SANS_REMBOURSEMENT');
