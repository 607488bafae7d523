create function abonnement.souscription_lister(
  p_recherche text default null, p_sort text default null, p_order core.sens default null,
  p_limit core.limite default 1000, p_offset core.decalage default 0,
  p_id_client bigint default null, p_id_offre bigint default null, p_activite abonnement.activite_offre default null,
  p_unite abonnement.unite default null, p_statut abonnement.statut_souscription default null,
  p_etat abonnement.etat_souscription default null, p_reliquat abonnement.reliquat default null,
  p_reliquat_a_decider boolean default null, p_id_prestation bigint default null, p_id_facture bigint default null,
  p_debut_du date default null, p_debut_au date default null, p_fin_du date default null, p_fin_au date default null)
returns setof abonnement.souscription_vue
language plpgsql stable security definer set search_path = pg_catalog, pg_temp as $$
begin
  return query execute core._liste('abonnement.souscription_vue', $filtre$
        ($1 is null or core._contient(concat_ws(' ', v.client_nom, v.client_prenoms, v.offre_code, v.offre_libelle,
                                                v.facture_numero), $1))
    and ($2 is null or v.id_client = $2)
    and ($3 is null or v.id_offre = $3)
    and ($4 is null or v.activite = $4)
    and ($5 is null or v.unite = $5)
    and ($6 is null or v.statut = $6)
    and ($7 is null or v.etat = $7)
    and ($8 is null or v.reliquat = $8)
    and ($9 is null or v.reliquat_a_decider = $9)
    and ($10 is null or v.id_prestation = $10)
    and ($11 is null or v.id_facture = $11)
    and ($12 is null or v.date_debut >= $12)
    and ($13 is null or v.date_debut <= $13)
    and ($14 is null or v.date_fin >= $14)
    and ($15 is null or v.date_fin <= $15)
  $filtre$, 'v.date_creation desc, v.id_souscription desc', p_sort, p_order, p_limit, p_offset)
  using p_recherche, p_id_client, p_id_offre, p_activite, p_unite, p_statut, p_etat, p_reliquat, p_reliquat_a_decider,
        p_id_prestation, p_id_facture, p_debut_du, p_debut_au, p_fin_du, p_fin_au;
end $$;
comment on function abonnement.souscription_lister is
  'Abonnements vendus, le dernier d''abord, clos compris ; « debut_du » à « fin_au » sont des jours compris.';
