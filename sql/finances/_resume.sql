-- The sums of payments by day. Writing a payment costs nothing more: its amount, direction, activity, till and author
-- never change, and a new payment has a larger identifier than the summed ones, whatever its day is. Only its day may
-- change: the trigger below then updates the sums.

create function finances._resumer(
  p_jour date, p_id_activite bigint, p_id_caisse bigint, p_id_utilisateur bigint,
  p_encaissements numeric, p_decaissements numeric, p_nombre bigint)
returns void
language sql volatile as $$
  insert into finances.resume_paiement as r
         (jour, id_activite, id_caisse, id_utilisateur, encaissements, decaissements, nombre)
  values (p_jour, p_id_activite, p_id_caisse, p_id_utilisateur, p_encaissements, p_decaissements, p_nombre)
  on conflict on constraint resume_unique do update
     set (encaissements, decaissements, nombre) = row(r.encaissements + excluded.encaissements,
                                                      r.decaissements + excluded.decaissements, r.nombre + excluded.nombre);
$$;
comment on function finances._resumer(date, bigint, bigint, bigint, numeric, numeric, bigint) is 'Ajoute aux sommes d''un jour.';

-- A payment in a running transaction may have a smaller identifier than a committed one. A transaction that writes
-- payments holds a lock on the table until its end. Once the transactions that hold a lock now have ended, every
-- payment up to the largest identifier is visible or will never exist. Only the job waits.
create function finances._ecritures_attendre() returns boolean
language plpgsql volatile as $$
declare
  v_ecrivains text[];
begin
  v_ecrivains := array(select l.virtualtransaction from pg_catalog.pg_locks l
                        where l.relation = 'finances.paiement'::regclass and l.granted and l.mode <> 'AccessShareLock'
                          and l.pid is distinct from pg_backend_pid()
                          and l.database = (select d.oid from pg_catalog.pg_database d where d.datname = current_database()));
  for v_essai in 1..200 loop
    if not exists (select from pg_catalog.pg_locks l
                    where l.relation = 'finances.paiement'::regclass and l.virtualtransaction = any (v_ecrivains)) then
      return true;
    end if;
    perform pg_sleep(0.01);
  end loop;
  return false;
end $$;
comment on function finances._ecritures_attendre() is
  'Attend, deux secondes au plus, que finissent les transactions qui écrivent en ce moment des paiements ; faux si l''une dure encore.';

create function finances._paiements_resumer(p_nombre bigint) returns bigint
language plpgsql volatile as $$
declare
  v_depuis bigint;
  v_jusqu_a bigint;
begin
  -- Each statement must see the rows committed before it. Another isolation level would miss the rows that the function
  -- waited for.
  if current_setting('transaction_isolation') <> 'read committed' then
    perform core.refuser(409, 'ISOLATION_TROP_FORTE', 'Le résumé des paiements demande l''isolation « read committed ».');
  end if;
  select max(p.id_paiement) into v_jusqu_a
    from (select p.id_paiement from finances.paiement p
           where p.id_paiement > (select e.jusqu_a from finances.resume_etat e) order by p.id_paiement limit p_nombre) p;
  if v_jusqu_a is null or not finances._ecritures_attendre() then
    return 0;
  end if;
  -- The row is locked only after the wait: moving a payment to another day locks this row too, and an earlier lock
  -- would block the transactions that the function waits for.
  select e.jusqu_a into strict v_depuis from finances.resume_etat e for update;
  if v_depuis >= v_jusqu_a then
    return 0; -- another process has summed these payments
  end if;
  perform finances._resumer(s.jour, s.id_activite, s.id_caisse, s.id_utilisateur, s.encaissements, s.decaissements, s.nombre)
     from (select p.jour, p.id_activite, p.id_caisse, p.id_utilisateur, count(*) as nombre,
                  coalesce(sum(p.montant) filter (where p.type = 'ENCAISSEMENT'), 0) as encaissements,
                  coalesce(sum(p.montant) filter (where p.type = 'DECAISSEMENT'), 0) as decaissements
             from finances.paiement p
            where p.id_paiement > v_depuis and p.id_paiement <= v_jusqu_a
            group by p.jour, p.id_activite, p.id_caisse, p.id_utilisateur) s;
  update finances.resume_etat e set jusqu_a = v_jusqu_a where e.seul;
  return v_jusqu_a - v_depuis;
end $$;
comment on function finances._paiements_resumer(bigint) is
  'Résume les paiements qui ne le sont pas, p_nombre au plus ; 0 quand il n''y en a pas, ou qu''une écriture ne finit pas. Refuse ISOLATION_TROP_FORTE.';

create function finances._t50_paiement_resume() returns trigger
language plpgsql volatile as $$
declare
  v_encaisse numeric := case old.type when 'ENCAISSEMENT' then old.montant else 0 end;
begin
  -- The job locks this row first. After the wait, it has either summed the old day, or will sum the new one.
  perform from finances.resume_etat e for share;
  if old.id_paiement <= (select e.jusqu_a from finances.resume_etat e) then
    perform finances._resumer(old.jour, old.id_activite, old.id_caisse, old.id_utilisateur,
                              -v_encaisse, v_encaisse - old.montant, -1);
    perform finances._resumer(new.jour, new.id_activite, new.id_caisse, new.id_utilisateur,
                              v_encaisse, old.montant - v_encaisse, 1);
  end if;
  return null;
end $$;
comment on function finances._t50_paiement_resume() is 'Déplace dans les sommes un paiement résumé dont le jour change.';

create trigger t50_paiement_resume after update of date, jour on finances.paiement
  for each row when (old.jour <> new.jour) execute function finances._t50_paiement_resume();

-- The planner does not know that few payments are recent. The upper bound makes it read them by index.
create view finances._paiement_recent_vue as
select p.* from finances.paiement p
 where p.id_paiement between (select e.jusqu_a + 1 from finances.resume_etat e) and 9223372036854775807;
comment on view finances._paiement_recent_vue is 'Paiements qui ne sont pas encore résumés.';
