create function jobs.restauration_echouer(p_id_restauration bigint, p_message text) returns void
language plpgsql volatile security definer set search_path = pg_catalog, pg_temp as $$
begin
  update jobs.restauration r set statut = 'ERREUR', date_fin = clock_timestamp(), message_erreur = p_message
   where r.id_restauration = p_id_restauration and r.statut = 'EN_COURS';
  if found then
    perform notification._emettre('sauvegarde.restauration_echec', 'CRITICAL', 'Restauration en échec', p_message,
              jsonb_build_object('id_restauration', p_id_restauration::text), 'ADMIN.VOIR', null, null, null);
  end if;
end $$;
comment on function jobs.restauration_echouer is 'Clôt une restauration en échec et le signale ; sans effet si elle est close.';
-- The update selects only rows in EN_COURS.
call core.ne_refuse_pas('jobs.restauration_echouer', 'TRANSITION_INTERDITE');
