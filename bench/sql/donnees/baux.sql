-- Leases without end that begin on any day of the months before, one a room. They have no instalments yet.
-- brouillon.baux() is their number.

insert into residence.batiment (code, nom)
select 'B' || n, 'Bâtiment ' || n from generate_series(1, 1 + brouillon.baux() / 100) n;

insert into residence.logement (numero, type, tarif, statut, id_batiment)
select 'L' || n, 'CHAMBRE', 40000 + 5000 * (n % 13), 'OCCUPE', 1 + n % (1 + brouillon.baux() / 100)
  from generate_series(1, brouillon.baux()) n;

insert into client.client (code, nom, prenoms, type_client, tel_principal)
select brouillon.numero('CL', null, 900000000 + n), 'Locataire', 'Numéro ' || n, 'LOCATAIRE', '+22501' || core._chiffres(n, 8)
  from generate_series(1, brouillon.baux()) n;

insert into residence.contrat_location (numero_contrat, id_client, id_logement, date_debut, type_location, loyer_initial,
                                        statut)
select brouillon.numero('CON', 2020, n), c.id_client, n, core.aujourdhui() - (n * 7 % 60)::integer, 'MENSUEL', l.tarif, 'ACTIF'
  from generate_series(1, brouillon.baux()) n
  join residence.logement l on l.id_logement = n
  join client.client c on c.code = brouillon.numero('CL', null, 900000000 + n);

insert into residence.occupation (id_logement, periode, id_contrat)
select c.id_logement, tstzrange(core.debut_du_jour(c.date_debut), null), c.id_contrat from residence.contrat_location c;
