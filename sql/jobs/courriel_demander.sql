create function jobs.courriel_demander(p_login text) returns void
language plpgsql volatile security definer set search_path = pg_catalog, pg_temp as $$
begin
  perform jobs._courriel('mot-de-passe', p_login);
end $$;
comment on function jobs.courriel_demander(text) is
  'Met en file l''e-mail d''un mot de passe oublié. Que le compte existe ou non ne se voit pas ici, pas même au temps que cela prend.';
