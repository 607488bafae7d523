-- A column of a view or of a request body often has the meaning of a table column with the same name. A column without
-- a comment therefore gets the comment of that column. This file runs after the code is loaded, and a comment written
-- in sql/ stays.
do $$
declare
  v record;
begin
  for v in
    with colonne as (
      select c.oid, n.nspname as tranche, c.relname as nom, a.attname, a.attnum,
             col_description(c.oid, a.attnum) as commentaire
        from pg_class c
        join pg_namespace n on n.oid = c.relnamespace
        join pg_attribute a on a.attrelid = c.oid
       where a.attnum > 0 and not a.attisdropped and c.relkind in ('r', 'v', 'c'))
    select copie.oid::regclass as relation, copie.attname,
           coalesce(vue.commentaire, originale.commentaire) as commentaire
      from colonne copie
      left join colonne originale
        on originale.tranche = copie.tranche and originale.attname = copie.attname
       and originale.nom = regexp_replace(copie.nom, '(_detail)?_vue$|_champs$', '')
      left join colonne vue
        on vue.tranche = copie.tranche and vue.attname = copie.attname
       and vue.nom = replace(copie.nom, '_detail_vue', '_vue') and vue.oid <> copie.oid
     where copie.nom ~ '_(vue|champs)$' and copie.commentaire is null
       and coalesce(vue.commentaire, originale.commentaire) is not null
  loop
    execute format('comment on column %s.%I is %L', v.relation, v.attname, v.commentaire);
  end loop;
end $$;
