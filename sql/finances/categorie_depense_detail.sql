call core.detail('finances.categorie_depense_detail', 'finances.categorie_depense_vue', 'id_categorie_depense');
comment on function finances.categorie_depense_detail is 'Une catégorie de dépense.';
