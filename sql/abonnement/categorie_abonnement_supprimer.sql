create function abonnement.categorie_abonnement_supprimer(p_id_categorie_abonnement bigint) returns void
language plpgsql volatile security definer set search_path = pg_catalog, pg_temp as $$
begin
  perform abonnement.categorie_abonnement_detail(p_id_categorie_abonnement);
  delete from abonnement.categorie_abonnement c where c.id_categorie_abonnement = p_id_categorie_abonnement;
end $$;
comment on function abonnement.categorie_abonnement_supprimer is
  'Supprime une catégorie qu''aucun abonnement ne porte.';
