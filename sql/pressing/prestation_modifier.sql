call core.modification('pressing.prestation_modifier', 'pressing.prestation', 'pressing.prestation_detail', 'libelle',
  'actif', 'code_taxe core.code');
comment on type pressing.prestation_champs is 'Champs modifiables d''une prestation du catalogue.';
comment on function pressing.prestation_modifier is
  'Renomme, désactive ou réactive une prestation du catalogue ; les commandes gardent le libellé qu''elles ont.';
