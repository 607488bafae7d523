create function auth.connexion_echouee(p_id_utilisateur bigint, p_adresse_ip text, p_agent text) returns void
language plpgsql volatile security definer set search_path = pg_catalog, pg_temp as $$
begin
  insert into auth.connexion (id_utilisateur, succes, adresse_ip, agent)
  values (p_id_utilisateur, false, auth._adresse(p_adresse_ip), left(p_agent, 500));
end $$;
comment on function auth.connexion_echouee(bigint, text, text) is 'Note une connexion refusée à un compte.';
