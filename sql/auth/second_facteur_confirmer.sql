create function auth.second_facteur_confirmer(p_hashes text[], p_avis_en_file boolean default false) returns setof uuid
language plpgsql volatile security definer set search_path = pg_catalog, pg_temp as $$
begin
  -- Lock order: the user first, then the tokens.
  perform from auth.utilisateur u where u.id_utilisateur = core.utilisateur() for no key update;
  update auth.second_facteur s set date_confirmation = now()
   where s.id_utilisateur = core.utilisateur() and s.date_confirmation is null;
  if not found then
    perform core.refuser(409, 'A2F_DEJA_ACTIF', 'Vous avez déjà un second facteur : retirez-le d''abord.');
  end if;
  insert into auth.code_secours (id_utilisateur, hash) select core.utilisateur(), h from unnest(p_hashes) h;
  if p_avis_en_file then
    perform auth._prevenir(core.utilisateur(), 'second-facteur');
  end if;
  return query select * from auth.sessions_autres_terminer(core.famille());
end $$;
comment on function auth.second_facteur_confirmer is
  'Demande désormais le second facteur à la connexion, garde le hachage des codes de secours, met fin aux autres sessions et les rend. Le titulaire est averti.';
