create function salle_fete.reservation_lister(
  p_recherche text default null, p_sort text default null, p_order core.sens default null,
  p_limit core.limite default 1000, p_offset core.decalage default 0,
  p_du date default null, p_au date default null, p_statut salle_fete.statut_reservation default null,
  p_id_client bigint default null, p_type_manifestation text default null, p_tarif core.montant default null,
  p_observations text default null)
returns setof salle_fete.reservation_vue
language plpgsql stable security definer set search_path = pg_catalog, pg_temp as $$
begin
  return query execute core._liste('salle_fete.reservation_vue', $filtre$
        ($1 is null or core._contient(concat_ws(' ', v.nom_client, v.type_manifestation, v.observations), $1))
    and ($2 is null or v.date_evenement >= $2)
    and ($3 is null or v.date_evenement <= $3)
    and ($4 is null or v.statut = $4)
    and ($5 is null or v.id_client = $5)
    and ($6 is null or core._contient(v.type_manifestation, $6))
    and ($7 is null or v.tarif = $7)
    and ($8 is null or core._contient(v.observations, $8))
  $filtre$, 'v.date_evenement desc, v.heure_debut desc, v.id_reservation desc', p_sort, p_order, p_limit, p_offset)
  using p_recherche, p_du, p_au, p_statut, p_id_client, p_type_manifestation, p_tarif, p_observations;
end $$;
comment on function salle_fete.reservation_lister is
  'Réservations de la salle, de la plus lointaine à la plus ancienne, annulées comprises. « du » et « au » sont des dates d''événement, comprises.';
