call core.liste_entiere('compta.exercice_lister', 'compta.exercice_annuel_vue', 'v.annee desc');
comment on function compta.exercice_lister is 'Exercices depuis le premier mois clôturé, du présent au plus ancien.';
