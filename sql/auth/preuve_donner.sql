create function auth.preuve_donner(p_ancien auth.mot_de_passe) returns void
language plpgsql volatile security definer set search_path = pg_catalog, pg_temp as $$
begin
  -- Lock order: the user first.
  perform from auth.utilisateur u where u.id_utilisateur = core.utilisateur() for no key update;
  if auth.mot_de_passe_hache() is distinct from p_ancien then
    perform core.refuser(409, 'MOT_DE_PASSE_DEJA_CHANGE',
      'Ce mot de passe vient d''être changé ailleurs : recommencez.');
  end if;
  update auth.jeton_rafraichissement j set date_preuve = now()
   where j.famille = core.famille() and j.id_utilisateur = core.utilisateur() and j.date_revocation is null;
  if not found then
    perform core.refuser(401, 'UNAUTHORIZED', 'Session expirée : reconnectez-vous.');
  end if;
end $$;
comment on function auth.preuve_donner is
  'Note que le mot de passe (haché) de l''utilisateur vient d''être vérifié dans cette session.';
