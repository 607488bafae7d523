create type salle_fete.reservation_champs as (
  date_evenement date, heure_debut time, duree core.nombre, type_manifestation core.libelle, tarif core.montant,
  acompte core.montant, observations core.texte, statut salle_fete.statut_reservation,
  hors_catalogue boolean);
comment on type salle_fete.reservation_champs is 'Ce qui se corrige dans une réservation.';
comment on column salle_fete.reservation_champs.acompte is 'Acompte convenu ; la confirmation seule encaisse.';
comment on column salle_fete.reservation_champs.statut is 'L''état présent : il ne change que par confirmer, realiser et annuler.';
call core.peut_etre_null('salle_fete.reservation_champs', 'acompte');

create function salle_fete.reservation_modifier(p_id_reservation bigint, p_champs jsonb)
returns salle_fete.reservation_vue
language plpgsql volatile security definer set search_path = pg_catalog, pg_temp as $$
declare
  v salle_fete.reservation := salle_fete._reservation_verrouiller(p_id_reservation);
  v_statut salle_fete.statut_reservation := v.statut;
  v_type_manifestation core.libelle := v.type_manifestation;
begin
  perform core._demande_repondue(v.statut::text);
  v := jsonb_populate_record(v, p_champs);
  -- Each allowed transition records a payment, refunds one, or needs another permission. It therefore has its own
  -- operation.
  if exists (select from core.transition t
              where t.entite = 'salle_fete.reservation' and t.de = v_statut::text and t.vers = v.statut::text) then
    perform core.refuser(409, 'STATUT_PAR_OPERATION',
                         'L''état d''une réservation ne change que par sa confirmation, sa réalisation ou son annulation.');
  end if;
  if p_champs ? 'acompte' then
    v.acompte_convenu := (p_champs ->> 'acompte')::core.montant;
  end if;
  -- A client that does not send the key gives a label of its own.
  if v.type_manifestation <> v_type_manifestation and not p_champs ? 'hors_catalogue' then
    v.hors_catalogue := true;
  end if;
  update salle_fete.reservation r
     set (date_evenement, heure_debut, duree, type_manifestation, hors_catalogue, tarif, acompte_convenu, observations,
          statut)
       = row(v.date_evenement, v.heure_debut, v.duree, v.type_manifestation, v.hors_catalogue, v.tarif,
             v.acompte_convenu, v.observations, v.statut)
   where r.id_reservation = p_id_reservation;
  return salle_fete.reservation_detail(p_id_reservation);
end $$;
comment on function salle_fete.reservation_modifier is
  'Corrige une réservation qui n''est ni réalisée ni annulée ; son tarif ne change plus une fois facturée. « acompte » note l''acompte convenu sans rien encaisser ; « statut » n''accepte que l''état présent.';
