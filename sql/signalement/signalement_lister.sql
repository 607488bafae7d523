call core.liste(
  'signalement.signalement_lister', 'signalement.signalement_vue', 'v.date_signalement desc, v.id_signalement desc',
  'recherche: core._contient(v.titre, $) or core._contient(v.description, $)', 'id_activite', 'statut',
  'id_utilisateur_declarant', 'cible_type', 'module_cible signalement.module_cible: v.module_cible = $::text');
comment on function signalement.signalement_lister is
  'Signalements que l''utilisateur peut voir, du plus récent au plus ancien ; la recherche porte sur le titre et la description.';
