create type auth.second_facteur_prepare as (login text, organisation text);
comment on type auth.second_facteur_prepare is 'Ce que l''application du téléphone montre à côté des codes.';

create function auth.second_facteur_preparer(p_chiffre text) returns auth.second_facteur_prepare
language plpgsql volatile security definer set search_path = pg_catalog, pg_temp as $$
begin
  perform auth._preuve_exiger();
  insert into auth.second_facteur as s (id_utilisateur, secret) values (core.utilisateur(), p_chiffre)
  on conflict on constraint second_facteur_pkey do update set (secret, date_creation) = row(excluded.secret, now())
   where s.date_confirmation is null;
  if not found then
    perform core.refuser(409, 'A2F_DEJA_ACTIF', 'Vous avez déjà un second facteur : retirez-le d''abord.');
  end if;
  return core._trouve((select row(u.login, core.parametre('NOM_ORGANISATION'))::auth.second_facteur_prepare
                         from auth.utilisateur u where u.id_utilisateur = core.utilisateur()));
end $$;
comment on function auth.second_facteur_preparer is
  'Garde le secret d''un second facteur, chiffré par l''API, qui ne vaut qu''une fois confirmé par un code.';
