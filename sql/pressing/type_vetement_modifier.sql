call core.modification('pressing.type_vetement_modifier', 'pressing.type_vetement', 'pressing.type_vetement_detail',
  'libelle', 'actif');
comment on type pressing.type_vetement_champs is 'Champs modifiables d''un type de vêtement du catalogue.';
comment on function pressing.type_vetement_modifier is
  'Renomme, désactive ou réactive un type de vêtement du catalogue ; les commandes gardent le libellé qu''elles ont.';
