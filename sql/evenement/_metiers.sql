call evenement.declarer_ligne('contrat.cree', 'residence.contrat_location', null, 'LOCATION_RESIDENTIEL',
  'residence.contrat_location_detail_vue', 'Un contrat de location est saisi.');
call evenement.declarer_ligne('contrat.active', 'residence.contrat_location', 'ACTIF', 'LOCATION_RESIDENTIEL',
  'residence.contrat_location_detail_vue', 'Un contrat de location commence.');
call evenement.declarer_ligne('contrat.resilie', 'residence.contrat_location', 'RESILIE', 'LOCATION_RESIDENTIEL',
  'residence.contrat_location_detail_vue', 'Un contrat de location est résilié, ou annulé avant de commencer.');
call evenement.declarer_ligne('contrat.termine', 'residence.contrat_location', 'TERMINE', 'LOCATION_RESIDENTIEL',
  'residence.contrat_location_detail_vue', 'Un contrat de location arrive à son terme.');

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
call evenement.declarer_ligne('sejour.commence', 'residence.sejour_court',
  'update when (new.statut = ''EN_COURS'' and old.statut::text = ''EN_ATTENTE'')', 'LOCATION_RESIDENTIEL',
  'residence.sejour_court_vue', 'Un client arrive pour un séjour court, ou sa demande est acceptée.');
create constraint trigger t90_evenement_commence_insert after insert on residence.sejour_court
  deferrable initially deferred for each row when (new.statut = 'EN_COURS')
  execute function evenement._t90_evenement('sejour.commence', 'id_sejour', 'LOCATION_RESIDENTIEL');

call evenement.declarer_ligne('sejour.termine', 'residence.sejour_court', 'TERMINE', 'LOCATION_RESIDENTIEL',
  'residence.sejour_court_vue', 'Un séjour court est soldé, ou clos au départ du client.');
call evenement.declarer_ligne('commande.prete', 'pressing.commande', 'PRET', 'PRESSING',
  'pressing.commande_detail_vue', 'Le linge d''une commande du pressing est prêt.');
call evenement.declarer_ligne('commande.retiree', 'pressing.commande', 'RETIRE', 'PRESSING',
  'pressing.commande_detail_vue', 'Le linge d''une commande du pressing est repris.');
call evenement.declarer_ligne('commande.annulee', 'pressing.commande', 'ANNULEE', 'PRESSING',
  'pressing.commande_detail_vue', 'Une commande du pressing est annulée.');
call evenement.declarer_ligne('reservation.confirmee', 'salle_fete.reservation', 'CONFIRMEE', 'SALLE_FETE',
  'salle_fete.reservation_vue', 'Une réservation de la salle est confirmée.');
call evenement.declarer_ligne('reservation.realisee', 'salle_fete.reservation', 'REALISEE', 'SALLE_FETE',
  'salle_fete.reservation_vue', 'L''événement d''une réservation de la salle a eu lieu.');
call evenement.declarer_ligne('reservation.annulee', 'salle_fete.reservation', 'ANNULEE', 'SALLE_FETE',
  'salle_fete.reservation_vue', 'Une réservation de la salle est annulée.');

call evenement.declarer('stock.alerte', 'market.produit_vue', 'MARCHANDISE.VOIR',
  'Une sortie fait passer un produit sous son seuil d''alerte ; une fois par passage.');
create constraint trigger t90_evenement_alerte after update of quantite_stock on market.produit
  deferrable initially deferred
  for each row when (new.quantite_stock < new.seuil_alerte and old.quantite_stock >= new.seuil_alerte)
  execute function evenement._t90_evenement('stock.alerte', 'id_produit', 'VENTE_MARCHANDISES');

call evenement.declarer('stock.cout_change', 'market.produit_vue', 'MARCHANDISE.VOIR',
  'Le coût moyen d''un produit change : une entrée à un autre coût, la facture d''une réception, un retour.');
create function evenement._t90_cout() returns trigger
language plpgsql volatile security definer set search_path = pg_catalog, pg_temp as $$
begin
  if new.stock_resultant > 0 and round(new.valeur_resultante / new.stock_resultant, 2) is distinct from
     round((new.valeur_resultante - new.valeur) / nullif(new.stock_resultant - new.delta, 0), 2) then
    perform evenement._emettre('stock.cout_change', new.id_produit, facturation._activite('VENTE_MARCHANDISES'), null,
                               evenement._ligne('market.produit_vue', new.id_produit));
  end if;
  return null;
end $$;
comment on function evenement._t90_cout is 'Écrit l''événement d''un mouvement qui change un coût moyen, à la validation.';

-- A sale has a value that is rounded, and its stock keeps its average. PostgreSQL reads this condition at each sale.
create constraint trigger t90_evenement_cout after insert on market.mouvement_stock deferrable initially deferred
  for each row when (new.origine_cout <> 'MOYEN') execute function evenement._t90_cout();

call evenement.declarer('achat.valide', 'achat.achat_vue', 'FINANCES.VOIR',
  'La facture d''un fournisseur est validée : ses marchandises sont en stock, et son montant est dû.');
create constraint trigger t90_evenement_valide after update on achat.facture deferrable initially deferred
  for each row when (old.statut = 'BROUILLON' and new.statut = 'VALIDEE')
  execute function evenement._t90_evenement('achat.valide', 'id_achat', '');
call evenement.declarer('achat.paye', 'achat.achat_vue', 'FINANCES.VOIR',
  'La facture d''un fournisseur est payée en entier ; de nouveau si un paiement annulé l''avait rouverte.');
create constraint trigger t90_evenement_paye after update on achat.facture deferrable initially deferred
  for each row when (old.statut <> 'PAYEE' and new.statut = 'PAYEE')
  execute function evenement._t90_evenement('achat.paye', 'id_achat', '');

call evenement.declarer_ligne('souscription.creee', 'abonnement.souscription', null, '',
  'abonnement.souscription_vue', 'Un abonnement prépayé est vendu.');
call evenement.declarer_ligne('souscription.resiliee', 'abonnement.souscription', 'RESILIEE', '',
  'abonnement.souscription_vue', 'Un abonnement prépayé est résilié.');
call evenement.declarer_ligne('signalement.ouvert', 'signalement.signalement', null, '',
  'signalement.signalement_vue', 'Un incident est signalé.');
call evenement.declarer_ligne('signalement.clos', 'signalement.signalement',
  'update when (new.statut in (''RESOLU'', ''REJETE'') and old.statut not in (''RESOLU'', ''REJETE''))', '',
  'signalement.signalement_vue', 'Un incident est résolu ou rejeté.');
call evenement.declarer_ligne('paie.payee', 'rh.paie', 'PAYEE', '',
  'rh.paie_vue', 'Un bulletin de paie est payé.');
call evenement.declarer_ligne('client.cree', 'client.client', null, '',
  'client.client_vue', 'Un client est enregistré.', 'AUCUNE');
call evenement.declarer_ligne('client.modifie', 'client.client', 'update when (old.* is distinct from new.*)', '',
  'client.client_vue', 'La fiche d''un client change.', 'AUCUNE');
