create type residence.sejour_champs as (
  type_prestation residence.type_prestation_sejour, id_logement bigint, date_heure_arrivee timestamptz,
  date_heure_depart_prevue timestamptz, date_heure_depart_reelle timestamptz, duree core.libelle, tarif core.montant,
  id_moyen_paiement bigint, statut residence.statut_sejour, id_caisse bigint);
comment on type residence.sejour_champs is 'Ce qui se modifie d''un séjour.';
comment on column residence.sejour_champs.id_caisse is
  'Caisse qui rend l''argent d''un séjour annulé, si l''utilisateur n''en a pas.';
call core.peut_etre_null('residence.sejour_champs', 'type_prestation', 'id_logement', 'date_heure_arrivee',
  'date_heure_depart_prevue', 'date_heure_depart_reelle', 'duree', 'tarif', 'id_moyen_paiement', 'statut', 'id_caisse');

create function residence.sejour_modifier(p_id_sejour bigint, p_champs jsonb) returns residence.sejour_court_vue
language plpgsql volatile security definer set search_path = pg_catalog, pg_temp as $$
declare
  v_avant residence.sejour_court := residence._sejour_verrouiller(p_id_sejour, (p_champs ->> 'id_logement')::bigint);
  v residence.sejour_court := jsonb_populate_record(v_avant, p_champs);
begin
  perform core._demande_repondue(v_avant.statut::text);
  -- For a stay that is already paid, TERMINE in the request means that the guest has left.
  if v.statut = 'TERMINE'
     and (v_avant.statut = 'EN_COURS' or v_avant.statut = 'TERMINE' and p_champs ->> 'statut' = 'TERMINE'
                                         and v_avant.date_heure_depart_reelle is null) then
    v.date_heure_depart_reelle := coalesce(v.date_heure_depart_reelle, greatest(now(), v.date_heure_arrivee));
  end if;
  update residence.sejour_court s
     set (type_prestation, id_logement, date_heure_arrivee, date_heure_depart_prevue, date_heure_depart_reelle, duree,
          tarif, id_moyen_paiement, statut)
       = row(v.type_prestation, v.id_logement, v.date_heure_arrivee, v.date_heure_depart_prevue,
             v.date_heure_depart_reelle, v.duree, v.tarif, v.id_moyen_paiement, v.statut)
   where s.id_sejour = p_id_sejour;
  if v.statut = 'ANNULE' and v_avant.statut <> 'ANNULE' then
    perform residence._sejour_rembourser(p_id_sejour, (p_champs ->> 'id_caisse')::bigint);
  end if;
  perform residence._sejour_demenager(v_avant, v);
  return residence.sejour_detail(p_id_sejour);
end $$;
comment on function residence.sejour_modifier is
  'Modifie, clôt ou annule un séjour. TERMINE ou date_heure_depart_reelle disent le client parti : le logement passe EN_NETTOYAGE. ANNULE rend l''argent reçu par des paiements contraires et libère le logement. Soldé d''avance, un séjour est TERMINE : notez-y le départ réel ou redites TERMINE, sinon la nuit le tient pour parti à l''heure prévue. Une fois le départ noté, l''effacer ou annuler le séjour demande RESIDENCE.SUPPRIMER.';
-- A trigger writes the occupation.
call core.peut_refuser('residence.sejour_modifier', 'LOGEMENT_DEJA_OCCUPE');

create function residence._sejour_rembourser(p_id_sejour bigint, p_id_caisse bigint) returns void
language plpgsql volatile as $$
begin
  perform finances._facture_annuler(f.id_facture, 'Séjour annulé', p_id_caisse)
     from facturation.facture f where f.source_type = 'SEJOUR' and f.source_id = p_id_sejour and not f.annulee;
end $$;
comment on function residence._sejour_rembourser is 'Annule la facture d''un séjour, s''il en a une, et rend ce qui a été payé.';
-- The cancelled invoice is live.
call core.ne_refuse_pas('residence._sejour_rembourser', 'FACTURE_ANNULEE');

create function residence._sejour_demenager(p_avant residence.sejour_court, p_apres residence.sejour_court) returns void
language plpgsql volatile as $$
begin
  if p_avant.date_heure_depart_reelle is not null then
    if p_apres.date_heure_depart_reelle is null and p_apres.statut <> 'ANNULE' then
      perform residence._logement_prendre(p_apres.id_logement); -- the recorded departure was wrong
    end if;
    return;
  end if;
  if p_apres.statut = 'ANNULE' then
    perform residence._logement_quitter(p_apres.id_sejour, p_avant.id_logement, 'DISPONIBLE');
  elsif p_apres.id_logement <> p_avant.id_logement then
    perform residence._logement_quitter(p_apres.id_sejour, p_avant.id_logement,
      case when p_avant.date_heure_arrivee <= now() then 'EN_NETTOYAGE'
           else 'DISPONIBLE' end::residence.statut_logement);
    perform residence._logement_prendre(p_apres.id_logement);
  end if;
  if p_apres.date_heure_depart_reelle is not null and p_apres.statut <> 'ANNULE' then
    perform residence._logement_quitter(p_apres.id_sejour, p_apres.id_logement, 'EN_NETTOYAGE');
  end if;
end $$;
comment on function residence._sejour_demenager is
  'Fait suivre aux logements ce que devient un séjour : annulé, changé de logement, client parti, ou revenu. Refuse LOGEMENT_INDISPONIBLE.';
