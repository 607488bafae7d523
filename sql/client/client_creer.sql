call core.creation('client.client_creer', 'client.client', 'client._client', null, 'nom', 'prenoms', 'tel_principal',
  'type_client', 'date_naissance', 'lieu_naissance', 'sexe', 'nationalite', 'profession', 'photo', 'tel_secondaire',
  'email', 'adresse', 'ville', 'pays', 'numero_contribuable core.libelle default null');
comment on function client.client_creer is 'Enregistre un client ; son code lui est donné.';
