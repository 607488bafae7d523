-- The last name stands on both sides of the first name, so that the search finds both orders.
call core.liste('auth.utilisateur_lister', 'auth.utilisateur_vue', 'v.id_utilisateur',
  'recherche: core._contient(concat_ws('' '', v.login, v.nom, v.prenom, v.nom, v.role), $)', 'id_role', 'actif',
  'login', 'nom', 'prenom');
comment on function auth.utilisateur_lister is
  'Liste les comptes ; la recherche porte sur le login, les noms et le rôle.';
