-- The refusals of each operation, computed from the bodies once the last file of sql/ is loaded. A function refuses by
-- the rules that it names in core.refuser, by NOT_FOUND where it reads a row strictly, and as the functions that it
-- calls and the triggers that it fires. A constraint is published where the operation itself writes the row and its
-- caller gives the columns: all of them for a new row, one of them for a row that changes. Other constraints and the
-- domains are validation. core.peut_refuser, core.ne_refuse_que and core.ne_refuse_pas correct this.

create view core._corps_vue as
select b.nom, b.texte, regexp_replace(b.texte, '''(?:[^'']|'''')*''', '''''', 'g') as sans_textes
  from (
    select p.oid::regproc::text as nom,
           regexp_replace(coalesce(pg_get_function_sqlbody(p.oid), p.prosrc), '--[^\n]*', '', 'g') as texte
      from pg_catalog.pg_proc p
     where p.proowner in (to_regrole('comptoir_code'), to_regrole('comptoir_portail'))
       and p.pronamespace <> 'passe'::regnamespace and p.prokind = 'f' -- procedures serve the loading
    union all
    select c.oid::regclass::text, pg_get_viewdef(c.oid)
      from pg_catalog.pg_class c
     where c.relkind = 'v' and c.relowner in (to_regrole('comptoir_code'), to_regrole('comptoir_portail'))
       and c.relnamespace <> 'passe'::regnamespace) b;
comment on view core._corps_vue is
  'Texte des fonctions et des vues sans leurs commentaires, et sans leurs textes entre apostrophes.';

create function core._colonnes_posees(p_affectations text) returns text[]
language plpgsql immutable parallel safe as $$
declare
  v_texte text := p_affectations;
  v_reste text;
begin
  -- Parentheses go, from the innermost, except around the columns of « (a, b) = ».
  loop
    v_reste := regexp_replace(v_texte, '\([^()]*\)(?!\s*=)', '', 'g');
    exit when v_reste = v_texte;
    v_texte := v_reste;
  end loop;
  v_texte := regexp_replace(v_texte, '(?:\)(?!\s*=)|\m(?:from|where|returning)\M).*$', '', 'i');
  v_texte := regexp_replace(v_texte, '=[^,]*', '', 'g');
  return array(select m[1] from regexp_matches(v_texte, '\w+', 'g') m);
end $$;
comment on function core._colonnes_posees is 'Colonnes que pose un « update », d''après ce qui suit son « set ».';

-- Each statement starts at its verb. « for update » is a lock, and « do update » ends an upsert. A statement that
-- cannot be read has no table, which a house test reports.
create view core._ecriture_vue as
select c.nom as fonction, v.evenement, lower(m[1]) as entite, i.instruction,
       case v.evenement when 'UPDATE' then core._colonnes_posees(m[2])
                        when 'INSERT' then regexp_split_to_array(btrim(m[2]), '\s*,\s*') end as colonnes
  from core._corps_vue c
 cross join lateral regexp_split_to_table(
         regexp_replace(c.sans_textes, '(?<!(?:do|for|key)\s+)\m(insert\s+into|update|delete\s+from|merge\s+into)\M',
                        E'\x01\\1', 'gi'), E'[\x01;]') i (instruction)
  join (values
         ('INSERT', '^insert\s', '^insert\s+into\s+([a-z_]+\.\w+)(?:\s+as\s+\w+)?(?:\s*\(([\w\s,]+)\))?'),
         ('UPDATE', '^insert\s.*\mdo\s+update\M', '^insert\s+into\s+([a-z_]+\.\w+).*\mdo\s+update\s+set\M(.*)'),
         ('UPDATE', '^update\s', '^update\s+([a-z_]+\.\w+)(?:\s+(?:as\s+)?\w+)?\s+set\M(.*)'),
         ('DELETE', '^(?:delete|merge)\s', '^delete\s+from\s+([a-z_]+\.\w+)')) v (evenement, debut, forme)
    on i.instruction ~* v.debut
 cross join lateral regexp_match(i.instruction, v.forme, 'i') m;
comment on view core._ecriture_vue is
  'Instructions qui écrivent une table, et les colonnes qu''elles nomment ; sans table si elle ne se lit pas.';

-- A trigger that only refuses counts as a function, because it bears its rule.
create view core._declencheur_vue as
select t.oid, t.tgrelid, t.tgtype, t.tgattr, coalesce(r.nom, t.tgfoid::regproc::text) as fonction, r.regle
  from pg_catalog.pg_trigger t
  left join lateral (
         select format('%s.%s', t.tgrelid::regclass, t.tgname) as nom,
                split_part(encode(t.tgargs, 'escape'), '\000', 2) as regle
          where t.tgfoid = 'core._t20_refuser'::regproc) r on true
 where not t.tgisinternal;
comment on view core._declencheur_vue is
  'Déclencheurs, la fonction de chacun, et la règle de ceux qui ne font que refuser.';

create view core._appel_vue as
with nom as materialized (select c.nom from core._corps_vue c)
select c.nom as appelante, n.nom as appelee
  from core._corps_vue c
 cross join lateral regexp_matches(c.texte, '\m[a-z_]+\.\w+\M', 'g') m
  join nom n on n.nom = m[1] and n.nom <> c.nom
union
select e.fonction, t.fonction
  from core._ecriture_vue e
  join core._declencheur_vue t on t.tgrelid = to_regclass(e.entite)
 where case e.evenement
         when 'INSERT' then t.tgtype & 4 > 0
         when 'DELETE' then t.tgtype & 8 > 0
         else t.tgtype & 16 > 0 and (
           t.tgattr = '' or exists (select from pg_catalog.pg_attribute a
                                     where a.attrelid = t.tgrelid and a.attnum = any (t.tgattr::smallint[])
                                       and a.attname = any (e.colonnes)))
       end;
comment on view core._appel_vue is
  'Ce qu''une fonction ou une vue nomme, et les déclencheurs que lancent ses écritures.';

create view core._contrainte_vue as
with contrainte as (
  select upper(k.conname) as regle, k.conrelid as entite,
         case when k.contype in ('c', 'f') then regexp_replace(pg_get_constraintdef(k.oid), ' REFERENCES .*', '')
              else (select string_agg(pg_get_indexdef(i.indexrelid, n, true), ' ')
                      from pg_catalog.pg_index i, generate_series(1, i.indnkeyatts) n where i.indexrelid = k.conindid)
         end as texte
    from pg_catalog.pg_constraint k
   where k.conrelid <> 0 and obj_description(k.oid, 'pg_constraint') is not null
  union all
  select upper(c.relname), i.indrelid,
         (select string_agg(pg_get_indexdef(i.indexrelid, n, true), ' ') from generate_series(1, i.indnkeyatts) n)
    from pg_catalog.pg_index i
    join pg_catalog.pg_class c on c.oid = i.indexrelid
   where i.indisunique and obj_description(c.oid, 'pg_class') is not null
)
-- A generated column stands for the columns that it is made of.
select k.regle, k.entite::regclass, array_agg(distinct b.attname::text) as colonnes
  from contrainte k
 cross join lateral regexp_matches(k.texte, '\w+', 'g') m
  join pg_catalog.pg_attribute a on a.attrelid = k.entite and a.attname = m[1] and a.attnum > 0
  left join pg_catalog.pg_attrdef d on d.adrelid = a.attrelid and d.adnum = a.attnum and a.attgenerated <> ''
 cross join lateral regexp_matches(coalesce(pg_get_expr(d.adbin, d.adrelid), a.attname), '\w+', 'g') n
  join pg_catalog.pg_attribute b on b.attrelid = k.entite and b.attname = n[1] and b.attnum > 0
 group by k.regle, k.entite;
comment on view core._contrainte_vue is
  'Contraintes et index uniques qui ont une phrase pour qui appelle l''API, et les colonnes que chacun compare.';

create view core._champ_vue as
select p.oid::regproc::text as operation,
       coalesce(array_agg(c.nom::text) filter (where c.nom is not null), '{}') as champs
  from pg_catalog.pg_proc p
  left join lateral (
         select substr(a.nom, 3) from unnest(p.proargnames) a (nom)
         union all
         select a.attname
           from unnest(p.proargtypes::oid[]) t (oid)
           join pg_catalog.pg_type y on y.oid = t.oid
           left join pg_catalog.pg_type e on e.oid = y.typelem and y.typcategory = 'A'
           join pg_catalog.pg_attribute a on a.attrelid in (y.typrelid, e.typrelid) and a.attrelid <> 0 and a.attnum > 0
         union all
         -- The fields of p_champs of « client_modifier » are the fields of the type « client_champs ».
         select a.attname
           from pg_catalog.pg_attribute a
          where 'p_champs' = any (p.proargnames) and a.attnum > 0
            and a.attrelid = to_regclass(regexp_replace(p.oid::regproc::text, '[^_]*$', 'champs'))
       ) c (nom) on true
 where p.prosecdef and p.proowner in (to_regrole('comptoir_code'), to_regrole('comptoir_portail'))
 group by p.oid;
comment on view core._champ_vue is
  'Ce que donne qui appelle une opération : ses paramètres et les champs de leurs types composés.';

create view core._saisie_vue as
select e.fonction as operation, k.regle
  from core._ecriture_vue e
  join core._champ_vue c on c.operation = e.fonction
  join core._contrainte_vue k on k.entite = to_regclass(e.entite)
 where case e.evenement
         when 'INSERT' then k.colonnes <@ c.champs and (e.colonnes is null or e.colonnes && k.colonnes)
         when 'UPDATE' then exists (
           select from unnest(k.colonnes) x (colonne) where x.colonne = any (e.colonnes) and x.colonne = any (c.champs))
       end;
comment on view core._saisie_vue is
  'Contraintes que la saisie peut enfreindre dans une ligne que l''opération écrit elle-même.';

create view core._regle_vue as
select c.nom as fonction, coalesce(m[1], 'NOT_FOUND') as regle
  from core._corps_vue c
 cross join lateral regexp_matches(
         c.texte, 'core\.refuser\(\s*\d+,\s*''(\w+)''|\m(?:into\s+strict|raise\s+no_data_found)\M', 'gi') m
union
select t.fonction, t.regle from core._declencheur_vue t where t.regle is not null
union
select d.objet, d.nom from core.declaration d where d.genre = 'REFUS_AJOUTE';
comment on view core._regle_vue is 'Règles qu''une fonction oppose elle-même.';

create view core._refus_vue as
with recursive appel as materialized (
  select a.appelante, a.appelee from core._appel_vue a
), juge as materialized (
  select d.objet, d.nom, d.champ from core.declaration d where d.genre = 'REFUS_DU_CHAMP'
), tait as materialized (
  select d.objet, d.nom from core.declaration d where d.genre = 'SANS_REFUS'
), refus (fonction, regle, champ) as (
  select r.fonction, r.regle, j.champ
    from core._regle_vue r
    left join juge j on j.objet = r.fonction and j.nom = r.regle
   where not exists (select from tait t where t.objet = r.fonction and t.nom in (r.regle, '*'))
  union
  select a.appelante, r.regle, coalesce(j.champ, r.champ)
    from refus r
    join appel a on a.appelee = r.fonction
    left join juge j on j.objet = a.appelante and j.nom = r.regle
   where not exists (select from tait t where t.objet = a.appelante and t.nom in (r.regle, '*'))
)
select r.fonction, r.regle, r.champ from refus r;
comment on view core._refus_vue is
  'Règles qu''une fonction peut opposer, elle-même ou par ce qu''elle appelle, et le seul champ qu''elles jugent.';

-- Without nested loops, each view is read once: the planner does not know how many rows they return.
create procedure core._refus_inscrire()
language sql set enable_nestloop = off set jit = off as $$
  insert into core.declaration (objet, genre, nom, rang)
  select r.operation, 'REFUS', r.regle,
         row_number() over (partition by r.operation order by r.regle <> 'NOT_FOUND', r.regle collate "C")
    from (select c.operation, f.regle
            from core._refus_vue f
            join core._champ_vue c on c.operation = f.fonction
           where f.champ is null or f.champ = any (c.champs)
          union
          select s.operation, s.regle from core._saisie_vue s) r;
$$;
comment on procedure core._refus_inscrire is 'Inscrit au contrat ce que chaque opération peut opposer.';
