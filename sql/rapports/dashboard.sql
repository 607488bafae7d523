-- The dashboard: one part for each activity. « Today » is the last requested day, and « the month » is the period.

create type rapports.dashboard_residence as (
  chambres_occupees integer, chambres_disponibles integer, recettes_mois core.somme, impayes core.somme,
  locataires_en_retard integer, reservations_en_attente integer);
comment on type rapports.dashboard_residence is 'La résidence : ses chambres, ses loyers.';
comment on column rapports.dashboard_residence.impayes is 'Loyers échus qui restent dus.';
comment on column rapports.dashboard_residence.reservations_en_attente is 'Contrats EN_ATTENTE.';

create type rapports.stock_en_alerte as (
  reference text, nom text, quantite_stock market.quantite_signee, seuil_alerte market.quantite_signee, niveau text);
comment on type rapports.stock_en_alerte is 'Un produit sous son seuil.';

create type rapports.dashboard_stock as (
  total_produits integer, valeur_stock core.somme, en_alerte integer, alertes rapports.stock_en_alerte[]);
comment on type rapports.dashboard_stock is 'Stock des produits actifs ; les dix alertes les plus basses.';
comment on column rapports.dashboard_stock.valeur_stock is
  'Valeur au coût moyen, au soir du dernier jour, produits désactivés compris ; null d''un jour d''avant le coût moyen.';
call core.peut_etre_null('rapports.dashboard_stock', 'valeur_stock');

create type rapports.dashboard_market as (
  nombre_ventes_aujourd_hui integer, chiffre_affaires_aujourd_hui core.somme, stock rapports.dashboard_stock);
comment on type rapports.dashboard_market is 'La boutique.';

create type rapports.dashboard_pressing as (
  commandes_en_cours integer, commandes_pretes integer, commandes_retirees_aujourd_hui integer,
  chiffre_affaires_mois core.somme);
comment on type rapports.dashboard_pressing is 'Le pressing.';
comment on column rapports.dashboard_pressing.commandes_en_cours is 'Déposées ou en traitement.';
comment on column rapports.dashboard_pressing.chiffre_affaires_mois is
  'Factures du pressing émises dans la période, moins les avoirs ; une commande se facture à son premier paiement.';

create type rapports.dashboard_restaurant as (
  nombre_commandes_aujourd_hui integer, chiffre_affaires_aujourd_hui core.somme);
comment on type rapports.dashboard_restaurant is 'Le restaurant, sans les commandes annulées ni les demandes.';

create type rapports.prochaine_reservation as (
  id_reservation bigint, date_evenement date, heure_debut time, type_manifestation text, nom_client text,
  statut salle_fete.statut_reservation);
comment on type rapports.prochaine_reservation is 'Une réservation à venir de la salle.';
call core.peut_etre_null('rapports.prochaine_reservation', 'nom_client');

create type rapports.dashboard_salle as (
  reservations_a_venir integer, prochaines rapports.prochaine_reservation[], recettes_mois core.somme);
comment on type rapports.dashboard_salle is 'La salle de fête, et ses cinq prochaines réservations.';

create type rapports.dashboard_personnel as (
  presents_aujourd_hui integer, absents_aujourd_hui integer, retards_aujourd_hui integer,
  total_pointages_aujourd_hui integer);
comment on type rapports.dashboard_personnel is 'Le personnel.';

create type rapports.dashboard_finances as (
  recettes_jour core.somme, recettes_mois core.somme, depenses_mois core.somme, salaires_a_payer_mois core.somme,
  solde_mois core.somme, chiffre_affaires_global_mois core.somme, decaissements_mois core.somme,
  sorties_mois core.somme, factures_brutes_mois core.somme, avoirs_mois core.somme);
comment on type rapports.dashboard_finances is 'L''argent, de toute l''entreprise ou de l''activité.';
comment on column rapports.dashboard_finances.recettes_jour is 'Encaissements du dernier jour.';
comment on column rapports.dashboard_finances.recettes_mois is 'Encaissements de la période.';
comment on column rapports.dashboard_finances.depenses_mois is 'Dépenses de la période, sans les décaissements.';
comment on column rapports.dashboard_finances.solde_mois is 'recettes_mois − sorties_mois.';
comment on column rapports.dashboard_finances.decaissements_mois is 'Paiements rendus ou versés.';
comment on column rapports.dashboard_finances.sorties_mois is 'Décaissements et dépenses.';
comment on column rapports.dashboard_finances.salaires_a_payer_mois is 'Bulletins calculés ou validés ; null pour une activité.';
comment on column rapports.dashboard_finances.chiffre_affaires_global_mois is 'Chiffre d''affaires : factures_brutes_mois − avoirs_mois.';
comment on column rapports.dashboard_finances.factures_brutes_mois is 'Factures émises dans la période, celles qu''un avoir a annulées depuis comprises.';
comment on column rapports.dashboard_finances.avoirs_mois is 'Avoirs émis dans la période.';
call core.peut_etre_null('rapports.dashboard_finances', 'salaires_a_payer_mois');

create type rapports.dashboard_lieu as (genre text, libelle text, solde core.somme);
comment on type rapports.dashboard_lieu is 'Où est l''argent, au soir du dernier jour.';
comment on column rapports.dashboard_lieu.genre is 'CAISSE, BANQUE ou MOBILE.';

create type rapports.tableau as (
  calcule_le timestamptz, periode rapports.periode, activite rapports.code_activite,
  residence rapports.dashboard_residence, market rapports.dashboard_market, pressing rapports.dashboard_pressing,
  restaurant rapports.dashboard_restaurant, salle_fete rapports.dashboard_salle,
  personnel rapports.dashboard_personnel, finances rapports.dashboard_finances,
  tresorerie rapports.dashboard_lieu[]);
comment on type rapports.tableau is 'Tableau de bord ; pour une activité, ce qui est aux autres est null.';
comment on column rapports.tableau.tresorerie is 'Caisses et comptes dont l''utilisateur voit le solde, sans les désactivés qui n''ont rien.';
call core.peut_etre_null('rapports.tableau', 'activite', 'residence', 'market', 'pressing', 'restaurant', 'salle_fete',
  'personnel');

create function rapports._dashboard_residence(p_du date, p_au date) returns rapports.dashboard_residence
language sql stable
return (
  select row(l.occupees, l.disponibles, rapports._recettes('LOCATION_RESIDENTIEL', p_du, p_au), i.montant, i.clients,
             (select count(*) from residence.contrat_location c
               where c.statut = 'EN_ATTENTE'))::rapports.dashboard_residence
    from (select count(*) filter (where l.statut = 'OCCUPE') as occupees,
                 count(*) filter (where l.statut = 'DISPONIBLE') as disponibles
            from residence.logement l) l,
         (select coalesce(sum(i.reste), 0) as montant, count(distinct i.id_client) as clients
            from finances.impaye_vue i where i.type = 'LOYER' and i.date_echeance <= p_au) i);
comment on function rapports._dashboard_residence is 'Part de la résidence.';

create function rapports._dashboard_market(p_au date) returns rapports.dashboard_market
language sql stable
return (
  select row(v.nombre, v.montant,
             row(s.nombre, market._valeur_du_stock(p_au), s.alertes,
                 array(select row(a.reference, a.nom, a.quantite_stock, a.seuil_alerte,
                                  case when a.quantite_stock <= 0 then 'ÉPUISÉ' else 'BAS' end
                                 )::rapports.stock_en_alerte
                         from market.produit a where a.actif and a.quantite_stock < a.seuil_alerte
                        order by a.quantite_stock, a.nom, a.id_produit limit 10))::rapports.dashboard_stock
            )::rapports.dashboard_market
    from (select count(*) as nombre, rapports._chiffre_affaires('VENTE_MARCHANDISES', p_au, p_au) as montant
            from market.vente v
           where v.date >= core.debut_du_jour(p_au) and v.date < core.debut_du_jour(p_au + 1) and v.statut = 'PAYEE') v,
         (select count(*) as nombre, count(*) filter (where p.quantite_stock < p.seuil_alerte) as alertes
            from market.produit p where p.actif) s);
comment on function rapports._dashboard_market is 'Part de la boutique.';

create function rapports._dashboard_pressing(p_du date, p_au date) returns rapports.dashboard_pressing
language sql stable
return row(
  (select count(*) from pressing.commande c where c.statut in ('DEPOSE', 'EN_TRAITEMENT')),
  (select count(*) from pressing.commande c where c.statut = 'PRET'),
  (select count(*) from pressing.commande c
    where c.statut = 'RETIRE' and c.date_retrait_reelle >= core.debut_du_jour(p_au)
      and c.date_retrait_reelle < core.debut_du_jour(p_au + 1)),
  rapports._chiffre_affaires('PRESSING', p_du, p_au))::rapports.dashboard_pressing;
comment on function rapports._dashboard_pressing is 'Part du pressing.';

create function rapports._dashboard_restaurant(p_au date) returns rapports.dashboard_restaurant
language sql stable
return (
  select row(count(*), rapports._chiffre_affaires('RESTAURATION', p_au, p_au))::rapports.dashboard_restaurant
    from restaurant.commande c
   where c.date >= core.debut_du_jour(p_au) and c.date < core.debut_du_jour(p_au + 1)
     and c.statut::text not in ('EN_ATTENTE', 'ANNULEE'));
comment on function rapports._dashboard_restaurant is 'Part du restaurant.';

create function rapports._dashboard_salle(p_du date, p_au date) returns rapports.dashboard_salle
language sql stable
return row(
  (select count(*) from salle_fete.reservation r
    where r.date_evenement >= p_au and r.statut in ('RESERVEE', 'CONFIRMEE')),
  array(select row(r.id_reservation, r.date_evenement, r.heure_debut, r.type_manifestation,
                   (select k.nom || ' ' || k.prenoms from client.client k where k.id_client = r.id_client),
                   r.statut)::rapports.prochaine_reservation
          from salle_fete.reservation r
         where r.date_evenement >= p_au and r.statut in ('RESERVEE', 'CONFIRMEE')
         order by r.date_evenement, r.heure_debut, r.id_reservation limit 5),
  rapports._recettes('SALLE_FETE', p_du, p_au))::rapports.dashboard_salle;
comment on function rapports._dashboard_salle is 'Part de la salle de fête.';

create function rapports._dashboard_personnel(p_au date) returns rapports.dashboard_personnel
language sql stable
return (
  select row(count(*) filter (where p.statut = 'PRESENT'), count(*) filter (where p.statut = 'ABSENT'),
             count(*) filter (where p.statut = 'RETARD'), count(*))::rapports.dashboard_personnel
    from rh.pointage p where p.date = p_au);
comment on function rapports._dashboard_personnel is 'Part du personnel.';

create function rapports._dashboard_finances(p_id_activite bigint, p_du date, p_au date)
returns rapports.dashboard_finances
language sql stable
return (
  select row(m.recettes_jour, m.recettes, m.depenses,
             case when p_id_activite is null then rapports._salaires(p_du, p_au, '{CALCULEE,VALIDEE}') end,
             m.solde, f.chiffre_affaires, m.decaissements, m.sorties, f.brut, f.avoirs)::rapports.dashboard_finances
    from (select coalesce(sum(m.encaissements) filter (where m.jour = p_au), 0) as recettes_jour,
                 coalesce(sum(m.encaissements), 0) as recettes,
                 coalesce(sum(m.depenses), 0) as depenses, coalesce(sum(m.decaissements), 0) as decaissements,
                 coalesce(sum(m.sorties), 0) as sorties, coalesce(sum(m.solde), 0) as solde
            from finances.mouvement_jour_vue m
           where m.jour between p_du and p_au
             and case when p_id_activite is null then true else m.id_activite = p_id_activite end) m,
         (select coalesce(sum(f.chiffre_affaires), 0) as chiffre_affaires, coalesce(sum(f.montant_factures), 0) as brut,
                 coalesce(sum(f.montant_avoirs), 0) as avoirs
            from facturation.facture_jour_vue f
           where f.jour between p_du and p_au
             and case when p_id_activite is null then true else f.id_activite = p_id_activite end) f);
comment on function rapports._dashboard_finances is 'Part de l''argent.';

create function rapports._dashboard_tresorerie(p_id_activite bigint, p_au date) returns rapports.dashboard_lieu[]
language sql stable
return array(
  select row(l.genre, l.libelle, l.solde)::rapports.dashboard_lieu
    from (select 1 as rang, c.id_caisse as id, 'CAISSE' as genre, c.libelle, c.id_activite, c.actif,
                 tresorerie._caisse_solde(c.id_caisse, p_au) as solde
            from finances.caisse_vue c
          union all
          select 2, c.id_compte, c.genre::text, c.libelle, c.id_activite, c.actif, c.solde
            from tresorerie._comptes(p_au) c) l
   where (l.actif or l.solde <> 0) and l.solde is not null
     and case when p_id_activite is null then true else l.id_activite = p_id_activite end
   order by l.rang, l.id);
comment on function rapports._dashboard_tresorerie is 'Part de l''argent par lieu.';

create function rapports.dashboard(
  p_du date default null, p_au date default null, p_activite rapports.code_activite default null)
returns rapports.tableau
language plpgsql stable security definer set search_path = pg_catalog, pg_temp as $$
declare
  v_au date := coalesce(p_au, core.aujourdhui());
  v_du date := core.premier_jour(p_du, p_au);
  -- A user who is bound to an activity always gets its dashboard.
  v_code text := coalesce(p_activite::text, (
    select a.code from core.activite a where a.id_activite = core.activite()));
  v_activite core.activite;
begin
  if p_activite is null and not auth._permise('FINANCES.VOIR') then
    perform core.refuser(403, 'ACTIVITE_INTERDITE', 'Seuls les chiffres de votre activité vous sont ouverts.');
  end if;
  if v_code is not null then
    v_activite := rapports._activite(v_code);
  end if;
  return row(
    now(), row(v_du, v_au)::rapports.periode, v_code::rapports.code_activite,
    case when v_code is null or v_code = 'LOCATION_RESIDENTIEL' then rapports._dashboard_residence(v_du, v_au) end,
    case when v_code is null or v_code = 'VENTE_MARCHANDISES' then rapports._dashboard_market(v_au) end,
    case when v_code is null or v_code = 'PRESSING' then rapports._dashboard_pressing(v_du, v_au) end,
    case when v_code is null or v_code = 'RESTAURATION' then rapports._dashboard_restaurant(v_au) end,
    case when v_code is null or v_code = 'SALLE_FETE' then rapports._dashboard_salle(v_du, v_au) end,
    case when v_code is null then rapports._dashboard_personnel(v_au) end,
    rapports._dashboard_finances(v_activite.id_activite, v_du, v_au),
    rapports._dashboard_tresorerie(v_activite.id_activite, v_au))::rapports.tableau;
end $$;
comment on function rapports.dashboard is
  'Tableau de bord de l''entreprise, ou d''une activité ; sans FINANCES.VOIR, de la sienne, qu''il faut nommer. Période par défaut : le mois en cours.';
