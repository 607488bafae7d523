-- The JSON form of values, in the answers of the API and in the bodies of events. Identifiers, amounts and quantities
-- are strings, because many readers take a JSON number for a float. Instants are in UTC and end in Z.

create function core._forme(p_valeur text, p_type oid) returns text
language plpgsql stable as $$
declare
  v pg_type;
  v_racine pg_type;
begin
  select t.* into strict v from pg_type t where t.oid = p_type;
  select t.* into strict v_racine from pg_type t
   where t.oid = case v.typcategory when 'A' then v.typelem else p_type end;
  if v_racine.typtype = 'c' then
    return case v.typcategory
      when 'A' then format('(select coalesce(json_agg(y), ''[]'') from (select %s from unnest(%s) e) y)',
                           core._forme_champs('e', v_racine.oid), p_valeur)
      else format('case when %s is distinct from null then (select row_to_json(y) from (select %s) y) end',
                  p_valeur, core._forme_champs(format('(%s)', p_valeur), p_type)) end;
  end if;
  while v_racine.typtype = 'd' loop
    select t.* into strict v_racine from pg_type t where t.oid = v_racine.typbasetype;
  end loop;
  return case
    when v_racine.typname in ('int8', 'numeric') and v.typcategory = 'A' then p_valeur || '::text[]'
    when v_racine.typname in ('int8', 'numeric', 'inet') and p_type::regtype not in (
           'core.nombre'::regtype, 'core.nombre_signe', 'core.somme_nombre', 'abonnement.nombre') then p_valeur || '::text'
    when v_racine.typname = 'timestamptz' and v.typcategory <> 'A' then
      format('to_char(%s at time zone ''UTC'', ''YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'')', p_valeur)
    else p_valeur end;
end $$;
comment on function core._forme is 'Expression SQL qui met une valeur de ce type dans sa forme JSON.';

create function core._forme_champs(p_ligne text, p_type oid) returns text
language sql stable
return (
  select string_agg(format('%s as %I', core._forme(format('%s.%I', p_ligne, a.attname), a.atttypid), a.attname), ', '
                    order by a.attnum)
    from pg_attribute a
    join pg_type t on t.typrelid = a.attrelid
   where t.oid = p_type and a.attnum > 0 and not a.attisdropped);
comment on function core._forme_champs is 'Liste SQL des champs d''une ligne de ce type, chacun dans sa forme JSON.';

create table core.forme (
  type regtype not null,
  forme text not null,
  constraint forme_pkey primary key (type)
);
comment on table core.forme is 'Forme JSON de ce que rendent les opérations, et des domaines ; refaite avec le code.';
comment on column core.forme.type is 'Type d''une réponse ou d''une de ses lignes, ou domaine.';
comment on column core.forme.forme is 'Texte SQL : les champs d''une ligne r, ou la valeur r.';

create procedure core._formes_inscrire()
language sql as $$
  insert into core.forme (type, forme)
  select t.oid, case t.typtype when 'c' then core._forme_champs('r', t.oid) else core._forme('r', t.oid) end
    from pg_type t
   where t.typtype = 'd' and t.typnamespace <> 'information_schema'::regnamespace
      or t.typtype <> 'p' and exists (
           select from pg_proc p where p.prorettype = t.oid and p.prosecdef and p.proname !~ '^_');
$$;
comment on procedure core._formes_inscrire is 'Calcule les formes, une fois le code chargé.';

create function core.forme_lister() returns setof core.forme
language sql stable security definer set search_path = pg_catalog, pg_temp
begin atomic
  select * from core.forme;
end;
comment on function core.forme_lister is 'Ce que l''API lit à son démarrage : la forme JSON des réponses.';
