create function finances.exception_abandonner(p_id_caisse bigint, p_id_exception bigint, p_motif core.texte)
returns finances.exception_caisse_vue
language plpgsql volatile security definer set search_path = pg_catalog, pg_temp as $$
begin
  perform finances._exception_verrouiller(p_id_caisse, p_id_exception);
  update finances.exception_caisse e
     set (statut, motif, id_utilisateur, date_resolution)
       = row('ABANDONNEE'::finances.statut_exception, p_motif, core.utilisateur(), clock_timestamp())
   where e.id_exception = p_id_exception;
  return finances.exception_detail(p_id_caisse, p_id_exception);
end $$;
comment on function finances.exception_abandonner is
  'Abandonne une exception : le prochain comptage n''attend plus son argent.';
-- The function resolves an open exception.
call core.ne_refuse_pas('finances.exception_abandonner', 'EXCEPTION_FIGEE');
