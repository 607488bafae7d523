-- The triggers are in the other files of this folder, because the tables belong to slices that know no events. Most are
-- deferred to the commit. They then read the entity as the whole transaction leaves it, and take the identifiers of
-- their events last, so that these grow in the order of the commits.

create type evenement.limite as enum ('AUCUNE', 'ACTIVITE', 'CAISSE');
comment on type evenement.limite is 'Qui ne lit pas tous les événements d''un type. ACTIVITE : un compte limité à une autre activité. CAISSE : aussi un compte limité à une autre caisse. AUCUNE : la permission suffit.';

create table evenement.type_evenement (
  type text not null,
  version smallint not null,
  forme regclass not null,
  permission auth.code_permission not null,
  limite evenement.limite not null,
  description text not null,
  constraint type_evenement_pkey primary key (type, version)
);
comment on table evenement.type_evenement is 'Types d''événements ; refaite avec le code.';
comment on column evenement.type_evenement.type is 'Entité et fait, par exemple facture.emise.';
comment on column evenement.type_evenement.version is 'Forme de donnees.';
comment on column evenement.type_evenement.forme is 'Vue dont donnees est une ligne.';
comment on column evenement.type_evenement.permission is 'Permission que demande leur lecture.';
comment on column evenement.type_evenement.limite is 'Ce qui limite leur lecture, en plus de la permission.';
comment on column evenement.type_evenement.description is 'Ce qui les fait naître.';

create procedure evenement.declarer(
  p_type text, p_forme regclass, p_permission text, p_description text,
  p_limite evenement.limite default 'ACTIVITE')
language plpgsql as $$
declare
  v_connue constant boolean := exists (select from evenement.type_evenement t where t.forme = p_forme);
begin
  insert into evenement.type_evenement (type, version, forme, permission, limite, description)
  values (p_type, 1, p_forme, p_permission, p_limite, p_description);
  if not v_connue then
    call evenement._json_creer(p_forme);
    call evenement._ligne_creer();
  end if;
end $$;
comment on procedure evenement.declarer is
  'Déclare un type d''événement ; une forme à laquelle un champ manquerait serait une autre version.';

create function evenement._emettre(
  p_type text, p_id_entite bigint, p_id_activite bigint, p_id_caisse bigint, p_donnees json) returns void
language plpgsql volatile as $$
begin
  insert into evenement.evenement (type, id_entite, id_activite, id_caisse, donnees, id_utilisateur, requete)
  values (p_type, p_id_entite, p_id_activite, p_id_caisse, p_donnees, core.utilisateur(), audit._requete());
end $$;
comment on function evenement._emettre is 'Écrit un événement ; donnees est le JSON d''une ligne de sa vue.';

-- Arguments: the type, the key of the entity, the code of its activity or '' if the row or its till names it, and the
-- key of the row in the view if it is another one.
create function evenement._t90_evenement() returns trigger
language plpgsql volatile security definer set search_path = pg_catalog, pg_temp as $$
declare
  v_ligne constant jsonb := to_jsonb(new);
  v_id_caisse constant bigint := (v_ligne ->> 'id_caisse')::bigint;
  v_forme regclass;
  v_donnees json;
begin
  select t.forme into strict v_forme from evenement.type_evenement t where t.type = tg_argv[0] and t.version = 1;
  v_donnees := evenement._ligne(v_forme, (v_ligne ->> coalesce(tg_argv[3], tg_argv[1]))::bigint);
  if v_donnees is not null then
    perform evenement._emettre(
      tg_argv[0], (v_ligne ->> tg_argv[1])::bigint,
      case when tg_argv[2] <> '' then facturation._activite(tg_argv[2])
           else coalesce((v_ligne ->> 'id_activite')::bigint,
                         (select c.id_activite from finances.caisse c where c.id_caisse = v_id_caisse)) end,
      v_id_caisse, v_donnees);
  end if;
  return null;
end $$;
comment on function evenement._t90_evenement is
  'Écrit l''événement d''une ligne, à la validation. Une ligne effacée entre-temps n''en laisse aucun.';

-- Most events tell that a row is inserted, or takes a state; p_quand is then null or this state. Others are written as
-- in « create trigger », « update when … ». The first column of a view is its key.
create procedure evenement.declarer_ligne(
  p_type text, p_table regclass, p_quand text, p_activite text, p_forme regclass, p_description text,
  p_limite evenement.limite default 'ACTIVITE')
language plpgsql as $$
declare
  v_quand constant text := coalesce(case when p_quand ~ '^\w+$'
    then format('update when (new.statut = %1$L and old.statut <> %1$L)', p_quand) else p_quand end, 'insert ');
begin
  call evenement.declarer(
    p_type, p_forme, upper(split_part(p_table::text, '.', 1)) || '.VOIR', p_description, p_limite);
  execute format(
    'create constraint trigger t90_evenement_%s after %s on %s deferrable initially deferred for each row %s '
    'execute function evenement._t90_evenement(%L, %L, %L)',
    split_part(p_type, '.', 2), split_part(v_quand, ' ', 1), p_table, substr(v_quand, strpos(v_quand, ' ') + 1),
    p_type, (select a.attname from pg_attribute a where a.attrelid = p_forme and a.attnum = 1), p_activite);
end $$;
comment on procedure evenement.declarer_ligne is
  'Déclare un type d''événement qu''écrit une ligne à son insertion, en prenant cet état, ou quand p_quand le dit.';

call core.figer('EVENEMENT_FIGE', 'Un événement ne change ni ne s''efface.',
  'before delete or truncate on evenement.evenement');
