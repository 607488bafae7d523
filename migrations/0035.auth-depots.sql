-- Whose business the files of a category are: the permission that opens them, and the activity that bounds them.
-- depends: 0034.auth-portail

create type auth.categorie_depot as enum ('client-photo', 'piece-identite', 'plat-photo', 'etat-lieux', 'produit-photo');
comment on type auth.categorie_depot is 'Catégorie d''un fichier déposé : ce qui précède la barre de sa clé.';
create type auth.action_depot as enum ('VOIR', 'MODIFIER');
comment on type auth.action_depot is 'Lire un fichier, ou en déposer un.';

create table auth.depot (
  categorie auth.categorie_depot constraint depot_pkey primary key,
  domaine text not null constraint depot_domaine_mal_forme check (domaine ~ '^[A-Z_]+$'),
  id_activite bigint constraint depot_activite_inconnue references core.activite
);
create index depot_id_activite on auth.depot (id_activite);
comment on table auth.depot is 'Qui lit et dépose les fichiers d''une catégorie.';
comment on column auth.depot.categorie is 'Ce qui précède la barre de la clé d''un fichier.';
comment on column auth.depot.domaine is 'Domaine des permissions : <DOMAINE>.VOIR pour lire, <DOMAINE>.MODIFIER pour déposer.';
comment on column auth.depot.id_activite is 'Activité dont ces fichiers relèvent ; null pour ceux que toutes partagent.';
comment on constraint depot_domaine_mal_forme on auth.depot is 'Le domaine d''une permission s''écrit en majuscules.';
comment on constraint depot_activite_inconnue on auth.depot is 'Cette activité n''existe pas.';

insert into auth.depot (categorie, domaine, id_activite)
select d.categorie::auth.categorie_depot, d.domaine, a.id_activite
  from (values ('client-photo', 'CLIENT', null), ('piece-identite', 'CLIENT', null),
               ('plat-photo', 'RESTAURANT', 'RESTAURATION'), ('etat-lieux', 'RESIDENCE', 'LOCATION_RESIDENTIEL'),
               ('produit-photo', 'MARCHANDISE', 'VENTE_MARCHANDISES')) as d (categorie, domaine, activite)
  left join core.activite a on a.code = d.activite;
