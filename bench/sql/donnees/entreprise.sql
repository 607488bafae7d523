-- The days and the small tables: tills, clients, services, expenses, leases.
-- brouillon.paiements() is the number of payments, brouillon.jours() the number of days before the present one.

-- A draw between 0 and 1 that depends only on its arguments: the same data each time, in any order of the rows.
create function brouillon.tirage(p_rang bigint, p_tirage bigint) returns double precision
language sql immutable parallel safe
return (hashint8extended(p_rang, p_tirage) & 16777215) / 16777216.0::double precision;

create unlogged table brouillon.jour as
select row_number() over (order by j) - 1 as rang, j::date as jour, core.debut_du_jour(j::date) as debut
  from generate_series(core.aujourdhui() - brouillon.jours(), core.aujourdhui(), interval '1 day') j;

insert into finances.categorie_depense (libelle) values ('Électricité'), ('Fournitures'), ('Transport');

insert into finances.caisse (libelle, id_activite)
select 'Caisse ' || lower(a.libelle), a.id_activite from core.activite a
 where a.code in ('PRESSING', 'RESTAURATION', 'SALLE_FETE', 'LOCATION_RESIDENTIEL', 'VENTE_MARCHANDISES')
 order by a.id_activite;

insert into finances.periode_caisse (id_caisse, ouverture, fermeture, fond_initial, id_utilisateur_ouverture)
select c.id_caisse, j.debut,
       case when j.jour < core.aujourdhui() then core.debut_du_jour(j.jour + 1) - interval '1 microsecond' end, 10000, 1
  from brouillon.jour j, finances.caisse c
 order by j.jour, c.id_caisse;

create unlogged table brouillon.periode as
select c.id_activite, p.id_caisse, p.id_periode, core.jour(p.ouverture) as jour
  from finances.periode_caisse p join finances.caisse c using (id_caisse);

insert into client.client (code, nom, prenoms, tel_principal, type_client)
select brouillon.numero('CL', null, n),
       (array['Exemple', 'Modèle', 'Fictif', 'Essai', 'Inventé', 'Témoin', 'Maquette', 'Gabarit'])[1 + n % 8],
       (array['Awa', 'Koffi', 'Mariam', 'Yao', 'Fatou', 'Serge', 'Aya', 'Ibrahim', 'Chantal'])[1 + n / 7 % 9],
       '+22507' || core._chiffres(n, 8), 'PASSAGE'
  from generate_series(1, greatest(10, brouillon.paiements() / 100)) n;

insert into facturation.prestation (libelle, prix, id_activite)
select s.libelle, s.prix, a.id_activite
  from (values ('PRESSING', 'Lavage costume', 3000), ('PRESSING', 'Repassage lot de 10', 5000),
               ('PRESSING', 'Nettoyage rideaux', 12000), ('RESTAURATION', 'Plateau repas', 3500),
               ('RESTAURATION', 'Buffet par personne', 7500), ('RESTAURATION', 'Cocktail', 45000),
               ('SALLE_FETE', 'Location de la salle', 90000), ('SALLE_FETE', 'Location de chaises', 15000),
               ('SALLE_FETE', 'Sonorisation', 60000), ('LOCATION_RESIDENTIEL', 'Ménage', 5000),
               ('LOCATION_RESIDENTIEL', 'Linge de lit', 3000), ('LOCATION_RESIDENTIEL', 'Dépannage', 10000),
               ('VENTE_MARCHANDISES', 'Livraison', 2000), ('VENTE_MARCHANDISES', 'Emballage cadeau', 1000))
       s (code, libelle, prix)
  join core.activite a on a.code = s.code;

insert into finances.depense (date, jour, montant, id_categorie_depense, id_activite, id_utilisateur, libelle)
select d.date, core.jour(d.date), 500 * (1 + floor(19 * brouillon.tirage(d.n, 3))), c.id_categorie_depense,
       a.id_activite, 1, c.libelle
  from (select n, now() - brouillon.jours() * brouillon.tirage(n, 1) * interval '1 day' as date, n % 3 as rang
          from generate_series(1, brouillon.paiements() / 20) n) d
  join (select c.*, row_number() over (order by c.id_categorie_depense) - 1 as rang
          from finances.categorie_depense c) c using (rang)
  join (select a.*, row_number() over (order by a.id_activite) - 1 as rang, count(*) over () as nombre
          from core.activite a) a on a.rang = floor(a.nombre * brouillon.tirage(d.n, 2))
 order by d.date;

create unlogged table brouillon.offre as
select row_number() over (order by p.id_prestation) as rang, p.id_activite, p.libelle, p.prix,
       row_number() over (partition by p.id_activite order by p.id_prestation) - 1 as place,
       count(*) over (partition by p.id_activite) as nombre
  from facturation.prestation p;

create function brouillon.adresse(p_rang bigint) returns inet
language sql immutable parallel safe
return '192.0.2.0'::inet + 1 + p_rang % 40;
