create function residence.contrat_lister(
  p_recherche text default null, p_sort text default null, p_order core.sens default null,
  p_limit core.limite default 1000, p_offset core.decalage default 0,
  p_numero_contrat text default null, p_id_client bigint default null, p_id_logement bigint default null,
  p_statut residence.statut_contrat_nomme default null, p_type_location residence.type_location default null,
  p_periodicite text default null, p_montant_loyer core.montant default null, p_du date default null,
  p_au date default null, p_fin_du date default null, p_fin_au date default null)
returns setof residence.contrat_location_vue
language plpgsql stable security definer set search_path = pg_catalog, pg_temp as $$
begin
  return query execute core._liste('residence.contrat_location_vue', $filtre$
        ($1 is null or core._contient(v.numero_contrat, $1)
         or exists (select from client.client c where c.id_client = v.id_client
                     and core._contient(concat_ws(' ', c.nom, c.prenoms, c.nom), $1))
         or exists (select from residence.logement l where l.id_logement = v.id_logement
                     and core._contient(l.numero, $1)))
    and ($2 is null or core._contient(v.numero_contrat, $2))
    and ($3 is null or v.id_client = $3)
    and ($4 is null or v.id_logement = $4)
    and ($5 is null or v.statut = $5)
    and ($6 is null or v.type_location = $6)
    and ($7 is null or core._contient(v.periodicite, $7))
    and ($8 is null or v.montant_loyer = $8)
    and ($9 is null or v.date_debut >= $9)
    and ($10 is null or v.date_debut <= $10)
    and ($11 is null or v.date_fin_prevue >= $11)
    and ($12 is null or v.date_fin_prevue <= $12)
  $filtre$, 'v.id_contrat desc', p_sort, p_order, p_limit, p_offset)
  using p_recherche, p_numero_contrat, p_id_client, p_id_logement,
        (case p_statut when 'EXPIRE' then 'TERMINE' else p_statut::text end)::residence.statut_contrat,
        p_type_location, p_periodicite, p_montant_loyer, p_du, p_au, p_fin_du, p_fin_au;
end $$;
comment on function residence.contrat_lister is
  'Liste les contrats, le dernier d''abord. La recherche porte sur le numéro, le client et le logement ; « du » et « au » bornent le début, « fin_du » et « fin_au » la fin prévue, jours compris ; EXPIRE veut dire TERMINE.';
