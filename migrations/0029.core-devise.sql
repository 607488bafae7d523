-- The currency's unit. An organisation that already counts in a currency with cents keeps its two decimals.
-- depends: 0028.residence-bornes

insert into core.parametre (cle, valeur, description)
select 'DEVISE_DECIMALES',
       case when p.valeur in ('EUR', '€', 'USD', '$', 'GBP', '£', 'CHF', 'CAD', 'MAD', 'DZD', 'NGN', 'GHS') then '2' else '0' end,
       'Décimales de la devise, 0 pour le franc CFA : ce que la base calcule y est arrondi. Fixe dès qu''il y a de l''argent.'
  from core.parametre p where p.cle = 'DEVISE_DEFAUT'
on conflict (cle) do nothing;
