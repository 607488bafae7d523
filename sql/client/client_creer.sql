create function client.client_creer(
  p_nom core.libelle, p_prenoms core.libelle, p_tel_principal core.telephone, p_type_client client.type_client,
  p_date_naissance date default null, p_lieu_naissance core.libelle default null, p_sexe client.sexe default null,
  p_nationalite core.libelle default null, p_profession core.libelle default null,
  p_photo core.cle_objet default null, p_tel_secondaire core.telephone default null, p_email core.email default null,
  p_adresse core.texte default null, p_ville core.libelle default null, p_pays core.libelle default null,
  p_numero_contribuable core.libelle default null)
returns client.client_vue
language sql volatile security definer set search_path = pg_catalog, pg_temp
return client._client_inscrire(null, p_nom, p_prenoms, p_tel_principal, p_type_client, p_date_naissance,
                               p_lieu_naissance, p_sexe, p_nationalite, p_profession, p_photo, p_tel_secondaire,
                               p_email, p_adresse, p_ville, p_pays, p_numero_contribuable);
comment on function client.client_creer is 'Enregistre un client ; son code lui est donné.';
-- client._client_inscrire writes the row.
call core.peut_refuser('client.client_creer', 'NAISSANCE_PLAUSIBLE');
