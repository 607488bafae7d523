-- State machines as data. The file of each entity declares its transitions, and one trigger refuses any other.

create table core.transition (
  entite text not null,
  de text not null,
  vers text not null,
  constraint transition_pkey primary key (entite, de, vers)
);
comment on table core.transition is 'Passages permis d''un état à un autre ; refait avec le code.';
comment on column core.transition.entite is 'Table, schéma compris.';
comment on column core.transition.de is 'État quitté.';
comment on column core.transition.vers is 'État pris.';

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

create procedure core.transitions(p_entite regclass, variadic p_etats text[])
language plpgsql as $$
begin
  insert into core.transition (entite, de, vers)
  select p_entite::text, split_part(e, ': ', 1), unnest(string_to_array(split_part(e, ': ', 2), ' '))
    from unnest(p_etats) e;
  execute format('create trigger t20_transition_interdite before update of statut on %s '
                 'for each row execute function core._t20_transition()', p_entite);
end $$;
comment on procedure core.transitions is
  'Inscrit, pour chaque état d''une table, ceux qui le suivent (« OUVERT: EN_COURS RESOLU »), et refuse tout autre passage.';
