create type residence.sejour_paiement as (montant core.montant_du_reglement, id_moyen bigint);
comment on type residence.sejour_paiement is 'Paiement reçu à l''arrivée.';
comment on column residence.sejour_paiement.montant is 'Montant encaissé, tout ou partie du total.';
comment on column residence.sejour_paiement.id_moyen is 'Moyen de paiement.';

create function residence.sejour_creer(
  p_type_prestation residence.type_prestation_sejour, p_id_logement bigint, p_date_heure_arrivee timestamptz,
  p_tarif core.montant, p_id_client bigint default null, p_client client.client_nouveau default null,
  p_date_heure_depart_prevue timestamptz default null, p_duree core.libelle default null,
  p_montant_total core.montant default null, p_paiement residence.sejour_paiement default null,
  p_statut residence.statut_sejour default 'EN_COURS')
returns residence.sejour_reglement
language plpgsql volatile security definer set search_path = pg_catalog, pg_temp as $$
declare
  v_id_sejour bigint;
  v_total core.montant;
begin
  if p_statut <> 'EN_COURS' then
    perform core.refuser(400, 'SEJOUR_NAIT_EN_COURS', 'Un séjour naît EN_COURS : terminez-le ou annulez-le ensuite.');
  end if;
  perform residence._logement_prendre(p_id_logement);
  insert into residence.sejour_court as s (
    type_prestation, id_client, id_logement, date_heure_arrivee, date_heure_depart_prevue, duree, tarif)
  values (p_type_prestation, client._client_resoudre(p_id_client, p_client), p_id_logement, p_date_heure_arrivee,
          p_date_heure_depart_prevue, p_duree, p_tarif)
  returning s.id_sejour, s.montant_total into v_id_sejour, v_total;
  if p_montant_total <> v_total then
    perform core.refuser(400, 'MONTANT_TOTAL_DIFFERENT',
                         format('Le montant total de ce séjour est %s.', core.montant_ecrire(v_total)),
                         jsonb_build_object('montant_total', v_total::text));
  end if;
  if p_paiement is null then
    return row(residence.sejour_detail(v_id_sejour), null, null, null)::residence.sejour_reglement;
  end if;
  return residence._sejour_regler(v_id_sejour, p_paiement.montant, p_paiement.id_moyen);
end $$;
comment on function residence.sejour_creer is
  'Ouvre un court séjour dans un logement DISPONIBLE, qui devient OCCUPE. Le montant total est tarif × nuits, ou le tarif d''une sieste ; celui envoyé doit lui être égal.';
-- A trigger writes the occupation.
call core.peut_refuser('residence.sejour_creer', 'LOGEMENT_DEJA_OCCUPE');
-- A new stay has no departure.
call core.ne_refuse_pas('residence.sejour_creer', 'DEPART_FUTUR');
