-- Numbers without gaps: the counter is locked until the commit, so an operation takes its number as late as possible.

create function core._chiffres(p_valeur bigint, p_minimum integer) returns text
language sql immutable parallel safe
return lpad(p_valeur::text, greatest(p_minimum, length(p_valeur::text)), '0');
comment on function core._chiffres is 'Un rang écrit avec ce nombre de chiffres au moins.';

create function core._rang(p_type text, p_annee integer default null) returns bigint
language plpgsql volatile as $$
declare
  v_valeur bigint;
begin
  insert into core.compteur as c (type, annee, valeur) values (p_type, coalesce(p_annee, 0), 1)
  on conflict (type, annee) do update set valeur = c.valeur + 1
  returning valeur into v_valeur;
  return v_valeur;
end $$;
comment on function core._rang is 'Rang suivant d''une série, sans trou.';

-- PL/pgSQL keeps the plan. PostgreSQL does not inline an SQL function with a query.
create function core._numero(p_type text, p_annee integer, p_valeur bigint) returns text
language plpgsql stable as $$
begin
  return concat_ws('-', (select p.valeur from core.parametre p where p.cle = 'CODE_ORGANISATION'), p_type, p_annee,
                   core._chiffres(p_valeur, 3));
end $$;
comment on function core._numero is 'Écriture d''un numéro : trois chiffres au moins, davantage après 999.';

create function core._numeroter(p_type text, p_annee integer default null) returns text
language plpgsql volatile as $$
begin
  return core._numero(p_type, p_annee, core._rang(p_type, p_annee));
end $$;
comment on function core._numeroter is 'Numéro suivant d''une série, sans trou : <ORG>-<TYPE>[-<AAAA>]-<NNN>.';
