create function jobs.sauvegarde_echouer(p_id_sauvegarde bigint, p_message text) returns void
language sql volatile security definer set search_path = pg_catalog, pg_temp
return jobs._sauvegarde_echouer(p_id_sauvegarde, p_message);
comment on function jobs.sauvegarde_echouer is 'Clôt une sauvegarde en échec et le signale ; sans effet si elle est close.';
