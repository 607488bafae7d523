create function rh.paie_lister(
  p_recherche text default null, p_sort text default null, p_order core.sens default null,
  p_limit core.limite default 1000, p_offset core.decalage default 0,
  p_id_employe bigint default null, p_statut rh.statut_paie default null, p_montant_a_payer core.montant default null,
  p_du core.periode default null, p_au core.periode default null)
returns setof rh.paie_vue
language plpgsql stable security definer set search_path = pg_catalog, pg_temp as $$
begin
  return query execute core._liste('rh.paie_vue', $filtre$
        ($1 is null or core._contient(concat_ws(' ', v.employe_nom, v.employe_prenom, v.employe_nom, v.periode), $1))
    and ($2 is null or v.id_employe = $2)
    and ($3 is null or v.statut = $3)
    and ($4 is null or v.montant_a_payer = $4)
    and ($5 is null or v.periode >= $5)
    and ($6 is null or v.periode <= $6)
  $filtre$, 'v.periode desc, v.id_paie desc', p_sort, p_order, p_limit, p_offset)
  using p_recherche, p_id_employe, p_statut, p_montant_a_payer, p_du, p_au;
end $$;
comment on function rh.paie_lister is
  'Bulletins de paie, du mois le plus récent au plus ancien ; « du » et « au » sont des mois compris.';
