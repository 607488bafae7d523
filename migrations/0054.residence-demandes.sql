-- Requests from the portal: stays and bookings of the hall that wait for an answer, and the permissions of all requests.
-- The new label of an enum cannot be used before the commit, so conditions here compare the state as text
-- (docs/decisions/0054-demandes.md).
-- depends: 0050.core-catalogues

create type core.origine as enum ('COMPTOIR', 'PORTAIL');
comment on type core.origine is 'D''où vient une opération : saisie par le personnel, ou demandée dans l''espace client.';

alter type residence.statut_sejour add value 'EN_ATTENTE' before 'EN_COURS';
comment on type residence.statut_sejour is
  'État d''un séjour. EN_ATTENTE : demandé dans l''espace client, il ne tient rien. TERMINE : soldé, ou clos au départ du client.';

-- Plain types: a column of a domain with a rule would rewrite the table. The parameters of the operations have the domains.
alter table residence.sejour_court
  -- squawk-ignore ban-drop-not-null -- a constraint below keeps it for every stay that is accepted
  alter column tarif drop not null,
  -- squawk-ignore ban-drop-not-null -- a constraint below keeps it for every stay that is accepted
  alter column montant_total drop not null,
  add column montant_convenu numeric(14,2),
  -- squawk-ignore prefer-bigint-over-smallint -- a number of people
  add column nombre_personnes smallint,
  add column observations text,
  add column motif_annulation text,
  add column origine core.origine not null default 'COMPTOIR';
-- No stay breaks these rules yet: the tariff could not be null, and the new columns are empty.
alter table residence.sejour_court
  add constraint sejour_sans_tarif check (
    tarif is not null and montant_total is not null or statut::text in ('EN_ATTENTE', 'ANNULE')) not valid,
  add constraint nombre_de_personnes check (nombre_personnes between 1 and 50) not valid;
comment on column residence.sejour_court.tarif is 'Prix d''une nuit, ou de la sieste ; null d''une demande qui n''est pas acceptée.';
comment on column residence.sejour_court.montant_total is
  'montant_convenu ; à défaut tarif × nuits prévues pour une nuitée, tarif pour une sieste ; tenu par un déclencheur. Null sans tarif.';
comment on column residence.sejour_court.montant_convenu is
  'Prix du séjour entier, s''il en a été convenu un autre à l''acceptation d''une demande ; oublié quand les dates ou le tarif changent.';
comment on column residence.sejour_court.nombre_personnes is 'Nombre de personnes que la demande annonce.';
comment on column residence.sejour_court.observations is 'Ce que le client ajoute à sa demande.';
comment on column residence.sejour_court.motif_annulation is 'Pourquoi le séjour est annulé, ou la demande refusée ; le client le voit.';
comment on column residence.sejour_court.origine is 'PORTAIL : demandé par le client dans son espace.';
comment on constraint sejour_sans_tarif on residence.sejour_court is 'Un séjour accepté a un tarif.';
comment on constraint nombre_de_personnes on residence.sejour_court is 'Un séjour se demande pour 1 à 50 personnes.';

alter type salle_fete.statut_reservation add value 'EN_ATTENTE' before 'DISPONIBLE';
comment on type salle_fete.statut_reservation is
  'État d''une réservation. EN_ATTENTE : demandée dans l''espace client, elle ne tient aucun créneau. DISPONIBLE n''est celui d''aucune, les filtres l''acceptent.';

alter table salle_fete.reservation
  -- squawk-ignore ban-drop-not-null -- a constraint below keeps it for every booking that is accepted
  alter column tarif drop not null,
  add column origine core.origine not null default 'COMPTOIR';
alter table salle_fete.reservation
  add constraint reservation_acceptee_sans_tarif check (tarif is not null or statut::text in ('EN_ATTENTE', 'ANNULEE')) not valid;
comment on column salle_fete.reservation.tarif is 'Prix de la location ; null d''une demande qui n''est pas acceptée.';
comment on column salle_fete.reservation.origine is 'PORTAIL : demandée par le client dans son espace.';
comment on constraint reservation_acceptee_sans_tarif on salle_fete.reservation is 'Une réservation acceptée a un tarif.';

-- The portal reads these tables: sql/politiques.sql names the rows that it sees.
alter table residence.sejour_court enable row level security;
alter table salle_fete.reservation enable row level security;

insert into auth.permission (code, libelle) values
  ('RESIDENCE.DEMANDER', 'Demander un séjour : espace client'),
  ('RESIDENCE.VALIDER', 'Accepter une demande : résidence'),
  ('RESTAURANT.COMMANDER', 'Commander : espace client, restaurant'),
  ('RESTAURANT.VALIDER', 'Accepter une demande : restaurant'),
  ('PRESSING.DECLARER', 'Annoncer un dépôt : espace client, pressing'),
  ('PRESSING.VALIDER', 'Accepter une demande : pressing'),
  ('SALLE_FETE.DEMANDER', 'Demander la salle : espace client'),
  ('SALLE_FETE.VALIDER', 'Accepter une demande : salle de fête'),
  ('MARCHANDISE.COMMANDER', 'Commander : espace client, boutique'),
  ('MARCHANDISE.VALIDER', 'Accepter une demande : boutique'),
  ('FINANCES.ENCAISSER', 'Encaisser une demande acceptée')
on conflict on constraint permission_existante do nothing;

insert into auth.role_permission (id_role, id_permission)
select r.id_role, p.id_permission
  from auth.role r
  join (values
    ('ADMINISTRATEUR', '(RESIDENCE\.(DEMANDER|VALIDER)|RESTAURANT\.(COMMANDER|VALIDER)|PRESSING\.(DECLARER|VALIDER)|SALLE_FETE\.(DEMANDER|VALIDER)|MARCHANDISE\.(COMMANDER|VALIDER)|FINANCES\.ENCAISSER)'),
    ('DIRIGEANT', 'FINANCES\.ENCAISSER'),
    ('CAISSIER', 'FINANCES\.ENCAISSER'),
    ('RESPONSABLE_RESIDENCE', '(RESIDENCE\.VALIDER|FINANCES\.ENCAISSER)'),
    ('RESPONSABLE_PRESSING', '(PRESSING\.VALIDER|FINANCES\.ENCAISSER)'),
    ('RESPONSABLE_RESTAURANT', '(RESTAURANT\.VALIDER|FINANCES\.ENCAISSER)'),
    ('RESPONSABLE_MAGASIN', '(MARCHANDISE\.VALIDER|FINANCES\.ENCAISSER)'),
    ('RESPONSABLE_SALLE', '(SALLE_FETE\.VALIDER|FINANCES\.ENCAISSER)'),
    ('CLIENT', '(RESIDENCE\.DEMANDER|RESTAURANT\.COMMANDER|PRESSING\.DECLARER|SALLE_FETE\.DEMANDER|MARCHANDISE\.COMMANDER)'),
    ('RESIDENT', '(RESIDENCE\.DEMANDER|RESTAURANT\.COMMANDER|PRESSING\.DECLARER|SALLE_FETE\.DEMANDER|MARCHANDISE\.COMMANDER)')
    ) as d (role, motif) on d.role = r.code
  join auth.permission p on p.code ~ ('^' || d.motif || '$')
on conflict on constraint permission_deja_accordee do nothing;
