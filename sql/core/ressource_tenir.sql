-- A write that depends on a version holds the rows of its resource before it reads this version. Read committed, as the
-- locks of tills and closed months need it: with one snapshot, the write would miss a till that was closed meanwhile.

create function core._ressource(p_detail text, p_cle text, p_valeur text) returns text
language sql stable
return (
  select format('select from %s', coalesce(
           (select k.conrelid::regclass
              from pg_catalog.pg_constraint k
              join pg_catalog.pg_attribute a on a.attrelid = k.conrelid and a.attnum = k.conkey[1]
             where k.connamespace = to_regnamespace(split_part(p_detail, '.', 1)) and k.contype = 'p'
               and cardinality(k.conkey) = 1 and a.attname = p_cle
               and not exists (select from pg_catalog.pg_constraint f
                                where f.conrelid = k.conrelid and f.contype = 'f' and f.conkey = k.conkey)),
           regexp_replace(p_detail, '_(detail|lister)$', '')::regclass))
      || case when p_cle is null then '' else format(' where %I = %L', p_cle, p_valeur) end || ' for no key update');
comment on function core._ressource is
  'Instruction qui verrouille les lignes d''une ressource : celles de la table du schéma que sa clé identifie, sinon de la table qui a le nom du détail ; toutes sans clé.';

create function core.ressource_tenir(p_detail text, p_cle text, p_valeur text) returns void
language plpgsql volatile security definer set search_path = pg_catalog, pg_temp as $$
begin
  execute core._ressource(p_detail, p_cle, p_valeur);
end $$;
comment on function core.ressource_tenir is
  'Tient une ressource jusqu''à la fin de la transaction : personne d''autre ne la change. Ne dit rien de celle qui n''existe pas.';
