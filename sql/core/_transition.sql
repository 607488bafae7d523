-- State machines as data. The file of each entity declares its transitions, and one trigger refuses any other.

create table core.transition (
  entite text not null,
  de text not null,
  vers text not null,
  action text not null,
  constraint transition_pkey primary key (entite, de, vers)
);
comment on table core.transition is 'Passages permis d''un état à un autre ; refait avec le code.';
comment on column core.transition.entite is 'Table, schéma compris.';
comment on column core.transition.de is 'État quitté.';
comment on column core.transition.vers is 'État pris.';
comment on column core.transition.action is 'Ce qui fait passer, dans les mots de l''utilisateur.';

create function core._t20_transition() returns trigger
language plpgsql as $$
declare
  v_entite text := tg_table_schema || '.' || tg_table_name;
begin
  if new.statut <> old.statut and not exists (
    select from core.transition t where t.entite = v_entite and t.de = old.statut::text and t.vers = new.statut::text)
  then
    perform core.refuser(409, 'TRANSITION_INTERDITE',
      format('Le passage de %s à %s n''est pas permis.', core.etat_ecrire(old.statut::text),
             core.etat_ecrire(new.statut::text)),
      jsonb_build_object('de', old.statut, 'vers', new.statut, 'permis', array(
        select t.vers from core.transition t where t.entite = v_entite and t.de = old.statut::text order by t.vers)));
  end if;
  return new;
end $$;
comment on function core._t20_transition is 'Refuse un passage d''état absent de core.transition : TRANSITION_INTERDITE.';

create procedure core.transitions(p_table regclass, variadic p_passages text[])
language plpgsql as $$
begin
  insert into core.transition (entite, de, vers, action)
  select p_table::text, m[1], split_part(v.texte, ' ', 1), substr(v.texte, strpos(v.texte, ' ') + 1)
    from unnest(p_passages) p (passage)
   cross join lateral regexp_match(p.passage, '^(\w+): (.+)$') m
   cross join lateral string_to_table(m[2], '; ') v (texte);
  execute format('create trigger t20_transition_interdite before update of statut on %s
                  for each row execute function core._t20_transition()', p_table);
end $$;
comment on procedure core.transitions is
  'Déclare les passages permis d''une table, « état: état action; état action » par état quitté, et les fait tenir par le déclencheur.';
