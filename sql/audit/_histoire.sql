create type audit.table_tenue as (module text, entite text);
comment on type audit.table_tenue is 'Une table dont le journal tient les lignes.';

-- Two slices may have a table of the same name: the name then needs its module, before a point or apart.
create function audit._entite(p_entite text, p_id text, p_module text) returns audit.table_tenue
language plpgsql stable as $$
declare
  v_nom constant text := split_part(p_entite, '.', -1);
  v_module constant text := coalesce(p_module, nullif(substring(p_entite from '^(.*)\.'), ''));
  v_tables constant audit.table_tenue[] := array(
    select row(n.nspname, c.relname)::audit.table_tenue
      from pg_catalog.pg_trigger t
      join pg_catalog.pg_class c on c.oid = t.tgrelid
      join pg_catalog.pg_namespace n on n.oid = c.relnamespace
     where t.tgname = 't90_journal_insertion' and c.relname = v_nom and (v_module is null or n.nspname = v_module)
     order by 1);
begin
  if cardinality(v_tables) = 0 then
    perform core.refuser(404, 'ENTITE_INCONNUE', format('Le journal ne tient pas de « %s ».', left(p_entite, 60)));
  elsif cardinality(v_tables) > 1 then
    perform core.refuser(400, 'ENTITE_AMBIGUE',
                         format('Plusieurs modules ont une entité « %s » : dites lequel, par exemple %s.%1$s.',
                                v_nom, v_tables[1].module));
  -- A limited caller does not learn whether a row of others exists.
  elsif not auth._sans_bornes() and not exists (
       select from audit._trace_visible_vue j
        where j.module = v_tables[1].module and j.entite = v_tables[1].entite and j.entite_id = p_id) then
    raise no_data_found;
  end if;
  return v_tables[1];
end $$;
comment on function audit._entite is
  'Table journalisée de ce nom, seul ou après son module. Refuse ENTITE_INCONNUE, ENTITE_AMBIGUE ; NOT_FOUND à qui est limité et ne voit rien de cette ligne.';

create type audit.difference as (champ text, avant text, apres text);
comment on type audit.difference is 'Un champ qu''une écriture change.';
comment on column audit.difference.avant is 'Null si le champ était vide, ou la ligne pas encore créée.';
comment on column audit.difference.apres is 'Null si le champ est vide, ou la ligne supprimée.';
call core.peut_etre_null('audit.difference', 'avant', 'apres');

-- The values are compared as they are and shown masked, in the order of the columns. Some columns exist no more.
create function audit._differences(p_module text, p_entite text, p_avant jsonb, p_apres jsonb)
returns audit.difference[]
language sql stable
return array(
  select row(c.champ, m.avant ->> c.champ, m.apres ->> c.champ)::audit.difference
    from (select audit._masquer_profond(p_avant) as avant, audit._masquer_profond(p_apres) as apres offset 0) m
   cross join lateral (select jsonb_object_keys(coalesce(p_apres, '{}') || coalesce(p_avant, '{}')) as champ) c
    left join pg_catalog.pg_attribute a
      on a.attrelid = to_regclass(format('%I.%I', p_module, p_entite)) and a.attname = c.champ and a.attnum > 0
   where (p_avant ->> c.champ) is distinct from (p_apres ->> c.champ)
   order by a.attnum nulls last, c.champ);
comment on function audit._differences is 'Champs qui diffèrent d''une ligne à l''autre, leurs secrets masqués.';
-- The depth was checked when the row of the journal was written.
call core.ne_refuse_pas('audit._differences', 'TROP_IMBRIQUE');

create view audit.changement_vue as
select j.id_trace, j.date_heure, j.operation,
       (select u.login from auth.utilisateur u where u.id_utilisateur = j.id_utilisateur) as login, j.cle, j.requete,
       audit._differences(j.module, j.entite, j.avant, j.apres) as differences, j.module, j.entite, j.entite_id
  from audit._trace_visible_vue j;
comment on view audit.changement_vue is 'Une écriture d''une ligne : quand, par qui, et les champs qu''elle change.';
comment on column audit.changement_vue.login is 'Login de l''auteur, null pour le système.';
comment on column audit.changement_vue.cle is 'Clé d''API de l''auteur, « libellé (préfixe) » ; null s''il était connecté.';
comment on column audit.changement_vue.requete is 'Identifiant de la requête, null hors de l''API.';
comment on column audit.changement_vue.differences is 'Dans l''ordre des colonnes. Un secret y paraît sous la forme *** ; le journal n''en dit pas le changement. Liste vide : ce qui a changé est masqué, ou effacé depuis.';
call core.peut_etre_null('audit.changement_vue', 'login', 'cle', 'requete', 'entite_id');

create type audit.portee as (depuis timestamptz, mois_archives text[], champs_masques text[]);
comment on type audit.portee is 'Ce que l''histoire d''une ligne peut dire.';
comment on column audit.portee.depuis is 'Première entrée du journal dans la base, null s''il est vide ; une ligne plus ancienne n''a pas de création.';
comment on column audit.portee.mois_archives is 'Mois du journal qui sont dans le stockage : leurs changements manquent tant qu''ils n''en sont pas remis.';
comment on column audit.portee.champs_masques is 'Champs dont le journal tait la valeur.';
call core.peut_etre_null('audit.portee', 'depuis');

create function audit._mois_archives(p_depuis timestamptz) returns text[]
language sql stable
return array(
  select distinct replace(substr(a.partie, 9), '_', '-') from audit.archive a
   where a.au > p_depuis and not exists (select from audit.partie_vue p where p.nom = a.partie) order by 1);
comment on function audit._mois_archives is 'Mois du journal, après cet instant, qui ne sont que dans le stockage.';
