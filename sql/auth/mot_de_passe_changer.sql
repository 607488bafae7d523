create function auth.mot_de_passe_changer(p_ancien auth.mot_de_passe, p_nouveau auth.mot_de_passe, p_famille uuid,
                                          p_cles_gardees bigint[] default '{}')
returns auth.session
language plpgsql volatile security definer set search_path = pg_catalog, pg_temp as $$
begin
  -- The user first: of two concurrent changes, the second sees that the password is not the one that it verified.
  perform from auth.utilisateur u where u.id_utilisateur = core.utilisateur() for no key update;
  if auth.mot_de_passe_hache() is distinct from p_ancien then
    perform core.refuser(409, 'MOT_DE_PASSE_DEJA_CHANGE',
      'Ce mot de passe vient d''être changé ailleurs : recommencez.');
  end if;
  perform set_config('comptoir.famille_gardee', p_famille::text, true);
  perform set_config('comptoir.cles_gardees', coalesce(p_cles_gardees, '{}')::text, true);
  perform auth._mot_de_passe_poser(core.utilisateur(), p_nouveau);
  return core._trouve((
    select row(u.id_utilisateur, u.login, r.code, u.epoque, p_famille, null, false,
               exists (select from auth.jeton_rafraichissement j
                        where j.famille = p_famille and j.second_facteur))::auth.session
      from auth.utilisateur u join auth.role r on r.id_role = u.id_role
     where u.id_utilisateur = core.utilisateur()));
end $$;
comment on function auth.mot_de_passe_changer is
  'Change le mot de passe de l''utilisateur connecté, dont l''ancien (haché) a été vérifié. Ses autres sessions prennent fin ; celle-ci, nommée par p_famille, peut se rafraîchir encore. Ses clés d''API prennent fin aussi, sauf p_cles_gardees.';
