-- The catalogues of the laundry and of the hall, the laundry's price by weight, and the permissions to keep them.
-- depends: 0049.finances-resume-application

-- The tasks of a trade get permissions of their own, beside the four actions.
-- squawk-ignore ban-drop-constraint -- the new rule accepts every code that the old one accepted
alter domain auth.code_permission drop constraint permission_mal_formee;
-- squawk-ignore ban-alter-domain-with-add-constraint -- the two tables with such a column are small
alter domain auth.code_permission add constraint permission_mal_formee check (value ~ '^[A-Z_]+\.[A-Z_]+$');
comment on domain auth.code_permission is 'Code <DOMAINE>.<ACTION> : VOIR, CREER, MODIFIER, SUPPRIMER, ou une tâche du métier telle que GERER_TARIFS.';
comment on constraint permission_mal_formee on domain auth.code_permission is 'Un code de permission s''écrit DOMAINE.ACTION.';

insert into auth.permission (code, libelle) values
  ('PRESSING.GERER_CATALOGUE', 'Gérer le catalogue : pressing'),
  ('PRESSING.GERER_TARIFS', 'Gérer les tarifs : pressing'),
  ('SALLE_FETE.GERER_CATALOGUE', 'Gérer le catalogue : salle de fête')
on conflict do nothing;

insert into auth.role_permission (id_role, id_permission)
select r.id_role, p.id_permission
  from auth.role r
  join (values
    ('ADMINISTRATEUR', 'PRESSING.GERER_CATALOGUE'), ('ADMINISTRATEUR', 'PRESSING.GERER_TARIFS'),
    ('ADMINISTRATEUR', 'SALLE_FETE.GERER_CATALOGUE'),
    ('RESPONSABLE_PRESSING', 'PRESSING.GERER_CATALOGUE'), ('RESPONSABLE_PRESSING', 'PRESSING.GERER_TARIFS'),
    ('RESPONSABLE_SALLE', 'SALLE_FETE.GERER_CATALOGUE')) as d (role, permission) on d.role = r.code
  join auth.permission p on p.code = d.permission
on conflict do nothing;

create type pressing.mode_tarification as enum ('UNITAIRE', 'POIDS');
comment on type pressing.mode_tarification is 'UNITAIRE : chaque ligne a le tarif d''une pièce. POIDS : chaque ligne a son poids, au prix du kilo.';

create domain pressing.poids as numeric(9,3)
  constraint poids_positif check (value > 0);
comment on domain pressing.poids is 'Poids en kilogrammes, trois décimales, plus grand que zéro ; un texte dans les réponses.';
comment on constraint poids_positif on domain pressing.poids is 'Le poids doit être plus grand que zéro.';

create table pressing.tarif_kg (
  id_tarif_kg bigint generated always as identity constraint tarif_kg_pkey primary key,
  prix_kg core.montant not null constraint prix_kg_nul check (prix_kg > 0),
  date_creation timestamptz not null default now(),
  id_utilisateur bigint constraint tarif_kg_utilisateur_inconnu references auth.utilisateur
);
create index tarif_kg_id_utilisateur on pressing.tarif_kg (id_utilisateur);
comment on table pressing.tarif_kg is 'Prix du kilo de linge : la dernière ligne est le prix du jour, les précédentes son histoire. Rien n''y change ni ne s''efface.';
comment on column pressing.tarif_kg.prix_kg is 'Prix d''un kilogramme.';
comment on column pressing.tarif_kg.date_creation is 'Moment depuis lequel ce prix s''applique.';
comment on column pressing.tarif_kg.id_utilisateur is 'Qui a fixé ce prix.';
comment on constraint prix_kg_nul on pressing.tarif_kg is 'Le prix du kilo doit être plus grand que zéro.';
comment on constraint tarif_kg_utilisateur_inconnu on pressing.tarif_kg is 'Cet utilisateur n''existe pas.';

create table pressing.type_vetement (
  id_type_vetement bigint generated always as identity constraint type_vetement_pkey primary key,
  libelle core.libelle not null constraint type_vetement_existant unique,
  actif boolean not null default true
);
comment on table pressing.type_vetement is 'Type de vêtement du catalogue ; désactivé, il ne sert plus à de nouvelles lignes.';
comment on column pressing.type_vetement.actif is 'Faux : désactivé, il reste aux commandes qui le portent.';
comment on constraint type_vetement_existant on pressing.type_vetement is 'Un type de vêtement, actif ou non, porte déjà ce libellé.';

create table pressing.prestation (
  id_prestation bigint generated always as identity constraint prestation_pressing_pkey primary key,
  libelle core.libelle not null constraint prestation_pressing_existante unique,
  actif boolean not null default true
);
comment on table pressing.prestation is 'Prestation du catalogue, par exemple « Lavage et repassage » ; désactivée, elle ne sert plus à de nouvelles lignes.';
comment on column pressing.prestation.actif is 'Faux : désactivée, elle reste aux commandes qui la portent.';
comment on constraint prestation_pressing_existante on pressing.prestation is 'Une prestation, active ou non, porte déjà ce libellé.';

alter table pressing.commande add column mode_tarification pressing.mode_tarification not null default 'UNITAIRE';
comment on column pressing.commande.mode_tarification is 'Façon de compter le linge, fixée à la dépose.';

-- Plain numeric types: a column of a domain with a rule would rewrite the table. The total is no generated column any
-- more, because the total of a weighed line is rounded to the unit of the currency.
alter table pressing.commande_ligne
  -- squawk-ignore ban-drop-not-null -- a constraint below keeps it for lines without a weight
  alter column tarif drop not null,
  -- squawk-ignore ban-drop-generated-expression -- a trigger computes it
  alter column total drop expression,
  add column poids_kg numeric(9,3)
    constraint ligne_poids_positif check (poids_kg > 0)
    constraint ligne_tarif_ou_poids check ((tarif is null) <> (poids_kg is null)),
  add column prix_kg numeric(14,2)
    constraint ligne_prix_kg check ((poids_kg is null) = (prix_kg is null)),
  add column hors_catalogue boolean not null default true;
comment on column pressing.commande_ligne.quantite is 'Nombre de pièces.';
comment on column pressing.commande_ligne.tarif is 'Prix d''une pièce, null si la ligne est pesée.';
comment on column pressing.commande_ligne.poids_kg is 'Poids des pièces en kilogrammes, null si la ligne se compte à la pièce.';
comment on column pressing.commande_ligne.prix_kg is 'Prix du kilo à la dépose ; un nouveau prix ne le change pas.';
comment on column pressing.commande_ligne.total is 'quantite × tarif, à deux décimales, ou poids_kg × prix_kg, à l''unité de la devise ; tenu par un déclencheur.';
comment on column pressing.commande_ligne.hors_catalogue is 'Faux : les deux libellés sont du catalogue.';
comment on constraint ligne_tarif_ou_poids on pressing.commande_ligne is 'Une ligne a le tarif d''une pièce ou un poids, et pas les deux.';
comment on constraint ligne_poids_positif on pressing.commande_ligne is 'Le poids doit être plus grand que zéro.';
comment on constraint ligne_prix_kg on pressing.commande_ligne is 'Une ligne pesée, et elle seule, garde le prix du kilo.';

create table salle_fete.type_manifestation (
  id_type_manifestation bigint generated always as identity constraint type_manifestation_pkey primary key,
  libelle core.libelle not null constraint type_manifestation_existant unique,
  actif boolean not null default true
);
comment on table salle_fete.type_manifestation is 'Type de manifestation du catalogue ; désactivé, il ne sert plus à de nouvelles réservations.';
comment on column salle_fete.type_manifestation.actif is 'Faux : désactivé, il reste aux réservations qui le portent.';
comment on constraint type_manifestation_existant on salle_fete.type_manifestation is 'Un type de manifestation, actif ou non, porte déjà ce libellé.';

alter table salle_fete.reservation add column hors_catalogue boolean not null default true;
comment on column salle_fete.reservation.hors_catalogue is 'Faux : type_manifestation est un libellé du catalogue.';
