-- One row for each document and each day of payment. The report and its detail read the same rows, so they agree.

create type rapports.type_mouvement_taxe as enum ('FACTURE', 'AVOIR', 'REGLEMENT', 'ACHAT');
comment on type rapports.type_mouvement_taxe is
  'FACTURE : taxe d''une facture. AVOIR : taxe d''un avoir. REGLEMENT : taxe devenue due par ce qu''une facture a reçu ou rendu un jour. ACHAT : taxe qu''une facture d''achat, un de ses paiements ou un de ses avoirs rend déductible ou reprend.';

create type rapports.taxe_mouvement as (
  jour date, type rapports.type_mouvement_taxe, numero text, id_facture bigint, id_avoir bigint, code core.code,
  taux core.taux_taxe, id_activite bigint, base core.somme, collectee core.somme, sur_avoirs core.somme,
  due core.somme, deductible core.somme, id_achat bigint);
comment on type rapports.taxe_mouvement is 'Une facture, un avoir, un jour de règlement ou un achat du rapport des taxes.';
comment on column rapports.taxe_mouvement.numero is 'De la facture, de l''avoir ou de la facture d''achat.';
comment on column rapports.taxe_mouvement.id_facture is 'Null d''un achat.';
comment on column rapports.taxe_mouvement.id_avoir is 'Null de tout ce qui n''est pas un avoir à un client.';
comment on column rapports.taxe_mouvement.deductible is 'Ce qu''un achat ajoute à la taxe déductible, 0 pour le reste.';
comment on column rapports.taxe_mouvement.id_achat is 'Null de tout ce qui n''est pas un achat.';
comment on column rapports.taxe_mouvement.base is 'Base hors taxe d''une facture, 0 pour le reste.';
comment on column rapports.taxe_mouvement.due is 'Ce qui s''ajoute à la taxe due, selon TAXES_DUES.';
call core.peut_etre_null('rapports.taxe_mouvement', 'id_facture', 'id_avoir', 'id_activite', 'id_achat');

-- By payment, an invoice that received a part of what it still claims owes that part of its tax, and all of it once it
-- is settled: the days of one invoice add up to its tax, less the tax of its credit notes, to the unit.
create function rapports._taxes_encaissees(p_du date, p_au date) returns setof rapports.taxe_mouvement
language sql stable
begin atomic
  with flux as (
    select a.id_facture, coalesce(a.jour, p.jour) as jour, a.montant as recu, 0::numeric as avoirs,
           null::bigint as id_avoir
      from finances.imputation_vue a
      join finances.paiement p on p.id_paiement = a.id_paiement
     where p.jour <= p_au and (a.jour is null or a.jour <= p_au)
    union all
    select v.id_facture, v.jour, case when v.rembourse then 0 else -v.montant_excedent end, v.montant_total, v.id_avoir
      from facturation.avoir v
     where v.jour <= p_au
  ), factures as (
    select f.id_facture, f.numero, f.id_activite, f.montant_total
      from facturation.facture f
     where f.mode_prix is not null and core._visible(f.id_activite, (select core.activite()))
       and f.id_facture in (select x.id_facture from flux x where x.jour >= p_du)
  ), jours as (
    select f.id_facture, f.numero, f.id_activite, x.jour, sum(sum(x.recu)) over w as recu,
           f.montant_total - sum(sum(x.avoirs)) over w as reclame
      from factures f
      join flux x on x.id_facture = f.id_facture
     group by f.id_facture, f.numero, f.id_activite, f.montant_total, x.jour
    window w as (partition by f.id_facture order by x.jour)
  ), taxes as (
    select j.*, t.code, t.taux, l.montant - coalesce(c.montant, 0) as taxe
      from jours j
      join (select x.id_facture, x.id_taxe, sum(x.montant) as montant
              from facturation.facture_ligne_taxe x
             where x.id_facture in (select f.id_facture from factures f)
             group by x.id_facture, x.id_taxe) l on l.id_facture = j.id_facture
      join core.taxe t on t.id_taxe = l.id_taxe
      left join lateral (
        select sum(y.montant_taxe) as montant
          from facturation.avoir v
          join facturation.avoir_ligne y on y.id_avoir = v.id_avoir
          join facturation.facture_ligne_taxe x on x.id_ligne = y.id_ligne
         where v.id_facture = j.id_facture and v.jour <= j.jour and x.id_taxe = l.id_taxe) c on true
  ), dues as (
    select t.*, case when t.recu >= t.reclame then t.taxe when t.recu <= 0 then 0
                     else core.arrondir(t.taxe * t.recu / t.reclame) end as due
      from taxes t
  ), ecarts as (
    select d.*,
           d.due - lag(d.due, 1, 0::numeric) over (partition by d.id_facture, d.code, d.taux order by d.jour) as ecart
      from dues d
  )
  select e.jour, 'REGLEMENT'::rapports.type_mouvement_taxe, e.numero::text, e.id_facture, null::bigint,
         e.code::core.code, e.taux::core.taux_taxe, e.id_activite, 0::core.somme, 0::core.somme, 0::core.somme,
         e.ecart::core.somme, 0::core.somme, null::bigint
    from ecarts e
   where e.jour >= p_du and e.ecart <> 0;
end;
comment on function rapports._taxes_encaissees is 'Taxe que les règlements rendent due, crédit client compris.';

create function rapports._taxes(p_du date, p_au date) returns setof rapports.taxe_mouvement
language plpgsql stable as $$
declare
  v_encaissement boolean := core.parametre('TAXES_DUES') = 'ENCAISSEMENT';
begin
  return query
  select f.jour, 'FACTURE'::rapports.type_mouvement_taxe, f.numero, f.id_facture, null::bigint, t.code, t.taux,
         f.id_activite, sum(x.base)::core.somme, sum(x.montant)::core.somme, 0::core.somme,
         case when v_encaissement then 0 else sum(x.montant) end::core.somme, 0::core.somme, null::bigint
    from facturation.facture f
    join facturation.facture_ligne_taxe x on x.id_facture = f.id_facture
    join core.taxe t on t.id_taxe = x.id_taxe
   where f.jour between p_du and p_au and f.mode_prix is not null
     and core._visible(f.id_activite, (select core.activite()))
   group by f.id_facture, t.id_taxe;
  return query
  select v.jour, 'AVOIR'::rapports.type_mouvement_taxe, v.numero, v.id_facture, v.id_avoir, t.code, t.taux,
         v.id_activite, 0::core.somme, 0::core.somme, sum(l.montant_taxe)::core.somme,
         case when v_encaissement then 0 else -sum(l.montant_taxe) end::core.somme, 0::core.somme, null::bigint
    from facturation.avoir v
    join facturation.avoir_ligne l on l.id_avoir = v.id_avoir
    join facturation.facture_ligne_taxe x on x.id_ligne = l.id_ligne
    join core.taxe t on t.id_taxe = x.id_taxe
   where v.jour between p_du and p_au and core._visible(v.id_activite, (select core.activite()))
   group by v.id_avoir, t.id_taxe;
  if v_encaissement then
    return query select * from rapports._taxes_encaissees(p_du, p_au);
  end if;
  return query
  select d.jour, 'ACHAT'::rapports.type_mouvement_taxe, f.numero::text, null::bigint, null::bigint, t.code, t.taux,
         f.id_activite, 0::core.somme, 0::core.somme, 0::core.somme, 0::core.somme, sum(d.montant)::core.somme,
         f.id_achat
    from achat.taxe_deduite_vue d
    join achat.facture f on f.id_achat = d.id_achat
    join core.taxe t on t.id_taxe = d.id_taxe
   where d.jour between p_du and p_au and core._visible(f.id_activite, (select core.activite()))
   group by d.jour, f.id_achat, t.id_taxe;
end $$;
comment on function rapports._taxes is 'Ce que le rapport des taxes additionne, par document ou règlement.';
