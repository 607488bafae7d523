create type rh.employe_champs as (
  nom core.libelle,
  prenom core.libelle,
  telephone core.telephone,
  fonction rh.fonction,
  id_service bigint,
  date_embauche date,
  type_contrat rh.type_contrat,
  salaire_base core.montant,
  statut rh.statut_employe,
  autres_infos core.texte,
  date_sortie date
);
comment on type rh.employe_champs is 'Ce qui se modifie dans la fiche d''un employé.';

call core.modification('rh.employe_modifier', 'rh.employe', 'rh.employe_detail');
comment on function rh.employe_modifier is
  'Modifie les champs donnés d''un employé. Un nouveau salaire de base vaut pour les bulletins à venir ; un bulletin CALCULEE le reprend quand il est recalculé. « date_sortie » est le dernier jour payé.';
-- Every transition is allowed.
call core.ne_refuse_pas('rh.employe_modifier', 'TRANSITION_INTERDITE');
