create function residence.sejour_annuler(
  p_id_sejour bigint, p_motif core.texte default null, p_id_caisse bigint default null)
returns residence.sejour_court_vue
language plpgsql volatile security definer set search_path = pg_catalog, pg_temp as $$
declare
  v_avant residence.sejour_court := residence._sejour_verrouiller(p_id_sejour);
  v residence.sejour_court := v_avant;
begin
  if v_avant.statut = 'ANNULE' then
    perform core.refuser(409, 'TRANSITION_INTERDITE', 'Ce séjour est déjà annulé.');
  end if;
  v.statut := 'ANNULE';
  update residence.sejour_court s set (statut, motif_annulation) = row(v.statut, p_motif)
   where s.id_sejour = p_id_sejour;
  -- A request holds no room and has no invoice.
  if v_avant.statut <> 'EN_ATTENTE' then
    perform residence._sejour_rembourser(p_id_sejour, p_id_caisse);
    perform residence._sejour_demenager(v_avant, v);
  end if;
  return residence.sejour_detail(p_id_sejour);
end $$;
comment on function residence.sejour_annuler is
  'Annule un séjour, ou refuse une demande : rend l''argent reçu par des paiements contraires, de la caisse donnée si l''utilisateur n''en a pas, et libère le logement. Le client voit le motif.';
-- A cancelled stay takes no room, and its price does not change.
call core.ne_refuse_pas('residence.sejour_annuler', 'LOGEMENT_INDISPONIBLE', 'SEJOUR_CLOS', 'SEJOUR_FACTURE');
