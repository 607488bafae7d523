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

create function rh.employe_modifier(p_id_employe bigint, p_champs jsonb) returns rh.employe_vue
language plpgsql volatile security definer set search_path = pg_catalog, pg_temp as $$
begin
  perform rh.employe_detail(p_id_employe);
  update rh.employe e
     set (nom, prenom, telephone, fonction, id_service, date_embauche, type_contrat, salaire_base, statut, autres_infos,
          date_sortie) =
         (select v.nom, v.prenom, v.telephone, v.fonction, v.id_service, v.date_embauche, v.type_contrat,
                 v.salaire_base, v.statut, v.autres_infos, v.date_sortie from jsonb_populate_record(e, p_champs) v)
   where e.id_employe = p_id_employe;
  return rh.employe_detail(p_id_employe);
end $$;
comment on function rh.employe_modifier is
  'Modifie les champs donnés d''un employé. Un nouveau salaire de base vaut pour les bulletins à venir ; un bulletin CALCULEE le reprend quand il est recalculé. « date_sortie » est le dernier jour payé.';
-- Every transition is allowed.
call core.ne_refuse_pas('rh.employe_modifier', 'TRANSITION_INTERDITE');
