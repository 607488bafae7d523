-- Events of the trades, of clients and of the staff.

call evenement.declarer('contrat.cree', 'residence.contrat_location_detail_vue', 'RESIDENCE.VOIR',
  'Un contrat de location est saisi.');
create constraint trigger t90_evenement_cree after insert on residence.contrat_location deferrable initially deferred
  for each row execute function evenement._t90_evenement('contrat.cree', 'id_contrat', 'LOCATION_RESIDENTIEL');

call evenement.declarer('contrat.active', 'residence.contrat_location_detail_vue', 'RESIDENCE.VOIR',
  'Un contrat de location commence.');
create constraint trigger t90_evenement_active after update on residence.contrat_location deferrable initially deferred
  for each row when (new.statut = 'ACTIF' and old.statut <> 'ACTIF')
  execute function evenement._t90_evenement('contrat.active', 'id_contrat', 'LOCATION_RESIDENTIEL');

call evenement.declarer('contrat.resilie', 'residence.contrat_location_detail_vue', 'RESIDENCE.VOIR',
  'Un contrat de location est résilié, ou annulé avant de commencer.');
create constraint trigger t90_evenement_resilie after update on residence.contrat_location deferrable initially deferred
  for each row when (new.statut = 'RESILIE' and old.statut <> 'RESILIE')
  execute function evenement._t90_evenement('contrat.resilie', 'id_contrat', 'LOCATION_RESIDENTIEL');

call evenement.declarer('contrat.termine', 'residence.contrat_location_detail_vue', 'RESIDENCE.VOIR',
  'Un contrat de location arrive à son terme.');
create constraint trigger t90_evenement_termine after update on residence.contrat_location deferrable initially deferred
  for each row when (new.statut = 'TERMINE' and old.statut <> 'TERMINE')
  execute function evenement._t90_evenement('contrat.termine', 'id_contrat', 'LOCATION_RESIDENTIEL');

call evenement.declarer('echeance.generee', 'residence.echeance_vue', 'RESIDENCE.VOIR',
  'Une échéance d''un contrat est créée.');
-- One expression for all rows: the function that evenement._ligne calls would run a statement for each of them.
do $$
begin
  execute format($fonction$
create function evenement._echeances(p_ids bigint[]) returns table (id_echeance bigint, donnees json)
language plpgsql volatile as $corps$
declare
  v_avant constant text[] := evenement._contexte();
begin
  return query
    select e.id_echeance, row_to_json(y)
      from residence.echeance_vue e
     cross join lateral (select %s) y
     where e.id_echeance = any (p_ids) order by e.id_echeance;
  perform evenement._contexte(v_avant);
end $corps$ $fonction$,
    core._forme_champs('e', 'residence.echeance_vue'::regtype));
end $$;
comment on function evenement._echeances is 'Les lignes de ces échéances en JSON, comme evenement._ligne en lit une.';

-- By statement and at once, because the job of the night creates many thousands.
create function evenement._t90_echeances() returns trigger
language plpgsql volatile security definer set search_path = pg_catalog, pg_temp as $$
declare
  v_id_activite constant bigint := facturation._activite('LOCATION_RESIDENTIEL');
begin
  insert into evenement.evenement (type, id_entite, id_activite, donnees, id_utilisateur, requete)
  select 'echeance.generee', e.id_echeance, v_id_activite, e.donnees,
         core.utilisateur(), audit._requete()
    from evenement._echeances(array(select n.id_echeance from nouvelles n)) e;
  return null;
end $$;
comment on function evenement._t90_echeances is 'Écrit l''événement de chaque échéance créée.';

create trigger t90_evenement_generee after insert on residence.echeance referencing new table as nouvelles
  for each statement execute function evenement._t90_echeances();

call evenement.declarer('echeance.en_retard', 'residence.echeance_vue', 'RESIDENCE.VOIR',
  'Une échéance n''est pas payée le lendemain du jour où elle est due ; une fois par échéance.');
create function evenement._retards_signaler() returns integer
language plpgsql volatile as $$
declare
  v_id_activite constant bigint := facturation._activite('LOCATION_RESIDENTIEL');
  v_nombre integer;
begin
  insert into evenement.evenement (type, id_entite, id_activite, donnees)
  select 'echeance.en_retard', r.id_echeance, v_id_activite, r.donnees
    from evenement._echeances(array(
           select e.id_echeance
             from residence.echeance e
             join residence.contrat_location c on c.id_contrat = e.id_contrat
            where e.date_echeance < core.aujourdhui() and e.montant_paye < e.montant and not e.annulee
              and c.statut <> 'EN_ATTENTE'
              and not exists (select from evenement.evenement s
                               where s.type = 'echeance.en_retard' and s.id_entite = e.id_echeance))) r
  on conflict (id_entite) where type = 'echeance.en_retard' do nothing;
  get diagnostics v_nombre = row_count;
  return v_nombre;
end $$;
comment on function evenement._retards_signaler is
  'Écrit l''événement de chaque échéance en retard qui n''en a pas, et rend leur nombre.';

call evenement.declarer('sejour.commence', 'residence.sejour_court_vue', 'RESIDENCE.VOIR',
  'Un client arrive pour un séjour court, ou sa demande est acceptée.');
create constraint trigger t90_evenement_commence_insert after insert on residence.sejour_court
  deferrable initially deferred for each row when (new.statut = 'EN_COURS')
  execute function evenement._t90_evenement('sejour.commence', 'id_sejour', 'LOCATION_RESIDENTIEL');
create constraint trigger t90_evenement_commence after update on residence.sejour_court deferrable initially deferred
  for each row when (new.statut = 'EN_COURS' and old.statut::text = 'EN_ATTENTE')
  execute function evenement._t90_evenement('sejour.commence', 'id_sejour', 'LOCATION_RESIDENTIEL');

call evenement.declarer('sejour.termine', 'residence.sejour_court_vue', 'RESIDENCE.VOIR',
  'Un séjour court est soldé, ou clos au départ du client.');
create constraint trigger t90_evenement_termine after update on residence.sejour_court deferrable initially deferred
  for each row when (new.statut = 'TERMINE' and old.statut <> 'TERMINE')
  execute function evenement._t90_evenement('sejour.termine', 'id_sejour', 'LOCATION_RESIDENTIEL');

call evenement.declarer('commande.prete', 'pressing.commande_detail_vue', 'PRESSING.VOIR',
  'Le linge d''une commande du pressing est prêt.');
create constraint trigger t90_evenement_prete after update on pressing.commande deferrable initially deferred
  for each row when (new.statut = 'PRET' and old.statut <> 'PRET')
  execute function evenement._t90_evenement('commande.prete', 'id_commande', 'PRESSING');

call evenement.declarer('commande.retiree', 'pressing.commande_detail_vue', 'PRESSING.VOIR',
  'Le linge d''une commande du pressing est repris.');
create constraint trigger t90_evenement_retiree after update on pressing.commande deferrable initially deferred
  for each row when (new.statut = 'RETIRE' and old.statut <> 'RETIRE')
  execute function evenement._t90_evenement('commande.retiree', 'id_commande', 'PRESSING');

call evenement.declarer('commande.annulee', 'pressing.commande_detail_vue', 'PRESSING.VOIR',
  'Une commande du pressing est annulée.');
create constraint trigger t90_evenement_annulee after update on pressing.commande deferrable initially deferred
  for each row when (new.statut = 'ANNULEE' and old.statut <> 'ANNULEE')
  execute function evenement._t90_evenement('commande.annulee', 'id_commande', 'PRESSING');

call evenement.declarer('reservation.confirmee', 'salle_fete.reservation_vue', 'SALLE_FETE.VOIR',
  'Une réservation de la salle est confirmée.');
create constraint trigger t90_evenement_confirmee after update on salle_fete.reservation deferrable initially deferred
  for each row when (new.statut = 'CONFIRMEE' and old.statut <> 'CONFIRMEE')
  execute function evenement._t90_evenement('reservation.confirmee', 'id_reservation', 'SALLE_FETE');

call evenement.declarer('reservation.realisee', 'salle_fete.reservation_vue', 'SALLE_FETE.VOIR',
  'L''événement d''une réservation de la salle a eu lieu.');
create constraint trigger t90_evenement_realisee after update on salle_fete.reservation deferrable initially deferred
  for each row when (new.statut = 'REALISEE' and old.statut <> 'REALISEE')
  execute function evenement._t90_evenement('reservation.realisee', 'id_reservation', 'SALLE_FETE');

call evenement.declarer('reservation.annulee', 'salle_fete.reservation_vue', 'SALLE_FETE.VOIR',
  'Une réservation de la salle est annulée.');
create constraint trigger t90_evenement_annulee after update on salle_fete.reservation deferrable initially deferred
  for each row when (new.statut = 'ANNULEE' and old.statut <> 'ANNULEE')
  execute function evenement._t90_evenement('reservation.annulee', 'id_reservation', 'SALLE_FETE');

call evenement.declarer('stock.alerte', 'market.produit_vue', 'MARCHANDISE.VOIR',
  'Une sortie fait passer un produit sous son seuil d''alerte ; une fois par passage.');
create function evenement._t90_stock() returns trigger
language plpgsql volatile security definer set search_path = pg_catalog, pg_temp as $$
begin
  if market._sous_le_seuil(new, (select p from market.produit p where p.id_produit = new.id_produit)) then
    perform evenement._emettre('stock.alerte', new.id_produit, facturation._activite('VENTE_MARCHANDISES'), null,
                               evenement._ligne('market.produit_vue', new.id_produit));
  end if;
  return null;
end $$;
comment on function evenement._t90_stock is 'Écrit l''événement d''un stock qui passe sous son seuil, à la validation.';

create constraint trigger t90_evenement_alerte after insert on market.mouvement_stock deferrable initially deferred
  for each row when (new.delta < 0) execute function evenement._t90_stock();

call evenement.declarer('souscription.creee', 'abonnement.souscription_vue', 'ABONNEMENT.VOIR',
  'Un abonnement prépayé est vendu.');
create constraint trigger t90_evenement_creee after insert on abonnement.souscription deferrable initially deferred
  for each row execute function evenement._t90_evenement('souscription.creee', 'id_souscription', '');

call evenement.declarer('souscription.resiliee', 'abonnement.souscription_vue', 'ABONNEMENT.VOIR',
  'Un abonnement prépayé est résilié.');
create constraint trigger t90_evenement_resiliee after update on abonnement.souscription deferrable initially deferred
  for each row when (new.statut = 'RESILIEE' and old.statut <> 'RESILIEE')
  execute function evenement._t90_evenement('souscription.resiliee', 'id_souscription', '');

call evenement.declarer('signalement.ouvert', 'signalement.signalement_vue', 'SIGNALEMENT.VOIR',
  'Un incident est signalé.');
create constraint trigger t90_evenement_ouvert after insert on signalement.signalement deferrable initially deferred
  for each row execute function evenement._t90_evenement('signalement.ouvert', 'id_signalement', '');

call evenement.declarer('signalement.clos', 'signalement.signalement_vue', 'SIGNALEMENT.VOIR',
  'Un incident est résolu ou rejeté.');
create constraint trigger t90_evenement_clos after update on signalement.signalement deferrable initially deferred
  for each row when (new.statut in ('RESOLU', 'REJETE') and old.statut not in ('RESOLU', 'REJETE'))
  execute function evenement._t90_evenement('signalement.clos', 'id_signalement', '');

call evenement.declarer('paie.payee', 'rh.paie_vue', 'RH.VOIR', 'Un bulletin de paie est payé.');
create constraint trigger t90_evenement_payee after update on rh.paie deferrable initially deferred
  for each row when (new.statut = 'PAYEE' and old.statut <> 'PAYEE')
  execute function evenement._t90_evenement('paie.payee', 'id_paie', '');

call evenement.declarer('client.cree', 'client.client_vue', 'CLIENT.VOIR', 'Un client est enregistré.', 'AUCUNE');
create constraint trigger t90_evenement_cree after insert on client.client deferrable initially deferred
  for each row execute function evenement._t90_evenement('client.cree', 'id_client', '');

call evenement.declarer('client.modifie', 'client.client_vue', 'CLIENT.VOIR',
  'La fiche d''un client change.', 'AUCUNE');
create constraint trigger t90_evenement_modifie after update on client.client deferrable initially deferred
  for each row when (old.* is distinct from new.*)
  execute function evenement._t90_evenement('client.modifie', 'id_client', '');
