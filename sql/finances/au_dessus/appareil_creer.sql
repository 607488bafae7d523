create type finances.appareil_inscrit as (id_appareil bigint, prefixe text);
comment on type finances.appareil_inscrit is 'L''appareil qui vient d''être inscrit.';
comment on column finances.appareil_inscrit.prefixe is 'Début de ses numéros de tickets.';

create function finances.appareil_creer(
  p_id_caisse bigint, p_libelle core.libelle, p_prefixe text, p_hash text, p_avis_en_file boolean default false)
returns finances.appareil_inscrit
language plpgsql volatile security definer set search_path = pg_catalog, pg_temp as $$
declare
  v_caisse constant finances.caisse_detail_vue := finances.caisse_detail(p_id_caisse);
  v_cle auth.cle_montree;
  v_id_appareil bigint;
begin
  if not v_caisse.actif then
    perform core.refuser(409, 'CAISSE_INACTIVE', format('La caisse « %s » est désactivée.', v_caisse.libelle));
  end if;
  v_cle := auth.cle_creer(
    p_prefixe, p_hash, p_libelle,
    array(select x from unnest(finances._permissions_d_appareil()) x where auth._permise(x)),
    p_id_caisse, v_caisse.id_activite, p_avis_en_file => p_avis_en_file);
  update auth.cle c set appareil = true where c.id_cle = v_cle.id_cle;
  insert into finances.appareil as a (id_caisse, libelle, id_cle, id_utilisateur)
  values (p_id_caisse, p_libelle, v_cle.id_cle, core.utilisateur())
  returning a.id_appareil into v_id_appareil;
  return row(v_id_appareil, finances._prefixe(v_id_appareil))::finances.appareil_inscrit;
end $$;
comment on function finances.appareil_creer is
  'Inscrit un appareil qui vend dans cette caisse, aussi sans réseau. Sa clé n''est montrée que cette fois ; il agit au nom de qui l''inscrit.';
-- The user has the permissions, and the key never expires.
call core.ne_refuse_pas('finances.appareil_creer', 'PERMISSION_INCONNUE', 'EXPIRATION_PASSEE', 'RESEAU_INVALIDE');
