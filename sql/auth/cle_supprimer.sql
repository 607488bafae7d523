create function auth.cle_supprimer(p_id_cle bigint) returns void
language plpgsql volatile security definer set search_path = pg_catalog, pg_temp as $$
begin
  delete from auth.cle c where c.id_cle = p_id_cle and c.id_utilisateur = core.utilisateur();
  if not found then
    raise no_data_found;
  end if;
end $$;
comment on function auth.cle_supprimer is 'Supprime une clé d''API de l''utilisateur : elle ne vaut plus, dès la validation et partout.';
