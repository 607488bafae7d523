create function core.nombre_ecrire(p_nombre numeric) returns text
language sql immutable parallel safe
return case when p_nombre < 0 then '−' else '' end
    || regexp_replace(trunc(abs(p_nombre))::text, '(\d)(?=(\d{3})+$)', '\1' || chr(160), 'g')
    || coalesce(',' || substring(trim_scale(abs(p_nombre))::text from '\.(\d+)$'), '');
comment on function core.nombre_ecrire is 'Un nombre en français : « 14 200 », « 1,5 » ; ses espaces sont insécables.';

create function core.montant_ecrire(p_montant numeric) returns text
language sql stable parallel safe
return case when round(p_montant, 2) < 0 then '−' else '' end
    || core.nombre_ecrire(trunc(round(abs(p_montant), 2)))
    || case when round(p_montant, 2) % 1 = 0 then ''
            else ',' || lpad(trunc(round(abs(p_montant), 2) % 1 * 100)::text, 2, '0') end
    || chr(160) || core.parametre('DEVISE_DEFAUT');
comment on function core.montant_ecrire is
  'Un montant dans la devise de l''organisation : « −14 200 FCFA », « 0,50 EUR » ; des centimes seulement s''il y en a.';

create function core.etat_ecrire(p_etat text) returns text
language sql stable parallel safe
return '« ' || (select m.mots from core.en_mots('ETAT', p_etat) m) || ' »';
comment on function core.etat_ecrire is 'Un état en mots, entre guillemets : « en préparation ».';
