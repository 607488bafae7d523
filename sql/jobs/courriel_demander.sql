create function jobs.courriel_demander(p_login text, p_modele text default 'mot-de-passe') returns void
language sql volatile security definer set search_path = pg_catalog, pg_temp
return auth._courriel(p_modele, p_login);
comment on function jobs.courriel_demander is
  'Met en file l''e-mail d''un mot de passe oublié, ou d''une inscription. Que le compte existe ou non ne se voit pas ici, pas même au temps que cela prend.';
