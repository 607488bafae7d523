create type auth.cle_reconnue as (
  id_cle bigint, id_utilisateur bigint, login text, role text, permissions text[], expire_le timestamptz,
  appareil boolean);
comment on type auth.cle_reconnue is 'À qui appartient une clé, et ce qu''elle permet.';
comment on column auth.cle_reconnue.appareil is 'Vrai de la clé d''un appareil de caisse.';
call core.peut_etre_null('auth.cle_reconnue', 'expire_le');

create function auth.cle_reconnaitre(p_hash text, p_adresse_ip text) returns setof auth.cle_reconnue
language plpgsql volatile security definer set search_path = pg_catalog, pg_temp as $$
declare
  v_adresse constant inet := auth._adresse(p_adresse_ip);
  v auth.cle_reconnue;
begin
  select p.id_cle, p.id_utilisateur, u.login, r.code, p.permissions, p.expire_le, c.appareil
    into v
    from auth.cle c
    join auth.cle_perimetre_vue p on p.id_cle = c.id_cle
    join auth.utilisateur u on u.id_utilisateur = p.id_utilisateur and u.actif
    join auth.role r on r.id_role = u.id_role
   where c.hash = p_hash and auth._cle_vaut_depuis(p, v_adresse);
  if found then
    insert into auth.cle_usage as s (id_cle, date, adresse_ip) values (v.id_cle, now(), v_adresse)
    on conflict on constraint cle_usage_pkey do update set (date, adresse_ip) = row(excluded.date, excluded.adresse_ip)
     where s.date < now() - interval '1 minute' or s.adresse_ip is distinct from excluded.adresse_ip;
    return next v;
  end if;
end $$;
comment on function auth.cle_reconnaitre is
  'Le compte d''une clé, par le SHA-256 de celle-ci ; rien si elle est inconnue, expirée, hors de ses réseaux, ou son compte désactivé. Note son utilisation.';
