create type auth.session_ouverte as (
  id_session uuid, appareil text, adresse text, depuis timestamptz, derniere_utilisation timestamptz, courante boolean);
comment on type auth.session_ouverte is 'Une connexion qui peut encore se rafraîchir.';
comment on column auth.session_ouverte.appareil is 'Logiciel annoncé (User-Agent), null s''il n''en a pas dit.';
comment on column auth.session_ouverte.adresse is 'Dernière adresse connue.';
comment on column auth.session_ouverte.derniere_utilisation is 'Dernier rafraîchissement.';
comment on column auth.session_ouverte.courante is 'Vrai de celle qui pose la question.';
call core.peut_etre_null('auth.session_ouverte', 'appareil', 'adresse');

create function auth.session_lister(p_famille uuid) returns setof auth.session_ouverte
language sql stable security definer set search_path = pg_catalog, pg_temp
begin atomic
  select j.famille, j.agent, host(j.adresse_ip), j.date_connexion, j.date_creation,
         coalesce(j.famille = p_famille, false)
    from auth.jeton_rafraichissement j
   where j.id_utilisateur = core.utilisateur() and j.date_revocation is null and j.date_expiration > now()
   order by j.date_creation desc, j.famille;
end;
comment on function auth.session_lister is 'Sessions ouvertes de l''utilisateur, la dernière utilisée d''abord.';

create function auth.session_terminer(p_id_session uuid) returns void
language plpgsql volatile security definer set search_path = pg_catalog, pg_temp as $$
begin
  perform from auth.utilisateur u where u.id_utilisateur = core.utilisateur() for no key update;
  update auth.jeton_rafraichissement j set date_revocation = now()
   where j.famille = p_id_session and j.id_utilisateur = core.utilisateur() and j.date_revocation is null;
  if not found then
    perform core.refuser(404, 'NOT_FOUND', 'Cette session n''est pas ouverte.');
  end if;
end $$;
comment on function auth.session_terminer is 'Met fin à une session de l''utilisateur.';

create function auth.sessions_autres_terminer(p_famille uuid) returns setof uuid
language plpgsql volatile security definer set search_path = pg_catalog, pg_temp as $$
begin
  perform from auth.utilisateur u where u.id_utilisateur = core.utilisateur() for no key update;
  return query
    with finies as (
      update auth.jeton_rafraichissement j set date_revocation = now()
       where j.id_utilisateur = core.utilisateur() and j.date_revocation is null
         and j.famille is distinct from p_famille returning j.famille)
    select distinct f.famille from finies f;
end $$;
comment on function auth.sessions_autres_terminer is 'Met fin aux sessions de l''utilisateur, sauf une, et les rend.';
