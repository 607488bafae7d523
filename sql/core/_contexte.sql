-- The context of a request. The API opens each statement with core.contexte. Triggers, views and the journal read the
-- values through these functions. Outside the API (psql, jobs) each function returns NULL: no user and no limit.

create function core.utilisateur() returns bigint
language sql stable parallel safe
return nullif(current_setting('comptoir.utilisateur', true), '')::bigint;
comment on function core.utilisateur is 'Utilisateur de la requête, null hors de l''API.';

create function core._t10_auteur() returns trigger
language plpgsql volatile as $$
begin
  new.id_utilisateur := coalesce(core.utilisateur(), new.id_utilisateur);
  return new;
end $$;
comment on function core._t10_auteur is
  'Auteur de la ligne : l''utilisateur de la requête, quoi qu''on y écrive ; hors de l''API, celui qu''on nomme.';

create function core.client() returns bigint
language sql stable parallel safe
return nullif(current_setting('comptoir.client', true), '')::bigint;
comment on function core.client is 'Client auquel l''utilisateur est lié, null sinon.';

create function core.a_confirmer() returns boolean
language sql stable parallel safe
return coalesce(nullif(current_setting('comptoir.a_confirmer', true), '')::boolean, false);
comment on function core.a_confirmer is
  'Vrai si l''utilisateur s''est inscrit lui-même et n''a pas encore confirmé son adresse : son espace reste fermé.';

create function core.caisse() returns bigint
language sql stable parallel safe
return nullif(current_setting('comptoir.caisse', true), '')::bigint;
comment on function core.caisse is 'Caisse imposée à l''utilisateur, null s''il n''en a pas.';

create function core.activite() returns bigint
language sql stable parallel safe
return nullif(current_setting('comptoir.activite', true), '')::bigint;
comment on function core.activite is 'Activité à laquelle l''utilisateur est limité (la sienne ou celle de sa caisse), null sinon.';

create function core.cle() returns bigint
language sql stable parallel safe
return nullif(current_setting('comptoir.id_cle', true), '')::bigint;
comment on function core.cle is 'Clé d''API de la requête, null sans clé.';

create function core.famille() returns uuid
language sql stable parallel safe
return nullif(current_setting('comptoir.famille', true), '')::uuid;
comment on function core.famille is 'Connexion dont est né le jeton de la requête, null sans jeton.';

-- An operation that a device made without a network takes the moment, the prices and the ticket of the device. Its
-- transaction sets them (sql/finances/au_dessus/_operation.sql).
create function core.moment() returns timestamptz
language sql stable parallel safe
return nullif(current_setting('comptoir.moment', true), '')::timestamptz;
comment on function core.moment is 'Moment d''une opération faite sans réseau, null d''une opération faite ici.';

create function core.fonds() returns bigint
language sql stable parallel safe
return nullif(current_setting('comptoir.fonds', true), '')::bigint;
comment on function core.fonds is 'Version des prix que voyait l''appareil qui a fait l''opération, null d''une opération faite ici.';

create function core.ticket() returns text
language sql stable parallel safe
return nullif(current_setting('comptoir.ticket', true), '');
comment on function core.ticket is 'Numéro du ticket qu''un appareil a imprimé pour cette opération, null d''une opération faite ici.';
