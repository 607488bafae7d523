-- The instant for which an operation answers, and the refusal of an instant that the journal does not cover. The setting is
-- local to the transaction; only the schema passe reads it.

create function audit._instant() returns timestamptz
language sql stable parallel safe
return current_setting('comptoir.instant')::timestamptz;
comment on function audit._instant is 'Instant pour lequel l''opération répond ; seul le schéma passe le lit.';

create function audit._instant_poser(p_instant timestamptz) returns void
language plpgsql stable as $$
declare
  v_mois constant text[] := audit._mois_archives(p_instant);
  -- The instants of the API have milliseconds: the first one that it names is an instant that it accepts.
  v_debut constant timestamptz := (select date_trunc('milliseconds', min(j.date_heure)) from audit.journal j);
  v_depuis constant text := to_char(v_debut at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"');
begin
  if p_instant > clock_timestamp() then
    perform core.refuser(400, 'INSTANT_FUTUR', 'Cet instant n''est pas encore passé.');
  end if;
  if cardinality(v_mois) > 0 then
    perform core.refuser(409, 'JOURNAL_ARCHIVE', format(
      'Pour cet instant il faut des mois du journal qui sont archivés : %s. « comptoir archive --restaurer » les remet.',
      array_to_string(v_mois, ', ')), jsonb_build_object('mois', v_mois));
  end if;
  -- An archived month that ends before the instant proves that the journal is older than its first entry here.
  if p_instant < coalesce(v_debut, clock_timestamp())
     and not exists (select from audit.archive a where a.au <= p_instant) then
    perform core.refuser(400, 'INSTANT_AVANT_JOURNAL', case when v_debut is null then 'Le journal est vide.'
      else format('Le journal commence le %s (%s) : rien d''avant ne se retrouve.',
                  to_char(v_debut at time zone core.fuseau(), 'DD/MM/YYYY à HH24:MI:SS'), v_depuis) end,
      jsonb_build_object('depuis', v_depuis));
  end if;
  perform set_config('comptoir.instant', p_instant::text, true);
end $$;
comment on function audit._instant_poser is
  'Pose l''instant pour lequel l''opération répond. Refuse INSTANT_FUTUR, INSTANT_AVANT_JOURNAL, JOURNAL_ARCHIVE.';

-- A list reads the past by the text that core._liste wrote for the present: each table, view and function that has a twin
-- in the schema passe is replaced by it. Values of a cursor are literals, which stay as they are.
create function audit._texte_passe(p_texte text) returns text
language plpgsql stable as $$
declare
  v_texte text := '';
  v_morceau text;
  v record;
begin
  for v_morceau in select m[1] from regexp_matches(p_texte, '(''(?:[^'']|'''')*''|[^'']+)', 'g') m loop
    if v_morceau not like '''%' then
      for v in
        select regexp_replace(p.proname, '__', '\.') as nom, 'passe.' || p.proname as jumelle, p.pronargs = 0 and p.proretset as relation
          from pg_catalog.pg_proc p where p.pronamespace = 'passe'::regnamespace
      loop
        v_morceau := case when v.relation
          then regexp_replace(v_morceau, format('((?:from|join|,)\s+\(*)%s(?=\s+\w)', v.nom), format('\1%s()', v.jumelle), 'gi')
          else regexp_replace(v_morceau, format('\m%s(?=\s*\()', v.nom), v.jumelle, 'gi') end;
      end loop;
    end if;
    v_texte := v_texte || v_morceau;
  end loop;
  return v_texte;
end $$;
comment on function audit._texte_passe is
  'Le même texte SQL, qui lit le passé : chaque table, vue ou fonction remplacée par celle du schéma passe.';

-- PL/pgSQL caches the plan: without an instant, a call costs a microsecond.
create function audit._au_passe(p_instant timestamptz, p_texte text) returns text
language plpgsql stable as $$
begin
  if p_instant is null then
    return p_texte;
  end if;
  perform audit._instant_poser(p_instant);
  return audit._texte_passe(p_texte);
end $$;
comment on function audit._au_passe is
  'Texte SQL d''une page à un instant ; sans instant, le texte tel quel. Refuse INSTANT_FUTUR, INSTANT_AVANT_JOURNAL, JOURNAL_ARCHIVE.';

-- The key is the first column of the view. PostgreSQL 15 does not know p_vue%type, so the row replaces its model.
create function audit._ligne_passee(p_vue anyelement, p_cle bigint, p_instant timestamptz) returns anyelement
language plpgsql stable as $$
begin
  execute audit._au_passe(p_instant, (
    select format('select v.* from %s v where v.%I = $1', a.attrelid::regclass, a.attname)
      from pg_catalog.pg_attribute a
      join pg_catalog.pg_class c on c.oid = a.attrelid
     where c.reltype = pg_typeof(p_vue) and a.attnum = 1)) into strict p_vue using p_cle;
  return p_vue;
end $$;
comment on function audit._ligne_passee is
  'La ligne d''une vue à un instant. Refuse NOT_FOUND, INSTANT_FUTUR, INSTANT_AVANT_JOURNAL, JOURNAL_ARCHIVE.';
