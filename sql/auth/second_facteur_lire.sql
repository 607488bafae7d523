create type auth.second_facteur_lu as (secret text, confirme boolean);
comment on type auth.second_facteur_lu is 'Le secret chiffré d''un second facteur, pour vérifier un code.';

create function auth.second_facteur_lire() returns auth.second_facteur_lu
language plpgsql stable security definer set search_path = pg_catalog, pg_temp as $$
declare
  v auth.second_facteur_lu;
begin
  select s.secret, s.date_confirmation is not null into v
    from auth.second_facteur s where s.id_utilisateur = core.utilisateur();
  if not found then
    perform core.refuser(404, 'NOT_FOUND', 'Vous n''avez pas de second facteur.');
  end if;
  return v;
end $$;
comment on function auth.second_facteur_lire is 'Le second facteur de l''utilisateur connecté, pour vérifier un code.';

create function auth.second_facteur_actif() returns boolean
language sql stable security definer set search_path = pg_catalog, pg_temp
return auth._second_facteur_confirme(core.utilisateur());
comment on function auth.second_facteur_actif is 'Vrai si l''utilisateur connecté a un second facteur confirmé.';
