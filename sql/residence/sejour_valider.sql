create function residence.sejour_valider(
  p_id_sejour bigint, p_tarif core.montant, p_id_logement bigint default null,
  p_montant_total core.montant default null)
returns residence.sejour_court_vue
language plpgsql volatile security definer set search_path = pg_catalog, pg_temp as $$
declare
  v residence.sejour_court := residence._sejour_verrouiller(p_id_sejour, p_id_logement);
begin
  perform core._demande_en_attente(v.statut::text);
  perform core._demande_encore_utile(v.date_heure_depart_prevue);
  v.id_logement := coalesce(p_id_logement, v.id_logement);
  perform residence._logement_prendre(v.id_logement);
  update residence.sejour_court s
     set (id_logement, tarif, montant_convenu, statut) = row(v.id_logement, p_tarif, p_montant_total, 'EN_COURS')
   where s.id_sejour = p_id_sejour;
  return residence.sejour_detail(p_id_sejour);
end $$;
comment on function residence.sejour_valider is
  'Accepte une demande de séjour : lui donne un prix et son logement, celui demandé ou un autre, qui doit être DISPONIBLE et libre à ces dates. montant_total est le prix du séjour entier ; à défaut tarif × nuits.';
-- A trigger writes the occupation.
call core.peut_refuser('residence.sejour_valider', 'LOGEMENT_DEJA_OCCUPE');
-- The row is a request, which is open and has no departure and no invoice.
call core.ne_refuse_pas('residence.sejour_valider', 'TRANSITION_INTERDITE', 'SEJOUR_CLOS', 'SEJOUR_FACTURE',
  'DEPART_NOTE');
