create function jobs.restauration_echouer(p_id_restauration bigint, p_message text) returns void
language sql volatile security definer set search_path = pg_catalog, pg_temp
return jobs._restauration_echouer(p_id_restauration, p_message);
comment on function jobs.restauration_echouer is 'Clôt une restauration en échec et le signale ; sans effet si elle est close.';
