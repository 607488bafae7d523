call core.creation('finances.depense_creer', 'finances.depense', 'finances.depense_detail', null, 'montant',
  'id_categorie_depense', 'libelle', 'date timestamptz default null := coalesce($, now())', 'id_activite', 'id_caisse',
  'justificatif');
comment on function finances.depense_creer is
  'Enregistre une dépense, payée par la caisse ouverte choisie, par celle de l''utilisateur s''il en a une, ou sans caisse. Sa catégorie se crée d''abord : POST /finances/categories-depenses.';
