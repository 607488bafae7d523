-- The repair of broken chains, by hand (docs/dba.md). It adds rectifications and entries, and rewrites nothing.
-- Entries of one row and one request, written within a second, may be out of order: a trigger wrote its own table
-- before the statement that fired it had its entry. The images say the order. Any other break is a change without an
-- entry.

create function audit._ordre_retrouver(p_entrees audit.journal[], p_image jsonb, p_debut boolean, p_suites jsonb[])
returns bigint[]
language sql stable
begin atomic
  with recursive chemin (ids, image) as (
    select array[e.id_trace], e.apres from unnest(p_entrees) e where p_debut or audit._images_egales(e.avant, p_image)
    union all
    select c.ids || e.id_trace, e.apres
      from chemin c
      join unnest(p_entrees) e on e.id_trace <> all (c.ids) and audit._images_egales(e.avant, c.image))
  select c.ids from chemin c
   where cardinality(c.ids) = cardinality(p_entrees)
   order by exists (select from unnest(p_suites) s (image) where audit._images_egales(s.image, c.image)) desc, c.ids
   limit 1;
end;
comment on function audit._ordre_retrouver is
  'Ordre de quelques entrées où chacune suit la précédente, la première l''image donnée, sauf au début ; null s''il n''y en a pas.';

create function audit._ordre_rectifier(p_module text, p_entite text, p_entite_id text, p_motif core.libelle)
returns void
language plpgsql volatile as $$
declare
  v record;
  v_ids bigint[];
  v_image jsonb;
  v_debut boolean := true;
begin
  for v in
    select g.*, lead(g.avants) over (order by g.groupe) as suites
      from (select e.groupe, array_agg(e.id_trace order by e.id_trace) as ids,
                   array_agg(e.j order by e.id_trace) as entrees, array_agg(e.avant order by e.id_trace) as avants
              from (select s.*, sum(s.saut) over (order by s.id_trace) as groupe
                      from (select j, j.id_trace, j.avant, (
                                     j.requete is distinct from lag(j.requete) over w
                                     or j.date_heure > lag(j.date_heure) over w + interval '1 second')::integer as saut
                              from audit.journal j
                             where j.module = p_module and j.entite = p_entite and j.entite_id = p_entite_id
                            window w as (order by j.id_trace)) s) e
             group by e.groupe) g
     order by g.groupe
  loop
    v_ids := v.ids;
    if cardinality(v.ids) between 2 and 8 then -- the number of orders grows with its factorial
      v_ids := coalesce(audit._ordre_retrouver(v.entrees, v_image, v_debut, v.suites), v.ids);
      insert into audit.rectification (motif, module, entite, entite_id, ids)
      select p_motif, p_module, p_entite, p_entite_id, v_ids
       where v_ids <> v.ids and not exists (select from audit.rectification r where r.ids = v_ids);
    end if;
    v_image := (select e.apres from unnest(v.entrees) e where e.id_trace = v_ids[cardinality(v_ids)]);
    v_debut := false;
  end loop;
end $$;
comment on function audit._ordre_rectifier is 'Note l''ordre des entrées d''une ligne que disent leurs images.';

-- Lock: the journal, so that no transaction writes a row between its comparison and its entry.
create function audit._journal_rectifier(p_motif core.libelle)
returns table (module text, entite text, entite_id text, ordres integer, ecarts integer, entrees integer)
language plpgsql volatile as $$
#variable_conflict use_column
declare
  v record;
  v_depuis constant bigint := (select coalesce(max(r.id_rectification), 0) from audit.rectification r);
  v_faites constant bigint := (select coalesce(max(j.id_trace), 0) from audit.journal j);
begin
  for v in select distinct r.module, r.entite, r.entite_id from audit._ruptures() r loop
    perform audit._ordre_rectifier(v.module, v.entite, v.entite_id, p_motif);
  end loop;
  lock table audit.journal in share row exclusive mode;
  for v in select r.* from audit._ruptures() r loop
    if v.id_apres is not null then
      insert into audit.rectification (motif, module, entite, entite_id, ids)
      values (p_motif, v.module, v.entite, v.entite_id, array[v.id_apres]);
    else
      insert into audit.journal (id_utilisateur, module, operation, entite, entite_id, avant, apres, requete)
      values (core.utilisateur(), v.module,
              (case when v.image is null then 'INSERT' when v.ligne is null then 'DELETE'
                    else 'UPDATE' end)::audit.operation,
              v.entite, v.entite_id, v.image, v.ligne, 'rectification');
    end if;
  end loop;
  return query
    select x.module, x.entite, x.entite_id, sum(x.ordre)::integer, sum(x.ecart)::integer, sum(x.entree)::integer
      from (select r.module, r.entite, r.entite_id, (cardinality(r.ids) > 1)::integer as ordre,
                   (cardinality(r.ids) = 1)::integer as ecart, 0 as entree
              from audit.rectification r where r.id_rectification > v_depuis
            union all
            select j.module, j.entite, j.entite_id, 0, 0, 1
              from audit.journal j where j.id_trace > v_faites and j.requete = 'rectification') x
     group by x.module, x.entite, x.entite_id
     order by x.module, x.entite, x.entite_id;
end $$;
comment on function audit._journal_rectifier is
  'Rectifie le journal sans le réécrire, et dit de chaque ligne ce qui l''est : l''ordre d''entrées, un changement sans entrée entre deux autres, une entrée ajoutée quand la dernière n''est pas la ligne.';
