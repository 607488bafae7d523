create type echange.employes as (
  code core.libelle, nom core.libelle, prenom core.libelle, fonction rh.fonction, date_embauche date,
  type_contrat rh.type_contrat, salaire_base core.montant, telephone core.telephone, service core.libelle,
  autres_infos core.texte, date_sortie date);
comment on type echange.employes is 'Une ligne d''une feuille d''employés.';
comment on column echange.employes.code is 'Matricule : le sien dans vos papiers. Sans lui, la base en donne un.';
comment on column echange.employes.nom is 'Nom : nom de famille.';
comment on column echange.employes.prenom is 'Prénom : ses prénoms.';
comment on column echange.employes.fonction is 'Fonction : AUTRE si rien n''est dit.';
comment on column echange.employes.date_embauche is 'Date d''embauche : 31/12/2020.';
comment on column echange.employes.type_contrat is 'Type de contrat : CDI si rien n''est dit.';
comment on column echange.employes.salaire_base is 'Salaire de base : d''un mois.';
comment on column echange.employes.telephone is 'Téléphone : 0701020304 ou +2250701020304.';
comment on column echange.employes.service is 'Service : libellé d''un service qui existe.';
comment on column echange.employes.autres_infos is 'Autres informations : en quelques mots.';
comment on column echange.employes.date_sortie is 'Date de sortie : dernier jour payé.';
call core.peut_etre_null('echange.employes', 'code', 'fonction', 'type_contrat', 'telephone', 'service', 'autres_infos',
  'date_sortie');

create function echange._employes(p echange.employes) returns echange.issue
language plpgsql volatile as $$
declare
  v_id_employe bigint := case when (p).code is not null
    then (select e.id_employe from rh.employe e where e.code = (p).code)
    else (select e.id_employe from rh.employe e
           where lower(e.nom) = lower((p).nom) and lower(e.prenom) = lower((p).prenom)
             and e.date_embauche = (p).date_embauche and not echange._defait('employes', e.id_employe) limit 1) end;
begin
  return row(
    coalesce(v_id_employe, (rh._employe_inscrire(
      (p).code, (p).nom, (p).prenom, coalesce((p).fonction, 'AUTRE'), (p).date_embauche,
      coalesce((p).type_contrat, 'CDI'), (p).salaire_base, (p).telephone,
      echange._trouver('service', (p).service, array(
        select s.id_service from rh.service s where lower(s.libelle) = lower((p).service)),
        'Aucun service ne s''appelle « %s ».'),
      (p).autres_infos, (p).date_sortie)).id_employe),
    v_id_employe is not null,
    coalesce((p).code, concat_ws('|', lower((p).nom), lower((p).prenom), (p).date_embauche)))::echange.issue;
end $$;
comment on function echange._employes is
  'Enregistre un employé ; le même matricule, ou sans matricule les mêmes nom, prénom et embauche, existe déjà.';
