create function finances.categorie_depense_lister() returns setof finances.categorie_depense_vue
language plpgsql stable security definer set search_path = pg_catalog, pg_temp as $$
begin
  return query select * from finances.categorie_depense_vue c order by c.libelle, c.id_categorie_depense;
end $$;
comment on function finances.categorie_depense_lister is 'Liste les catégories de dépenses.';
