create function audit.instant_poser(p_instant timestamptz) returns boolean
language plpgsql stable security definer set search_path = pg_catalog, pg_temp as $$
declare
  v_mois constant text[] := audit._mois_archives(p_instant);
  -- The instants of the API have milliseconds: the first one that it names is an instant that it accepts.
  v_debut constant timestamptz := (select date_trunc('milliseconds', min(j.date_heure)) from audit.journal j);
  v_depuis constant text := to_char(v_debut at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"');
begin
  if p_instant > clock_timestamp() then
    perform core.refuser(400, 'INSTANT_FUTUR', 'Cet instant n''est pas encore passé.');
  elsif cardinality(v_mois) > 0 then
    perform core.refuser(409, 'JOURNAL_ARCHIVE',
      format('Cet instant demande des mois du journal qui sont archivés : %s. « comptoir archive --restaurer » les remet.',
             array_to_string(v_mois, ', ')),
      jsonb_build_object('mois', v_mois));
  -- An archived month that ends before the instant proves that the journal is older than its first entry here.
  elsif p_instant < coalesce(v_debut, clock_timestamp())
     and not exists (select from audit.archive a where a.au <= p_instant) then
    perform core.refuser(400, 'INSTANT_AVANT_JOURNAL', case when v_debut is null then 'Le journal est vide.'
      else format('Le journal commence le %s (%s) : rien d''avant ne se retrouve.',
                  to_char(v_debut at time zone core.fuseau(), 'DD/MM/YYYY à HH24:MI:SS'), v_depuis) end,
      jsonb_build_object('depuis', v_depuis));
  end if;
  perform set_config('comptoir.instant', p_instant::text, true);
  return true;
end $$;
comment on function audit.instant_poser is
  'Pose l''instant pour lequel répond le schéma passe, jusqu''à la fin de la transaction.';
