-- Facts that the program needs and PostgreSQL does not store. Each file of sql/ declares them beside its function, type
-- or view, and app/ reads them once at start. The refusals of operations are computed (_refus.sql): a file declares
-- only refusals that the bodies do not show. tests/house compares views with their tables.

create type core.genre_declaration as enum (
  'REFUS', 'REFUS_AJOUTE', 'REFUS_DU_CHAMP', 'SANS_REFUS', 'NULL', 'JAMAIS_NULL', 'ABSENT');
comment on type core.genre_declaration is
  'REFUS : une règle qu''une opération peut opposer, calculée. REFUS_AJOUTE : une règle qu''une fonction peut opposer sans que son corps le montre. REFUS_DU_CHAMP : une règle qu''une fonction n''oppose qu''à ce champ de la saisie. SANS_REFUS : une règle qui ne peut venir d''une fonction, bien qu''elle soit sous elle ; « * » : aucune ne le peut. NULL : un champ qui peut être null. JAMAIS_NULL : une colonne de vue qui ne l''est jamais, sans que ses tables le prouvent. ABSENT : un champ qui manque de la réponse au lieu d''y être null.';

create table core.declaration (
  objet text not null,
  genre core.genre_declaration not null,
  nom text not null,
  rang integer not null,
  champ text,
  constraint declaration_pkey primary key (objet, genre, nom)
);
comment on table core.declaration is 'Contrat des opérations et des types, là où PostgreSQL n''en garde rien ; refait avec le code.';
comment on column core.declaration.objet is 'Fonction, type composé ou vue, schéma compris.';
comment on column core.declaration.genre is 'Ce qui est déclaré.';
comment on column core.declaration.nom is 'Règle ou champ.';
comment on column core.declaration.rang is 'Ordre dans le document de l''API.';
comment on column core.declaration.champ is 'Champ que juge la règle d''un REFUS_DU_CHAMP ; null pour les autres genres.';

create procedure core._regles_declarer(
  p_fonction regproc, p_genre core.genre_declaration, p_regles text[], p_champ text default null)
language sql as $$
  insert into core.declaration (objet, genre, nom, rang, champ)
  select p_fonction::text, p_genre, r.regle, r.rang, p_champ from unnest(p_regles) with ordinality r (regle, rang);
$$;
comment on procedure core._regles_declarer is 'Inscrit des règles d''une fonction au contrat, dans leur ordre.';

create procedure core.peut_refuser(p_fonction regproc, variadic p_regles text[])
language sql as $$ call core._regles_declarer(p_fonction, 'REFUS_AJOUTE', p_regles); $$;
comment on procedure core.peut_refuser is
  'Ajoute des règles qu''une fonction oppose sans que son corps le montre : une contrainte d''une ligne qu''une autre fonction ou un déclencheur écrit.';

create procedure core.ne_refuse_que(p_fonction regproc, p_champ text, variadic p_regles text[])
language sql as $$ call core._regles_declarer(p_fonction, 'REFUS_DU_CHAMP', p_regles, p_champ); $$;
comment on procedure core.ne_refuse_que is
  'Affirme que des règles d''une fonction ne jugent qu''un champ de la saisie : une opération à qui personne ne le donne ne les oppose pas.';

create procedure core.ne_refuse_pas(p_fonction regproc, variadic p_regles text[])
language sql as $$ call core._regles_declarer(p_fonction, 'SANS_REFUS', p_regles); $$;
comment on procedure core.ne_refuse_pas is
  'Affirme que des règles ne peuvent venir d''une fonction, bien qu''un déclencheur ou une fonction sous elle les oppose, ou qu''elles valent pour toute saisie : qui l''appelle ne les publie pas.';

create procedure core._champs_declarer(p_type regclass, p_genre core.genre_declaration, p_champs text[])
language plpgsql as $$
declare
  v_inconnu text;
begin
  select x into v_inconnu from unnest(p_champs) x
   where not exists (select from pg_catalog.pg_attribute a
                      where a.attrelid = p_type and a.attname = x and a.attnum > 0 and not a.attisdropped);
  if found then
    raise undefined_column using message = format('%s n''a pas de champ %s', p_type, v_inconnu);
  end if;
  insert into core.declaration (objet, genre, nom, rang)
  select p_type::text, p_genre, r.champ, r.rang from unnest(p_champs) with ordinality r (champ, rang);
end $$;
comment on procedure core._champs_declarer is
  'Inscrit des champs d''un type ou d''une vue au contrat. Une vue ou un type sans ce champ arrête le chargement.';

create procedure core.peut_etre_null(p_type regclass, variadic p_champs text[])
language sql as $$ call core._champs_declarer(p_type, 'NULL', p_champs); $$;
comment on procedure core.peut_etre_null is
  'Déclare les champs d''un type composé ou d''une vue qui peuvent être null, ou manquer dans un corps de requête. Les autres ne le peuvent pas.';

call core.peut_etre_null('core.declaration', 'champ');

create procedure core.peut_manquer(p_type regclass, variadic p_champs text[])
language sql as $$
  call core._champs_declarer(p_type, 'NULL', p_champs);
  call core._champs_declarer(p_type, 'ABSENT', p_champs);
$$;
comment on procedure core.peut_manquer is
  'Déclare les champs d''un type composé qui manquent de la réponse JSON quand ils sont null.';

create procedure core.jamais_null(p_vue regclass, variadic p_colonnes text[])
language sql as $$ call core._champs_declarer(p_vue, 'JAMAIS_NULL', p_colonnes); $$;
comment on procedure core.jamais_null is
  'Affirme que des colonnes d''une vue ne sont jamais null, là où PostgreSQL ne peut pas le prouver : expressions, jointures externes qui trouvent toujours.';

create procedure core.null_comme(p_type regclass, p_modele regclass)
language sql as $$
  insert into core.declaration (objet, genre, nom, rang)
  select p_type::text, coalesce(d.genre, 'NULL'), a.attname, a.attnum
    from pg_catalog.pg_attribute a
    join pg_catalog.pg_attribute b on b.attrelid = p_modele and b.attname = a.attname and b.attnum > 0
    join pg_catalog.pg_class m on m.oid = b.attrelid
    left join core.declaration d on d.objet = p_modele::text and d.nom = b.attname
   where a.attrelid = p_type and a.attnum > 0 and not a.attisdropped
     and (d.genre is not null or m.relkind = 'r' and not b.attnotnull)
     and not exists (select from core.declaration e where e.objet = p_type::text and e.nom = a.attname);
$$;
comment on procedure core.null_comme is
  'Déclare des champs d''un type ou d''une vue ce qui vaut des champs de même nom d''un modèle : les colonnes d''une table, ou les déclarations d''une vue. Un champ déjà déclaré reste comme il est.';

create procedure core._nulls_inscrire()
language plpgsql as $$
declare
  v record;
begin
  for v in
    select c.oid::regclass as type, m.oid::regclass as modele
      from pg_catalog.pg_class c
      join pg_catalog.pg_class m on m.relnamespace = c.relnamespace and m.relkind in ('r', 'v')
       and m.relname = regexp_replace(c.relname, '_(champs|vue|detail_vue)$',
                                      case when c.relname ~ '_detail_vue$' then '_vue' else '' end)
     where c.relkind in ('v', 'c') and c.relname ~ '_(champs|vue)$'
     order by c.relname ~ '_detail_vue$'
  loop
    call core.null_comme(v.type, v.modele);
  end loop;
end $$;
comment on procedure core._nulls_inscrire is
  'Déclare, une fois le code chargé, les champs de x_vue et de x_champs comme la table x, et ceux de x_detail_vue comme x_vue.';

-- The files of the portal are loaded as another owner. sql/grants.sql revokes these grants once they are loaded.
grant select, insert on core.declaration to comptoir_portail;
grant execute on procedure core.peut_etre_null(regclass, text[]),
  core._champs_declarer(regclass, core.genre_declaration, text[]) to comptoir_portail;

create function core.declaration_lister() returns setof core.declaration
language sql stable security definer set search_path = pg_catalog, pg_temp
begin atomic
  select * from core.declaration d where d.genre in ('REFUS', 'NULL', 'ABSENT') order by d.objet, d.genre, d.rang;
end;
comment on function core.declaration_lister is
  'Ce que l''API lit à son démarrage : refus des opérations, champs qui peuvent être null.';
