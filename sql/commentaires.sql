-- A column of a view or of a request body without a comment gets the comment of the table column of that name. A column
-- of a table whose name is clear, as a key is, gets its name in words instead, which tells a reader of the API nothing
-- and is not copied. A comment written in sql/ or in migrations/ stays.
do $$
declare
  v record;
begin
  for v in
    with cle as (
      select distinct k.conrelid, a.attnum
        from pg_constraint k
        join pg_attribute a on a.attrelid = k.conrelid and a.attnum = any (k.conkey)
        left join pg_attribute r on r.attrelid = k.confrelid and r.attnum = k.confkey[1]
       where k.contype = 'p' and a.attname like 'id\_%'
          or k.contype = 'f' and cardinality(k.conkey) = 1 and a.attname = r.attname
         and a.attname <> 'id_utilisateur'),  -- its comment says whether the user wrote the row or is its subject
    en_mots as (
      select c.oid, a.attnum,
             case when cle.attnum is null then upper(left(titre.mots, 1)) || substr(titre.mots, 2)
                  else 'Clé : ' || coalesce(ligne.mots, nue.mots) end || '.' as mots
        from pg_class c
        join pg_attribute a on a.attrelid = c.oid
        left join cle on cle.conrelid = c.oid and cle.attnum = a.attnum
        left join core.mot ligne on ligne.genre = 'LIGNE' and ligne.nom = a.attname
       cross join core.en_mots('LIGNE', regexp_replace(a.attname, '^id_', '')) nue
       cross join core.en_mots('TITRE', a.attname) titre
       where c.relkind in ('r', 'p') and c.relowner = 'comptoir_owner'::regrole
         and (cle.attnum is not null
              or a.attname in ('adresse', 'date_naissance', 'email', 'libelle', 'lieu_naissance', 'nationalite', 'nom',
                               'pays', 'prenom', 'prenoms', 'profession', 'sexe', 'telephone', 'ville'))),
    colonne as (
      select c.oid, n.nspname as tranche, c.relname as nom, a.attname, a.attnum, m.mots,
             nullif(col_description(c.oid, a.attnum), m.mots) as commentaire
        from pg_class c
        join pg_namespace n on n.oid = c.relnamespace
        join pg_attribute a on a.attrelid = c.oid
        left join en_mots m on m.oid = c.oid and m.attnum = a.attnum
       where a.attnum > 0 and not a.attisdropped and c.relkind in ('r', 'p', 'v', 'c'))
    select copie.oid::regclass as relation, copie.attname,
           coalesce(vue.commentaire, originale.commentaire, copie.mots) as commentaire
      from colonne copie
      left join colonne originale
        on originale.tranche = copie.tranche and originale.attname = copie.attname
       and originale.nom = regexp_replace(copie.nom, '(_detail)?_vue$|_champs$', '')
      left join colonne vue
        on vue.tranche = copie.tranche and vue.attname = copie.attname
       and vue.nom = replace(copie.nom, '_detail_vue', '_vue') and vue.oid <> copie.oid
     where (copie.nom ~ '_(vue|champs)$' or copie.mots is not null) and copie.commentaire is null
       and coalesce(vue.commentaire, originale.commentaire, copie.mots) is not null
  loop
    execute format('comment on column %s.%I is %L', v.relation, v.attname, v.commentaire);
  end loop;
end $$;
