create function residence.sejour_demander(
  p_id_logement bigint, p_type_prestation residence.type_prestation_sejour, p_date_heure_arrivee timestamptz,
  p_date_heure_depart_prevue timestamptz default null, p_nombre_personnes smallint default null,
  p_observations core.texte default null)
returns residence.portail_sejour
language plpgsql volatile security definer set search_path = pg_catalog, pg_temp as $$
declare
  v_id_client bigint := client._portail_client();
  v residence.sejour_court;
begin
  perform core._demande_a_venir(p_date_heure_arrivee);
  insert into residence.sejour_court (
    id_client, id_logement, type_prestation, date_heure_arrivee, date_heure_depart_prevue, nombre_personnes,
    observations, statut, origine)
  values (v_id_client, p_id_logement, p_type_prestation, p_date_heure_arrivee, p_date_heure_depart_prevue,
          p_nombre_personnes, p_observations, 'EN_ATTENTE', 'PORTAIL')
  returning * into v;
  if not exists (select from residence._portail_libres(tstzrange(v.date_heure_arrivee, v.date_heure_depart_prevue)) l
                  where l.id_logement = p_id_logement) then
    perform core.refuser(409, 'LOGEMENT_INDISPONIBLE',
      'Ce logement n''est plus libre à ces dates : choisissez-en un autre.');
  end if;
  return residence.portail_sejour_detail(v.id_sejour);
end $$;
comment on function residence.sejour_demander is
  'Demande un séjour au nom du client connecté. La demande ne tient pas le logement : le premier accepté l''a.';
-- A request has no departure, and its row exists when its detail is read.
call core.ne_refuse_pas('residence.sejour_demander', 'DEPART_FUTUR', 'NOT_FOUND');
