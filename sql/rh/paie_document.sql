create type rh.document_employe as (
  code text, nom text, fonction rh.fonction, service text, type_contrat rh.type_contrat, date_embauche date,
  date_sortie date);
comment on type rh.document_employe is 'Employé d''un bulletin à imprimer.';
comment on column rh.document_employe.nom is 'Prénom et nom.';

create type rh.document_paie as (
  fichier text, organisation core.organisation, employe rh.document_employe, periode text, statut rh.statut_paie,
  salaire_base core.montant, prorata text, elements rh.element_salaire_vue[], total_elements core.montant,
  total_retenues core.montant, montant_a_payer core.montant, date_paiement date, moyen text);
comment on type rh.document_paie is 'Tout ce qu''imprime un bulletin de paie.';
comment on column rh.document_paie.prorata is 'Jours payés d''un mois commencé ou quitté, null pour un mois entier ou un salaire donné à la main.';
comment on column rh.document_paie.date_paiement is 'Jour du paiement du net, null avant ; moyen est le sien.';

create function rh.paie_document(p_id_paie bigint) returns rh.document_paie
language sql stable security definer set search_path = pg_catalog, pg_temp
return (
  select row(concat_ws('-', 'paie', e.code, v.periode), core._organisation(),
             row(e.code, concat_ws(' ', e.prenom, e.nom), e.fonction, s.libelle, e.type_contrat, e.date_embauche,
                 e.date_sortie)::rh.document_employe,
             v.periode, v.statut, v.salaire_base,
             case when v.salaire_base = rh._salaire_du(e, v.periode)
                       and rh._jours_dus(e, v.periode) < rh._jours_du_mois(v.periode)
                  then format('%s/%s jours', rh._jours_dus(e, v.periode), rh._jours_du_mois(v.periode)) end,
             array(select x from rh.element_salaire_vue x where x.id_paie = p_id_paie order by x.id_element),
             v.total_elements, v.total_retenues, v.montant_a_payer, p.jour, m.libelle)::rh.document_paie
    from rh._paie(p_id_paie) v
    join rh.employe e on e.id_employe = v.id_employe
    left join rh.service s on s.id_service = e.id_service
    left join finances.paiement p on p.id_paiement = v.id_paiement
    left join finances.moyen_paiement m on m.id_moyen = p.id_moyen);
comment on function rh.paie_document is 'Bulletin de paie en PDF.';
