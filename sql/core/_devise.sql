-- The unit of the currency. The database rounds computed amounts to it, and keeps entered amounts as they are.

-- PL/pgSQL caches the plan, as in core.fuseau().
create function core.decimales() returns integer
language plpgsql stable parallel safe as $$
begin
  return coalesce((select p.valeur from core.parametre p where p.cle = 'DEVISE_DECIMALES'), '0')::integer;
end $$;
comment on function core.decimales is 'Décimales de la devise de l''organisation, 0 si rien n''est dit.';

create function core.arrondir(p_montant numeric) returns numeric
language sql stable parallel safe
return round(p_montant, core.decimales());
comment on function core.arrondir is
  'Un montant calculé, arrondi à l''unité de la devise (DEVISE_DECIMALES) ; la moitié s''éloigne de zéro.';

-- Largest remainder method. Each part is rounded down to the unit. The remaining units go to the parts with the largest
-- remainders, and to the first among equal ones. A fraction of the total below the unit is distributed with them, so
-- that the parts always add up to the total. A part of a total below the sum of the weights never exceeds its weight.
create function core.repartir(p_total numeric, p_poids numeric[]) returns numeric[]
language plpgsql stable parallel safe as $$
declare
  v_unite numeric := 10::numeric ^ (-core.decimales());
  v_poids numeric := (select sum(p.poids) from unnest(p_poids) as p (poids));
begin
  return (
    with parts as (
      select p.rang, abs(p_total) * p.poids / v_poids as juste,
             floor(abs(p_total) * p.poids / v_poids / v_unite) * v_unite as entiere, p.poids
        from unnest(p_poids) with ordinality as p (poids, rang)
    ), bornees as (
      select p.*, case when abs(p_total) > v_poids then v_unite else least(v_unite, p.poids - p.entiere) end as borne,
             abs(p_total) - sum(p.entiere) over () as reste
        from parts p
    ), ranges as (
      select b.*, coalesce(sum(b.borne) over (order by b.poids > 0 desc, b.juste - b.entiere desc, b.rang
                             rows between unbounded preceding and 1 preceding), 0) as avant
        from bornees b)
    select array_agg(sign(p_total) * (r.entiere + greatest(0, least(r.borne, r.reste - r.avant))) order by r.rang)
      from ranges r);
end $$;
comment on function core.repartir is
  'Partage un montant selon des poids, en unités de la devise : les parts font toujours le montant, au plus fort reste. Les poids sont positifs et l''un d''eux n''est pas nul ; un montant plus fin que l''unité garde sa fraction. Quand les poids sont eux-mêmes des montants dont la somme n''est pas dépassée, aucune part ne dépasse le sien.';
