-- Each call of the process that makes a backup is a transaction, and the work is between them.

create function jobs.sauvegarde_commencer(p_id_sauvegarde bigint) returns text
language plpgsql volatile security definer set search_path = pg_catalog, pg_temp as $$
declare
  v_chemin text;
begin
  if jobs._coffre_prendre() then
    update jobs.sauvegarde s set date_debut = clock_timestamp()
     where s.id_sauvegarde = p_id_sauvegarde and s.statut = 'EN_COURS'
    returning s.chemin into v_chemin;
  end if;
  return v_chemin;
end $$;
comment on function jobs.sauvegarde_commencer is
  'Prend une sauvegarde en main et rend son chemin ; null si elle est close, ou si une autre session tient le coffre.';
