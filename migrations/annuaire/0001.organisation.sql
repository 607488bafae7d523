-- The registry: which organisation answers to which host name, and which server holds its database. It is a database of
-- its own. Commands of the operator write it as comptoir_owner; the API and the worker read it as comptoir_app.

create schema organisation;
comment on schema organisation is 'Annuaire des organisations et de leurs serveurs.';

create table organisation.serveur (
  nom text constraint serveur_pkey primary key
    constraint serveur_nom check (nom ~ '^[a-z][a-z0-9-]{0,29}$'),
  adresse text not null constraint serveur_adresse check (adresse ~ '^[^\s/@:]+:[0-9]{1,5}$'),
  repliques text[] not null default '{}'
    constraint serveur_repliques check (array_to_string(repliques, ' ') ~ '^([^\s/@:]+:[0-9]{1,5}( |$))*$')
);
comment on table organisation.serveur is 'Serveur PostgreSQL qui porte des organisations.';
comment on column organisation.serveur.nom is 'Nom court, donné par l''exploitant.';
comment on column organisation.serveur.adresse is 'Hôte et port du primaire, ou du relais qui le suit. Le compte et son mot de passe sont ceux d''ANNUAIRE_URL.';
comment on column organisation.serveur.repliques is 'Hôtes et ports de ses répliques, pour les rapports et les listes.';

comment on constraint serveur_nom on organisation.serveur is 'Un nom de serveur compte 1 à 30 lettres minuscules, chiffres ou tirets, et commence par une lettre.';
comment on constraint serveur_adresse on organisation.serveur is 'L''adresse d''un serveur s''écrit hôte:port, comme 10.0.0.5:5432.';
comment on constraint serveur_repliques on organisation.serveur is 'L''adresse d''une réplique s''écrit hôte:port, comme 10.0.0.6:5432.';

create type organisation.etat as enum ('CREATION', 'ACTIVE', 'SUSPENDUE', 'EN_RETARD', 'DEPLACEMENT', 'SUPPRESSION');
comment on type organisation.etat is
  'CREATION : sa base se prépare. ACTIVE. SUSPENDUE : elle ne répond plus. EN_RETARD : sa mise à jour a échoué, l''ancienne version est en place. DEPLACEMENT : elle se lit, et ne s''écrit pas. SUPPRESSION : elle s''archive et disparaît.';

create table organisation.organisation (
  id_organisation uuid not null default gen_random_uuid() constraint organisation_pkey primary key,
  code text not null constraint organisation_code unique
    constraint organisation_forme_du_code check (code ~ '^[a-z][a-z0-9-]{0,28}[a-z0-9]$' and code !~ '--'),
  base text not null generated always as ('comptoir_' || replace(code, '-', '_')) stored,
  serveur text not null constraint organisation_serveur_inconnu references organisation.serveur,
  etat organisation.etat not null default 'CREATION',
  motif text,
  etat_avant organisation.etat,
  motif_avant text,
  version text,
  archive text,
  date_creation timestamptz not null default now()
);
create index organisation_serveur on organisation.organisation (serveur);
comment on table organisation.organisation is 'Organisation : une base, sur un serveur.';
comment on column organisation.organisation.id_organisation is 'Ne se réemploie jamais, à la différence du code : de lui viennent la clé de ses jetons et le dossier de ses fichiers.';
comment on column organisation.organisation.code is 'Nom court, celui de X-Organisation.';
comment on column organisation.organisation.base is 'Nom de sa base. Deux soulignés de suite marquent les bases de passage d''un serveur : aucun code n''en donne.';
comment on column organisation.organisation.serveur is 'Serveur qui porte sa base.';
comment on column organisation.organisation.etat is 'Si elle répond.';
comment on column organisation.organisation.etat_avant is 'État à reprendre après un déplacement, ou une suppression à laquelle on renonce.';
comment on column organisation.organisation.motif_avant is 'Motif à reprendre avec cet état.';
comment on column organisation.organisation.version is 'Empreinte du code et des tables chargés dans sa base ; null tant qu''elle se prépare.';
comment on column organisation.organisation.motif is 'Pourquoi elle ne répond pas, pour qui appelle et pour l''exploitant.';
comment on column organisation.organisation.archive is 'Dossier de son archive, une fois complète : sa suppression n''a plus qu''à effacer.';

comment on constraint organisation_forme_du_code on organisation.organisation is 'Un code compte 2 à 30 lettres minuscules, chiffres ou tirets, commence par une lettre et ne finit pas par un tiret ; deux tirets ne se suivent pas.';
comment on constraint organisation_serveur_inconnu on organisation.organisation is 'Ce serveur porte des organisations : déplacez-les d''abord.';

create table organisation.hote (
  nom text constraint hote_pkey primary key
    constraint hote_nom check (nom ~ '^[a-z0-9]([a-z0-9.-]{0,251}[a-z0-9])?$'),
  id_organisation uuid not null constraint hote_organisation_inconnue references organisation.organisation on delete cascade
);
create index hote_id_organisation on organisation.hote (id_organisation);
comment on table organisation.hote is 'Nom d''hôte auquel une organisation répond.';

comment on constraint hote_nom on organisation.hote is 'Un nom d''hôte s''écrit en minuscules, sans port, comme acme.example.com.';

create table organisation.transition (
  de organisation.etat not null,
  vers organisation.etat not null,
  constraint transition_pkey primary key (de, vers)
);
comment on table organisation.transition is 'Passages permis d''un état à un autre.';
insert into organisation.transition (de, vers) values
  ('CREATION', 'ACTIVE'), ('CREATION', 'SUPPRESSION'),
  ('ACTIVE', 'SUSPENDUE'), ('SUSPENDUE', 'ACTIVE'),
  ('ACTIVE', 'EN_RETARD'), ('EN_RETARD', 'ACTIVE'), ('EN_RETARD', 'SUSPENDUE'),
  ('ACTIVE', 'DEPLACEMENT'), ('SUSPENDUE', 'DEPLACEMENT'), ('DEPLACEMENT', 'ACTIVE'), ('DEPLACEMENT', 'SUSPENDUE'),
  ('ACTIVE', 'SUPPRESSION'), ('SUSPENDUE', 'SUPPRESSION'), ('EN_RETARD', 'SUPPRESSION'),
  ('SUPPRESSION', 'ACTIVE'), ('SUPPRESSION', 'SUSPENDUE'), ('SUPPRESSION', 'EN_RETARD');

create function organisation._refuser(p_message text) returns void
language plpgsql as $$
begin
  raise exception using message = p_message;
end $$;

create function organisation._t10_transition() returns trigger
language plpgsql as $$
begin
  if new.etat <> old.etat
    and not exists (select from organisation.transition t where t.de = old.etat and t.vers = new.etat)
  then
    perform organisation._refuser(format('L''organisation %s est %s : elle ne passe pas à %s.', old.code, old.etat, new.etat));
  elsif new.etat <> old.etat and old.archive is not null then
    perform organisation._refuser(format('L''organisation %s est archivée : sa suppression ne peut plus que finir.', old.code));
  end if;
  return new;
end $$;
create trigger t10_transition before update of etat on organisation.organisation
  for each row execute function organisation._t10_transition();

create table organisation.revision (
  seule boolean not null default true constraint revision_pkey primary key constraint revision_seule check (seule),
  numero bigint not null
);
comment on table organisation.revision is 'Nombre de changements de l''annuaire : une lecture dit si quelque chose a changé.';
comment on column organisation.revision.numero is 'Grandit à chaque changement.';
insert into organisation.revision (numero) values (0);

-- Every process reads the organisation with this code again, or all of them when it hears no code.
create function organisation._t90_annoncer() returns trigger
language plpgsql as $$
declare
  v_ligne jsonb := to_jsonb(coalesce(new, old));
begin
  update organisation.revision set numero = numero + 1;
  perform pg_notify('annuaire', case tg_table_name
    when 'organisation' then v_ligne->>'code'
    when 'hote' then (
      select o.code from organisation.organisation o where o.id_organisation = (v_ligne->>'id_organisation')::uuid)
    else '' end);
  return null;
end $$;
create trigger t90_annoncer after insert or update or delete on organisation.organisation
  for each row execute function organisation._t90_annoncer();
create trigger t90_annoncer after insert or update or delete on organisation.hote
  for each row execute function organisation._t90_annoncer();
create trigger t90_annoncer after insert or update or delete on organisation.serveur
  for each row execute function organisation._t90_annoncer();

create view organisation.annuaire as
select o.id_organisation::text, o.code, o.base, o.serveur, s.adresse, s.repliques, o.etat::text, o.version, o.motif,
       array(select h.nom from organisation.hote h where h.id_organisation = o.id_organisation order by h.nom) as hotes
  from organisation.organisation o
  join organisation.serveur s on s.nom = o.serveur;
comment on view organisation.annuaire is 'Ce que l''API et le travailleur lisent de l''annuaire.';

create function organisation.inscrire(p_code text, p_serveur text, p_hotes text[]) returns organisation.annuaire
language plpgsql as $$
declare
  v_id uuid;
  v_serveur text := coalesce(p_serveur, (
    select s.nom from organisation.serveur s left join organisation.organisation o on o.serveur = s.nom
     group by s.nom order by count(o.code), s.nom limit 1));
  v_annuaire organisation.annuaire;
begin
  if v_serveur is null then
    perform organisation._refuser('L''annuaire n''a pas de serveur : comptoir serveur ajouter NOM HÔTE:PORT.');
  elsif not exists (select from organisation.serveur s where s.nom = v_serveur) then
    perform organisation._refuser(format('L''annuaire n''a pas de serveur %s.', v_serveur));
  end if;
  insert into organisation.organisation as o (code, serveur) values (p_code, v_serveur)
  on conflict on constraint organisation_code do update set motif = null where o.etat = 'CREATION'
  returning o.id_organisation into v_id;
  if v_id is null then
    perform organisation._refuser(format('L''organisation %s existe déjà.', p_code));
  end if;
  perform organisation.nommer(p_code, p_hotes);
  select a.* into v_annuaire from organisation.annuaire a where a.code = p_code;
  return v_annuaire;
end $$;
comment on function organisation.inscrire(text, text, text[]) is
  'Inscrit une organisation, ou reprend son inscription interrompue. Sans serveur, celui qui en porte le moins.';

create function organisation.nommer(p_code text, p_hotes text[]) returns void
language plpgsql as $$
declare
  v_id uuid := (select o.id_organisation from organisation.organisation o where o.code = p_code);
  v_autre text;
begin
  select format('%s répond déjà pour %s.', h.nom, o.code) into v_autre
    from organisation.hote h join organisation.organisation o using (id_organisation)
   where h.nom = any(p_hotes) and h.id_organisation <> v_id limit 1;
  if v_autre is not null then
    perform organisation._refuser(v_autre);
  end if;
  delete from organisation.hote h where h.id_organisation = v_id and h.nom <> all(p_hotes);
  insert into organisation.hote (nom, id_organisation) select distinct n, v_id from unnest(p_hotes) n
  on conflict on constraint hote_pkey do nothing;
end $$;
comment on function organisation.nommer(text, text[]) is 'Donne à une organisation ses noms d''hôte, et retire les autres.';

create function organisation.passer(
  p_code text, p_etat organisation.etat, p_motif text default null, p_version text default null, p_serveur text default null
) returns void
language plpgsql as $$
begin
  update organisation.organisation o
     set etat = p_etat, motif = p_motif,
         etat_avant = case when p_etat in ('DEPLACEMENT', 'SUPPRESSION') then case o.etat when p_etat then o.etat_avant else o.etat end end,
         motif_avant = case when p_etat in ('DEPLACEMENT', 'SUPPRESSION') then case o.etat when p_etat then o.motif_avant else o.motif end end,
         version = coalesce(p_version, o.version), serveur = coalesce(p_serveur, o.serveur)
   where o.code = p_code;
  if not found then
    perform organisation._refuser(format('L''annuaire n''a pas d''organisation %s.', p_code));
  end if;
end $$;
comment on function organisation.passer(text, organisation.etat, text, text, text) is
  'Fait passer une organisation à un état, et retient sa version et son serveur quand ils sont donnés. Un déplacement garde le motif de l''état qu''elle reprendra.';

create function organisation.arriver(p_code text, p_serveur text, p_version text) returns void
language sql
begin atomic
  select organisation.passer(p_code, o.etat_avant, o.motif_avant, p_version, p_serveur)
    from organisation.organisation o where o.code = p_code and o.etat = 'DEPLACEMENT';
end;
comment on function organisation.arriver(text, text, text) is 'Finit un déplacement : l''organisation reprend son état, sur ce serveur.';

-- A suspended organisation stays suspended, with its reason, however its upgrade ends.
create function organisation.mettre_a_jour(p_code text, p_version text, p_echec text) returns void
language sql
begin atomic
  update organisation.organisation o
     set version = case when p_echec is null then p_version else o.version end,
         etat = case when o.etat = 'SUSPENDUE' then o.etat when p_echec is null then 'ACTIVE' else 'EN_RETARD' end,
         motif = case when o.etat = 'SUSPENDUE' then o.motif else p_echec end
   where o.code = p_code;
end;
comment on function organisation.mettre_a_jour(text, text, text) is
  'Retient l''issue d''une mise à jour : la nouvelle version, ou pourquoi l''ancienne reste.';

create function organisation.archiver(p_code text, p_dossier text) returns void
language sql
begin atomic
  update organisation.organisation o set archive = p_dossier where o.code = p_code and o.etat = 'SUPPRESSION';
end;
comment on function organisation.archiver(text, text) is 'Retient que l''archive d''une organisation en suppression est complète.';

create function organisation.renoncer(p_code text) returns void
language sql
begin atomic
  select organisation.passer(p_code, o.etat_avant, o.motif_avant)
    from organisation.organisation o where o.code = p_code and o.etat = 'SUPPRESSION';
end;
comment on function organisation.renoncer(text) is 'Renonce à une suppression dont rien n''est effacé : l''organisation reprend son état.';

create function organisation.oublier(p_code text) returns void
language plpgsql as $$
begin
  delete from organisation.organisation o where o.code = p_code and o.etat = 'SUPPRESSION';
  if not found then
    perform organisation._refuser(format('L''organisation %s n''est pas en suppression.', p_code));
  end if;
end $$;
comment on function organisation.oublier(text) is 'Retire de l''annuaire une organisation dont la base est supprimée.';

do $$
begin
  execute format('revoke all on database %I from public', current_database());
  execute format('grant connect on database %I to comptoir_app', current_database());
end $$;
revoke execute on all functions in schema organisation from public;
grant usage on schema organisation to comptoir_app;
grant select on organisation.annuaire, organisation.revision to comptoir_app;
