-- Before the session exists, so the account is an argument. Its callers have verified the code.

create function auth.second_facteur_servir(p_id_utilisateur bigint, p_pas bigint) returns boolean
language plpgsql volatile security definer set search_path = pg_catalog, pg_temp as $$
begin
  insert into auth.second_facteur_pas as s (id_utilisateur, pas) values (p_id_utilisateur, p_pas)
  on conflict on constraint second_facteur_pas_pkey do update set pas = excluded.pas where s.pas < excluded.pas;
  return found;
end $$;
comment on function auth.second_facteur_servir is
  'Note qu''un code a servi ; faux s''il avait déjà servi, ou un plus récent que lui.';

create function auth.code_secours_servir(p_id_utilisateur bigint, p_hashes text[]) returns boolean
language plpgsql volatile security definer set search_path = pg_catalog, pg_temp as $$
begin
  update auth.code_secours c set date_usage = now()
   where c.id_utilisateur = p_id_utilisateur and c.hash = any (p_hashes) and c.date_usage is null
     and auth._second_facteur_confirme(p_id_utilisateur);
  return found;
end $$;
comment on function auth.code_secours_servir is 'Use un code de secours, par ses hachages ; faux s''il est inconnu ou a déjà servi.';
