call core.creation('abonnement.offre_creer', 'abonnement.offre', 'abonnement.offre_detail',
  'abonnement._activite_permise(p_activite)', 'code', 'libelle', 'activite', 'unite', 'quota', 'prix', 'duree_jours',
  'actif', 'description', 'id_prestation', 'id_categorie_plat', 'max_par_jour');
comment on function abonnement.offre_creer is
  'Crée une offre d''abonnement prépayé. Le restaurant compte en REPAS, de tous les plats ou d''une catégorie ; le pressing en KG ou en PIECE, d''une prestation.';
