-- The code of a person, <ORG>-<kind>-<NNN>. An imported code raises the counter, so that no later number repeats it.

create function core._t10_code() returns trigger
language plpgsql as $$
declare
  v_rang constant bigint := substring(new.code from format('-%s-([0-9]{1,18})$', tg_argv[0]))::bigint;
begin
  if new.code is null then
    new.code := core._numeroter(tg_argv[0]);
  elsif v_rang is not null then
    insert into core.compteur as c (type, annee, valeur) values (tg_argv[0], 0, v_rang)
    on conflict (type, annee) do update set valeur = greatest(c.valeur, excluded.valeur);
  end if;
  return new;
end $$;
comment on function core._t10_code is
  'Donne le code <ORG>-<genre>-<NNN> de la ligne ; un code importé fait avancer le compteur. Argument : le genre.';
