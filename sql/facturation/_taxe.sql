-- The tax of invoices. It is computed once, when the invoice is issued, and stored: the rates of the day, the rounding
-- and the meaning of the prices are taken from that day. An invoice without a taxed line never comes here.

create type facturation.taxe_facturee as (code core.code, taux core.taux_taxe, base core.somme, montant core.somme);
comment on type facturation.taxe_facturee is 'Taxe d''un document, par code et taux.';
comment on column facturation.taxe_facturee.base is 'Hors taxe, remise déduite.';
comment on column facturation.taxe_facturee.montant is 'Taxe.';

create type facturation.ligne_taxable as (id_ligne bigint, total numeric, id_taxe bigint, taux numeric);
comment on type facturation.ligne_taxable is 'Ligne d''une facture et son taux du jour ; id_taxe est null d''une ligne sans taxe.';

-- A contract, a booking or a stay fixes its amount before the invoice, so that amount always includes the tax.
-- PL/pgSQL caches the plan, as in core.fuseau().
create function facturation._source_mode_prix(p_source_type facturation.source_type) returns facturation.mode_prix
language plpgsql stable as $$
begin
  return case when p_source_type in ('PRESTATION', 'VENTE', 'COMMANDE_RESTAURANT')
               and core.parametre('TAXES_PRIX') = 'HT'
              then 'HT'::facturation.mode_prix else 'TTC'::facturation.mode_prix end;
end $$;
comment on function facturation._source_mode_prix is
  'Ce que disent aujourd''hui les prix d''une source : HT si TAXES_PRIX le veut et que son montant n''est pas convenu d''avance.';

-- Each line bears its share of the discount. The tax is rounded by line. When the invoice is rounded as a whole, the
-- difference goes to the largest lines, one unit to each, and never more than a line can bear.
create function facturation._taxer(
  p_lignes facturation.ligne_taxable[], p_remise numeric, p_mode_prix facturation.mode_prix)
returns table (id_ligne bigint, id_taxe bigint, base numeric, montant numeric)
language plpgsql stable as $$
declare
  v_unite numeric := 10::numeric ^ (-core.decimales());
  v_totaux numeric[] := array(select l.total
                                from unnest(p_lignes) with ordinality as l (id_ligne, total, id_taxe, taux, rang)
                               order by l.rang);
  v_par_facture boolean := core.parametre('TAXES_ARRONDI') = 'FACTURE';
begin
  if p_remise > 0 then
    v_totaux := core.repartir((select sum(t) from unnest(v_totaux) t) - p_remise, v_totaux);
  end if;
  return query
  with lignes as (
    select l.id_ligne, l.id_taxe, t.total, l.taux,
           case p_mode_prix when 'TTC' then 100 + l.taux else 100 end as diviseur
      from unnest(p_lignes) with ordinality as l (id_ligne, total, id_taxe, taux, rang)
      join unnest(v_totaux) with ordinality as t (total, rang) on t.rang = l.rang
     where l.id_taxe is not null
  ), arrondies as (
    select l.*, core.arrondir(l.total * l.taux / l.diviseur) as taxe,
           case when v_par_facture then core.arrondir(sum(l.total) over w * l.taux / l.diviseur)
                                        - sum(core.arrondir(l.total * l.taux / l.diviseur)) over w else 0 end as ecart
      from lignes l
    window w as (partition by l.id_taxe)
  ), bornees as (
    select a.*, least(v_unite, case when a.ecart < 0 then a.taxe
                                    when p_mode_prix = 'TTC' then a.total - a.taxe else v_unite end) as borne
      from arrondies a
  ), parts as (
    select b.*, b.taxe + sign(b.ecart) * greatest(0, least(b.borne, abs(b.ecart) - coalesce(sum(b.borne) over (
                  partition by b.id_taxe order by b.total desc, b.id_ligne
                  rows between unbounded preceding and 1 preceding), 0))) as part
      from bornees b
  )
  select p.id_ligne, p.id_taxe, case p_mode_prix when 'TTC' then p.total - p.part else p.total end, p.part
    from parts p
   order by p.id_ligne;
end $$;
comment on function facturation._taxer is 'Base et taxe de chaque ligne taxée, remise partagée entre toutes.';

create function facturation._lignes_taxables(p_lignes facturation.ligne_taxable[], p_codes text[], p_jour date)
returns facturation.ligne_taxable[]
language sql stable
return array(
  select row(l.id_ligne, l.total, t.id_taxe, t.taux)::facturation.ligne_taxable
    from unnest(p_lignes) with ordinality as l (id_ligne, total, id_taxe, taux, rang)
    join unnest(p_codes) with ordinality as c (code, rang) on c.rang = l.rang
    left join lateral core._taxe_du_jour(c.code, p_jour) t on core._assujetti(p_jour)
   order by l.rang);
comment on function facturation._lignes_taxables is 'Ces lignes et le taux du jour de leur code, s''il y en a un.';

-- One statement reads what the prices mean, the regime and the rates, so that all three are of one moment.
create function facturation._facture_taxer(
  p_id_facture bigint, p_remise numeric, p_jour date, p_source_type facturation.source_type,
  out mode_prix facturation.mode_prix, out montant numeric)
language plpgsql volatile as $$
begin
  with taxes as (
    insert into facturation.facture_ligne_taxe (id_ligne, id_facture, id_taxe, base, montant)
    select t.id_ligne, p_id_facture, t.id_taxe, t.base, t.montant
      from (select array_agg(row(l.id_ligne, l.total, null, null)::facturation.ligne_taxable
                             order by l.id_ligne) as lignes,
                   array_agg(l.code_taxe order by l.id_ligne) as codes
              from facturation.facture_ligne l where l.id_facture = p_id_facture) l
     cross join lateral facturation._taxer(facturation._lignes_taxables(l.lignes, l.codes, p_jour), p_remise,
                                           facturation._source_mode_prix(p_source_type)) t
    returning facture_ligne_taxe.montant)
  select facturation._source_mode_prix(p_source_type), sum(t.montant) into mode_prix, montant
    from taxes t having count(*) > 0;
end $$;
comment on function facturation._facture_taxer is
  'Écrit la taxe des lignes d''une facture à émettre ; rend ce que disent leurs prix et la somme des taxes, null si aucune n''a de taux ce jour-là.';

create function facturation._taxes(p_id_facture bigint) returns facturation.taxe_facturee[]
language sql stable
return array(
  select row(t.code, t.taux, sum(x.base), sum(x.montant))::facturation.taxe_facturee
    from facturation.facture_ligne_taxe x
    join core.taxe t on t.id_taxe = x.id_taxe
   where x.id_facture = p_id_facture
   group by t.code, t.taux
   order by t.taux desc, t.code);
comment on function facturation._taxes is 'Taxes d''une facture, par code et taux.';

create function facturation._avoir_taxes(p_id_avoir bigint) returns facturation.taxe_facturee[]
language sql stable
return array(
  select row(t.code, t.taux, sum(l.montant - l.montant_taxe), sum(l.montant_taxe))::facturation.taxe_facturee
    from facturation.avoir_ligne l
    join facturation.facture_ligne_taxe x on x.id_ligne = l.id_ligne
    join core.taxe t on t.id_taxe = x.id_taxe
   where l.id_avoir = p_id_avoir
   group by t.code, t.taux
   order by t.taux desc, t.code);
comment on function facturation._avoir_taxes is 'Taxes d''un avoir, par code et taux.';

-- The parts of a line that are credited one after the other add up to its tax, as its amounts do. A part takes no more
-- tax than its amount, and leaves no more than what remains of the line can bear.
create function facturation._t10_avoir_ligne_taxe() returns trigger
language plpgsql volatile as $$
declare
  v record;
begin
  select x.base + x.montant as total, x.montant as taxe, coalesce(a.montant, 0) + new.montant as credite,
         coalesce(a.taxe, 0) as deja
    into v
    from facturation.facture_ligne_taxe x
   cross join (select sum(l.montant) as montant, sum(l.montant_taxe) as taxe
                 from facturation.avoir_ligne l where l.id_ligne = new.id_ligne) a
   where x.id_ligne = new.id_ligne;
  new.montant_taxe := case when not found then 0
    else least(new.montant, greatest(0, v.taxe - v.deja - (v.total - v.credite),
                                     core.arrondir(v.taxe * v.credite / nullif(v.total, 0)) - v.deja)) end;
  return new;
end $$;
comment on function facturation._t10_avoir_ligne_taxe is 'Part de la taxe de la ligne facturée que crédite une ligne d''avoir.';

create trigger t10_avoir_ligne_taxe before insert on facturation.avoir_ligne
  for each row execute function facturation._t10_avoir_ligne_taxe();
