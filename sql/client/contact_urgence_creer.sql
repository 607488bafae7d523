create function client.contact_urgence_creer(
  p_id_client bigint, p_nom core.libelle, p_lien core.libelle, p_tel_principal core.telephone,
  p_prenom core.libelle default null, p_tel_secondaire core.telephone default null,
  p_adresse core.texte default null, p_email core.email default null)
returns client.contact_urgence_vue
language plpgsql volatile security definer set search_path = pg_catalog, pg_temp as $$
declare
  v_id_contact bigint;
begin
  perform client._client(p_id_client);
  insert into client.contact_urgence (id_client, nom, prenom, lien, tel_principal, tel_secondaire, adresse, email)
  values (p_id_client, p_nom, p_prenom, p_lien, p_tel_principal, p_tel_secondaire, p_adresse, p_email)
  returning id_contact into v_id_contact;
  return (select c from client.contact_urgence_vue c where c.id_contact = v_id_contact);
end $$;
comment on function client.contact_urgence_creer is 'Ajoute une personne à prévenir pour un client.';
