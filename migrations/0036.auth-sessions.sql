-- Sessions end when they are said to: access tokens carry the epoch of their user, and a sign-in lasts 90 days at most.
-- depends: 0028.residence-bornes

alter table auth.utilisateur add column epoque integer not null default 0;
comment on column auth.utilisateur.epoque is
  'Génération des jetons d''accès du compte : ceux d''une génération passée ne valent plus. Écrite par le service, quand le mot de passe change ou que le compte est désactivé.';

alter table auth.jeton_rafraichissement add column date_connexion timestamptz not null default now();
comment on column auth.jeton_rafraichissement.date_connexion is
  'Connexion dont la famille est née : aucun de ses jetons ne vit plus de 90 jours après elle.';
update auth.jeton_rafraichissement j set date_connexion = f.debut
  from (select famille, min(date_creation) as debut from auth.jeton_rafraichissement group by famille) f
 where f.famille = j.famille;
