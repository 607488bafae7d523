-- Categories of expenses.

create view finances.categorie_depense_vue as
select c.id_categorie_depense, c.libelle::text as libelle
  from finances.categorie_depense c;
comment on view finances.categorie_depense_vue is 'Catégories de dépenses.';
call core.jamais_null('finances.categorie_depense_vue', 'libelle');

create function finances._categorie_depense(p_id_categorie_depense bigint) returns finances.categorie_depense_vue
language plpgsql stable as $$
declare
  v finances.categorie_depense_vue;
begin
  select * into strict v from finances.categorie_depense_vue x where x.id_categorie_depense = p_id_categorie_depense;
  return v;
end $$;
comment on function finances._categorie_depense is 'Une catégorie de dépense. Refuse NOT_FOUND.';
