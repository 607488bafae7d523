call core.detail('residence.categorie_charge_detail', 'residence.categorie_charge_vue', 'id_categorie_charge');
comment on function residence.categorie_charge_detail is 'Une catégorie de charge.';
