call core.liste_entiere('compta.periode_lister', 'compta.periode_vue', 'v.periode desc');
comment on function compta.periode_lister is 'Mois clôturés, du dernier au premier.';
