-- The advisory locks, each by its name. Its number is the first of the two keys where the second is an identifier or 0, and the
-- seed of the hash where the lock is of a text. Numbers do not change: two releases may serve one database for a moment.
-- The lock of upgrades is not here, because an upgrade takes it before this code exists: app/database/upgrade/locks.py.

create type core.nom_verrou as enum (
  'IDEMPOTENCE', 'TACHE', 'CAISSE', 'SOURCE', 'PAIEMENT', 'CRENEAU', 'SCEAU', 'COFFRE');
comment on type core.nom_verrou is 'Verrous consultatifs de la base.';

create function core._verrou(p_verrou core.nom_verrou) returns integer
language sql immutable parallel safe
return case p_verrou
  when 'IDEMPOTENCE' then 4201    -- a user and the key of a request (hash)
  when 'TACHE' then 4202          -- a job in the queue (hash)
  when 'CAISSE' then 4301         -- a till: shared by what books money, alone for what opens, closes or counts it
  when 'SOURCE' then 4302         -- what an invoice is made for (hash)
  when 'PAIEMENT' then 4303       -- a payment that is cancelled, paid back or applied (hash)
  when 'CRENEAU' then 4315        -- the slots of the hall, 0
  when 'SCEAU' then 4320          -- the chain of seals, 0
  when 'COFFRE' then 1935766902   -- backups and restores, 0; 'sauv' in hexadecimal
end;
comment on function core._verrou(core.nom_verrou) is 'Numéro d''un verrou consultatif.';
