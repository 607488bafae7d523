-- Token rotation. A token is valid for one use. A second use means that another person has the token, and revokes the
-- whole family. The revocation must be committed, so the function raises no error.

create type auth.session_renouvelee as (session auth.session, rejeu boolean);
comment on type auth.session_renouvelee is 'La session renouvelée, null si le jeton ne vaut rien.';
comment on column auth.session_renouvelee.rejeu is 'Le jeton avait déjà servi : toute sa famille est révoquée.';

create function auth.session_renouveler(p_hash text, p_nouveau_hash text, p_duree integer, p_adresse_ip text)
returns auth.session_renouvelee
language plpgsql volatile security definer set search_path = pg_catalog, pg_temp as $$
declare
  v_jeton auth.jeton_rafraichissement;
  v_session auth.session;
begin
  -- Of two concurrent uses of one token, the second waits here and then sees that the token is used.
  perform from auth.utilisateur u
    where u.id_utilisateur = (select j.id_utilisateur from auth.jeton_rafraichissement j where j.hash = p_hash)
      for no key update;
  select * into v_jeton from auth.jeton_rafraichissement j where j.hash = p_hash for update;
  if v_jeton.date_revocation is not null
     or not (select u.actif from auth.utilisateur u where u.id_utilisateur = v_jeton.id_utilisateur) then
    perform auth._famille_revoquer(v_jeton.famille);
    return row(null, v_jeton.date_revocation is not null)::auth.session_renouvelee;
  elsif (v_jeton.date_expiration > now()) is not true then
    return row(null, false)::auth.session_renouvelee;
  end if;
  v_session := auth._jeton_creer(v_jeton.id_utilisateur, p_nouveau_hash, v_jeton.famille, v_jeton.date_connexion,
                                 p_duree, p_adresse_ip, v_jeton.agent, v_jeton.second_facteur);
  update auth.jeton_rafraichissement j set date_revocation = now(), replaced_by_hash = p_nouveau_hash
   where j.hash = p_hash;
  return row(v_session, false)::auth.session_renouvelee;
end $$;
comment on function auth.session_renouveler is
  'Échange un jeton de rafraîchissement contre son successeur. Jeton inconnu, expiré, né d''une connexion de plus de 90 jours, ou compte inactif : session null. Jeton déjà utilisé : rejeu, et toute la famille est révoquée.';
