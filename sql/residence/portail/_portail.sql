-- The portal of residents. It has the protection described in sql/client/portail/_portail.sql.

create type residence.portail_client as (id_client bigint, nom text, prenoms text);
comment on type residence.portail_client is 'Le résident.';
create type residence.portail_logement as (numero text, nom text, batiment text);
comment on type residence.portail_logement is 'Logement loué ; « batiment » est un code, « nom » le numéro de ce qui n''a pas de nom.';
create type residence.portail_contrat as (
  id_contrat bigint, numero_contrat text, date_debut date, date_fin_prevue date, montant_loyer core.montant,
  periodicite text, logement residence.portail_logement);
comment on type residence.portail_contrat is 'Contrat du résident.';
comment on column residence.portail_contrat.montant_loyer is 'Loyer en vigueur ce jour.';
call core.peut_etre_null('residence.portail_contrat', 'date_fin_prevue', 'periodicite');
create type residence.portail_echeance as (
  id_echeance bigint, mois smallint, annee smallint, montant core.montant, statut residence.statut_echeance,
  date_echeance date, date_paiement timestamptz, montant_paye core.montant, numero_contrat text);
comment on type residence.portail_echeance is 'Échéance du résident.';
comment on column residence.portail_echeance.date_paiement is 'Dernier paiement, null tant que rien n''est payé.';
call core.peut_etre_null('residence.portail_echeance', 'date_paiement');
create type residence.prochaine_echeance as (
  mois smallint, annee smallint, montant core.montant, statut residence.statut_echeance);
comment on type residence.prochaine_echeance is 'Échéance à payer en premier.';

create function residence._portail_echeances(p_id_client bigint) returns setof residence.portail_echeance
language sql stable
begin atomic
  select e.id_echeance, e.mois, e.annee, e.montant,
         residence._statut_echeance(e.montant, e.montant_paye, e.date_echeance, core.aujourdhui(), c.statut),
         e.date_echeance, p.date, e.montant_paye, c.numero_contrat
    from residence.contrat_location c
    join residence.echeance e on e.id_contrat = c.id_contrat
    left join finances.paiement p on p.id_paiement = e.id_paiement
   where c.id_client = p_id_client and not e.annulee
   order by e.date_echeance, e.id_echeance;
end;
comment on function residence._portail_echeances is
  'Échéances de tous les contrats d''un client, par date, sans celles qu''une résiliation a annulées.';

create function residence._portail_prochaine(p_id_client bigint) returns residence.prochaine_echeance
language sql stable
return (select row(e.mois, e.annee, e.montant, e.statut)::residence.prochaine_echeance
          from residence._portail_echeances(p_id_client) e
         where e.statut <> 'PAYE' order by e.date_echeance, e.id_echeance limit 1);
comment on function residence._portail_prochaine is
  'La plus ancienne échéance qui reste à payer, échue ou à venir ; null si tout est payé.';

create function residence._portail_impayes(p_id_client bigint) returns core.somme
language sql stable
return coalesce((select sum(e.montant - e.montant_paye) from residence._portail_echeances(p_id_client) e
                  where e.statut in ('IMPAYE', 'PARTIEL')), 0);
comment on function residence._portail_impayes is 'Reste à payer des échéances échues ou payées en partie.';
