-- The last name stands on both sides of the first names, so that the search finds both orders.
call core.liste('client.client_lister', 'client.client_vue', 'v.date_enregistrement desc, v.id_client desc',
  'recherche: core._contient(
    concat_ws('' '', v.code, v.nom, v.prenoms, v.nom, v.tel_principal, v.tel_secondaire, v.email), $)',
  'type_client', 'nom', 'prenoms', 'sexe', 'nationalite', 'profession', 'tel_principal', 'tel_secondaire', 'email',
  'ville', 'pays', 'naissance_du: date_naissance', 'naissance_au: date_naissance',
  'enregistre_du: date_enregistrement', 'enregistre_au: date_enregistrement');
comment on function client.client_lister is
  'Liste les clients, les derniers enregistrés d''abord ; la recherche porte sur le code, les noms, les téléphones et l''adresse électronique.';
