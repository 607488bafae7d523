-- How payments get into their sums. A payment costs nothing more for it: amount, direction, activity, till and author
-- never change, and a new one has a greater id than those summed up, whatever day it is dated on. Only its date may still
-- move: the trigger below moves it in the sums too.

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

-- Sequences give ids before they are seen: a payment still being written may have a smaller id than one that is there.
-- Whoever writes payments holds a lock on the table until the end of its transaction, so once those who hold one now
-- are gone, every id up to the greatest is there or never will be. Nobody is made to wait but the job.
create function finances._ecritures_finies() returns boolean
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
comment on function finances._ecritures_finies() is
  'Attend, deux secondes au plus, que finissent les transactions qui écrivent en ce moment des paiements ; faux si l''une dure encore.';

create function finances._paiements_resumer(p_nombre bigint) returns bigint
language plpgsql volatile as $$
declare
  v_depuis bigint;
  v_jusqu_a bigint;
begin
  -- Each statement has to see what was committed before it: another isolation would miss what it waited for.
  if current_setting('transaction_isolation') <> 'read committed' then
    perform core.refuser(409, 'ISOLATION_TROP_FORTE', 'Le résumé des paiements demande l''isolation « read committed ».');
  end if;
  select max(p.id_paiement) into v_jusqu_a
    from (select p.id_paiement from finances.paiement p
           where p.id_paiement > (select e.jusqu_a from finances.resume_etat e) order by p.id_paiement limit p_nombre) p;
  if v_jusqu_a is null or not finances._ecritures_finies() then
    return 0;
  end if;
  -- Locked only now: whoever moves a payment to another day takes this row too, and would wait for who waits for it.
  select e.jusqu_a into strict v_depuis from finances.resume_etat e for update;
  if v_depuis >= v_jusqu_a then
    return 0; -- somebody else was faster
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
  -- Shared with the job, which takes the row first: it has summed up the old day, or will sum up the new one.
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

-- The upper bound says to the planner what it cannot know, that few payments are left to be read one by one.
create view finances._paiement_recent_vue as
select p.* from finances.paiement p
 where p.id_paiement between (select e.jusqu_a + 1 from finances.resume_etat e) and 9223372036854775807;
comment on view finances._paiement_recent_vue is 'Paiements qui ne sont pas encore résumés.';
