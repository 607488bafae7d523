create type auth.destinataire as (email text, login text, nom text, organisation text);
comment on type auth.destinataire is 'À qui écrire.';

create function auth.reinitialisation_demander(p_login text, p_hash text, p_duree integer)
returns setof auth.destinataire
language plpgsql volatile security definer set search_path = pg_catalog, pg_temp as $$
declare
  v_id_utilisateur bigint;
  v auth.destinataire;
begin
  -- An account whose address is confirmed wins over one that anybody may have opened with the address of another; then a
  -- login wins over an address; of several accounts with one address, the oldest. The address of a client is edited by
  -- staff: it serves only an account that can do nothing but see its own space.
  select u.id_utilisateur, coalesce(c.email, u.login), u.login, concat_ws(' ', u.prenom, u.nom),
         core.parametre('NOM_ORGANISATION')
    into v_id_utilisateur, v.email, v.login, v.nom, v.organisation
    from auth.utilisateur u
    left join client.client c on c.id_client = u.id_client and not exists (
      select from auth.role_permission rp join auth.permission p on p.id_permission = rp.id_permission
       where rp.id_role = u.id_role and p.code !~ '^(RESIDENT|PORTAIL)\.')
   where u.actif and (lower(u.login) = lower(p_login) or lower(c.email) = lower(p_login))
     and (c.email is not null or u.login ~ '^[^@\s<>]+@[^@\s<>]+\.[^@\s<>.]{2,63}$')
   order by u.a_confirmer, lower(u.login) = lower(p_login) desc, u.id_utilisateur
   limit 1
     for no key update of u;
  if not found then
    return;
  end if;
  -- Anybody may ask for anybody: the links that were sent before stay good, and their number is bounded.
  if 5 <= (select count(*) from auth.jeton_reinitialisation j
            where j.id_utilisateur = v_id_utilisateur and j.date_usage is null and j.date_expiration > now()) then
    return;
  end if;
  insert into auth.jeton_reinitialisation (hash, id_utilisateur, date_expiration)
  values (p_hash, v_id_utilisateur, now() + make_interval(secs => p_duree));
  return next v;
end $$;
comment on function auth.reinitialisation_demander(text, text, integer) is
  'Prépare la réinitialisation du mot de passe d''un compte, désigné par son login ou son adresse : à qui écrire, ou aucune ligne s''il n''y a personne ou si cinq liens attendent déjà. L''adresse d''un client ne sert qu''aux comptes qui n''ont que l''espace résident ; à un autre, on écrit si son login est une adresse. Les liens déjà envoyés restent valables jusqu''à ce que l''un d''eux serve.';
