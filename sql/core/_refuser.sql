-- SQLSTATE carries the HTTP status, the constraint field the name of the rule, and the message is for the user.

create function core.refuser(p_statut integer, p_regle text, p_message text, p_details jsonb default null)
returns void
language plpgsql volatile as $$
begin
  raise exception using
    errcode = 'HT' || p_statut, constraint = p_regle, message = p_message, detail = coalesce(p_details::text, '');
end $$;
comment on function core.refuser is
  'Refuse l''opération : statut HTTP, nom de la règle, phrase pour l''utilisateur, détails facultatifs.';

create function core._t20_refuser() returns trigger
language plpgsql volatile as $$
begin
  perform core.refuser(tg_argv[0]::integer, tg_argv[1], tg_argv[2]);
  return null;
end $$;
comment on function core._t20_refuser is
  'Refuse ce que retient le WHEN du déclencheur. Arguments : statut HTTP, nom de la règle, phrase pour l''utilisateur.';

-- Each trigger is written as in « create trigger », from its time to its condition; a second one of a table begins with
-- the end of its name, « change: before update … ». It runs for each row, on « truncate » for each statement.
create procedure core.figer(p_regle text, p_message text, variadic p_declencheurs text[])
language plpgsql as $$
declare
  v record;
begin
  for v in
    select m.f[1] as suffixe, m.f[2] as moment, m.f[3] as condition
      from unnest(p_declencheurs) d (texte)
     cross join lateral regexp_match(d.texte, '^(?:(\w+): )?(before .*? on \S+)(?:\s+(when .*))?$') m (f)
  loop
    execute format('create trigger t20_%s %s for each %s %s execute function core._t20_refuser(''409'', %L, %L)',
                   concat_ws('_', lower(p_regle), v.suffixe), v.moment,
                   case when v.moment like '% truncate %' then 'statement' else 'row' end, v.condition,
                   p_regle, p_message);
  end loop;
end $$;
comment on procedure core.figer is 'Refuse, 409, ce que retiennent ces déclencheurs : une règle et sa phrase pour tous.';
