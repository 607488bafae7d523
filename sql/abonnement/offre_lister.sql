call core.liste('abonnement.offre_lister', 'abonnement.offre_vue', 'v.libelle, v.id_offre',
  'recherche: core._contient(concat_ws('' '', v.code, v.libelle, v.description), $)', 'code: v.code = $', 'activite',
  'unite', 'actif', 'id_prestation', 'id_categorie_plat');
comment on function abonnement.offre_lister is 'Offres d''abonnement, par libellé, inactives comprises.';
