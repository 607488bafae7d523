-- The invoices of subscriptions. Each period begins on the same day of the month, or of the year, as the first one,
-- counted from that first day. A period that has begun is due in full, because a subscription is paid in advance.

create function residence._abonnement_periodes(p_abonnement residence.abonnement, p_jour date)
returns table (debut date, fin date)
language sql immutable parallel safe
begin atomic
  select d.debut, case (p_abonnement).type when 'PERIODIQUE' then (p_abonnement).date_fin
                  else least(((p_abonnement).date_debut + (n + 1) * p.pas)::date - 1, (p_abonnement).date_fin) end
    from (select case (p_abonnement).type when 'MENSUEL' then interval '1 month' else interval '1 year' end as pas) p
   cross join generate_series(0, case (p_abonnement).type when 'PERIODIQUE' then 0 else greatest(0,
           (extract(year from p_jour) - extract(year from (p_abonnement).date_debut)) * 12
           + extract(month from p_jour) - extract(month from (p_abonnement).date_debut))::integer end) as n
   cross join lateral (select ((p_abonnement).date_debut + n * p.pas)::date as debut) d
   where n = 0 or d.debut <= least(p_jour, (p_abonnement).date_fin)
   order by n;
end;
comment on function residence._abonnement_periodes is
  'Périodes d''un abonnement commencées à cette date, et toujours la première.';

create function residence._abonnement_facturer(p_abonnement residence.abonnement, p_debut date, p_fin date)
returns bigint
language plpgsql volatile as $$
begin
  return (finances._sources_regler(
    array[row('AUTRE', (p_abonnement).id_abonnement,
              left('Abonnement ' || (p_abonnement).service,
                   case (p_abonnement).type when 'PERIODIQUE' then 200 else 170 end)
                || case when (p_abonnement).type <> 'PERIODIQUE'
                        then format(', %s au %s', to_char(p_debut, 'DD/MM/YYYY'), to_char(p_fin, 'DD/MM/YYYY'))
                        else '' end,
              array[facturation._ligne((p_abonnement).service, 1, (p_abonnement).montant)],
              0, 0)::facturation.source_a_regler],
    p_id_activite => residence._activite(), p_id_client => (p_abonnement).id_client, p_montant => 0,
    p_id_moyen => null)).factures[1];
end $$;
comment on function residence._abonnement_facturer is 'Émet la facture, impayée, d''une période d''un abonnement.';
-- The function records no payment.
call core.ne_refuse_pas('residence._abonnement_facturer', 'PERIODE_CAISSE_FERMEE', 'CAISSE_INACTIVE',
  'MOYEN_PAIEMENT_INACTIF', 'PAIEMENT_MOYEN_INCONNU', 'SURPAIEMENT', 'CREDIT_INSUFFISANT', 'CREDIT_SANS_CLIENT');

-- The caller locks the subscriptions, so that two concurrent calls bill each period once.
create function residence._abonnements_facturer(p_abonnements bigint[]) returns integer
language plpgsql volatile as $$
declare
  v residence.abonnement;
  v_periode record;
  v_id_facture bigint;
  v_nombre integer := 0;
begin
  for v_periode in
    select a as abonnement, p.debut, p.fin
      from residence.abonnement a
     cross join lateral residence._abonnement_periodes(a, core.aujourdhui()) p
     where a.id_abonnement = any (p_abonnements) and a.statut in ('ACTIF', 'SUSPENDU')
       and p.debut > (select max(coalesce(x.date_fin, x.date_debut)) from residence.abonnement_periode x
                       where x.id_abonnement = a.id_abonnement)
     order by a.id_abonnement, p.debut
  loop
    v := v_periode.abonnement;
    v_id_facture := null;
    if v.statut = 'ACTIF' then
      v_id_facture := residence._abonnement_facturer(v, v_periode.debut, v_periode.fin);
      update residence.abonnement a set id_facture = v_id_facture where a.id_abonnement = v.id_abonnement;
      v_nombre := v_nombre + 1;
    end if;
    insert into residence.abonnement_periode (id_abonnement, date_debut, date_fin, id_facture)
    values (v.id_abonnement, v_periode.debut, v_periode.fin, v_id_facture);
  end loop;
  return v_nombre;
end $$;
comment on function residence._abonnements_facturer is
  'Facture les périodes commencées de ces abonnements qui ne le sont pas encore ; celles d''un abonnement suspendu passent sans facture. Rend le nombre de factures.';
-- The update selects only subscriptions in ACTIF.
call core.ne_refuse_pas('residence._abonnements_facturer', 'ABONNEMENT_CLOS');
