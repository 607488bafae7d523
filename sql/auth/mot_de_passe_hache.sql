create function auth.mot_de_passe_hache() returns text
language sql stable security definer set search_path = pg_catalog, pg_temp
return (select s.mot_de_passe from auth.secret s where s.id_utilisateur = core.utilisateur());
comment on function auth.mot_de_passe_hache is
  'Mot de passe haché de l''utilisateur connecté, pour vérifier celui qu''il dit être le sien avant d''en changer.';
