-- The last name stands on both sides of the first name, so that the search finds both orders.
call core.liste('rh.employe_lister', 'rh.employe_vue', 'v.nom, v.prenom, v.id_employe',
  'recherche: core._contient(concat_ws('' '', v.code, v.nom, v.prenom, v.nom, v.telephone), $)',
  'sans_compte boolean: not $
    or exists (select from rh.employe e where e.id_employe = v.id_employe and e.id_utilisateur is null)',
  'id_service', 'statut', 'type_contrat', 'nom', 'prenom', 'telephone', 'fonction', 'embauche_du: date_embauche',
  'embauche_au: date_embauche');
comment on function rh.employe_lister is
  'Liste les employés, par ordre alphabétique ; « sans_compte » ne garde que ceux qui n''ont pas de compte.';
