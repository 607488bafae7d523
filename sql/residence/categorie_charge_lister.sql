call core.liste(
  'residence.categorie_charge_lister', 'residence.categorie_charge_vue', 'v.libelle, v.id_categorie_charge',
  'recherche: libelle', 'libelle', 'actif');
comment on function residence.categorie_charge_lister is 'Catégories de charges, par libellé.';
