call core.creation('residence.batiment_creer', 'residence.batiment', 'residence.batiment_detail', null, 'code', 'nom',
  'adresse', 'actif');
comment on function residence.batiment_creer is 'Crée un bâtiment.';
