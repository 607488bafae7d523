-- Gapless numbers. The counter row stays locked until the commit: take the number as late as the operation allows.

create function core._numeroter(p_type text, p_annee integer default null) returns text
language plpgsql volatile as $$
declare
  v_valeur bigint;
begin
  insert into core.compteur as c (type, annee, valeur) values (p_type, coalesce(p_annee, 0), 1)
  on conflict (type, annee) do update set valeur = c.valeur + 1
  returning valeur into v_valeur;
  return core._numero(p_type, p_annee, v_valeur);
end $$;
comment on function core._numeroter(text, integer) is 'Numéro suivant d''une série, sans trou : <ORG>-<TYPE>[-<AAAA>]-<NNN>.';

create function core._numero(p_type text, p_annee integer, p_valeur bigint) returns text
language sql stable
return concat_ws('-', core.parametre('CODE_ORGANISATION'), p_type, p_annee,
                 lpad(p_valeur::text, greatest(3, length(p_valeur::text)), '0'));
comment on function core._numero(text, integer, bigint) is 'Écriture d''un numéro : trois chiffres au moins, davantage après 999.';
