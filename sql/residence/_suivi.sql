-- Rent tracking. Columns that are only shown come from outer joins: counting a list reads only the instalments.

create view residence.suivi_vue as
select c.numero_contrat, k.nom || ' ' || k.prenoms as client, l.numero as logement, b.code as batiment, e.mois, e.annee,
       e.montant as loyer_applique, e.date_echeance, residence._statut_echeance(
         e.montant, e.montant_paye, e.date_echeance, (select core.aujourdhui()), c.statut) as statut,
       p.date as date_paiement, e.montant_paye, r.ancien_montant, r.nouveau_montant,
       r.date_effet as date_effet_revision, e.montant, (e.montant - e.montant_paye)::core.montant as reste,
       e.id_echeance, e.id_contrat, c.id_client, p.id_utilisateur as id_utilisateur_encaisseur
  from residence.echeance e
  left join residence.contrat_location c on c.id_contrat = e.id_contrat
  left join client.client k on k.id_client = c.id_client
  left join residence.logement l on l.id_logement = c.id_logement
  left join residence.batiment b on b.id_batiment = l.id_batiment
  left join finances.paiement p on p.id_paiement = e.id_paiement
  left join residence.revision_loyer r on r.id_revision = (
         select v.id_revision from residence.revision_loyer v
          where v.id_contrat = e.id_contrat and v.date_effet <= e.date_echeance
          order by v.date_effet desc, v.id_revision desc limit 1)
 where not e.annulee and (select residence._visible());
comment on view residence.suivi_vue is 'Suivi des loyers : une ligne par échéance.';
comment on column residence.suivi_vue.client is 'Nom et prénoms.';
comment on column residence.suivi_vue.logement is 'Numéro du logement.';
comment on column residence.suivi_vue.batiment is 'Code du bâtiment.';
comment on column residence.suivi_vue.loyer_applique is 'Montant de l''échéance, prorata compris.';
comment on column residence.suivi_vue.date_paiement is 'Dernier paiement, null tant que rien n''est payé.';
comment on column residence.suivi_vue.date_effet_revision is 'Dernière révision du loyer en vigueur à l''échéance, avec l''ancien et le nouveau loyer ; null s''il n''y en a pas.';
call core.peut_etre_null('residence.suivi_vue', 'date_paiement', 'ancien_montant', 'nouveau_montant',
  'date_effet_revision', 'id_utilisateur_encaisseur');
call core.jamais_null('residence.suivi_vue', 'numero_contrat', 'client', 'logement', 'batiment', 'statut', 'reste',
  'id_client');

create view residence.loyer_impaye_vue as
select s.id_echeance, s.id_contrat, s.id_client, s.client, s.numero_contrat, s.logement, s.batiment, s.mois, s.annee,
       s.montant, s.montant_paye, s.reste, s.date_echeance, s.statut,
       greatest((select core.aujourdhui()) - s.date_echeance, 0) as jours_retard
  from residence.suivi_vue s
 where s.montant_paye < s.montant and (s.date_echeance <= (select core.aujourdhui()) or s.montant_paye > 0)
   and not exists (select from residence.contrat_location c
                    where c.id_contrat = s.id_contrat and c.statut = 'EN_ATTENTE');
comment on view residence.loyer_impaye_vue is 'Échéances dues et impayées, ou payées en partie, des contrats qui sont ou ont été en vigueur.';
comment on column residence.loyer_impaye_vue.jours_retard is 'Jours écoulés depuis l''échéance.';
call core.jamais_null('residence.loyer_impaye_vue', 'id_client', 'client', 'numero_contrat', 'logement', 'batiment',
  'reste', 'statut', 'jours_retard');

-- The searched texts are in the leases, which are far fewer than instalments. The leases are therefore selected first.
create function residence._contrats_rechercher(
  p_recherche text, p_numero_contrat text, p_client text, p_logement text, p_batiment text) returns bigint[]
language sql stable
return case when num_nonnulls(p_recherche, p_numero_contrat, p_client, p_logement, p_batiment) > 0 then array(
  select c.id_contrat
    from residence.contrat_location c
    join client.client k on k.id_client = c.id_client
    join residence.logement l on l.id_logement = c.id_logement
    join residence.batiment b on b.id_batiment = l.id_batiment
   where (p_recherche is null or core._contient(c.numero_contrat, p_recherche) or core._contient(l.numero, p_recherche)
          or core._contient(k.nom || ' ' || k.prenoms || ' ' || k.nom, p_recherche))
     and (p_numero_contrat is null or core._contient(c.numero_contrat, p_numero_contrat))
     and (p_client is null or core._contient(k.nom || ' ' || k.prenoms || ' ' || k.nom, p_client))
     and (p_logement is null or core._contient(l.numero, p_logement))
     and (p_batiment is null or core._contient(b.code, p_batiment) or core._contient(b.nom, p_batiment))) end;
comment on function residence._contrats_rechercher is
  'Contrats que désignent ces textes : numéro, client, logement, bâtiment ; null si aucun n''est donné.';
