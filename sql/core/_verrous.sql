-- The advisory locks, by name. A lock has two keys: its number, and an identifier or 0. For a lock on a text, the
-- number is the seed of the hash. Numbers never change, because two releases may use one database at the same time.
-- The lock of an upgrade is in app/database/upgrade/locks.py, because an upgrade takes it before this code exists.

create type core.nom_verrou as enum (
  'IDEMPOTENCE', 'TACHE', 'CAISSE', 'SOURCE', 'PAIEMENT', 'CRENEAU', 'SCEAU', 'WEBHOOK', 'COFFRE', 'CLOTURE',
  'REPETITION', 'RAPPROCHEMENT');
comment on type core.nom_verrou is 'Verrous consultatifs de la base.';

create function core._verrou(p_verrou core.nom_verrou) returns integer
language sql immutable parallel safe
return case p_verrou
  when 'IDEMPOTENCE' then 4201    -- hash of a user and the key of a request
  when 'TACHE' then 4202          -- hash of a job in the queue
  when 'CAISSE' then 4301         -- a till: shared to record money, exclusive to open, close or count it
  when 'SOURCE' then 4302         -- hash of the source of an invoice
  when 'PAIEMENT' then 4303       -- hash of a payment to cancel, refund or apply
  when 'CRENEAU' then 4315        -- the slots of the hall, 0
  when 'SCEAU' then 4320          -- the chain of seals, 0
  when 'WEBHOOK' then 4330        -- a webhook: one sender at a time
  when 'CLOTURE' then 4340        -- the closed months, 0: shared to write on a past month, exclusive to close one
  when 'REPETITION' then 4350     -- the writes of rehearsals, 0: one at a time
  when 'RAPPROCHEMENT' then 4360  -- an account outside the tills: one statement or match at a time
  when 'COFFRE' then 1935766902   -- backups and restores, 0; 'sauv' in hexadecimal
end;
comment on function core._verrou is 'Numéro d''un verrou consultatif.';

create function core._verrou_tenu(p_verrou core.nom_verrou, p_cle integer) returns boolean
language sql stable
return exists (
  select from pg_catalog.pg_locks l
   where l.locktype = 'advisory' and l.classid = core._verrou(p_verrou)::oid and l.objid = p_cle::oid and l.objsubid = 2
     and l.granted and l.database = (select d.oid from pg_catalog.pg_database d where d.datname = current_database()));
comment on function core._verrou_tenu is 'Vrai si une session vivante tient ce verrou.';
