-- The entries of a row make a chain: each begins with the image with which the one before it ends, and the row is the
-- image of the last one. A row that was written without the triggers breaks it, and so did triggers of an older release
-- that wrote their own tables. A rectification says the order of entries, or that a change has no entry. Entries are
-- never rewritten.

-- One object, because a join is slow where the planner expects few entries. An entry whose rank is its own may follow a
-- change without entry.
create function audit._rangs() returns jsonb
language sql stable
return (
  select jsonb_object_agg(x.id, y.id order by r.id_rectification)
    from audit.rectification r
   cross join lateral unnest(r.ids) with ordinality x (id, place)
    join lateral (select i.id, row_number() over (order by i.id) as place from unnest(r.ids) i (id)) y
      on y.place = x.place);
comment on function audit._rangs is 'Rang de chaque entrée rectifiée du journal, par identifiant ; null s''il n''y en a aucune.';

-- An image has its times in the time zone of the session that wrote it. The service and psql may have different ones.
create function audit._instant_normal(p_texte text) returns text
language plpgsql stable parallel safe as $$
begin
  return to_char(p_texte::timestamptz at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US');
exception when datetime_field_overflow or invalid_datetime_format or invalid_time_zone_displacement_value then
  return p_texte; -- a person wrote a text that looks like a time
end $$;
comment on function audit._instant_normal is 'Le même instant en UTC, quelle que soit l''heure locale où il est écrit.';

create function audit._image_normale(p_image jsonb) returns jsonb
language sql stable parallel safe
return (
  select string_agg(t.texte || coalesce(audit._instant_normal(i.instants[1]), ''), '' order by t.rang)::jsonb
    from (values (p_image::text, '[0-9]{4,6}-[0-9]{2}-[0-9]{2}[T ][0-9:.]+[+-][0-9:]+')) m (image, motif)
   cross join lateral regexp_split_to_table(m.image, m.motif) with ordinality t (texte, rang)
    left join lateral regexp_matches(m.image, m.motif, 'g') with ordinality i (instants, rang) on i.rang = t.rang);
comment on function audit._image_normale is 'Une image dont les instants, ceux des plages aussi, sont en UTC.';

-- An image has the columns of its day: two images follow each other if the columns that both have are equal.
create function audit._images_egales(p_une jsonb, p_autre jsonb) returns boolean
language sql stable parallel safe
return case when p_une is null or p_autre is null then p_une is null and p_autre is null
            when p_une || p_autre = p_autre || p_une then true
            else audit._image_normale(p_une || p_autre) = audit._image_normale(p_autre || p_une) end;
comment on function audit._images_egales is 'Vrai de deux images égales, colonnes d''une seule et fuseaux à part.';

-- The keys of a webhook have the same masked key in the journal, so their entries make no chain.
create view audit._table_tenue_vue as
select v.module, v.entite, v.arguments
  from (select n.nspname::text as module, c.relname::text as entite,
               string_to_array(encode(g.tgargs, 'escape'), '\000') as arguments
          from pg_trigger g
          join pg_class c on c.oid = g.tgrelid
          join pg_namespace n on n.oid = c.relnamespace
         where g.tgname = 't90_journal_insertion' offset 0) v
 where not v.arguments[3:5] && audit._cles_secretes();
comment on view audit._table_tenue_vue is
  'Tables que le journal tient, celles dont la clé est secrète à part, et les arguments de leur déclencheur.';

-- The view names the tables of every slice: it is made here, beside the twins of the past.
do $$
begin
  execute 'create view passe.ligne_presente_vue as ' || (
    select string_agg(format($texte$
      select %1$L::text as module, %2$L::text as entite, audit._cle(l.ligne, %3$L, %4$L, %5$L) as entite_id,
             %6$s as ligne
        from (select to_jsonb(t) as ligne from %1$I.%2$I t offset 0) l$texte$,
      v.module, v.entite, v.arguments[3], v.arguments[4], v.arguments[5],
      case v.arguments[2] when 'secrets' then 'audit._masquer(l.ligne)' else 'l.ligne' end),
      ' union all ' order by v.module, v.entite)
      from audit._table_tenue_vue v);
end $$;
comment on view passe.ligne_presente_vue is 'Lignes présentes de toutes les tables que le journal tient, telles qu''il les écrit.';

create type audit.rupture as (
  module text, entite text, entite_id text, id_avant bigint, id_apres bigint, image jsonb, ligne jsonb);
comment on type audit.rupture is 'Deux entrées d''une ligne qui ne se suivent pas, ou la dernière, qui n''est pas la ligne.';
comment on column audit.rupture.id_avant is 'Entrée d''avant la rupture.';
comment on column audit.rupture.id_apres is 'Entrée d''après la rupture ; null si c''est la ligne.';
comment on column audit.rupture.image is 'Image de la ligne à la fin de l''entrée d''avant, null après un DELETE.';
comment on column audit.rupture.ligne is 'Image au début de l''entrée d''après, ou la ligne ; null si elle n''existe pas.';

-- Hashes are sorted, not images, which are compared where the hashes differ. A row older than its first entry, an
-- archived month and a table that is gone break no chain.
create function audit._ruptures() returns setof audit.rupture
language plpgsql stable as $$
declare
  v_fuseau constant text := current_setting('TimeZone');
begin
  perform set_config('TimeZone', core.fuseau(), true); -- the zone of most images: their hashes are equal
  return query
  with maillon as (
    select m.*, lag(m.id_trace) over w as id_avant, lag(m.apres) over w as image,
           lead(m.id_trace) over w is null as dernier
      from (select j.module, j.entite, j.entite_id, j.id_trace, r.rang,
                   coalesce(jsonb_hash_extended(j.avant, 0), 0) as avant,
                   coalesce(jsonb_hash_extended(j.apres, 0), 0) as apres
              from audit.journal j
             cross join lateral (
               select ((select audit._rangs()) ->> j.id_trace::text)::bigint as rang) r
             where (j.module, j.entite) in (select v.module, v.entite from audit._table_tenue_vue v)) m
    window w as (partition by m.module, m.entite, m.entite_id order by coalesce(m.rang, m.id_trace))
  ), lien as (
    select m.module, m.entite, m.entite_id, m.id_avant, m.id_trace as id_apres
      from maillon m
     where m.image <> m.avant and m.rang is distinct from m.id_trace
  ), fin as (
    select d.*, l.ligne
      from (select m.module, m.entite, m.entite_id, m.id_trace, m.apres from maillon m where m.dernier) d
      left join passe.ligne_presente_vue l using (module, entite, entite_id)
     where coalesce(jsonb_hash_extended(l.ligne, 0), 0) <> d.apres
  ), ecart as (
    select l.module, l.entite, l.entite_id, l.id_avant, l.id_apres, a.apres as image, b.avant as ligne,
           a.date_heure as depuis, b.date_heure as jusqu_a
      from lien l
      join audit.journal a on a.id_trace = l.id_avant
      join audit.journal b on b.id_trace = l.id_apres
    union all
    select f.module, f.entite, f.entite_id, f.id_trace, null, a.apres, f.ligne, a.date_heure, 'infinity'
      from fin f
      join audit.journal a on a.id_trace = f.id_trace)
  select e.module, e.entite, e.entite_id, e.id_avant, e.id_apres, e.image, e.ligne
    from ecart e
   where not audit._images_egales(e.image, e.ligne)
     and not exists (select from audit.archive a
                      where a.au > e.depuis and coalesce(a.du, '-infinity') <= e.jusqu_a
                        and not exists (select from audit.partie_vue p where p.nom = a.partie))
   order by e.module, e.entite, e.entite_id, coalesce(e.id_apres, e.id_avant);
  perform set_config('TimeZone', v_fuseau, true);
end $$;
comment on function audit._ruptures is 'Ruptures des chaînes du journal, qui est lu en entier.';
