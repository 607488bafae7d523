-- The second factor of an account (TOTP, RFC 6238), and the device of a session.
-- depends: 0060.auth-cles

create table auth.second_facteur (
  id_utilisateur bigint constraint second_facteur_pkey primary key
    constraint second_facteur_utilisateur_inconnu references auth.utilisateur on delete cascade,
  secret text not null,
  date_creation timestamptz not null default now(),
  date_confirmation timestamptz
);
comment on table auth.second_facteur is 'Second facteur de chaque compte qui en a un.';
comment on column auth.second_facteur.date_creation is 'Moment où il a été préparé.';
comment on column auth.second_facteur.secret is 'Secret partagé avec l''application du téléphone, en base 32 ; en clair, puisqu''il calcule les codes.';
comment on column auth.second_facteur.date_confirmation is 'Depuis quand il est demandé à la connexion ; null tant qu''aucun code n''a été donné.';
comment on constraint second_facteur_utilisateur_inconnu on auth.second_facteur is 'Ce compte n''existe pas.';

-- Written at each sign-in, so the journal leaves it out.
create table auth.second_facteur_pas (
  id_utilisateur bigint constraint second_facteur_pas_pkey primary key
    constraint pas_second_facteur_inconnu references auth.second_facteur on delete cascade,
  pas bigint not null
);
comment on table auth.second_facteur_pas is 'Dernier code donné par chaque compte : aucun ne sert deux fois.';
comment on column auth.second_facteur_pas.pas is 'Rang de ses trente secondes depuis 1970.';
comment on constraint pas_second_facteur_inconnu on auth.second_facteur_pas is 'Ce compte n''a pas de second facteur.';

create table auth.code_secours (
  id_utilisateur bigint not null
    constraint code_secours_second_facteur_inconnu references auth.second_facteur on delete cascade,
  hash text not null,
  date_usage timestamptz,
  constraint code_secours_pkey primary key (id_utilisateur, hash)
);
comment on table auth.code_secours is 'Codes de secours, par leur SHA-256 ; chacun sert une fois.';
comment on column auth.code_secours.hash is 'SHA-256 du code.';
comment on column auth.code_secours.date_usage is 'Quand il a servi, null s''il vaut encore.';
comment on constraint code_secours_second_facteur_inconnu on auth.code_secours is 'Ce compte n''a pas de second facteur.';

alter table auth.jeton_rafraichissement add column agent text;
comment on column auth.jeton_rafraichissement.agent is 'Logiciel annoncé par l''appareil (User-Agent) à la connexion.';
