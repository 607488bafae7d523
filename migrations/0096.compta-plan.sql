-- The accounts of the revised SYSCOHADA chart and their names.
-- depends: 0095.compta-operations
-- squawk-ignore-file require-concurrent-index-creation -- only a closing writes to compta.ecriture
-- squawk-ignore-file prefer-bigint-over-int -- the place of a line

create table compta.plan (
  compte compta.numero_compte constraint plan_pkey primary key,
  libelle core.libelle not null
);
comment on table compta.plan is
  'Plan comptable SYSCOHADA révisé : un compte qui n''y est pas prend le nom du plus long qui le commence.';
comment on column compta.plan.compte is 'Numéro de deux à quatre chiffres.';
comment on column compta.plan.libelle is 'Intitulé du compte.';
comment on constraint plan_pkey on compta.plan is 'Ce compte est déjà dans le plan.';

-- « number title; », by number.
insert into compta.plan (compte, libelle)
select split_part(btrim(c), ' ', 1), substr(btrim(c), strpos(btrim(c), ' ') + 1)
  from regexp_split_to_table(translate($plan$
  10 Capital; 101 Capital social; 1011 Capital souscrit, non appelé; 1012 Capital souscrit, appelé, non versé;
  1013 Capital souscrit, appelé, versé, non amorti; 102 Capital par dotation; 103 Capital personnel;
  104 Compte de l'exploitant; 1041 Exploitant, apports temporaires; 1042 Exploitant, opérations courantes;
  1043 Exploitant, rémunérations, impôts et charges personnelles; 1047 Exploitant, prélèvements d'autoconsommation;
  1048 Exploitant, autres prélèvements; 105 Primes liées au capital social; 106 Écarts de réévaluation;
  109 Apporteurs, capital souscrit, non appelé; 11 Réserves; 111 Réserve légale;
  112 Réserves statutaires ou contractuelles; 113 Réserves réglementées; 118 Autres réserves; 12 Report à nouveau;
  121 Report à nouveau créditeur; 129 Report à nouveau débiteur; 1291 Perte nette à reporter;
  1292 Perte, amortissements réputés différés; 13 Résultat net de l'exercice; 130 Résultat en instance d'affectation;
  131 Résultat net : bénéfice; 132 Marge commerciale; 133 Valeur ajoutée; 134 Excédent brut d'exploitation;
  135 Résultat d'exploitation; 136 Résultat financier; 137 Résultat des activités ordinaires;
  138 Résultat hors activités ordinaires; 139 Résultat net : perte; 14 Subventions d'investissement;
  141 Subventions d'équipement; 148 Autres subventions d'investissement;
  15 Provisions réglementées et fonds assimilés; 151 Amortissements dérogatoires;
  152 Plus-values de cession à réinvestir; 153 Fonds réglementés; 154 Provision spéciale de réévaluation;
  155 Provisions réglementées relatives aux immobilisations; 156 Provisions réglementées relatives aux stocks;
  157 Provisions pour investissement; 158 Autres provisions et fonds réglementés; 16 Emprunts et dettes assimilées;
  161 Emprunts obligataires; 162 Emprunts et dettes auprès des établissements de crédit; 163 Avances reçues de l'État;
  164 Avances reçues et comptes courants bloqués; 165 Dépôts et cautionnements reçus; 1651 Dépôts reçus;
  1652 Cautionnements reçus; 166 Intérêts courus sur emprunts; 167 Avances assorties de conditions particulières;
  168 Autres emprunts et dettes; 17 Dettes de location acquisition; 172 Dettes de crédit-bail immobilier;
  173 Dettes de crédit-bail mobilier; 174 Dettes de location-vente;
  176 Intérêts courus sur dettes de location acquisition; 178 Dettes d'autres contrats de location acquisition;
  18 Dettes liées à des participations et comptes de liaison; 181 Dettes liées à des participations;
  182 Dettes liées à des sociétés en participation; 183 Intérêts courus sur dettes liées à des participations;
  184 Comptes permanents bloqués des établissements et succursales;
  185 Comptes permanents non bloqués des établissements et succursales; 186 Comptes de liaison, charges;
  187 Comptes de liaison, produits; 188 Comptes de liaison des sociétés en participation;
  19 Provisions pour risques et charges; 191 Provisions pour litiges;
  192 Provisions pour garanties données aux clients; 193 Provisions pour pertes sur marchés à achèvement futur;
  194 Provisions pour pertes de change; 195 Provisions pour impôts;
  196 Provisions pour pensions et obligations similaires; 197 Provisions pour restructuration;
  198 Autres provisions pour risques et charges; 21 Immobilisations incorporelles; 211 Frais de développement;
  212 Brevets, licences, concessions et droits similaires; 213 Logiciels et sites internet; 214 Marques;
  215 Fonds commercial; 216 Droit au bail; 217 Investissements de création; 218 Autres droits et valeurs incorporels;
  219 Immobilisations incorporelles en cours; 22 Terrains; 221 Terrains agricoles et forestiers; 222 Terrains nus;
  223 Terrains bâtis; 224 Travaux de mise en valeur des terrains; 225 Terrains de carrières, tréfonds;
  226 Terrains aménagés; 227 Terrains mis en concession; 228 Autres terrains; 229 Aménagements de terrains en cours;
  23 Bâtiments, installations techniques et agencements; 231 Bâtiments sur sol propre; 232 Bâtiments sur sol d'autrui;
  233 Ouvrages d'infrastructure; 234 Aménagements, agencements et installations techniques;
  235 Aménagements de bureaux; 237 Bâtiments mis en concession; 238 Autres installations et agencements;
  239 Bâtiments et installations en cours; 24 Matériel, mobilier et actifs biologiques;
  241 Matériel et outillage industriel et commercial; 242 Matériel et outillage agricole;
  243 Matériel d'emballage récupérable et identifiable; 244 Matériel et mobilier; 2441 Matériel de bureau;
  2442 Matériel informatique; 2443 Matériel bureautique; 2444 Mobilier de bureau; 245 Matériel de transport;
  2451 Matériel automobile; 246 Actifs biologiques;
  247 Agencements et aménagements du matériel et des actifs biologiques; 248 Autres matériels et mobiliers;
  249 Matériel et actifs biologiques en cours; 25 Avances et acomptes versés sur immobilisations;
  251 Avances et acomptes versés sur immobilisations incorporelles;
  252 Avances et acomptes versés sur immobilisations corporelles; 26 Titres de participation;
  261 Titres de sociétés sous contrôle exclusif; 262 Titres de sociétés sous contrôle conjoint;
  263 Titres de sociétés conférant une influence notable; 265 Participations dans des organismes professionnels;
  266 Parts dans des groupements d'intérêt économique; 268 Autres titres de participation;
  27 Autres immobilisations financières; 271 Prêts et créances; 272 Prêts au personnel; 273 Créances sur l'État;
  274 Titres immobilisés; 275 Dépôts et cautionnements versés; 276 Intérêts courus sur immobilisations financières;
  277 Créances rattachées à des participations; 278 Immobilisations financières diverses; 28 Amortissements;
  281 Amortissements des immobilisations incorporelles; 282 Amortissements des terrains;
  283 Amortissements des bâtiments, installations techniques et agencements; 284 Amortissements du matériel;
  29 Dépréciations des immobilisations; 291 Dépréciations des immobilisations incorporelles;
  292 Dépréciations des terrains; 293 Dépréciations des bâtiments, installations techniques et agencements;
  294 Dépréciations du matériel, du mobilier et des actifs biologiques;
  295 Dépréciations des avances et acomptes versés sur immobilisations; 296 Dépréciations des titres de participation;
  297 Dépréciations des autres immobilisations financières; 31 Marchandises; 311 Marchandises A; 312 Marchandises B;
  318 Marchandises hors activités ordinaires; 32 Matières premières et fournitures liées; 321 Matières A;
  322 Matières B; 323 Fournitures; 33 Autres approvisionnements; 331 Matières consommables;
  332 Fournitures d'atelier et d'usine; 333 Fournitures de magasin; 334 Fournitures de bureau; 335 Emballages;
  338 Autres matières; 34 Produits en cours; 341 Produits en cours de fabrication; 342 Travaux en cours;
  343 Produits intermédiaires en cours; 344 Produits résiduels en cours; 35 Services en cours; 351 Études en cours;
  352 Prestations de services en cours; 36 Produits finis; 361 Produits finis A; 362 Produits finis B;
  37 Produits intermédiaires et résiduels; 371 Produits intermédiaires; 372 Produits résiduels;
  38 Stocks en cours de route, en consignation ou en dépôt; 381 Marchandises en cours de route;
  382 Matières premières et fournitures liées en cours de route; 383 Autres approvisionnements en cours de route;
  386 Produits finis en cours de route; 387 Stock en consignation ou en dépôt;
  388 Stock provenant d'immobilisations mises hors service ou au rebut; 39 Dépréciations des stocks;
  391 Dépréciations des stocks de marchandises;
  392 Dépréciations des stocks de matières premières et fournitures liées;
  393 Dépréciations des stocks d'autres approvisionnements; 394 Dépréciations des productions en cours;
  395 Dépréciations des services en cours; 396 Dépréciations des stocks de produits finis;
  397 Dépréciations des stocks de produits intermédiaires et résiduels;
  398 Dépréciations des stocks en cours de route, en consignation ou en dépôt; 40 Fournisseurs et comptes rattachés;
  401 Fournisseurs, dettes en compte; 402 Fournisseurs, effets à payer; 408 Fournisseurs, factures non parvenues;
  4081 Fournisseurs, factures non parvenues; 4086 Fournisseurs, intérêts courus; 409 Fournisseurs débiteurs;
  4091 Fournisseurs, avances et acomptes versés; 4094 Fournisseurs, emballages et matériels à rendre;
  4098 Fournisseurs, rabais, remises, ristournes et avoirs à obtenir; 41 Clients et comptes rattachés; 411 Clients;
  4111 Clients; 4112 Clients, groupe; 4114 Clients, État et collectivités publiques;
  4117 Clients, retenues de garantie; 412 Clients, effets à recevoir en portefeuille;
  414 Créances sur cessions courantes d'immobilisations; 415 Clients, effets escomptés non échus;
  416 Créances clients litigieuses ou douteuses; 4161 Créances litigieuses; 4162 Créances douteuses;
  418 Clients, produits à recevoir; 4181 Clients, factures à établir; 419 Clients créditeurs;
  4191 Clients, avances et acomptes reçus; 4194 Clients, emballages et matériels consignés;
  4198 Clients, rabais, remises, ristournes et avoirs à accorder; 42 Personnel; 421 Personnel, avances et acomptes;
  4211 Personnel, avances; 4212 Personnel, acomptes; 422 Personnel, rémunérations dues;
  423 Personnel, oppositions et saisies-arrêts; 424 Personnel, œuvres sociales internes;
  425 Représentants du personnel; 426 Personnel, participation aux bénéfices et au capital; 427 Personnel, dépôts;
  428 Personnel, charges à payer et produits à recevoir; 4281 Personnel, congés à payer;
  4286 Personnel, autres charges à payer; 4287 Personnel, produits à recevoir; 43 Organismes sociaux;
  431 Sécurité sociale; 432 Caisses de retraite complémentaire; 433 Autres organismes sociaux;
  438 Organismes sociaux, charges à payer et produits à recevoir; 44 État et collectivités publiques;
  441 État, impôt sur les bénéfices; 442 État, autres impôts et taxes; 4421 Impôts et taxes d'État;
  4426 Droits de douane; 443 État, TVA facturée; 4431 TVA facturée sur ventes;
  4432 TVA facturée sur prestations de services; 4433 TVA facturée sur travaux;
  4434 TVA facturée sur production livrée à soi-même; 4435 TVA sur factures à établir;
  444 État, TVA due ou crédit de TVA; 4441 État, TVA due; 4449 État, crédit de TVA à reporter;
  445 État, TVA récupérable; 4451 TVA récupérable sur immobilisations; 4452 TVA récupérable sur achats;
  4453 TVA récupérable sur transport; 4454 TVA récupérable sur services extérieurs et autres charges;
  4455 TVA récupérable sur factures non parvenues; 4456 TVA transférée par d'autres entités;
  446 État, autres taxes sur le chiffre d'affaires; 447 État, impôts retenus à la source;
  4471 Impôt général sur le revenu; 4472 Impôts sur salaires; 448 État, charges à payer et produits à recevoir;
  449 État, créances et dettes diverses; 45 Organismes internationaux; 451 Opérations avec les organismes africains;
  452 Opérations avec les autres organismes internationaux;
  458 Organismes internationaux, fonds de dotation et subventions à recevoir; 46 Apporteurs, associés et groupe;
  461 Apporteurs, opérations sur le capital; 462 Associés, comptes courants;
  463 Associés, opérations faites en commun; 465 Associés, dividendes à payer; 466 Groupe, comptes courants;
  467 Apporteurs, restant dû sur capital appelé; 47 Débiteurs et créditeurs divers;
  471 Débiteurs et créditeurs divers; 4711 Débiteurs divers; 4712 Créditeurs divers;
  472 Versements restant à effectuer sur titres non libérés;
  473 Intermédiaires, opérations faites pour le compte de tiers;
  474 Répartition périodique des charges et des produits; 475 Compte transitoire de la révision du SYSCOHADA;
  476 Charges constatées d'avance; 477 Produits constatés d'avance; 478 Écarts de conversion, actif;
  479 Écarts de conversion, passif; 48 Créances et dettes hors activités ordinaires;
  481 Fournisseurs d'investissements; 482 Fournisseurs d'investissements, effets à payer;
  484 Autres dettes hors activités ordinaires; 485 Créances sur cessions d'immobilisations;
  488 Autres créances hors activités ordinaires; 49 Dépréciations et provisions pour risques à court terme, tiers;
  490 Dépréciations des comptes fournisseurs; 491 Dépréciations des comptes clients;
  492 Dépréciations des comptes du personnel; 493 Dépréciations des comptes d'organismes sociaux;
  494 Dépréciations des comptes de l'État et des collectivités publiques;
  495 Dépréciations des comptes d'organismes internationaux;
  496 Dépréciations des comptes d'apporteurs, d'associés et du groupe;
  497 Dépréciations des comptes de débiteurs divers; 498 Dépréciations des créances hors activités ordinaires;
  499 Provisions pour risques à court terme; 50 Titres de placement;
  501 Titres du Trésor et bons de caisse à court terme; 502 Actions; 503 Obligations; 504 Bons de souscription;
  505 Titres négociables hors région; 506 Intérêts courus sur titres;
  508 Autres titres de placement et créances assimilées; 51 Valeurs à encaisser; 511 Effets à encaisser;
  512 Effets à l'encaissement; 513 Chèques à encaisser; 514 Chèques à l'encaissement;
  515 Cartes de crédit à encaisser; 518 Autres valeurs à l'encaissement; 52 Banques; 521 Banques locales;
  522 Banques, autres États de la région; 523 Banques, autres États de la zone monétaire;
  524 Banques hors zone monétaire; 525 Banques, dépôts à terme; 526 Banques, intérêts courus;
  53 Établissements financiers et assimilés; 531 Chèques postaux; 532 Trésor;
  533 Sociétés de gestion et d'intermédiation; 536 Établissements financiers, intérêts courus;
  538 Autres organismes financiers; 54 Instruments de trésorerie; 541 Options de taux d'intérêt;
  542 Options de taux de change; 543 Options de taux boursiers; 544 Instruments de marchés à terme;
  545 Avoirs d'or et autres métaux précieux; 55 Instruments de monnaie électronique;
  551 Monnaie électronique, carte carburant; 552 Monnaie électronique, téléphone portable;
  553 Monnaie électronique, carte péage; 554 Porte-monnaie électronique;
  558 Autres instruments de monnaie électronique; 56 Banques, crédits de trésorerie et d'escompte;
  561 Crédits de trésorerie; 564 Escompte de crédits de campagne; 565 Escompte de crédits ordinaires;
  566 Crédits de trésorerie, intérêts courus; 57 Caisse; 571 Caisse siège social; 572 Caisse succursale A;
  573 Caisse succursale B; 58 Régies d'avances, accréditifs et virements internes; 581 Régies d'avances;
  582 Accréditifs; 585 Virements de fonds; 588 Autres virements internes;
  59 Dépréciations et provisions pour risques à court terme, trésorerie; 590 Dépréciations des titres de placement;
  591 Dépréciations des titres et valeurs à encaisser; 592 Dépréciations des comptes de banques;
  593 Dépréciations des comptes d'établissements financiers; 594 Dépréciations des instruments de trésorerie;
  599 Provisions pour risques à court terme à caractère financier; 60 Achats et variations de stocks;
  601 Achats de marchandises; 6011 Achats de marchandises dans la région; 6012 Achats de marchandises hors région;
  6013 Achats de marchandises au groupe dans la région; 6014 Achats de marchandises au groupe hors région;
  6015 Frais sur achats de marchandises; 6019 Rabais, remises et ristournes obtenus sur marchandises;
  602 Achats de matières premières et fournitures liées; 6025 Frais sur achats de matières premières;
  6029 Rabais, remises et ristournes obtenus sur matières premières; 603 Variations des stocks de biens achetés;
  6031 Variations des stocks de marchandises; 6032 Variations des stocks de matières premières et fournitures liées;
  6033 Variations des stocks d'autres approvisionnements; 604 Achats stockés de matières et fournitures consommables;
  6041 Matières consommables; 6042 Matières combustibles; 6043 Produits d'entretien; 6046 Fournitures de magasin;
  6047 Fournitures de bureau; 605 Autres achats; 6051 Fournitures non stockables, eau;
  6052 Fournitures non stockables, électricité; 6053 Fournitures non stockables, autres énergies;
  6054 Fournitures d'entretien non stockables; 6055 Fournitures de bureau non stockables;
  6056 Achats de petit matériel et outillage; 6057 Achats d'études et prestations de services;
  6058 Achats de travaux, matériels et équipements; 608 Achats d'emballages; 61 Transports; 611 Transports sur achats;
  612 Transports sur ventes; 613 Transports pour le compte de tiers; 614 Transports du personnel;
  616 Transports de plis; 618 Autres frais de transport; 62 Services extérieurs; 621 Sous-traitance générale;
  622 Locations et charges locatives; 6222 Locations de bâtiments; 6223 Locations de matériels et outillages;
  623 Redevances de location acquisition; 624 Entretien, réparations et maintenance;
  6241 Entretien et réparations des biens immobiliers; 6242 Entretien et réparations des biens mobiliers;
  6243 Maintenance; 625 Primes d'assurance; 626 Études, recherches et documentation;
  627 Publicité, publications, relations publiques; 628 Frais de télécommunications; 6281 Frais de téléphone;
  6288 Autres frais de télécommunications; 63 Autres services extérieurs; 631 Frais bancaires;
  6315 Commissions sur cartes de crédit; 6317 Frais sur instruments de monnaie électronique;
  6318 Autres frais bancaires; 632 Rémunérations d'intermédiaires et de conseils;
  6322 Commissions et courtages sur ventes; 6324 Honoraires des professions réglementées;
  633 Frais de formation du personnel;
  634 Redevances pour brevets, licences, logiciels, concessions et droits similaires; 635 Cotisations;
  637 Rémunérations de personnel extérieur à l'entité; 638 Autres charges externes; 6383 Réceptions; 6384 Missions;
  64 Impôts et taxes; 641 Impôts et taxes directs; 6411 Impôts fonciers et taxes annexes;
  6412 Patentes, licences et taxes annexes; 6413 Taxes sur appointements et salaires; 645 Impôts et taxes indirects;
  646 Droits d'enregistrement; 647 Pénalités, amendes fiscales; 648 Autres impôts et taxes; 65 Autres charges;
  651 Pertes sur créances clients et autres débiteurs; 652 Quote-part de résultat sur opérations faites en commun;
  654 Valeurs comptables des cessions courantes d'immobilisations;
  656 Pertes de change sur créances et dettes commerciales; 657 Pénalités et amendes pénales; 658 Charges diverses;
  6582 Dons; 6583 Mécénat; 659 Charges pour dépréciations et provisions pour risques à court terme d'exploitation;
  66 Charges de personnel; 661 Rémunérations directes versées au personnel national;
  6611 Appointements, salaires et commissions; 6612 Primes et gratifications; 6613 Congés payés;
  6614 Indemnités de préavis, de licenciement et de recherche d'embauche; 6617 Avantages en nature;
  6618 Autres rémunérations directes; 662 Rémunérations directes versées au personnel non national;
  663 Indemnités forfaitaires versées au personnel; 6631 Indemnités de logement; 664 Charges sociales;
  6641 Charges sociales sur rémunération du personnel national;
  6642 Charges sociales sur rémunération du personnel non national;
  666 Rémunérations et charges sociales de l'exploitant individuel;
  667 Rémunération transférée de personnel extérieur; 668 Autres charges sociales;
  67 Frais financiers et charges assimilées; 671 Intérêts des emprunts;
  672 Intérêts dans loyers de location acquisition; 673 Escomptes accordés; 674 Autres intérêts;
  675 Escomptes des effets de commerce; 676 Pertes de change financières; 677 Pertes sur titres de placement;
  678 Pertes et charges sur risques financiers;
  679 Charges pour dépréciations et provisions pour risques à court terme financières;
  68 Dotations aux amortissements; 681 Dotations aux amortissements d'exploitation;
  6812 Dotations aux amortissements des immobilisations incorporelles;
  6813 Dotations aux amortissements des immobilisations corporelles;
  687 Dotations aux amortissements à caractère financier; 69 Dotations aux provisions et aux dépréciations;
  691 Dotations aux provisions et aux dépréciations d'exploitation;
  697 Dotations aux provisions et aux dépréciations financières; 70 Ventes; 701 Ventes de marchandises;
  7011 Ventes de marchandises dans la région; 7012 Ventes de marchandises hors région;
  7015 Ventes de marchandises sur internet; 7019 Rabais, remises, ristournes accordés sur marchandises;
  702 Ventes de produits finis; 703 Ventes de produits intermédiaires; 704 Ventes de produits résiduels;
  705 Travaux facturés; 706 Services vendus; 7061 Services vendus dans la région; 7062 Services vendus hors région;
  7065 Services vendus sur internet; 7069 Rabais, remises, ristournes accordés sur services; 707 Produits accessoires;
  7071 Ports, emballages perdus et autres frais facturés; 7072 Commissions et courtages; 7073 Locations;
  7074 Bonis sur reprises et cessions d'emballages; 7075 Mise à disposition de personnel;
  7076 Redevances pour brevets, logiciels, marques et droits similaires;
  7077 Services exploités dans l'intérêt du personnel; 7078 Autres produits accessoires;
  71 Subventions d'exploitation; 711 Subventions sur produits à l'exportation;
  712 Subventions sur produits à l'importation; 713 Subventions sur produits de péréquation;
  718 Autres subventions d'exploitation; 72 Production immobilisée; 721 Production d'immobilisations incorporelles;
  722 Production d'immobilisations corporelles; 724 Production auto-consommée;
  726 Production d'immobilisations financières; 73 Variations des stocks de biens et de services produits;
  734 Variations des stocks de produits en cours; 735 Variations des en-cours de services;
  736 Variations des stocks de produits finis; 737 Variations des stocks de produits intermédiaires et résiduels;
  75 Autres produits; 751 Profits sur créances clients et autres débiteurs;
  752 Quote-part de résultat sur opérations faites en commun; 754 Produits des cessions courantes d'immobilisations;
  756 Gains de change sur créances et dettes commerciales; 758 Produits divers; 7582 Indemnités d'assurances reçues;
  7588 Autres produits divers;
  759 Reprises de charges pour dépréciations et provisions pour risques à court terme d'exploitation;
  77 Revenus financiers et produits assimilés; 771 Intérêts de prêts et créances diverses;
  772 Revenus de participations et autres titres immobilisés; 773 Escomptes obtenus; 774 Revenus de placement;
  775 Intérêts dans loyers de location acquisition; 776 Gains de change financiers;
  777 Gains sur cessions de titres de placement; 778 Gains sur risques financiers;
  779 Reprises de charges pour dépréciations et provisions pour risques à court terme financières;
  78 Transferts de charges; 781 Transferts de charges d'exploitation; 787 Transferts de charges financières;
  79 Reprises de provisions, de dépréciations et autres;
  791 Reprises de provisions et de dépréciations d'exploitation;
  797 Reprises de provisions et de dépréciations financières; 798 Reprises d'amortissements;
  799 Reprises de subventions d'investissement; 81 Valeurs comptables des cessions d'immobilisations;
  811 Valeurs comptables des immobilisations incorporelles cédées;
  812 Valeurs comptables des immobilisations corporelles cédées;
  816 Valeurs comptables des immobilisations financières cédées; 82 Produits des cessions d'immobilisations;
  821 Produits de cession d'immobilisations incorporelles; 822 Produits de cession d'immobilisations corporelles;
  826 Produits de cession d'immobilisations financières; 83 Charges hors activités ordinaires;
  831 Charges HAO constatées; 833 Charges liées aux opérations de restructuration; 834 Pertes sur créances HAO;
  835 Dons et libéralités accordés; 836 Abandons de créances consentis;
  837 Charges liées aux opérations de liquidation;
  839 Charges pour dépréciations et provisions pour risques à court terme HAO; 84 Produits hors activités ordinaires;
  841 Produits HAO constatés; 843 Produits liés aux opérations de restructuration; 845 Dons et libéralités obtenus;
  846 Abandons de créances obtenus; 847 Produits liés aux opérations de liquidation; 848 Transferts de charges HAO;
  849 Reprises de charges pour dépréciations et provisions pour risques à court terme HAO;
  85 Dotations hors activités ordinaires; 851 Dotations aux provisions réglementées;
  852 Dotations aux amortissements HAO; 853 Dotations aux dépréciations HAO;
  854 Dotations aux provisions pour risques et charges HAO; 858 Autres dotations HAO;
  86 Reprises de charges, provisions et dépréciations HAO; 861 Reprises de provisions réglementées;
  862 Reprises d'amortissements HAO; 863 Reprises de dépréciations HAO;
  864 Reprises de provisions pour risques et charges HAO; 868 Autres reprises HAO; 87 Participation des travailleurs;
  871 Participation légale aux bénéfices; 874 Participation contractuelle aux bénéfices; 878 Autres participations;
  88 Subventions d'équilibre; 881 Subventions d'équilibre de l'État;
  884 Subventions d'équilibre des collectivités publiques; 886 Subventions d'équilibre du groupe;
  888 Autres subventions d'équilibre; 89 Impôts sur le résultat; 891 Impôts sur les bénéfices de l'exercice;
  892 Rappels d'impôts sur résultats antérieurs; 895 Impôt minimum forfaitaire;
  899 Dégrèvements et annulations d'impôts sur résultats antérieurs
$plan$, e'\n', ' '), ';') as c;

create table compta.cumul (
  periode core.periode not null,
  journal compta.journal not null,
  type compta.type_ecriture not null,
  compte compta.numero_compte not null,
  id_activite bigint,
  id_caisse bigint,
  nombre bigint not null,
  debit core.somme not null,
  credit core.somme not null,
  constraint cumul_existant unique nulls not distinct (periode, compte, journal, type, id_activite, id_caisse)
);
comment on table compta.cumul is 'Sommes des lignes de chaque mois clôturé, écrites à sa clôture : un état d''années entières ne relit pas leurs lignes.';
comment on column compta.cumul.periode is 'Mois, AAAA-MM.';
comment on column compta.cumul.journal is 'Journal des lignes.';
comment on column compta.cumul.type is 'Ce dont viennent les lignes.';
comment on column compta.cumul.compte is 'Numéro du compte, tel qu''à la clôture.';
comment on column compta.cumul.id_activite is 'Activité des lignes, null pour celles qui n''en ont pas.';
comment on column compta.cumul.id_caisse is 'Caisse des lignes, null pour celles qui n''en ont pas.';
comment on column compta.cumul.nombre is 'Nombre de lignes.';
comment on column compta.cumul.debit is 'Somme des débits.';
comment on column compta.cumul.credit is 'Somme des crédits.';
comment on constraint cumul_existant on compta.cumul is 'Ces lignes ont déjà leur somme.';
alter table compta.cumul replica identity full;
insert into compta.cumul (periode, journal, type, compte, id_activite, id_caisse, nombre, debit, credit)
select to_char(e.date, 'YYYY-MM'), e.journal, e.type, e.compte, e.id_activite, e.id_caisse, count(*),
       coalesce(sum(e.debit), 0), coalesce(sum(e.credit), 0)
  from compta.ecriture e
 group by 1, 2, 3, 4, 5, 6;

-- The ledger of an account reads its lines in this order.
create index ecriture_compte on compta.ecriture (compte, date, type, id_ligne);

create type compta.etat as enum ('RESULTAT', 'BILAN', 'BILAN_MINIMAL');
comment on type compta.etat is 'États financiers : compte de résultat, bilan du système normal, bilan du système minimal de trésorerie.';

create table compta.etat_ligne (
  etat compta.etat not null,
  code text not null,
  rang integer not null,
  libelle core.libelle not null,
  parties text[],
  constraint etat_ligne_pkey primary key (etat, code)
);
comment on table compta.etat_ligne is 'Lignes des états financiers, avec les références du SYSCOHADA révisé. Au bilan, celles dont la référence commence par A ou B sont à l''actif.';
comment on column compta.etat_ligne.etat is 'État de la ligne.';
comment on column compta.etat_ligne.code is 'Référence de la ligne.';
comment on column compta.etat_ligne.rang is 'Place de la ligne.';
comment on column compta.etat_ligne.libelle is 'Intitulé de la ligne, en capitales pour une somme d''autres.';
comment on column compta.etat_ligne.parties is 'Références des lignes dont celle-ci est la somme ; null pour une ligne de comptes.';
comment on constraint etat_ligne_pkey on compta.etat_ligne is 'Cette ligne est déjà dans cet état.';

create table compta.etat_compte (
  etat compta.etat not null,
  prefixe text not null,
  code_debit text not null,
  code_credit text not null,
  deduit boolean not null default false,
  constraint etat_compte_pkey primary key (etat, prefixe),
  constraint etat_compte_debit_inconnu foreign key (etat, code_debit) references compta.etat_ligne,
  constraint etat_compte_credit_inconnu foreign key (etat, code_credit) references compta.etat_ligne
);
create index etat_compte_code_debit on compta.etat_compte (etat, code_debit);
create index etat_compte_code_credit on compta.etat_compte (etat, code_credit);
comment on table compta.etat_compte is 'Ligne des comptes qui commencent par un préfixe : le plus long l''emporte, et chaque compte a une ligne.';
comment on column compta.etat_compte.etat is 'État de la ligne.';
comment on column compta.etat_compte.prefixe is 'Début du numéro des comptes.';
comment on column compta.etat_compte.code_debit is 'Ligne d''un compte dont le solde est débiteur.';
comment on column compta.etat_compte.code_credit is 'Ligne d''un compte dont le solde est créditeur.';
comment on column compta.etat_compte.deduit is 'Vrai d''un amortissement ou d''une dépréciation, qui se déduit de la valeur brute de sa ligne.';
comment on constraint etat_compte_pkey on compta.etat_compte is 'Ce préfixe a déjà sa ligne.';
comment on constraint etat_compte_debit_inconnu on compta.etat_compte is 'Cette ligne n''est pas dans cet état.';
comment on constraint etat_compte_credit_inconnu on compta.etat_compte is 'Cette ligne n''est pas dans cet état.';

-- « reference title », then « = references » for a sum.
insert into compta.etat_ligne (etat, code, rang, libelle, parties)
select e.etat::compta.etat, m.l[1], row_number() over (partition by e.etat order by x.rang), btrim(m.l[2]),
       string_to_array(m.l[3], ' ')
  from (values
('RESULTAT', $etat$
TA Ventes de marchandises; RA Achats de marchandises; RB Variation de stocks de marchandises;
XA MARGE COMMERCIALE = TA RA RB; TB Ventes de produits fabriqués; TC Travaux, services vendus; TD Produits accessoires;
XB CHIFFRE D'AFFAIRES = TA TB TC TD; TE Production stockée (ou déstockage); TF Production immobilisée;
TG Subventions d'exploitation; TH Autres produits; TI Transferts de charges d'exploitation;
RC Achats de matières premières et fournitures liées; RD Variation de stocks de matières premières;
RE Autres achats; RF Variation de stocks d'autres approvisionnements; RG Transports; RH Services extérieurs;
RI Impôts et taxes; RJ Autres charges; XC VALEUR AJOUTÉE = XB RA RB TE TF TG TH TI RC RD RE RF RG RH RI RJ;
RK Charges de personnel; XD EXCÉDENT BRUT D'EXPLOITATION = XC RK;
TJ Reprises d'amortissements, de provisions et de dépréciations;
RL Dotations aux amortissements, aux provisions et aux dépréciations; XE RÉSULTAT D'EXPLOITATION = XD TJ RL;
TK Revenus financiers et assimilés; TL Reprises de provisions et de dépréciations financières;
TM Transferts de charges financières; RM Frais financiers et charges assimilées;
RN Dotations aux provisions et aux dépréciations financières; XF RÉSULTAT FINANCIER = TK TL TM RM RN;
XG RÉSULTAT DES ACTIVITÉS ORDINAIRES = XE XF; TN Produits des cessions d'immobilisations; TO Autres produits HAO;
RO Valeurs comptables des cessions d'immobilisations; RP Autres charges HAO;
XH RÉSULTAT HORS ACTIVITÉS ORDINAIRES = TN TO RO RP; RQ Participation des travailleurs; RS Impôts sur le résultat;
XI RÉSULTAT NET = XG XH RQ RS$etat$),
('BILAN', $etat$
AD IMMOBILISATIONS INCORPORELLES = AE AF AG AH; AE Frais de développement et de prospection;
AF Brevets, licences, logiciels et droits similaires; AG Fonds commercial et droit au bail;
AH Autres immobilisations incorporelles; AI IMMOBILISATIONS CORPORELLES = AJ AK AL AM AN; AJ Terrains; AK Bâtiments;
AL Aménagements, agencements et installations; AM Matériel, mobilier et actifs biologiques; AN Matériel de transport;
AP Avances et acomptes versés sur immobilisations; AQ IMMOBILISATIONS FINANCIÈRES = AR AS; AR Titres de participation;
AS Autres immobilisations financières; AZ TOTAL ACTIF IMMOBILISÉ = AD AI AP AQ; BA Actif circulant HAO;
BB Stocks et encours; BG CRÉANCES ET EMPLOIS ASSIMILÉS = BH BI BJ; BH Fournisseurs, avances versées; BI Clients;
BJ Autres créances; BK TOTAL ACTIF CIRCULANT = BA BB BG; BQ Titres de placement; BR Valeurs à encaisser;
BS Banques, chèques postaux, caisse et assimilés; BT TOTAL TRÉSORERIE, ACTIF = BQ BR BS; BU Écart de conversion, actif;
BZ TOTAL DE L'ACTIF = AZ BK BT BU;
CA Capital; CB Apporteurs, capital non appelé; CD Primes liées au capital social; CE Écarts de réévaluation;
CF Réserves indisponibles; CG Réserves libres; CH Report à nouveau;
CI Résultats des exercices d'avant, en instance d'affectation; CJ Résultat net de l'exercice;
CL Subventions d'investissement; CM Provisions réglementées;
CP TOTAL CAPITAUX PROPRES ET RESSOURCES ASSIMILÉES = CA CB CD CE CF CG CH CI CJ CL CM;
DA Emprunts et dettes financières diverses; DB Dettes de location acquisition; DC Provisions pour risques et charges;
DD TOTAL DETTES FINANCIÈRES = DA DB DC; DF TOTAL RESSOURCES STABLES = CP DD; DH Dettes circulantes HAO;
DI Clients, avances reçues; DJ Fournisseurs d'exploitation; DK Dettes fiscales et sociales; DM Autres dettes;
DN Provisions pour risques à court terme; DP TOTAL PASSIF CIRCULANT = DH DI DJ DK DM DN;
DQ Banques, crédits d'escompte; DR Banques, établissements financiers et crédits de trésorerie;
DT TOTAL TRÉSORERIE, PASSIF = DQ DR; DV Écart de conversion, passif; DZ TOTAL DU PASSIF = DF DP DT DV$etat$),
('BILAN_MINIMAL', $etat$
A1 Immobilisations; A2 Stocks; A3 Clients et débiteurs divers; A4 Banque et monnaie électronique; A5 Caisse;
BZ TOTAL DE L'ACTIF = A1 A2 A3 A4 A5; C1 Compte de l'exploitant et fonds propres;
C2 Résultats des exercices d'avant, en instance d'affectation; C3 Résultat de l'exercice; D1 Emprunts;
D2 Fournisseurs et créditeurs divers; D3 Découverts de banque; DZ TOTAL DU PASSIF = C1 C2 C3 D1 D2 D3$etat$)
       ) as e (etat, lignes)
 cross join regexp_split_to_table(translate(e.lignes, e'\n', ' '), ';') with ordinality x (ligne, rang)
 cross join regexp_match(btrim(x.ligne), '^(\S+) ([^=]+)(?:= (.+))?$') m (l);

-- « reference prefixes », for the accounts of each line; « debit/credit » where the side of the balance tells the line,
-- and « -reference » for what is deducted from its gross value.
insert into compta.etat_compte (etat, prefixe, code_debit, code_credit, deduit)
select e.etat::compta.etat, p.prefixe, m.l[2], coalesce(m.l[3], m.l[2]), m.l[1] <> ''
  from (values
('RESULTAT', $etat$
TA 701; RA 601; RB 6031; TB 702 703 704; TC 705 706; TD 70 707; TE 73; TF 72; TG 71; TH 7 75; TI 78 781; RC 602; RD 6032;
RE 60 604 605 608; RF 603 6033; RG 61; RH 62 63; RI 64; RJ 6 65; RK 66; TJ 79 791 798 799; RL 68 681 69 691; TK 77;
TL 797; TM 787; RM 67; RN 687 697; TN 82; TO 84 86 88; RO 81; RP 8 83 85; RQ 87; RS 89$etat$),
('BILAN', $etat$
CA 1 10; CB 109; CD 105; CE 106; CF 11 111 112 113; CG 118; CH 12; CI 130; CJ 13; CL 14; CM 15; DA 16 18; DB 17; DC 19;
BJ/DM 185; AE 211 2181; AF 212 213 214; AG 215 216; AH 2 21; AJ 22; AK 23; AL 234 235 238; AM 24; AN 245; AP 25; AR 26;
AS 27; -AE 2811 2911; -AF 2812 2813 2814 2912 2913 2914; -AG 2815 2816 2915 2916; -AH 28 29 281 291; -AJ 282 292;
-AK 283 293; -AL 2834 2835 2838 2934 2935 2938; -AM 284 294; -AN 2845 2945; -AP 295; -AR 296; -AS 297; BB 3; -BB 39;
BH/DJ 40; BI/DI 41; BJ/DK 42 43 44; BJ/DM 4 45 46 47; BU 478; DV 479; BA/DH 48; -BJ 49; -BH 490; -BI 491; -BA 498;
DN 499 599; BQ 50; BR 51; BS/DR 5 52 53 54 55 57 58; DR 56; DQ 564 565; -BS 59; -BQ 590; -BR 591; BJ/DM 9$etat$),
('BILAN_MINIMAL', $etat$
C1 1 10 11 12 14 15; C2 130; C3 13; D1 16 17 18; D2 19 499 599; A1 2; -A1 28 29; A2 3; -A2 39; A3/D2 185 4 9; -A3 49;
A4/D3 5; -A4 59; A5/D3 57$etat$)
       ) as e (etat, lignes)
 cross join regexp_split_to_table(translate(e.lignes, e'\n', ' '), ';') as x (ligne)
 cross join regexp_match(btrim(x.ligne), '^(-?)(\w+)(?:/(\w+))? (.+)$') m (l)
 cross join regexp_split_to_table(m.l[4], ' ') as p (prefixe);
