create function finances.exception_garder(
  p_id_caisse bigint, p_id_exception bigint, p_reponse text, p_motif core.texte, p_corrections jsonb default null)
returns finances.exception_caisse_vue
language plpgsql volatile security definer set search_path = pg_catalog, pg_temp as $$
begin
  perform finances._exception_verrouiller(p_id_caisse, p_id_exception);
  update finances.exception_caisse e
     set (statut, motif, corrections, reponse, client_nomme, id_utilisateur, date_resolution)
       = row('REPRISE'::finances.statut_exception, p_motif, p_corrections, p_reponse,
             coalesce(finances._client_nomme(p_reponse), e.client_nomme), core.utilisateur(), clock_timestamp())
   where e.id_exception = p_id_exception;
  return finances.exception_detail(p_id_caisse, p_id_exception);
end $$;
comment on function finances.exception_garder is
  'Garde ce qu''une exception reprise est devenue, dans la transaction de son effet, qui a verrouillé l''exception.';
-- The function resolves an open exception.
call core.ne_refuse_pas('finances.exception_garder', 'EXCEPTION_FIGEE');
