create function finances.categorie_depense_supprimer(p_id_categorie_depense bigint) returns void
language plpgsql volatile security definer set search_path = pg_catalog, pg_temp as $$
declare
  v finances.categorie_depense;
begin
  -- The lock prevents a new expense from taking the category in the meantime.
  select * into strict v from finances.categorie_depense c
   where c.id_categorie_depense = p_id_categorie_depense for update;
  -- The table keeps a deleted expense, and its category.
  if exists (select from finances.depense d where d.id_categorie_depense = p_id_categorie_depense) then
    perform core.refuser(409, 'CATEGORIE_UTILISEE',
                         format('La catégorie « %s » a des dépenses : elle ne se supprime pas.', v.libelle));
  end if;
  delete from finances.categorie_depense c where c.id_categorie_depense = p_id_categorie_depense;
end $$;
comment on function finances.categorie_depense_supprimer(bigint) is
  'Supprime une catégorie qui n''a jamais servi.';
call core.peut_refuser('finances.categorie_depense_supprimer', 'NOT_FOUND', 'CATEGORIE_UTILISEE');
