create function residence.etat_des_lieux_lister(
  p_id_contrat bigint, p_recherche text default null, p_sort text default null, p_order core.sens default null,
  p_limit core.limite default 1000, p_offset core.decalage default 0,
  p_type residence.type_etat_des_lieux default null)
returns setof residence.etat_des_lieux_vue
language plpgsql stable security definer set search_path = pg_catalog, pg_temp as $$
begin
  perform core._trouve((select c.id_contrat from residence.contrat_location_vue c where c.id_contrat = p_id_contrat));
  return query execute core._liste('residence.etat_des_lieux_vue', $filtre$
        v.id_contrat = $1
    and ($2 is null or core._contient(v.piece, $2) or core._contient(v.commentaire, $2))
    and ($3 is null or v.type = $3)
  $filtre$, 'v.type, v.id_photo', p_sort, p_order, p_limit, p_offset)
  using p_id_contrat, p_recherche, p_type;
end $$;
comment on function residence.etat_des_lieux_lister is
  'Photos de l''état des lieux d''un contrat : celles d''entrée, puis celles de sortie.';
