create function residence.sejour_lister(
  p_recherche text default null, p_sort text default null, p_order core.sens default null,
  p_limit core.limite default 1000, p_offset core.decalage default 0,
  p_type residence.type_prestation_sejour default null, p_statut residence.statut_sejour default null,
  p_du date default null, p_au date default null, p_id_client bigint default null, p_id_logement bigint default null,
  p_id_moyen_paiement bigint default null, p_tarif core.montant default null, p_montant_total core.montant default null)
returns setof residence.sejour_court_vue
language plpgsql stable security definer set search_path = pg_catalog, pg_temp as $$
begin
  return query execute core._liste('residence.sejour_court_vue', $filtre$
        ($1 is null or core._contient(v.client_nom, $1) or core._contient(v.client_prenoms, $1)
                    or core._contient(v.numero_logement, $1))
    and ($2 is null or v.type_prestation = $2)
    and ($3 is null or v.statut = $3)
    and ($4 is null or v.date_heure_arrivee >= core.debut_du_jour($4))
    and ($5 is null or v.date_heure_arrivee < core.debut_du_jour($5 + 1))
    and ($6 is null or v.id_client = $6)
    and ($7 is null or v.id_logement = $7)
    and ($8 is null or v.id_moyen_paiement = $8)
    and ($9 is null or v.tarif = $9)
    and ($10 is null or v.montant_total = $10)
  $filtre$, 'v.date_heure_arrivee desc, v.id_sejour desc', p_sort, p_order, p_limit, p_offset)
  using p_recherche, p_type, p_statut, p_du, p_au, p_id_client, p_id_logement, p_id_moyen_paiement, p_tarif,
        p_montant_total;
end $$;
comment on function residence.sejour_lister is
  'Courts séjours, la dernière arrivée d''abord ; « du » et « au » portent sur l''arrivée.';
