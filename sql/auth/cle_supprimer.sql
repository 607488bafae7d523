create function auth.cle_supprimer(p_id_cle bigint) returns void
language plpgsql volatile security definer set search_path = pg_catalog, pg_temp as $$
begin
  perform auth._cle(p_id_cle);
  delete from auth.cle c where c.id_cle = p_id_cle;
end $$;
comment on function auth.cle_supprimer is 'Supprime une clé d''API de l''utilisateur : elle ne vaut plus, dès la validation et partout.';
