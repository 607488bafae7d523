call core.creation('client.contact_urgence_creer', 'client.contact_urgence', 'client._contact_urgence',
  'client._client(p_id_client)', 'id_client', 'nom', 'lien', 'tel_principal', 'prenom', 'tel_secondaire', 'adresse',
  'email');
comment on function client.contact_urgence_creer is 'Ajoute une personne à prévenir pour un client.';
