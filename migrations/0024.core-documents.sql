-- What a printed document says of the organisation, and the secret behind its check value.

insert into core.parametre (cle, valeur, description) values
  ('ADRESSE_ORGANISATION', '', 'Adresse imprimée sur les documents ; plusieurs lignes permises.'),
  ('VILLE_ORGANISATION', '', 'Ville où les documents sont établis : « Fait à … ».'),
  ('TELEPHONE_ORGANISATION', '', 'Téléphone imprimé sur les documents.'),
  ('EMAIL_ORGANISATION', '', 'Adresse électronique imprimée sur les documents.'),
  ('MENTIONS_LEGALES', '', 'Registre du commerce, identifiant fiscal : au pied des documents.')
on conflict on constraint parametre_existant do nothing;

create table core.secret_documents (
  seul boolean not null default true constraint secret_documents_pkey primary key,
  secret bytea not null,
  constraint secret_documents_seul check (seul)
);
comment on table core.secret_documents is 'Clé de la valeur de contrôle imprimée sur les documents, tirée au hasard à l''installation ; personne ne la lit.';
comment on column core.secret_documents.secret is '64 octets : la clé du premier hachage, puis celle du second.';
comment on constraint secret_documents_seul on core.secret_documents is 'Il n''y a qu''une clé.';

insert into core.secret_documents (secret)
select string_agg(uuid_send(gen_random_uuid()), '') from generate_series(1, 4);
