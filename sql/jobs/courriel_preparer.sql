create function jobs.courriel_preparer(p_login text, p_hash text, p_duree integer) returns setof auth.destinataire
language plpgsql volatile security definer set search_path = pg_catalog, pg_temp as $$
begin
  return query select * from auth.reinitialisation_demander(p_login, p_hash, p_duree);
end $$;
comment on function jobs.courriel_preparer is
  'Ce que fait auth.reinitialisation_demander, pour le travailleur, qui n''a que les opérations des tâches.';
