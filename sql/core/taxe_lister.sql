call core.liste('core.taxe_lister', 'core.taxe_vue', 'v.code, v.du, v.id_taxe',
  'recherche: core._contient(v.code, $) or core._contient(v.libelle, $)', 'code: v.code = $', 'nature');
comment on function core.taxe_lister is
  'Taux des codes de taxe, par code et par jour ; la recherche porte sur le code et le libellé.';
