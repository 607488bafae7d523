create function abonnement.categorie_abonnement_supprimer(p_id_categorie_abonnement bigint) returns void
language plpgsql volatile security definer set search_path = pg_catalog, pg_temp as $$
declare
  v abonnement.categorie_abonnement;
begin
  -- This lock keeps out a subscription that would take the category in the meantime.
  select * into strict v from abonnement.categorie_abonnement c
   where c.id_categorie_abonnement = p_id_categorie_abonnement and residence._accessible() for update;
  if exists (select from residence.abonnement a where a.id_categorie_abonnement = p_id_categorie_abonnement) then
    perform core.refuser(409, 'CATEGORIE_ABONNEMENT_UTILISEE',
      format('La catégorie « %s » a des abonnements : désactivez-la plutôt.', v.libelle));
  end if;
  delete from abonnement.categorie_abonnement c where c.id_categorie_abonnement = p_id_categorie_abonnement;
end $$;
comment on function abonnement.categorie_abonnement_supprimer(bigint) is
  'Supprime une catégorie qu''aucun abonnement ne porte.';
call core.peut_refuser('abonnement.categorie_abonnement_supprimer', 'NOT_FOUND', 'CATEGORIE_ABONNEMENT_UTILISEE');
