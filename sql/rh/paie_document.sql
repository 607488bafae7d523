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
language plpgsql stable security definer set search_path = pg_catalog, pg_temp as $$
declare
  v_paie rh.paie_vue := rh._paie(p_id_paie);
  v rh.document_paie;
begin
  v.organisation := core._organisation();
  v.employe := (select row(e.code, concat_ws(' ', e.prenom, e.nom), e.fonction, e.service_libelle, e.type_contrat,
                           e.date_embauche, e.date_sortie)::rh.document_employe
                  from rh.employe_vue e where e.id_employe = v_paie.id_employe);
  v.fichier := concat_ws('-', 'paie', (v.employe).code, v_paie.periode);
  v.periode := v_paie.periode;
  v.statut := v_paie.statut;
  v.salaire_base := v_paie.salaire_base;
  v.prorata := (select format('%s jours sur %s', rh._jours_dus(e, v_paie.periode), rh._jours_du_mois(v_paie.periode))
                  from rh.employe e
                 where e.id_employe = v_paie.id_employe and v_paie.salaire_base = rh._salaire_du(e, v_paie.periode)
                   and rh._jours_dus(e, v_paie.periode) < rh._jours_du_mois(v_paie.periode));
  v.elements := array(select e from rh.element_salaire_vue e where e.id_paie = p_id_paie order by e.id_element);
  v.total_elements := v_paie.total_elements;
  v.total_retenues := v_paie.total_retenues;
  v.montant_a_payer := v_paie.montant_a_payer;
  select p.jour, m.libelle into v.date_paiement, v.moyen
    from finances.paiement p join finances.moyen_paiement m on m.id_moyen = p.id_moyen
   where p.id_paiement = v_paie.id_paiement;
  return v;
end $$;
comment on function rh.paie_document is 'Bulletin de paie en PDF.';
