create function finances.categorie_depense_supprimer(p_id_categorie_depense bigint) returns void
language plpgsql volatile security definer set search_path = pg_catalog, pg_temp as $$
declare
  v finances.categorie_depense;
  v_annulees boolean;
begin
  -- The lock prevents a new expense from taking the category in the meantime.
  select * into strict v from finances.categorie_depense c
   where c.id_categorie_depense = p_id_categorie_depense for update;
  -- The table keeps a voided expense, and its category.
  select bool_and(d.date_annulation is not null) into v_annulees
    from finances.depense d where d.id_categorie_depense = p_id_categorie_depense;
  if v_annulees is not null then
    perform core.refuser(409, 'CATEGORIE_UTILISEE',
      format('La catégorie « %s » a des dépenses%s : elle ne se supprime pas.', v.libelle,
             case when v_annulees then ', toutes supprimées, que le journal et la comptabilité gardent' else '' end));
  end if;
  delete from finances.categorie_depense c where c.id_categorie_depense = p_id_categorie_depense;
exception when foreign_key_violation then
  perform core.refuser(409, 'CATEGORIE_UTILISEE',
    format('La catégorie « %s » est sur la facture d''un fournisseur : elle ne se supprime pas.', v.libelle));
end $$;
comment on function finances.categorie_depense_supprimer is 'Supprime une catégorie qui n''a jamais servi.';
