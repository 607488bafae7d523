call core.creation('finances.depense_creer', 'finances.depense', 'finances.depense_detail', null,
  'montant core.montant_du_reglement', 'id_categorie_depense', 'libelle',
  'date timestamptz default null := coalesce($, core.moment(), now())', 'id_activite', 'id_caisse', 'justificatif',
  'id_compte');
comment on function finances.depense_creer is
  'Enregistre une dépense, payée par une caisse ouverte ou par un compte hors caisse. La caisse est celle de l''utilisateur s''il en a une ; sans l''une ni l''autre, rien ne suit cet argent. Sa catégorie se crée d''abord : POST /finances/categories-depenses.';
