create function auth.session_fermer(p_hash text) returns void
language plpgsql volatile security definer set search_path = pg_catalog, pg_temp as $$
declare
  v_jeton auth.jeton_rafraichissement;
begin
  select * into v_jeton from auth.jeton_rafraichissement j where j.hash = p_hash;
  perform from auth.utilisateur u where u.id_utilisateur = v_jeton.id_utilisateur for no key update;
  -- The whole family is revoked, so that a concurrent renewal does not continue the session.
  perform auth._famille_revoquer(v_jeton.famille);
end $$;
comment on function auth.session_fermer is
  'Ferme la session de ce jeton de rafraîchissement ; un jeton inconnu ne change rien.';
