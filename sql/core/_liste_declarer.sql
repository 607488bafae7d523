-- A file of sql/ declares a list by its view, its order and its filters (docs/decisions/0087-listes-declarees.md). A
-- filter is a parameter, with its type and its condition where the view does not give them:
--   'statut'                      the column is equal to the parameter; a column of text contains the parameter
--   'employe: id_employe'         the column has another name
--   'du: date', 'au: date'        du and au end the name: the first and the last value, or day of an instant
--   'periode core.periode'        the type of the parameter; a column of text is then equal to the parameter
--   'code: v.code = upper($)'     the condition; a parameter without a column or a type is a text
--   'client: true'                no condition: the value of another filter names p_client
--   'actif boolean default true'  the default; a parameter without a default keeps all rows when it is null
--   'id_caisse := f($): …'        the value that the condition gets for the parameter

create procedure core.liste(p_fonction text, p_vue regclass, p_tri text, variadic p_filtres text[])
language plpgsql as $$
declare
  v record;
  v_recherche text[] := array[]::text[];  -- the parameter that stands before the parameters of the page
  v_parametres text[] := array[]::text[];
  v_conditions text[] := array[]::text[];
  v_valeurs text[] := array[]::text[];
  v_type text;
  v_condition text;
  v_valeur text;
begin
  for v in
    select x.filtre, '$' || x.rang as place, 'p_' || m.f[1] as parametre, m.f[2] as type, m.f[3] as valeur,
           m.f[4] as condition,
           substring(m.f[1] from '(?:^|_)(du|au)$') as borne, 'v.' || quote_ident(a.attname) as colonne,
           format_type(a.atttypid, a.atttypmod) as type_de_colonne, t.typcategory = 'S' as texte
      from unnest(p_filtres) with ordinality x (filtre, rang)
     cross join lateral regexp_match(x.filtre, '^(\w+)(?: ([^:]+?))?(?: := ([^:]+))?(?::\s+(.+))?$') m (f)
      left join pg_attribute a on a.attrelid = p_vue and a.attnum > 0 and a.attname = coalesce(m.f[4], m.f[1])
      left join pg_type t on t.oid = a.atttypid
     order by x.rang
  loop
    v_type := coalesce(v.type, v.type_de_colonne, 'text');
    v_valeur := coalesce(replace(v.valeur, '$', v.parametre), v.parametre);
    if v.condition like '%$%' or v.condition = 'true' then
      v_condition := replace(v.condition, '$', v.place);
    elsif v.colonne is null then
      raise undefined_column using message = format('%s : « %s » n''a pas de colonne', p_fonction, v.filtre);
    elsif v.borne <> '' and v_type = 'timestamp with time zone' then
      v_type := 'date';
      v_valeur := format('core.debut_du_jour(%s%s)', v.parametre, case v.borne when 'au' then ' + 1' end);
      v_condition := v.colonne || case v.borne when 'du' then ' >= ' else ' < ' end || v.place;
    elsif v.borne <> '' then
      v_condition := v.colonne || case v.borne when 'du' then ' >= ' else ' <= ' end || v.place;
    elsif v.texte and v.type is null then
      v_type := 'text';
      v_condition := format('core._contient(%s, %s)', v.colonne, v.place);
    else
      v_condition := v.colonne || ' = ' || v.place;
    end if;
    v_valeurs := v_valeurs || v_valeur;
    if v_type like '% default %' then
      v_conditions := v_conditions || v_condition;
    else
      v_type := v_type || ' default null';
      v_conditions := v_conditions || format('(%s is null or %s)', v.place, v_condition);
    end if;
    if v.parametre = 'p_recherche' then
      v_recherche := array[v.parametre || ' ' || v_type];
    else
      v_parametres := v_parametres || (v.parametre || ' ' || v_type);
    end if;
  end loop;
  call core._operation(
    format('%s(%s)', p_fonction, array_to_string(
      v_recherche || array['p_sort text default null', 'p_order core.sens default null',
                           'p_limit core.limite default 1000', 'p_offset core.decalage default 0'] || v_parametres, ', ')),
    'setof ' || p_vue, 'stable', format('
begin
  return query execute core._liste(%L, $filtre$
        %s
  $filtre$, %L, p_sort, p_order, p_limit, p_offset)
  using %s;
end ', p_vue, array_to_string(v_conditions, E'\n    and '), p_tri, array_to_string(v_valeurs, ', ')));
end $$;
comment on procedure core.liste is
  'Écrit la fonction d''une liste : vue, tri par défaut (comme core._liste), et ses filtres dans l''ordre de ses paramètres. Une vue sans la colonne d''un filtre arrête le chargement.';

create procedure core.liste_entiere(p_fonction text, p_vue regclass, p_tri text)
language plpgsql as $$
begin
  call core._operation(p_fonction || '()', 'setof ' || p_vue, 'stable', format('
begin
  return query select v.* from %s v order by %s;
end ', p_vue, p_tri));
end $$;
comment on procedure core.liste_entiere is 'Écrit la fonction qui rend toutes les lignes d''une vue courte, dans cet ordre.';
