-- The API computes the codes, because PostgreSQL has no HMAC. The database lets each code serve once.

create function auth._second_facteur_confirme(p_id_utilisateur bigint) returns boolean
language sql stable
return exists (select from auth.second_facteur s
                where s.id_utilisateur = p_id_utilisateur and s.date_confirmation is not null);
comment on function auth._second_facteur_confirme is 'Vrai si ce compte donne un second facteur à la connexion.';

-- The tokens of the account say that it signed in with a second factor, so they end with it.
create function auth._t50_second_facteur_retire() returns trigger
language plpgsql as $$
begin
  perform auth._sessions_revoquer(old.id_utilisateur);
  return null;
end $$;
comment on function auth._t50_second_facteur_retire is 'Un compte qui perd son second facteur perd ses sessions.';

create trigger t50_second_facteur_retire after delete on auth.second_facteur
for each row when (old.date_confirmation is not null) execute function auth._t50_second_facteur_retire();
