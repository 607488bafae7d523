-- Instalments: one a month or a calendar year, to the day. What is paid of one is derived from its invoice, which the
-- first payment makes.

create type residence.statut_echeance as enum ('PAYE', 'IMPAYE', 'PARTIEL', 'A_VENIR');
comment on type residence.statut_echeance is 'État d''une échéance, déduit de ses montants et du jour.';

create function residence._statut_echeance(p_montant core.montant, p_paye core.montant, p_date date, p_jour date)
returns residence.statut_echeance
language sql immutable parallel safe
return case when p_paye >= p_montant then 'PAYE'::residence.statut_echeance
            when p_paye > 0 then 'PARTIEL'::residence.statut_echeance
            when p_date <= p_jour then 'IMPAYE'::residence.statut_echeance
            else 'A_VENIR'::residence.statut_echeance end;
comment on function residence._statut_echeance(core.montant, core.montant, date, date) is
  'État d''une échéance un jour donné ; le jour où elle est due, elle est impayée.';

create view residence.echeance_vue as
select e.id_echeance, e.id_contrat, e.mois, e.annee, e.montant, e.montant_paye, e.date_echeance,
       residence._statut_echeance(e.montant, e.montant_paye, e.date_echeance, (select core.aujourdhui())) as statut,
       e.id_paiement, e.date_fin
  from residence.echeance e
 where not e.annulee and (select residence._accessible());
comment on view residence.echeance_vue is 'Échéances, sans celles qu''une résiliation a annulées.';
comment on column residence.echeance_vue.montant_paye is 'Ce que sa facture a reçu.';
comment on column residence.echeance_vue.id_paiement is 'Dernier paiement, null tant que rien n''est payé.';

create function residence._echeance(p_id_echeance bigint) returns residence.echeance_vue
language plpgsql stable as $$
declare
  v residence.echeance_vue;
begin
  select * into strict v from residence.echeance_vue e where e.id_echeance = p_id_echeance;
  return v;
end $$;
comment on function residence._echeance(bigint) is 'Une échéance visible par l''utilisateur. Refuse NOT_FOUND.';

create function residence._unite(p_type residence.type_location) returns text
language sql immutable parallel safe
return case p_type when 'MENSUEL' then 'month' else 'year' end;
comment on function residence._unite(residence.type_location) is 'Unité de calendrier d''une échéance, pour date_trunc.';

create function residence._pas(p_type residence.type_location) returns interval
language sql immutable parallel safe
return case p_type when 'MENSUEL' then interval '1 month' else interval '1 year' end;
comment on function residence._pas(residence.type_location) is 'Durée d''une échéance entière.';

create function residence._jours(p_type residence.type_location, p_jour date) returns integer
language sql immutable parallel safe
return (date_trunc(residence._unite(p_type), p_jour::timestamp) + residence._pas(p_type))::date
     - date_trunc(residence._unite(p_type), p_jour::timestamp)::date;
comment on function residence._jours(residence.type_location, date) is 'Nombre de jours du mois ou de l''année d''un jour.';

create function residence._prorata(
  p_type residence.type_location, p_loyer core.montant, p_debut date, p_fin date) returns core.montant
language sql stable parallel safe
return case when p_fin - p_debut + 1 = residence._jours(p_type, p_debut) then p_loyer
            else core.arrondir(p_loyer * (p_fin - p_debut + 1) / residence._jours(p_type, p_debut)) end;
comment on function residence._prorata(residence.type_location, core.montant, date, date) is
  'Loyer des jours couverts, au prorata des jours du mois ou de l''année, en unités de la devise ; un mois ou une année entiers valent le loyer.';

create function residence._horizon(p_jour date) returns date
language sql immutable parallel safe
return (p_jour + interval '1 year' - interval '1 day')::date;
comment on function residence._horizon(date) is 'Jusqu''où les échéances d''un contrat sans terme sont créées à l''avance : un an.';

-- Goes on after the last instalment there is. The caller holds the leases, so that two at once make each of them once.
create function residence._echeances_generer(p_contrats bigint[], p_jusqu_au date) returns integer
language plpgsql volatile as $$
declare
  v_nombre integer;
begin
  insert into residence.echeance (id_contrat, date_echeance, date_fin, montant)
  select c.id_contrat, p.debut, p.fin,
         residence._prorata(c.type_location, residence._loyer(c.id_contrat, c.loyer_initial, p.debut), p.debut, p.fin)
    from residence.contrat_location c
    left join lateral (select e.date_fin from residence.echeance e where e.id_contrat = c.id_contrat
                        order by e.annee desc, e.mois desc limit 1) d on true
   cross join lateral generate_series(
           date_trunc(residence._unite(c.type_location), coalesce(d.date_fin + 1, c.date_debut)::timestamp),
           coalesce(c.date_fin_prevue, p_jusqu_au)::timestamp, residence._pas(c.type_location)) as g (debut)
   cross join lateral (
     select greatest(g.debut::date, c.date_debut) as debut,
            least((g.debut + residence._pas(c.type_location))::date - 1, c.date_fin_prevue) as fin) p
   where c.id_contrat = any (p_contrats);
  get diagnostics v_nombre = row_count;
  return v_nombre;
end $$;
comment on function residence._echeances_generer(bigint[], date) is
  'Crée les échéances qui manquent à ces contrats, jusqu''à leur fin prévue ou, sans terme, jusqu''à celle qui commence au plus tard à cette date. Rend leur nombre.';

-- Payments of an invoice lock it first, then the instalment: whoever changes instalments does the same.
create function residence._echeances_verrouiller(p_echeances bigint[]) returns void
language plpgsql volatile as $$
begin
  perform from facturation.facture f
    where f.source_type = 'LOCATION' and f.source_id = any (p_echeances) and not f.annulee
    order by f.id_facture for no key update;
  perform from residence.echeance e where e.id_echeance = any (p_echeances) order by e.id_echeance for no key update;
end $$;
comment on function residence._echeances_verrouiller(bigint[]) is 'Verrouille les factures puis les échéances, par identifiant.';

create function residence._t50_facture_echeance() returns trigger
language plpgsql volatile as $$
declare
  v residence.echeance;
begin
  select * into strict v from residence.echeance e where e.id_echeance = new.source_id for no key update;
  if new.montant_paye > v.montant or v.annulee and new.montant_paye > 0 then
    perform core.refuser(409, 'SURPAIEMENT', 'Le paiement dépasse le reste à payer de l''échéance.',
                         jsonb_build_object('reste', (v.montant - v.montant_paye)::text));
  end if;
  update residence.echeance e
     set (montant_paye, id_paiement) = row(new.montant_paye, (
           select max(x.id_paiement) from facturation._facture_payeurs(new.id_facture) x))
   where e.id_echeance = new.source_id;
  return null;
end $$;
comment on function residence._t50_facture_echeance() is
  'Reporte sur l''échéance ce que sa facture a reçu, et le dernier paiement. Refuse SURPAIEMENT.';

create trigger t50_facture_echeance after insert or update of montant_paye on facturation.facture
  for each row when (new.source_type = 'LOCATION') execute function residence._t50_facture_echeance();

-- Derived whoever writes and whatever was written, like the invoice itself.
create function residence._t50_echeance_payee() returns trigger
language plpgsql volatile as $$
begin
  new.montant_paye := coalesce((select f.montant_paye from facturation.facture f
                                 where f.source_type = 'LOCATION' and f.source_id = new.id_echeance and not f.annulee), 0);
  return new;
end $$;
comment on function residence._t50_echeance_payee() is 'montant_paye = ce que la facture de l''échéance a reçu, 0 sans facture.';

create trigger t50_echeance_payee before update of montant_paye on residence.echeance
  for each row execute function residence._t50_echeance_payee();

create function residence._t20_echeance_figee() returns trigger
language plpgsql volatile as $$
begin
  perform core.refuser(409, 'ECHEANCE_FIGEE',
    'Une échéance ne s''efface pas, et payée, même en partie, elle ne change plus de montant.');
  return null;
end $$;
comment on function residence._t20_echeance_figee() is 'Refuse d''effacer une échéance, ou de changer le montant de celle qui a un paiement.';

create trigger t20_echeance_figee before delete on residence.echeance
  for each row execute function residence._t20_echeance_figee();

-- A termination cuts what is partly paid to what was paid.
create trigger t20_echeance_montant before update of montant on residence.echeance
  for each row when (old.montant_paye > 0 and new.montant <> old.montant and new.montant <> old.montant_paye)
  execute function residence._t20_echeance_figee();

create function residence._libelle_loyer(p_numero_contrat text, p_echeance residence.echeance) returns text
language sql immutable parallel safe
return format('Loyer %s, %s/%s', p_numero_contrat, (p_echeance).mois, (p_echeance).annee);
comment on function residence._libelle_loyer(text, residence.echeance) is 'Libellé de la facture d''une échéance.';

create function residence._loyer_a_regler(p_numero_contrat text, p_echeance residence.echeance, p_montant core.montant)
returns facturation.source_a_regler
language sql immutable parallel safe
return row('LOCATION', (p_echeance).id_echeance, residence._libelle_loyer(p_numero_contrat, p_echeance),
           array[row(residence._libelle_loyer(p_numero_contrat, p_echeance), 1, (p_echeance).montant)::facturation.ligne_entree],
           0, p_montant)::facturation.source_a_regler;
comment on function residence._loyer_a_regler(text, residence.echeance, core.montant) is 'Une échéance telle que le règlement la prend.';

create function residence._reference_loyer(p_numero_contrat text, p_mois smallint, p_annee smallint) returns text
language sql immutable parallel safe
return concat_ws('-', 'LOYER', p_numero_contrat, p_mois, p_annee);
comment on function residence._reference_loyer(text, smallint, smallint) is
  'Référence du loyer d''une échéance : LOYER-CON-2026-042-8-2026.';
