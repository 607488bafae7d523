create view finances.categorie_depense_vue as
select c.id_categorie_depense, c.libelle::text as libelle
  from finances.categorie_depense c;
comment on view finances.categorie_depense_vue is 'Catégories de dépenses.';
call core.jamais_null('finances.categorie_depense_vue', 'libelle');

create function finances._categorie_tenir(p_libelle text) returns bigint
language plpgsql volatile as $$
begin
  -- Of two first expenses at once, the second one takes the row of the first one.
  if not exists (select from finances.categorie_depense c where c.libelle = p_libelle) then
    insert into finances.categorie_depense (libelle) values (p_libelle) on conflict do nothing;
  end if;
  return (select c.id_categorie_depense from finances.categorie_depense c where c.libelle = p_libelle);
end $$;
comment on function finances._categorie_tenir is 'Catégorie de dépense de ce nom, créée si elle n''existe pas.';
