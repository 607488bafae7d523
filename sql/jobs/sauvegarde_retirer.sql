create function jobs.sauvegarde_retirer(p_id_sauvegarde bigint) returns void
language plpgsql volatile security definer set search_path = pg_catalog, pg_temp as $$
begin
  update jobs.sauvegarde s set date_retrait = clock_timestamp() where s.id_sauvegarde = p_id_sauvegarde;
end $$;
comment on function jobs.sauvegarde_retirer is 'Note que le fichier d''une sauvegarde est retiré du stockage.';
