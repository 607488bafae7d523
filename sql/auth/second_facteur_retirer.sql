create function auth.second_facteur_retirer() returns void
language sql volatile security definer set search_path = pg_catalog, pg_temp
begin atomic
  delete from auth.second_facteur s where s.id_utilisateur = core.utilisateur();
end;
comment on function auth.second_facteur_retirer is
  'Retire le second facteur de l''utilisateur, dont un code a été vérifié ; ses sessions prennent fin.';
