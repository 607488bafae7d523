create type rapports.recette_activite as (code text, libelle text, total_encaisse core.somme);
comment on type rapports.recette_activite is 'Encaissements d''une activité.';

create type rapports.total_impayes as (nombre integer, montant core.somme);
comment on type rapports.total_impayes is 'Ce qui reste dû, échu dans la période.';

create type rapports.synthese_residence as (jour date, chambres_disponibles integer, impayes rapports.total_impayes);
comment on type rapports.synthese_residence is 'La résidence ce jour, quelle que soit la période.';
comment on column rapports.synthese_residence.jour is 'Ce jour.';
comment on column rapports.synthese_residence.impayes is 'Loyers échus ce jour qui restent dus ; « impayes » de la synthèse compte tout ce qui est échu dans la période.';

create type rapports.synthese_alerte as (id_produit bigint, nom text, stock core.somme);
comment on type rapports.synthese_alerte is 'Un produit sous son seuil, et ce qui en reste.';

create type rapports.synthese_stock as (alertes rapports.synthese_alerte[]);
comment on type rapports.synthese_stock is 'Les produits actifs sous leur seuil, le plus bas d''abord.';

create type rapports.synthese_market as (jour date, stock rapports.synthese_stock);
comment on type rapports.synthese_market is 'La boutique ce jour, quelle que soit la période.';
comment on column rapports.synthese_market.jour is 'Ce jour.';

create type rapports.synthese_pressing as (jour date, commandes_en_cours integer);
comment on type rapports.synthese_pressing is 'Le pressing ce jour, quelle que soit la période : commandes déposées ou en traitement.';
comment on column rapports.synthese_pressing.jour is 'Ce jour.';

create type rapports.synthese_personnel as (jour date, presents_aujourd_hui integer);
comment on type rapports.synthese_personnel is 'Le personnel ce jour, quelle que soit la période.';
comment on column rapports.synthese_personnel.jour is 'Ce jour.';

create type rapports.synthese as (
  periode rapports.periode, recettes_par_activite rapports.recette_activite[], total_recettes core.somme,
  total_depenses core.somme, solde core.somme, impayes rapports.total_impayes, masse_salariale core.somme,
  total_decaissements core.somme, total_sorties core.somme, residence rapports.synthese_residence,
  market rapports.synthese_market, pressing rapports.synthese_pressing, personnel rapports.synthese_personnel,
  tresorerie rapports.dashboard_lieu[]);
comment on type rapports.synthese is
  'Synthèse d''une période, et ce qui demande attention ce jour ; pour qui ne voit qu''une activité, ce qui est aux autres est null.';
comment on column rapports.synthese.total_recettes is 'Encaissements.';
comment on column rapports.synthese.total_depenses is 'Dépenses, sans les décaissements.';
comment on column rapports.synthese.solde is 'total_recettes − total_sorties.';
comment on column rapports.synthese.total_decaissements is 'Paiements rendus ou versés.';
comment on column rapports.synthese.total_sorties is 'Décaissements et dépenses.';
comment on column rapports.synthese.personnel is 'Null pour qui ne voit qu''une activité ou qu''une caisse.';
comment on column rapports.synthese.tresorerie is
  'Où est l''argent au soir du dernier jour : caisses, téléphones, banque ; ceux dont l''utilisateur voit le solde.';
comment on column rapports.synthese.masse_salariale is
  'Nets des bulletins non annulés des mois de la période ; null pour qui ne voit qu''une activité ou qu''une caisse.';
call core.peut_etre_null('rapports.synthese', 'masse_salariale', 'residence', 'market', 'pressing', 'personnel');

create function rapports.synthese_globale(p_du date default null, p_au date default null) returns rapports.synthese
language plpgsql stable security definer set search_path = pg_catalog, pg_temp as $$
declare
  v_bilan finances.consolidation_bilan := finances.consolidation(p_du, p_au);
  v_jour date := core.aujourdhui();
  v_code text := (select a.code from core.activite a where a.id_activite = core.activite());
  v_du record;
begin
  -- One reading of the amounts due serves the period and the rents of this day.
  select row(coalesce(sum(i.nombre) filter (where i.de_la_periode), 0),
             coalesce(sum(i.reste) filter (where i.de_la_periode), 0))::rapports.total_impayes as impayes,
         row(coalesce(sum(i.nombre) filter (where i.loyer), 0),
             coalesce(sum(i.reste) filter (where i.loyer), 0))::rapports.total_impayes as loyers
    into v_du
    from (select d.nombre, d.reste, d.loyer and d.jour <= v_jour as loyer,
                 d.jour between coalesce(p_du, '-infinity') and coalesce(p_au, 'infinity') as de_la_periode
            from rapports._impayes(v_jour) d) i
   where i.loyer or i.de_la_periode;
  return row(
    row(p_du, p_au)::rapports.periode,
    (select array_agg(row(l.code, l.libelle, l.encaissements)::rapports.recette_activite order by l.ordinality)
       from unnest(v_bilan.par_activite) with ordinality l),
    coalesce((v_bilan.total).encaissements, 0), coalesce((v_bilan.total).depenses, 0),
    coalesce((v_bilan.total).solde, 0),
    v_du.impayes,
    case when rapports._entreprise() then rapports._salaires(p_du, p_au, '{CALCULEE,VALIDEE,PAYEE}') end,
    coalesce((v_bilan.total).decaissements, 0), coalesce((v_bilan.total).sorties, 0),
    case when v_code is null or v_code = 'LOCATION_RESIDENTIEL' then
      row(v_jour, (select count(*) from residence.logement l where l.statut = 'DISPONIBLE'),
          v_du.loyers)::rapports.synthese_residence end,
    case when v_code is null or v_code = 'VENTE_MARCHANDISES' then
      row(v_jour, row(array(
        select row(a.id_produit, a.nom, a.quantite_stock)::rapports.synthese_alerte
          from market.produit a where a.actif and a.quantite_stock < a.seuil_alerte
         order by a.quantite_stock, a.nom, a.id_produit))::rapports.synthese_stock)::rapports.synthese_market end,
    case when v_code is null or v_code = 'PRESSING' then
      row(v_jour, (select count(*) from pressing.commande c
                    where c.statut in ('DEPOSE', 'EN_TRAITEMENT')))::rapports.synthese_pressing end,
    case when rapports._entreprise() then
      row(v_jour, (rapports._dashboard_personnel(v_jour)).presents_aujourd_hui)::rapports.synthese_personnel end,
    rapports._dashboard_tresorerie(core.activite(), coalesce(p_au, v_jour)))::rapports.synthese;
end $$;
comment on function rapports.synthese_globale is
  'Recettes par activité, dépenses, décaissements, solde, impayés et masse salariale, depuis toujours ou sur une période ; et ce jour, chambres libres, loyers en retard, stock en alerte, linge en cours, personnel présent, et où est l''argent.';
