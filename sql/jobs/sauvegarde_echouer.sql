create function jobs.sauvegarde_echouer(p_id_sauvegarde bigint, p_message text) returns void
language plpgsql volatile security definer set search_path = pg_catalog, pg_temp as $$
begin
  update jobs.sauvegarde s set statut = 'ERREUR', date_fin = clock_timestamp(), message_erreur = p_message
   where s.id_sauvegarde = p_id_sauvegarde and s.statut = 'EN_COURS';
  if found then
    perform notification._emettre('sauvegarde.echec', 'CRITICAL', 'Sauvegarde en échec', p_message,
              jsonb_build_object('id_sauvegarde', p_id_sauvegarde::text), 'ADMIN.VOIR', null, null, null);
  end if;
end $$;
comment on function jobs.sauvegarde_echouer is 'Clôt une sauvegarde en échec et le signale ; sans effet si elle est close.';
-- The update selects only rows in EN_COURS.
call core.ne_refuse_pas('jobs.sauvegarde_echouer', 'TRANSITION_INTERDITE');
