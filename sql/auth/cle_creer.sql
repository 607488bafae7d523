create type auth.cle_montree as (id_cle bigint, prefixe text);
comment on type auth.cle_montree is 'La clé qui vient d''être faite.';

create function auth.cle_creer(
  p_prefixe text, p_hash text, p_libelle core.libelle, p_permissions text[], p_id_caisse bigint default null,
  p_id_activite bigint default null, p_expire_le timestamptz default null, p_reseaux text[] default null,
  p_avis_en_file boolean default false)
returns auth.cle_montree
language plpgsql volatile security definer set search_path = pg_catalog, pg_temp as $$
declare
  v_inconnue text;
  v auth.cle_montree;
begin
  perform auth._preuve_exiger();
  select x into v_inconnue from unnest(p_permissions) x
   where not exists (select from auth.permission p where p.code = x) limit 1;
  if found then
    perform core.refuser(400, 'PERMISSION_INCONNUE', format('« %s » n''est pas une permission.', left(v_inconnue, 50)));
  elsif p_expire_le <= now() then
    perform core.refuser(400, 'EXPIRATION_PASSEE', 'Cette clé serait déjà expirée.');
  elsif exists (select from unnest(p_permissions) x where not auth._permise(x))
     or not auth._dans_les_limites(core.utilisateur(), p_id_caisse, p_id_activite) then
    perform core.refuser(403, 'PERMISSION_EXCESSIVE', 'Une clé ne permet rien de plus que votre compte.');
  end if;
  insert into auth.cle as c (id_utilisateur, libelle, prefixe, hash, permissions,
                             id_caisse, id_activite, expire_le, reseaux)
  values (core.utilisateur(), p_libelle, p_prefixe, p_hash,
          array(select distinct x from unnest(p_permissions) x order by x),
          p_id_caisse, p_id_activite, p_expire_le, auth._reseaux(p_reseaux))
  returning c.id_cle, c.prefixe into v;
  if p_avis_en_file then
    perform auth._prevenir(core.utilisateur(), 'cle', jsonb_build_object('libelle', p_libelle, 'prefixe', p_prefixe));
  end if;
  return v;
end $$;
comment on function auth.cle_creer is
  'Fait une clé d''API de l''utilisateur, pour un programme : des permissions parmi les siennes, et s''il le veut une caisse, une activité, une expiration, des réseaux. La clé n''est montrée que cette fois, et le titulaire est averti.';
