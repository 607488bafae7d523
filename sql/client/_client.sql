create trigger t10_client_code before insert or update of code on client.client
  for each row execute function core._t10_code('CL');

-- A number that was accepted stays when the setting changes.
create trigger t20_numero_contribuable_invalide before insert on client.client
  for each row when (new.numero_contribuable is not null) execute function core._t20_numero_contribuable();
create trigger t20_numero_contribuable_invalide_change before update of numero_contribuable on client.client
  for each row when (new.numero_contribuable <> coalesce(old.numero_contribuable, ''))
  execute function core._t20_numero_contribuable();

create view client.contact_urgence_vue as
select c.id_contact, c.id_client, c.nom, c.prenom, c.lien, c.tel_principal, c.tel_secondaire, c.adresse, c.email
  from client.contact_urgence c
 where core.client() is null or c.id_client = core.client();
comment on view client.contact_urgence_vue is 'Personne à prévenir pour un client.';

create view client.piece_identite_vue as
select p.id_piece, p.id_client, p.type_piece, p.numero, p.date_delivrance, p.date_expiration, p.autorite_delivrance,
       p.copie_num, p.copie_num_verso
  from client.piece_identite p
 where core.client() is null or p.id_client = core.client();
comment on view client.piece_identite_vue is 'Pièce d''identité d''un client.';

create view client.client_vue as
select c.id_client, c.code, c.nom, c.prenoms, c.date_naissance, c.lieu_naissance, c.sexe, c.nationalite, c.profession,
       c.photo, c.tel_principal, c.tel_secondaire, c.email, c.adresse, c.ville, c.pays, c.date_enregistrement,
       c.type_client, c.numero_contribuable::core.libelle
  from client.client c
 where case when (select core.client()) is null then true else c.id_client = (select core.client()) end;
comment on view client.client_vue is 'Clients ; un utilisateur lié à un client n''y voit que lui.';

create view client.client_detail_vue as
select c.*,
       array(select k from client.contact_urgence_vue k
              where k.id_client = c.id_client order by k.id_contact) as contacts,
       array(select p from client.piece_identite_vue p where p.id_client = c.id_client order by p.id_piece) as pieces
  from client.client_vue c;
comment on view client.client_detail_vue is 'Client, ses contacts d''urgence et ses pièces d''identité.';
comment on column client.client_detail_vue.contacts is 'Personnes à prévenir.';
comment on column client.client_detail_vue.pieces is 'Pièces d''identité.';

create function client._client(p_id_client bigint) returns client.client_vue
language plpgsql stable as $$
begin
  return core._trouve((select c from client.client_vue c where c.id_client = p_id_client));
end $$;
comment on function client._client is 'Un client visible de l''utilisateur. Refuse NOT_FOUND.';

-- Only an import gives a code: the client has it on paper.
create function client._client_inscrire(
  p_code core.libelle, p_nom core.libelle, p_prenoms core.libelle, p_tel_principal core.telephone,
  p_type_client client.type_client, p_date_naissance date, p_lieu_naissance core.libelle, p_sexe client.sexe,
  p_nationalite core.libelle, p_profession core.libelle, p_photo core.cle_objet, p_tel_secondaire core.telephone,
  p_email core.email, p_adresse core.texte, p_ville core.libelle, p_pays core.libelle,
  p_numero_contribuable core.libelle default null)
returns client.client_vue
language plpgsql volatile as $$
declare
  v_id_client bigint;
begin
  insert into client.client (
    code, nom, prenoms, tel_principal, type_client, date_naissance, lieu_naissance, sexe, nationalite, profession,
    photo, tel_secondaire, email, adresse, ville, pays, numero_contribuable)
  values (p_code, p_nom, p_prenoms, p_tel_principal, p_type_client, p_date_naissance, p_lieu_naissance, p_sexe,
          p_nationalite, p_profession, p_photo, p_tel_secondaire, p_email, p_adresse, p_ville, p_pays,
          p_numero_contribuable)
  returning id_client into v_id_client;
  return client._client(v_id_client);
end $$;
comment on function client._client_inscrire is 'Enregistre un client, avec son code s''il en a déjà un.';
