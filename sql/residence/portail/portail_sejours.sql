create type residence.portail_sejour_logement as (id bigint, numero text, type residence.type_logement);
comment on type residence.portail_sejour_logement is 'Logement d''un séjour du client ; sa clé s''appelle « id » ici.';
create type residence.portail_sejour as (
  id_sejour bigint, type_prestation residence.type_prestation_sejour, id_client bigint, id_logement bigint,
  date_heure_arrivee timestamptz, date_heure_depart_prevue timestamptz, date_heure_depart_reelle timestamptz,
  duree text, tarif core.montant, montant_total core.montant, montant_paye core.montant, reste_a_payer core.montant,
  id_moyen_paiement bigint, statut residence.statut_sejour, numero_logement text, client_nom text, client_prenoms text,
  logement residence.portail_sejour_logement, type_logement residence.type_logement, nombre_personnes smallint,
  observations text, motif_annulation text, origine core.origine);
comment on type residence.portail_sejour is 'Séjour du client connecté, ou sa demande.';
comment on column residence.portail_sejour.statut is 'EN_ATTENTE d''une demande sans réponse, qui ne tient aucun logement.';
comment on column residence.portail_sejour.tarif is 'Prix d''une nuit, ou de la sieste ; null tant que la demande n''est pas acceptée.';
comment on column residence.portail_sejour.motif_annulation is 'Pourquoi le séjour est annulé, ou la demande refusée.';
call core.peut_etre_null('residence.portail_sejour', 'date_heure_depart_reelle', 'duree', 'tarif', 'montant_total',
  'reste_a_payer', 'id_moyen_paiement', 'nombre_personnes', 'observations', 'motif_annulation');

create function residence._portail_sejours(p_id_client bigint) returns setof residence.portail_sejour
language sql stable
begin atomic
  select s.id_sejour, s.type_prestation, s.id_client, s.id_logement, s.date_heure_arrivee, s.date_heure_depart_prevue,
         s.date_heure_depart_reelle, s.duree, s.tarif, s.montant_total, coalesce(f.montant_paye, 0),
         case s.statut when 'ANNULE' then 0 else coalesce(f.reste, s.montant_total) end,
         s.id_moyen_paiement, s.statut, l.numero, k.nom, k.prenoms,
         row(l.id_logement, l.numero, l.type)::residence.portail_sejour_logement, l.type, s.nombre_personnes,
         s.observations, s.motif_annulation, s.origine
    from residence.sejour_court s
    join residence.logement l on l.id_logement = s.id_logement
    join client.client k on k.id_client = s.id_client
    left join facturation.facture f on f.source_type = 'SEJOUR' and f.source_id = s.id_sejour and not f.annulee
   where s.id_client = p_id_client;
end;
comment on function residence._portail_sejours is 'Séjours d''un client, demandés ou saisis par le personnel.';

call client.liste_du_portail('residence.portail_sejours', 'residence.portail_sejour',
  'v.date_heure_arrivee desc, v.id_sejour desc');
comment on function residence.portail_sejours is
  'Séjours du client connecté et ses demandes, la dernière arrivée d''abord.';

call client.detail_du_portail('residence.portail_sejour_detail', 'residence._portail_sejours', 'id_sejour');
comment on function residence.portail_sejour_detail is 'Un séjour du client connecté, ou sa demande.';
