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

call core.detail('client._contact_urgence', 'client.contact_urgence_vue', 'id_contact');
comment on function client._contact_urgence is 'Une personne à prévenir. Refuse NOT_FOUND.';

create view client.piece_identite_vue as
select p.id_piece, p.id_client, p.type_piece, p.numero, p.date_delivrance, p.date_expiration, p.autorite_delivrance,
       p.copie_num, p.copie_num_verso
  from client.piece_identite p
 where core.client() is null or p.id_client = core.client();
comment on view client.piece_identite_vue is 'Pièce d''identité d''un client.';

call core.detail('client._piece_identite', 'client.piece_identite_vue', 'id_piece');
comment on function client._piece_identite is 'Une pièce d''identité. Refuse NOT_FOUND.';

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

call core.detail('client._client', 'client.client_vue', 'id_client');
comment on function client._client is 'Un client visible de l''utilisateur. Refuse NOT_FOUND.';

-- Only an import gives a code: the client has it on paper.
call core.creation('client._client_inscrire', 'client.client', 'client._client', null, 'code core.libelle', 'nom',
  'prenoms', 'tel_principal', 'type_client', 'date_naissance', 'lieu_naissance', 'sexe', 'nationalite', 'profession',
  'photo', 'tel_secondaire', 'email', 'adresse', 'ville', 'pays');
comment on function client._client_inscrire is 'Enregistre un client, avec son code s''il en a déjà un.';
