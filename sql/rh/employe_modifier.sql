call core.modification('rh.employe_modifier', 'rh.employe', 'rh.employe_detail', 'nom', 'prenom', 'telephone',
  'fonction', 'id_service', 'date_embauche', 'type_contrat', 'salaire_base', 'statut', 'autres_infos', 'date_sortie');
comment on type rh.employe_champs is 'Ce qui se modifie dans la fiche d''un employé.';
comment on function rh.employe_modifier is
  'Modifie les champs donnés d''un employé. Un nouveau salaire de base vaut pour les bulletins à venir ; un bulletin CALCULEE le reprend quand il est recalculé. « date_sortie » est le dernier jour payé.';
-- Every transition is allowed.
call core.ne_refuse_pas('rh.employe_modifier', 'TRANSITION_INTERDITE');
