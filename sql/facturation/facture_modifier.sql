call core.modification('facturation.facture_modifier', 'facturation.facture', 'facturation.facture_detail',
  'libelle');
comment on type facturation.facture_champs is 'Ce qui se corrige dans une facture : son libellé seul.';
comment on function facturation.facture_modifier is 'Change le libellé d''une facture, et rien d''autre.';
