create function auth.reinitialisation_demander(p_login text, p_hash text, p_duree integer)
returns setof auth.destinataire
language plpgsql volatile security definer set search_path = pg_catalog, pg_temp as $$
declare
  v_id_utilisateur bigint;
  v auth.destinataire;
begin
  -- Several accounts may match. An account with an address comes first, then a confirmed address (a visitor may have
  -- signed up with the address of another person), then a match on the login, then the oldest account.
  select a.id_utilisateur, a.email, a.login, a.nom, core.parametre('NOM_ORGANISATION')
    into v_id_utilisateur, v.email, v.login, v.nom, v.organisation
    from auth.adresse_vue a
   where a.actif and lower(p_login) in (lower(a.login), lower(a.email_compte), lower(a.email_client))
   order by a.email is null, a.a_confirmer, lower(a.login) = lower(p_login) desc, a.id_utilisateur
   limit 1;
  if not found then
    return;
  end if;
  perform from auth.utilisateur u where u.id_utilisateur = v_id_utilisateur for no key update;
  if v.email is null then
    -- Any visitor may request a reset for any account. One account therefore causes at most one notification an hour.
    if not exists (select from notification.notification n
                    where n.evenement = 'auth.mot_de_passe.demande' and n.date > now() - interval '1 hour'
                      and n.donnees ->> 'id_utilisateur' = v_id_utilisateur::text) then
      perform notification._emettre(
        'auth.mot_de_passe.demande', 'MEDIUM', 'Mot de passe oublié sans adresse',
        format(
          'Un nouveau mot de passe a été demandé pour le compte %s, dont l''adresse n''est pas connue. Assurez-vous que la demande vient de son titulaire%s, puis donnez-lui un mot de passe ou une adresse.',
          v.login, coalesce(' (' || nullif(v.nom, '') || ')', '')),
        jsonb_build_object('id_utilisateur', v_id_utilisateur::text, 'login', v.login), 'ADMIN.MODIFIER',
        null, null, null);
    end if;
    return;
  end if;
  -- Any visitor may request a reset for any account: earlier links stay valid, and their number is limited.
  if 5 <= (select count(*) from auth.jeton_reinitialisation j
            where j.id_utilisateur = v_id_utilisateur and j.date_usage is null and j.date_expiration > now()) then
    return;
  end if;
  insert into auth.jeton_reinitialisation (hash, id_utilisateur, date_expiration)
  values (p_hash, v_id_utilisateur, now() + make_interval(secs => p_duree));
  return next v;
end $$;
comment on function auth.reinitialisation_demander is
  'Prépare la réinitialisation du mot de passe d''un compte, désigné par son login ou son adresse : à qui écrire, ou aucune ligne s''il n''y a personne ou si cinq liens attendent déjà. On écrit à l''adresse du compte, sinon à celle de son client s''il n''a que son espace, sinon à son login si c''est une adresse ; où l''on n''en connaît pas, les administrateurs en sont avertis. Les liens déjà envoyés restent valables jusqu''à ce que l''un d''eux serve.';
