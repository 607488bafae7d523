create type finances.categorie_depense_champs as (libelle core.libelle);
comment on type finances.categorie_depense_champs is 'Ce qui se modifie d''une catégorie de dépense.';

create function finances.categorie_depense_modifier(p_id_categorie_depense bigint, p_champs jsonb)
returns finances.categorie_depense_vue
language plpgsql volatile security definer set search_path = pg_catalog, pg_temp as $$
begin
  update finances.categorie_depense c set libelle = (select n.libelle from jsonb_populate_record(c, p_champs) n)
   where c.id_categorie_depense = p_id_categorie_depense;
  return finances.categorie_depense_detail(p_id_categorie_depense);
end $$;
comment on function finances.categorie_depense_modifier is 'Modifie une catégorie de dépense.';
