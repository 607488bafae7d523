call core.creation('rh.employe_creer', 'rh.employe', 'rh.employe_detail', 'rh._personnel_exiger()', 'nom', 'prenom',
  'fonction', 'date_embauche', 'type_contrat', 'salaire_base', 'telephone', 'id_service', 'autres_infos',
  'date_sortie');
comment on function rh.employe_creer is 'Enregistre un employé ; son code lui est donné.';

-- Only an import gives a code: the employee has it on paper.
call core.creation('rh._employe_inscrire', 'rh.employe', 'rh.employe_detail', 'rh._personnel_exiger()',
  'code core.libelle', 'nom', 'prenom', 'fonction', 'date_embauche', 'type_contrat', 'salaire_base', 'telephone',
  'id_service', 'autres_infos', 'date_sortie');
comment on function rh._employe_inscrire is
  'Enregistre un employé, avec son code s''il en a déjà un. Refuse PERSONNEL_DE_L_ENTREPRISE.';
-- The fields come from the request.
call core.peut_refuser('rh._employe_inscrire', 'EMPLOYE_SERVICE_INCONNU', 'SORTIE_AVANT_EMBAUCHE');
