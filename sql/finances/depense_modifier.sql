call core.modification('finances.depense_modifier', 'finances.depense', 'finances.depense_detail', 'date',
  'montant core.montant_du_reglement', 'id_categorie_depense', 'id_activite', 'libelle', 'justificatif');
comment on type finances.depense_champs is 'Ce qui se modifie d''une dépense ; sa caisse et son compte n''en sont pas.';
comment on column finances.depense_champs.montant is 'Change tant que la période de caisse est ouverte.';
comment on function finances.depense_modifier is
  'Modifie une dépense ; son montant et son jour tant que sa période de caisse est ouverte.';
-- The activity may change, and the till may not.
call core.peut_refuser('finances.depense_modifier', 'CAISSE_D_UNE_AUTRE_ACTIVITE');
-- The function writes neither the till nor the author.
call core.ne_refuse_pas('finances.depense_modifier', 'DEPENSE_FIGEE');
