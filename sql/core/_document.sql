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
comment on function core._organisation() is 'L''organisation d''après ses paramètres ; ce qui n''est pas renseigné est null.';

-- NMAC: two nested hashes with two keys. Without the keys, no one can create or extend a value.
create function core._signer(p_texte text) returns text
language sql stable
return (
  select left(encode(sha256(substring(s.secret from 33) || sha256(substring(s.secret for 32) || convert_to(p_texte, 'UTF8'))),
                     'hex'), 16)
    from core.secret_documents s);
comment on function core._signer(text) is 'Valeur de contrôle d''un texte : 16 chiffres hexadécimaux que seule cette base sait faire.';

create function core._controle(p_numero text, p_montant numeric) returns text
language sql stable
return (select t.texte || '|' || core._signer(t.texte) from (select concat_ws('|', p_numero, p_montant::numeric(14,2)) as texte) t);
comment on function core._controle(text, numeric) is
  'Texte du code QR d''un document : numéro, montant et valeur de contrôle, séparés par des barres.';

create type core.largeur_ticket as enum ('58', '80');
comment on type core.largeur_ticket is 'Largeur du papier d''une imprimante de tickets, en millimètres.';
