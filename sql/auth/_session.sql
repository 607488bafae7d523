-- Sessions. Lock order: the user, then the tokens. Every function that continues or ends a session takes both locks. A
-- token renewed while sessions end is therefore revoked with its successor.

create type auth.session as (
  id bigint, login text, role text, epoque integer, famille uuid, duree integer, inhabituelle boolean,
  second_facteur boolean);
comment on type auth.session is 'Titulaire d''une session, et ce que ses jetons disent d''elle.';
comment on column auth.session.epoque is 'Époque du compte, que porte le jeton d''accès.';
comment on column auth.session.famille is 'Connexion dont la session est née.';
comment on column auth.session.duree is 'Secondes que vivra le jeton de rafraîchissement.';
comment on column auth.session.inhabituelle is 'Vrai d''une connexion depuis une adresse et un appareil nouveaux, à un compte qui s''était déjà connecté ; pour un administrateur, une adresse nouvelle suffit.';
comment on column auth.session.second_facteur is 'Vrai si la connexion a donné un second facteur.';

create function auth._adresse(p_adresse_ip text) returns inet
language plpgsql immutable as $$
begin
  return p_adresse_ip::inet;
exception when invalid_text_representation then
  return null;
end $$;
comment on function auth._adresse is 'Adresse IP, null si le texte n''en est pas une : une connexion ne se refuse pas pour cela.';

create function auth._abonne(p_adresse inet) returns cidr
language sql immutable
return network(set_masklen(p_adresse, case family(p_adresse) when 6 then 64 else 32 end));
comment on function auth._abonne is 'Réseau d''un abonné : une adresse IPv4, ou le préfixe /64 d''une adresse IPv6.';

create function auth._adresse_connue(p_id_utilisateur bigint, p_adresse_ip text) returns boolean
language sql stable
return exists (
  select from auth.connexion c
   where c.id_utilisateur = p_id_utilisateur and c.succes and c.date > now() - interval '90 days'
     and c.adresse_ip <<= auth._abonne(auth._adresse(p_adresse_ip)));
comment on function auth._adresse_connue is 'Vrai d''une adresse d''où ce compte s''est connecté en 90 jours.';

create function auth._jeton_creer(
  p_id_utilisateur bigint, p_hash text, p_famille uuid, p_date_connexion timestamptz, p_duree integer,
  p_adresse_ip text, p_agent text, p_second_facteur boolean)
returns auth.session
language plpgsql volatile as $$
declare
  v_fin constant timestamptz := least(now() + make_interval(secs => p_duree), p_date_connexion + interval '90 days');
begin
  insert into auth.jeton_rafraichissement (hash, id_utilisateur, famille, date_connexion, date_expiration, adresse_ip,
                                           agent, second_facteur)
  values (p_hash, p_id_utilisateur, p_famille, p_date_connexion, v_fin, auth._adresse(p_adresse_ip), left(p_agent, 500),
          p_second_facteur);
  return core._trouve((
    select row(u.id_utilisateur, u.login, r.code, u.epoque, p_famille, extract(epoch from v_fin - now())::integer,
               false, p_second_facteur)::auth.session
      from auth.utilisateur u join auth.role r on r.id_role = u.id_role where u.id_utilisateur = p_id_utilisateur));
end $$;
comment on function auth._jeton_creer is
  'Garde le hachage d''un nouveau jeton de rafraîchissement, qui vit p_duree secondes et 90 jours au plus après la connexion de sa famille ; rend la session.';

create function auth._famille_revoquer(p_famille uuid) returns void
language sql volatile
begin atomic
  update auth.jeton_rafraichissement j set date_revocation = now()
   where j.famille = p_famille and j.date_revocation is null;
end;
comment on function auth._famille_revoquer is 'Révoque les jetons d''une connexion.';

create function auth._jetons_revoquer(p_id_utilisateur bigint) returns void
language plpgsql volatile as $$
begin
  update auth.jeton_rafraichissement j set date_revocation = now()
   where j.id_utilisateur = p_id_utilisateur and j.date_revocation is null
     and j.famille is distinct from nullif(current_setting('comptoir.famille_gardee', true), '')::uuid;
  update auth.jeton_reinitialisation j set date_usage = now()
   where j.id_utilisateur = p_id_utilisateur and j.date_usage is null;
end $$;
comment on function auth._jetons_revoquer is
  'Révoque les jetons de rafraîchissement d''un compte et ses demandes de réinitialisation. La connexion nommée par le réglage comptoir.famille_gardee peut se rafraîchir encore.';

create function auth._sessions_revoquer(p_id_utilisateur bigint) returns void
language plpgsql volatile as $$
begin
  -- From the commit on, access tokens of earlier epochs are refused.
  update auth.utilisateur u set epoque = u.epoque + 1 where u.id_utilisateur = p_id_utilisateur;
  perform auth._jetons_revoquer(p_id_utilisateur);
end $$;
comment on function auth._sessions_revoquer is 'Met fin à toutes les sessions d''un compte, jetons d''accès compris.';

create function auth._cles_retirer(p_id_utilisateur bigint) returns void
language plpgsql volatile as $$
begin
  delete from auth.cle c
   where c.id_utilisateur = p_id_utilisateur
     and c.id_cle <> all (coalesce(nullif(current_setting('comptoir.cles_gardees', true), ''), '{}')::bigint[]);
end $$;
comment on function auth._cles_retirer is 'Retire les clés d''API d''un compte, sauf comptoir.cles_gardees.';

create function auth._t50_secret_sessions() returns trigger
language plpgsql as $$
begin
  perform auth._sessions_revoquer(new.id_utilisateur);
  perform auth._cles_retirer(new.id_utilisateur);
  return null;
end $$;
comment on function auth._t50_secret_sessions is 'Un compte dont le mot de passe change perd ses sessions et ses clés d''API.';

create trigger t50_secret_sessions after update of mot_de_passe on auth.secret
for each row execute function auth._t50_secret_sessions();

-- A trigger does not write the table on which it fires: the epoch changes in the row itself, before the tokens.
create function auth._t50_utilisateur_epoque() returns trigger
language plpgsql as $$
begin
  new.epoque := new.epoque + 1;
  return new;
end $$;
comment on function auth._t50_utilisateur_epoque is 'Un compte désactivé change d''époque : ses jetons d''accès sont refusés.';

create trigger t50_utilisateur_epoque before update of actif on auth.utilisateur
for each row when (old.actif and not new.actif) execute function auth._t50_utilisateur_epoque();

create function auth._t50_utilisateur_sessions() returns trigger
language plpgsql as $$
begin
  perform auth._jetons_revoquer(new.id_utilisateur);
  perform auth._cles_retirer(new.id_utilisateur);
  return null;
end $$;
comment on function auth._t50_utilisateur_sessions is 'Un compte désactivé perd ses jetons et ses clés d''API.';

create trigger t50_utilisateur_sessions after update of actif on auth.utilisateur
for each row when (old.actif and not new.actif) execute function auth._t50_utilisateur_sessions();
