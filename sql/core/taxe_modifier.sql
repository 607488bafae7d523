call core.modification('core.taxe_modifier', 'core.taxe', 'core.taxe_detail', 'libelle');
comment on type core.taxe_champs is 'Ce qui se modifie d''un taux : son libellé.';
comment on function core.taxe_modifier is
  'Change le libellé d''un taux ; pour changer le taux, le même code reçoit un taux suivant.';
