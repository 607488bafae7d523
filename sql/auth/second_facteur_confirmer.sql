create function auth.second_facteur_confirmer(p_hashes text[]) returns void
language plpgsql volatile security definer set search_path = pg_catalog, pg_temp as $$
begin
  update auth.second_facteur s set date_confirmation = now()
   where s.id_utilisateur = core.utilisateur() and s.date_confirmation is null;
  if not found then
    perform core.refuser(409, 'A2F_DEJA_ACTIF', 'Vous avez déjà un second facteur : retirez-le d''abord.');
  end if;
  insert into auth.code_secours (id_utilisateur, hash) select core.utilisateur(), h from unnest(p_hashes) h;
end $$;
comment on function auth.second_facteur_confirmer(text[]) is
  'Demande désormais le second facteur à la connexion, et garde le hachage des codes de secours.';
call core.peut_refuser('auth.second_facteur_confirmer', 'A2F_DEJA_ACTIF');
