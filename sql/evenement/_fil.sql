-- The feed: which events are complete, and which of them the caller may read.

create view evenement.evenement_vue as
select e.id_evenement as id, e.date, e.type, e.version, split_part(e.type, '.', 1) as entite, e.id_entite, e.donnees
  from evenement.evenement e;
comment on view evenement.evenement_vue is 'Événements.';
comment on column evenement.evenement_vue.id is 'Croît dans l''ordre des validations.';
comment on column evenement.evenement_vue.entite is 'Premier mot du type.';
comment on column evenement.evenement_vue.donnees is 'L''entité telle que la lisait une opération à la fin de la transaction ; le type dit sa forme.';
call core.jamais_null('evenement.evenement_vue', 'entite');
call evenement._json_creer('evenement.evenement_vue');

create function evenement._dernier() returns bigint
language sql volatile
-- pg_sequence_last_value would lock the sequence as a writer does: two readers would wait for each other.
return coalesce((select s.last_value from evenement.evenement_id_evenement_seq s where s.is_called), 0);
comment on function evenement._dernier is 'Dernier identifiant donné à un événement, 0 avant le premier.';

-- An event whose transaction still runs may have a smaller identifier than a committed one. A transaction that does not
-- end in time holds up only the events after its own: the identifiers before the first gap are all there.
create function evenement._complet_jusqu_a(p_apres bigint) returns bigint
language plpgsql volatile as $$
declare
  v_dernier constant bigint := evenement._dernier();
begin
  if v_dernier <= p_apres or core._identifiants_attendre('{evenement.evenement_id_evenement_seq}') then
    return v_dernier;
  end if;
  return p_apres + (select count(*) from (select e.id_evenement, row_number() over (order by e.id_evenement) as rang
                                            from evenement.evenement e where e.id_evenement > p_apres
                                           order by e.id_evenement limit 10000) x
                     where x.id_evenement = p_apres + x.rang);
end $$;
comment on function evenement._complet_jusqu_a is
  'Identifiant jusqu''auquel aucun événement ne peut plus paraître après celui-ci. Attend, deux secondes au plus, les transactions qui en écrivent. Refuse ISOLATION_IMPREVUE.';

create function evenement._types_connus(p_types text[]) returns void
language plpgsql stable as $$
declare
  v_inconnu text;
begin
  select x.type into v_inconnu from unnest(p_types) x (type)
   where not exists (select from evenement.type_evenement t where t.type = x.type) limit 1;
  if found then
    perform core.refuser(400, 'TYPE_INCONNU', format('« %s » n''est pas un type d''événement.', left(v_inconnu, 50)));
  end if;
end $$;
comment on function evenement._types_connus is 'Refuse TYPE_INCONNU pour ce qui n''est pas un type d''événement.';

-- Each type is read by its own index, so that a rare type costs the same in a long feed.
create function evenement._lire(p_apres bigint, p_jusqu_a bigint, p_types text[], p_limit integer)
returns setof evenement.evenement_vue
language plpgsql volatile as $$
begin
  return query
    select v.* from evenement.evenement_vue v
      join (select x.id_evenement
              from evenement.type_evenement t
             cross join lateral (
               select e.id_evenement from evenement.evenement e
                where e.type = t.type and e.version = t.version
                  and e.id_evenement > p_apres and e.id_evenement <= p_jusqu_a
                  and (t.limite = 'AUCUNE' or core._visible(e.id_activite, core.activite()))
                  and (t.limite <> 'CAISSE' or core._visible(e.id_caisse, core.caisse()))
                order by e.id_evenement limit p_limit) x
             where (p_types is null or t.type = any (p_types)) and core.client() is null and auth._permise(t.permission)
             order by x.id_evenement limit p_limit) choisis on choisis.id_evenement = v.id
     order by v.id;
end $$;
comment on function evenement._lire is
  'Événements entre deux identifiants, le second compris, que les droits de l''utilisateur laissent voir ; tous les types si null.';
