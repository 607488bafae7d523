-- API keys. A key acts as its user, with the permissions that both have, in the limits of both.

create view auth.cle_vue as
select c.id_cle, c.id_utilisateur, c.libelle, c.prefixe, c.permissions, c.id_caisse, c.id_activite, c.expire_le,
       c.reseaux::text[] as reseaux, u.date as derniere_utilisation, host(u.adresse_ip) as derniere_adresse,
       c.date_creation
  from auth.cle c
  left join auth.cle_usage u on u.id_cle = c.id_cle;
comment on view auth.cle_vue is 'Clés d''API, sans les clés elles-mêmes.';
comment on column auth.cle_vue.prefixe is 'Début de la clé.';
comment on column auth.cle_vue.reseaux is 'Plages d''adresses d''où elle vaut, null partout.';
comment on column auth.cle_vue.derniere_utilisation is 'À une minute près ; null si elle n''a jamais servi.';
comment on column auth.cle_vue.derniere_adresse is 'Adresse de la dernière utilisation.';
call core.peut_etre_null('auth.cle_vue', 'derniere_utilisation', 'derniere_adresse');

create view auth.cle_perimetre_vue as
select c.id_cle, c.id_utilisateur, c.libelle || ' (' || c.prefixe || ')' as nom, c.permissions, c.expire_le, c.reseaux,
       c.id_caisse, coalesce(c.id_activite, k.id_activite) as id_activite
  from auth.cle c
  left join finances.caisse k on k.id_caisse = c.id_caisse;
comment on view auth.cle_perimetre_vue is 'Ce que permet chaque clé, et où elle vaut.';

create function auth._dans_les_limites(p_id_utilisateur bigint, p_id_caisse bigint, p_id_activite bigint)
returns boolean
language sql stable
return (select coalesce(p.id_caisse = p_id_caisse, true) and coalesce(p.id_activite = p_id_activite, true)
               and coalesce(p.id_activite = (select c.id_activite from finances.caisse c
                                              where c.id_caisse = p_id_caisse), true)
          from auth.perimetre_vue p where p.id_utilisateur = p_id_utilisateur);
comment on function auth._dans_les_limites is 'Vrai si cette caisse et cette activité sont dans les limites du compte.';

create function auth._cle_vaut(p_cle auth.cle_perimetre_vue) returns boolean
language sql stable
return p_cle.id_cle is not null
   and (p_cle.expire_le is null or p_cle.expire_le > now())
   and auth._dans_les_limites(p_cle.id_utilisateur, p_cle.id_caisse, p_cle.id_activite);
comment on function auth._cle_vaut is 'Vrai si une clé existe, court encore et reste dans les limites du compte.';

create function auth._cle_vaut_depuis(p_cle auth.cle_perimetre_vue, p_adresse_ip inet) returns boolean
language sql stable
return auth._cle_vaut(p_cle) and (p_cle.reseaux is null or p_adresse_ip <<= any (p_cle.reseaux::inet[]));
comment on function auth._cle_vaut_depuis is 'Vrai si une clé vaut, et vaut depuis cette adresse.';

create function auth._permissions_de_cle() returns text[]
language sql stable parallel safe
return nullif(current_setting('comptoir.permissions', true), '')::text[];
comment on function auth._permissions_de_cle is 'Permissions de la clé de la requête, null sans clé.';

create function auth._permissions() returns text[]
language sql stable
return (select case when auth._permissions_de_cle() is null then r.codes
                    else array(select c from unnest(r.codes) c where c = any (auth._permissions_de_cle())) end
          from (select auth.role_permissions(p.role) as codes
                  from auth.perimetre_vue p where p.id_utilisateur = core.utilisateur()) r);
comment on function auth._permissions is 'Permissions de l''utilisateur dans cette requête, triées ; null sans utilisateur.';

create function auth._reseaux(p_reseaux text[]) returns cidr[]
language plpgsql immutable as $$
begin
  return nullif(array(select network(r::inet) from unnest(p_reseaux) r), '{}');
exception when invalid_text_representation then
  perform core.refuser(400, 'RESEAU_INVALIDE', 'Un réseau s''écrit comme 192.0.2.0/24 ou 2001:db8::/32.');
  return null;
end $$;
comment on function auth._reseaux is 'Des plages d''adresses, null s''il n''y en a aucune. Refuse RESEAU_INVALIDE.';

-- The account is locked, so that two requests count one after the other.
create function auth._t20_cle_nombre() returns trigger
language plpgsql as $$
begin
  perform from auth.utilisateur u where u.id_utilisateur = new.id_utilisateur for no key update;
  if (select count(*) from auth.cle c where c.id_utilisateur = new.id_utilisateur and not c.appareil) >= 20 then
    perform core.refuser(409, 'CLES_TROP_NOMBREUSES', 'Un compte a 20 clés d''API au plus : supprimez-en une.');
  end if;
  return new;
end $$;
comment on function auth._t20_cle_nombre is 'Un compte a 20 clés d''API au plus. Refuse CLES_TROP_NOMBREUSES.';

create trigger t20_cles_trop_nombreuses before insert on auth.cle for each row execute function auth._t20_cle_nombre();
