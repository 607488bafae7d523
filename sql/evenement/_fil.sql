-- The feed: which events are complete, and which of them the caller may read.

create view evenement.evenement_vue as
select e.id_evenement as id, e.date, e.type, e.version, split_part(e.type, '.', 1) as entite, e.id_entite, e.donnees
  from evenement.evenement e;
comment on view evenement.evenement_vue is 'Événements.';
comment on column evenement.evenement_vue.id is 'Croît dans l''ordre des validations.';
comment on column evenement.evenement_vue.entite is 'Premier mot du type.';
comment on column evenement.evenement_vue.donnees is 'L''entité telle que la lisait une opération à la fin de la transaction ; le type dit sa forme.';
call core.null_comme('evenement.evenement_vue', 'evenement.evenement');
call core.jamais_null('evenement.evenement_vue', 'entite');

-- An event whose transaction still runs may have a smaller identifier than a committed one. A transaction that does not
-- end in time holds up only the events after its own: the identifiers before the first gap are all there.
create function evenement._complet_jusqu_a(p_apres bigint) returns bigint
language plpgsql volatile as $$
declare
  v_sequence constant regclass := pg_get_serial_sequence('evenement.evenement', 'id_evenement');
  v_dernier constant bigint := coalesce(pg_sequence_last_value(v_sequence), 0);
begin
  if v_dernier <= p_apres or core._identifiants_attendre(array[v_sequence]) then
    return v_dernier;
  end if;
  return p_apres + (select count(*) from (select e.id_evenement, row_number() over (order by e.id_evenement) as rang
                                            from evenement.evenement e where e.id_evenement > p_apres
                                           order by e.id_evenement limit 10000) x
                     where x.id_evenement = p_apres + x.rang);
end $$;
comment on function evenement._complet_jusqu_a(bigint) is
  'Identifiant jusqu''auquel aucun événement ne peut plus paraître après celui-ci. Attend, deux secondes au plus, les transactions qui en écrivent.';

create function evenement._types(p_types text) returns setof evenement.type_evenement
language plpgsql stable as $$
declare
  v_types constant text[] := regexp_split_to_array(p_types, ',');
  v_inconnu text;
begin
  select x.type into v_inconnu from unnest(v_types) x (type)
   where not exists (select from evenement.type_evenement t where t.type = x.type) limit 1;
  if found then
    perform core.refuser(400, 'TYPE_INCONNU', format('« %s » n''est pas un type d''événement.', left(v_inconnu, 50)));
  end if;
  return query select t.* from evenement.type_evenement t
                where (v_types is null or t.type = any (v_types)) and core.client() is null and auth._permise(t.permission);
end $$;
comment on function evenement._types(text) is
  'Types séparés par des virgules, tous si null : ceux que les permissions de l''utilisateur laissent lire. Refuse TYPE_INCONNU.';

create function evenement._visible(p_limite evenement.limite, p_id_activite bigint, p_id_caisse bigint) returns boolean
language sql stable
return case when p_limite = 'AUCUNE' then true
            when p_limite = 'ACTIVITE' then core._visible(p_id_activite, core.activite())
            else core._visible(p_id_activite, core.activite()) and core._visible(p_id_caisse, core.caisse()) end;
comment on function evenement._visible(evenement.limite, bigint, bigint) is
  'Vrai si ni l''activité ni la caisse de l''utilisateur ne lui cachent un événement.';
