-- A stolen token must not become a lasting hold. An operation that gives lasting power therefore asks for a sign-in, or
-- for the password, of the last five minutes. Outside the API (psql, jobs) nothing is asked.

create function auth._preuve_exiger() returns void
language plpgsql stable as $$
declare
  v_recente constant boolean := coalesce((
    select bool_or(j.date_revocation is null and j.date_expiration > now())
           and max(greatest(j.date_connexion, j.date_preuve)) > now() - interval '5 minutes'
      from auth.jeton_rafraichissement j
     where j.famille = core.famille() and j.id_utilisateur = core.utilisateur()), false);
begin
  if core.cle() is not null then
    perform core.refuser(403, 'PREUVE_REQUISE',
      'Une clé d''API ne peut pas donner un pouvoir qui lui survivrait : connectez-vous pour le faire.');
  elsif core.utilisateur() is not null and not v_recente then
    perform core.refuser(403, 'PREUVE_REQUISE',
      'Confirmez d''abord que c''est bien vous : reconnectez-vous, ou redonnez votre mot de passe (POST /auth/preuve). Vous avez ensuite cinq minutes.');
  end if;
end $$;
comment on function auth._preuve_exiger is 'Demande une connexion ou un mot de passe des cinq dernières minutes.';
