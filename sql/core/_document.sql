-- The data of the organisation on printed documents, and the check value that proves that this service printed one.

create type core.organisation as (
  nom text, adresse text, ville text, telephone text, email text, mentions text, devise text, fuseau text);
comment on type core.organisation is 'L''organisation, telle que ses documents la nomment ; ses paramètres la décrivent.';
comment on column core.organisation.mentions is 'Registre du commerce, identifiant fiscal.';
comment on column core.organisation.fuseau is 'Fuseau horaire de ses dates, par exemple Africa/Abidjan.';
comment on column core.organisation.devise is 'Ce qui suit un montant, par exemple FCFA.';

create function core._organisation() returns core.organisation
language sql stable
return (
  select row(max(p.valeur) filter (where p.cle = 'NOM_ORGANISATION'),
             nullif(max(p.valeur) filter (where p.cle = 'ADRESSE_ORGANISATION'), ''),
             nullif(max(p.valeur) filter (where p.cle = 'VILLE_ORGANISATION'), ''),
             nullif(max(p.valeur) filter (where p.cle = 'TELEPHONE_ORGANISATION'), ''),
             nullif(max(p.valeur) filter (where p.cle = 'EMAIL_ORGANISATION'), ''),
             nullif(max(p.valeur) filter (where p.cle = 'MENTIONS_LEGALES'), ''),
             coalesce(max(p.valeur) filter (where p.cle = 'DEVISE_DEFAUT'), ''), core.fuseau())::core.organisation
    from core.parametre p);
comment on function core._organisation is 'L''organisation d''après ses paramètres ; ce qui n''est pas renseigné est null.';

-- NMAC: two nested hashes with two keys. Without the keys, no one can create or extend a value.
create function core._signer(p_texte text, p_chiffres integer default 16) returns text
language sql stable
return (
  select left(encode(sha256(substring(s.secret from 33)
                            || sha256(substring(s.secret for 32) || convert_to(p_texte, 'UTF8'))), 'hex'), p_chiffres)
    from core.secret_documents s);
comment on function core._signer is 'Valeur de contrôle d''un texte : des chiffres hexadécimaux que seule cette base sait faire.';

create type core.piece as enum ('facture', 'avoir', 'paiement', 'echeance', 'commande');
comment on type core.piece is 'Ce dont un document est le papier. Une échéance a un reçu, une commande de pressing aussi.';

-- The token tells the document without any stored row. Its 128 bits cannot be guessed.
create function core._jeton(p_piece core.piece, p_id bigint) returns text
language sql stable
return left(p_piece::text, 1) || p_id || '-' || core._signer('jeton:' || p_piece || ':' || p_id, 32);
comment on function core._jeton is 'Jeton qu''un document porte dans son code QR, et qui mène à sa vérification.';

create type core.piece_lue as (piece core.piece, id bigint);
comment on type core.piece_lue is 'Ce que désigne un jeton.';

create function core._jeton_lire(p_jeton text) returns core.piece_lue
language sql stable
return (
  select row(p.piece, p.id)::core.piece_lue
    from (select x.piece, substring(p_jeton from '^[a-z]([1-9][0-9]{0,17})-')::bigint as id
            from unnest(enum_range(null::core.piece)) x (piece)) p
   where p_jeton = core._jeton(p.piece, p.id));
comment on function core._jeton_lire is 'Ce que désigne un jeton, null d''un texte qui n''en est pas un.';

create type core.largeur_ticket as enum ('58', '80');
comment on type core.largeur_ticket is 'Largeur du papier d''une imprimante de tickets, en millimètres.';
