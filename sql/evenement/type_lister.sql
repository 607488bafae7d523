create type evenement.type_decrit as (type text, version smallint, permission text, forme text, description text);
comment on type evenement.type_decrit is 'Type d''événement.';
comment on column evenement.type_decrit.permission is 'Permission que demande sa lecture.';
comment on column evenement.type_decrit.forme is 'Vue dont « donnees » est une ligne.';

create function evenement.type_lister() returns setof evenement.type_decrit
language sql stable security definer set search_path = pg_catalog, pg_temp
begin atomic
  select t.type, t.version, t.permission::text, t.forme::text, t.description
    from evenement.type_evenement t order by t.type, t.version;
end;
comment on function evenement.type_lister is 'Types d''événements, leur permission et ce qui les fait naître.';
