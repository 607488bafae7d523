-- Sums by day of a table whose rows are many. A job adds new rows to the sums, in the order of their identifiers;
-- core.resume_etat says up to which one. A report adds to the sums, in the same snapshot, the rows that are not summed
-- yet. Inserting a row costs nothing more. A trigger of the table updates the sums when a summed row changes.

-- A running transaction may have a smaller identifier than a committed one, and holds a lock on the sequence until its
-- end. Once the transactions that hold a lock now have ended, no row up to the largest identifier can appear.
create function core._identifiants_attendre(p_sequences regclass[]) returns boolean
language plpgsql volatile as $$
declare
  v_ecrivains text[];
begin
  -- The caller must see the rows that it waited for. In another isolation level its next statement would not see them.
  if current_setting('transaction_isolation') <> 'read committed' then
    perform core.refuser(409, 'ISOLATION_IMPREVUE',
      'Cette opération attend des écritures : elle demande l''isolation READ COMMITTED.');
  end if;
  v_ecrivains := array(select l.virtualtransaction from pg_catalog.pg_locks l
                        where l.relation = any (p_sequences) and l.granted and l.mode = 'RowExclusiveLock'
                          and l.pid is distinct from pg_backend_pid()
                          and l.database = (select d.oid from pg_catalog.pg_database d
                                             where d.datname = current_database()));
  for v_essai in 1..200 loop
    if not exists (select from pg_catalog.pg_locks l
                    where l.relation = any (p_sequences) and l.virtualtransaction = any (v_ecrivains)) then
      return true;
    end if;
    perform pg_sleep(0.01);
  end loop;
  return false;
end $$;
comment on function core._identifiants_attendre is
  'Attend, deux secondes au plus, que finissent les transactions qui ont pris un identifiant de ces séquences ; faux si l''une dure encore. Refuse ISOLATION_IMPREVUE.';

create function core._resume_avancer(p_entite text, p_sequence regclass, p_jusqu_a bigint) returns bigint
language plpgsql volatile as $$
declare
  v_depuis bigint;
begin
  if p_jusqu_a is null or not core._identifiants_attendre(array[p_sequence]) then
    return null;
  end if;
  -- The row is locked only after the wait: changing a summed row locks this one too, and an earlier lock would block
  -- the transactions that the function waits for.
  select e.jusqu_a into strict v_depuis from core.resume_etat e where e.entite = p_entite for update;
  if v_depuis >= p_jusqu_a then
    return null; -- another process has summed these rows
  end if;
  update core.resume_etat e set jusqu_a = p_jusqu_a where e.entite = p_entite;
  return v_depuis;
end $$;
comment on function core._resume_avancer is
  'Note qu''une table est résumée jusqu''à cet identifiant, et rend celui d''avant : l''appelant additionne les lignes entre les deux. Null quand il n''y en a pas, ou qu''une écriture ne finit pas. Refuse ISOLATION_IMPREVUE.';

create function core._resume_contient(p_entite text, p_id bigint) returns boolean
language plpgsql volatile as $$
begin
  -- The job locks this row first. After the wait, it has either summed the old values, or will sum the new ones.
  perform from core.resume_etat e where e.entite = p_entite for share;
  return p_id <= (select e.jusqu_a from core.resume_etat e where e.entite = p_entite);
end $$;
comment on function core._resume_contient is
  'Vrai si une ligne est déjà dans les sommes ; la tâche qui résume attend alors la fin de la transaction.';
