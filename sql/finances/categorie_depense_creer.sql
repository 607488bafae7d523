create function finances.categorie_depense_creer(p_libelle core.libelle) returns finances.categorie_depense_vue
language sql volatile security definer set search_path = pg_catalog, pg_temp
begin atomic
  insert into finances.categorie_depense (libelle) values (p_libelle) returning id_categorie_depense, libelle::text;
end;
comment on function finances.categorie_depense_creer is 'Crée une catégorie de dépense.';
