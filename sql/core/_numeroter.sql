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

create function core._numeroter(p_type text, p_annee integer default null) returns text
language plpgsql volatile as $$
declare
  v_rang constant bigint := core._rang(p_type, p_annee);
begin
  return concat_ws('-', (select p.valeur from core.parametre p where p.cle = 'CODE_ORGANISATION'), p_type, p_annee,
                   core._chiffres(v_rang, 3));
end $$;
comment on function core._numeroter is 'Numéro suivant d''une série, sans trou : <ORG>-<TYPE>[-<AAAA>]-<NNN> ; davantage de chiffres après 999.';

create function core._t50_numeroter() returns trigger
language plpgsql volatile as $$
begin
  new.numero := core._numeroter(tg_argv[0], core._annee_du_numero());
  return new;
end $$;
comment on function core._t50_numeroter is 'Numéro sans trou d''une ligne, de l''année en cours. Argument : la série.';
