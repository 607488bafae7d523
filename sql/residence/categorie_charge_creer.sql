call core.creation('residence.categorie_charge_creer', 'residence.categorie_charge',
  'residence.categorie_charge_detail', null, 'libelle', 'actif');
comment on function residence.categorie_charge_creer is 'Crée une catégorie de charge.';
