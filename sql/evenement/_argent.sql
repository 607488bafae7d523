-- Every settlement fires the triggers of invoices and payments, so they have no WHEN (finances/reglement).

call evenement.declarer('facture.emise', 'facturation.facture_detail_vue', 'FACTURATION.VOIR',
  'Une facture est émise.');

call evenement.declarer('facture.payee', 'facturation.facture_detail_vue', 'FACTURATION.VOIR',
  'Une facture est payée en entier ; de nouveau si un paiement annulé l''avait rouverte.');

call evenement.declarer('facture.annulee', 'facturation.facture_detail_vue', 'FACTURATION.VOIR',
  'Une facture est annulée.');

-- The body is made as in evenement._ligne, of a view without the limits of the author. Lines and taxes are read from
-- their views: an array of rows would be built to be taken apart again.
do $$
begin
  execute format($declencheur$
create function evenement._t90_facture() returns trigger
language plpgsql volatile security definer set search_path = pg_catalog, pg_temp as $corps$
declare
  v_taxes json := json '[]';
begin
  if new.statut = old.statut then -- most payments
    return null;
  elsif tg_op = 'UPDATE' and new.statut not in ('PAYEE', 'ANNULEE') then
    return null;
  end if;
  if new.mode_prix is not null then
    select json_agg(z) into v_taxes from (select %s from unnest(facturation._taxes(new.id_facture)) e) z;
  end if;
  insert into evenement.evenement (type, id_entite, id_activite, donnees, id_utilisateur, requete)
  select t.type, new.id_facture, new.id_activite, d.donnees, core.utilisateur(), audit._requete()
    from (select row_to_json(y) as donnees
            from (select %s,
                         (select json_agg(z) from (select %s from facturation.facture_ligne_vue l
                                                    where l.id_facture = x.id_facture order by l.id_ligne) z) as lignes,
                         v_taxes as taxes
                    from facturation._facture_toute_vue x where x.id_facture = new.id_facture) y offset 0) d
   cross join (
     values (case when tg_op = 'INSERT' then 'facture.emise' end),
            (case new.statut when 'PAYEE' then 'facture.payee' when 'ANNULEE' then 'facture.annulee' end)) t (type)
   where t.type is not null;
  return null;
end $corps$ $declencheur$,
    core._forme_champs('e', 'facturation.taxe_facturee'::regtype),
    core._forme_champs('x', 'facturation.facture_vue'::regtype),
    core._forme_champs('l', 'facturation.facture_ligne_vue'::regtype));
end $$;
comment on function evenement._t90_facture is 'Écrit, à la validation, qu''une facture est émise, payée ou annulée.';

create constraint trigger t90_evenement after insert or update on facturation.facture deferrable initially deferred
  for each row execute function evenement._t90_facture();

call evenement.declarer_ligne('avoir.emis', 'facturation.avoir', null, '',
  'facturation.avoir_detail_vue', 'Un avoir est émis ; aussi celui qui annule une facture.');

call evenement.declarer('paiement.recu', 'finances.paiement_detail_vue', 'FINANCES.VOIR',
  'De l''argent est reçu.', 'CAISSE');

call evenement.declarer('paiement.verse', 'finances.paiement_detail_vue', 'FINANCES.VOIR',
  'De l''argent est versé : salaire, caution restituée ou reste d''abonnement.', 'CAISSE');

call evenement.declarer('paiement.rembourse', 'finances.paiement_detail_vue', 'FINANCES.VOIR',
  'Un paiement est annulé ou rendu ; les données sont celles du paiement contraire.', 'CAISSE');

-- A payment never changes, so the row of the view comes from the new row and what it settles. Reading the view would
-- cost every settlement twice as much (docs/decisions/0055-evenements.md). One statement makes the row, its JSON and
-- the event. The columns of the invoice are read from its table: a row value would be computed again for each of them.
do $$
begin
  execute format($declencheur$
create function evenement._t90_paiement() returns trigger
language plpgsql volatile security definer set search_path = pg_catalog, pg_temp as $corps$
declare
  v_id_facture bigint := new.id_facture;
begin
  if v_id_facture is null then
    select min(a.id_facture) into v_id_facture
      from finances.application_paiement a where a.id_paiement = new.id_paiement
    having min(a.id_facture) = max(a.id_facture);
  end if;
  insert into evenement.evenement (type, id_entite, id_activite, id_caisse, donnees, id_utilisateur, requete)
  select case when new.id_paiement_origine is not null then 'paiement.rembourse'
              when new.type = 'ENCAISSEMENT' then 'paiement.recu' else 'paiement.verse' end,
         new.id_paiement, new.id_activite, new.id_caisse, row_to_json(y), core.utilisateur(), audit._requete()
    from (select %s, case when f.id_facture is not null then row_to_json(s) end as facture
            from (values (v_id_facture)) reglee (id_facture)
            left join facturation.facture f on f.id_facture = reglee.id_facture
           cross join lateral (
             select new.id_paiement, new.date, new.montant, new.id_moyen, new.id_activite, new.type, new.motif,
                    new.id_utilisateur, coalesce(new.reference, f.numero) as reference, new.id_caisse, f.id_facture,
                    new.id_paiement_origine,
                    exists (select from finances.paiement c
                             where c.id_paiement_origine = new.id_paiement and c.annulation) as annule) x
           cross join lateral (select %s) s) y;
  return null;
end $corps$ $declencheur$,
    core._forme_champs('x', 'finances.paiement_vue'::regtype),
    core._forme_champs('f', 'facturation.facture_solde'::regtype));
end $$;
comment on function evenement._t90_paiement is 'Écrit l''événement d''un paiement, à la validation.';

create constraint trigger t90_evenement after insert on finances.paiement deferrable initially deferred
  for each row execute function evenement._t90_paiement();

call evenement.declarer_ligne('depense.creee', 'finances.depense', null, '',
  'finances.depense_vue', 'Une dépense est saisie.', 'CAISSE');

call evenement.declarer('caisse.ouverte', 'finances.periode_caisse_vue', 'FINANCES.VOIR',
  'Une caisse s''ouvre.', 'CAISSE');
create constraint trigger t90_evenement_ouverte after insert on finances.periode_caisse deferrable initially deferred
  for each row execute function evenement._t90_evenement('caisse.ouverte', 'id_caisse', '', 'id_periode');

call evenement.declarer('caisse.fermee', 'finances.periode_caisse_vue', 'FINANCES.VOIR',
  'Une caisse se ferme.', 'CAISSE');
create constraint trigger t90_evenement_fermee after update on finances.periode_caisse deferrable initially deferred
  for each row when (old.fermeture is null and new.fermeture is not null)
  execute function evenement._t90_evenement('caisse.fermee', 'id_caisse', '', 'id_periode');

call evenement.declarer('tirage.ecart', 'finances.tirage_vue', 'FINANCES.VOIR',
  'Un comptage de caisse ne trouve pas ce qu''il attend.', 'CAISSE');
create constraint trigger t90_evenement_ecart after insert on finances.tirage deferrable initially deferred
  for each row when (new.ecart <> 0) execute function evenement._t90_evenement('tirage.ecart', 'id_tirage', '');

call evenement.declarer('caisse.exception', 'finances.exception_caisse_vue', 'FINANCES.VOIR',
  'Une opération qu''un appareil a faite sans réseau est refusée par une règle.', 'CAISSE');
create constraint trigger t90_evenement after insert on finances.exception_caisse deferrable initially deferred
  for each row execute function evenement._t90_evenement('caisse.exception', 'id_exception', '');

call evenement.declarer('virement.cree', 'tresorerie.virement_vue', 'FINANCES.VOIR',
  'De l''argent passe d''une caisse ou d''un compte à un autre.', 'CAISSE');
call evenement.declarer('virement.annule', 'tresorerie.virement_vue', 'FINANCES.VOIR',
  'Un virement est annulé ; les données sont celles du virement contraire.', 'CAISSE');

-- The event is of the till and the activity where the money comes from, else of those where it goes to.
create function evenement._t90_virement() returns trigger
language plpgsql volatile security definer set search_path = pg_catalog, pg_temp as $$
begin
  perform evenement._emettre(
    case when new.id_virement_origine is null then 'virement.cree' else 'virement.annule' end, new.id_virement,
    coalesce((select c.id_activite from finances.caisse c where c.id_caisse = new.id_caisse_de),
             (select c.id_activite from tresorerie.compte c where c.id_compte = new.id_compte_de),
             (select c.id_activite from finances.caisse c where c.id_caisse = new.id_caisse_vers),
             (select c.id_activite from tresorerie.compte c where c.id_compte = new.id_compte_vers)),
    coalesce(new.id_caisse_de, new.id_caisse_vers), evenement._ligne('tresorerie.virement_vue', new.id_virement));
  return null;
end $$;
comment on function evenement._t90_virement is 'Écrit l''événement d''un virement, à la validation.';

create constraint trigger t90_evenement after insert on tresorerie.virement deferrable initially deferred
  for each row execute function evenement._t90_virement();
