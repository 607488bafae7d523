-- The shop window, without an account. It shows what helps to choose, and nothing of the business.

create view market.vitrine_vue as
select p.id_produit, p.nom, p.id_categorie_produit, c.libelle as categorie_libelle, p.prix_vente,
       case when p.image_url is not null then format('/api/v1/market/vitrine/%s/image', p.id_produit) end as image_url
  from market.produit p
  left join market.categorie_produit c on c.id_categorie_produit = p.id_categorie_produit
 where p.actif;
comment on view market.vitrine_vue is 'Produits actifs, tels qu''ils se montrent sans compte.';
comment on column market.vitrine_vue.image_url is 'Adresse publique de la photo.';
call core.null_comme('market.vitrine_vue', 'market.produit');
call core.peut_etre_null('market.vitrine_vue', 'categorie_libelle');

create function market.vitrine_lister(
  p_recherche text default null, p_limit core.limite default 1000, p_offset core.decalage default 0,
  p_id_categorie_produit bigint default null)
returns setof market.vitrine_vue
language plpgsql stable security definer set search_path = pg_catalog, pg_temp as $$
begin
  perform core._vitrine_ouverte();
  return query execute core._liste('market.vitrine_vue', $filtre$
        ($1 is null or core._contient(v.nom, $1))
    and ($2 is null or v.id_categorie_produit = $2)
  $filtre$, 'v.nom, v.id_produit', null, null, p_limit, p_offset)
  using p_recherche, p_id_categorie_produit;
end $$;
comment on function market.vitrine_lister is 'Produits actifs, par nom, sans compte, là où le réglage VITRINE est 1.';
