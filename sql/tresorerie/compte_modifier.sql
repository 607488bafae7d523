call core.modification('tresorerie.compte_modifier', 'tresorerie.compte', 'tresorerie._compte', 'libelle', 'genre',
  'fournisseur', 'identifiant', 'actif');
comment on type tresorerie.compte_champs is 'Ce qui se modifie d''un compte ; son moyen et son activité n''en sont pas.';
comment on function tresorerie.compte_modifier is
  'Modifie un compte. Désactivé, il ne reçoit plus rien après ce jour et garde son solde ; réactivé, il prend aussi ce qui est arrivé entre-temps.';
-- The function writes neither the method nor the activity.
call core.ne_refuse_pas('tresorerie.compte_modifier', 'COMPTE_FIGE');
