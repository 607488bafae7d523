-- Idempotency-Key: the transaction that has the effect also stores the answer, and a replay gets the same bytes.

create function core.idempotence_garder(p_cle text, p_reponse bytea) returns bytea
language plpgsql volatile security definer set search_path = pg_catalog, pg_temp as $$
begin
  update core.idempotence i set reponse = coalesce(p_reponse, '')
   where i.id_utilisateur = core.utilisateur() and i.cle = p_cle;
  return p_reponse;
end $$;
comment on function core.idempotence_garder is 'Garde la réponse de la requête en cours sous sa clé et la rend.';
