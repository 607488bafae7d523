create function auth.utilisateur_second_facteur_retirer(p_id_utilisateur bigint) returns void
language plpgsql volatile security definer set search_path = pg_catalog, pg_temp as $$
begin
  perform auth._preuve_exiger();
  perform auth._pouvoir_exiger(p_id_utilisateur);
  delete from auth.second_facteur s where s.id_utilisateur = p_id_utilisateur;
end $$;
comment on function auth.utilisateur_second_facteur_retirer is
  'Retire le second facteur d''un compte dont le titulaire a perdu son téléphone et ses codes de secours ; ses sessions prennent fin.';
