-- The functions that make the JSON of an event are created while the types are declared. PL/pgSQL keeps their plans.

create function evenement._fonction_json(p_vue regclass) returns text
language sql stable
return regexp_replace(p_vue::text, '^.*\.(.*)_vue$', 'evenement._\1_json');
comment on function evenement._fonction_json is 'Nom de la fonction qui met une ligne d''une vue en JSON.';

create procedure evenement._json_creer(p_vue regclass)
language plpgsql as $$
begin
  execute format($json$
    create function %1$s(x %2$s) returns json language plpgsql stable as %3$L;
    comment on function %1$s is 'Une ligne de %2$s en JSON, telle que l''API la rend.' $json$,
    evenement._fonction_json(p_vue), p_vue, format($corps$
declare
  v json;
begin
  select row_to_json(y) into v from (select %s) y;
  return v;
end $corps$, core._forme_champs('x', (select c.reltype from pg_class c where c.oid = p_vue))));
end $$;
comment on procedure evenement._json_creer is 'Crée la fonction qui met une ligne d''une vue en JSON.';

create function evenement._ligne(p_forme regclass, p_id bigint) returns json language sql volatile return null::json;
comment on function evenement._ligne is 'La ligne d''une vue en JSON, sans limite ; null si elle n''existe plus.';

-- The first column of a view is its key.
create procedure evenement._ligne_creer()
language plpgsql as $$
begin
  execute format('create or replace function evenement._ligne(p_forme regclass, p_id bigint) returns json '
                 'language plpgsql volatile as %L', format($corps$
declare
  v_avant constant text[] := evenement._contexte();
  v json;
begin
  case p_forme %s
  end case;
  perform evenement._contexte(v_avant);
  return v;
end $corps$, (
    select string_agg(distinct format('
    when %1$L::regclass then select %2$s(x) into v from %1$s x where x.%3$I = p_id;',
                                      t.forme, evenement._fonction_json(t.forme), a.attname), '')
      from evenement.type_evenement t
      join pg_attribute a on a.attrelid = t.forme and a.attnum = 1)));
end $$;
comment on procedure evenement._ligne_creer is 'Refait evenement._ligne, avec toutes les vues déclarées.';
