-- The words that people read for the names of tables, keys, columns, codes and states. An entry is « nom: mots; ».
-- Whatever has no entry is written with the words of its name, each with its accents.

create type core.genre_mot as enum ('MOT', 'TITRE', 'LIGNE', 'ETAT', 'FEUILLE');
comment on type core.genre_mot is
  'MOT : un mot d''un nom. TITRE : une colonne, une partie d''un rapport, un code. LIGNE : une ligne d''une table, '
  'désignée par la table ou par la clé d''un chemin. ETAT : un état, dans une phrase. FEUILLE : ce qu''une feuille à '
  'importer écrit pour un champ.';

create table core.mot (
  genre core.genre_mot not null,
  nom text not null,
  mots text not null,
  constraint mot_pkey primary key (genre, nom)
);
comment on table core.mot is 'Mots que lisent les utilisateurs pour les noms de la base ; refait avec le code.';
comment on column core.mot.genre is 'Ce qui est nommé.';
comment on column core.mot.nom is 'Nom dans la base ou dans l''API, schéma ou table compris là où un autre a le même.';
comment on column core.mot.mots is 'Mots en français.';

-- A word here has its accents; its name has none.
insert into core.mot (genre, nom, mots)
select 'MOT', core._cherche(m.mot), m.mot from regexp_split_to_table(btrim($mots$
  à abandonnée abonnement absent absente absents acceptée acceptées accès achat acompte actif actifs active activité
  adresse affaire agent ajout ajoutée ajustement alertes altéré amortissements ancien année annoncée annuel annulation
  annulé annulée annulées appareil appartement application appliqué apprenti approvisionnement après arbre archive
  arrivée assujetti attendu attente au aucun aucune automatique autorisé autorité autre autres avance avant avis avoir
  avoirs banque barre base bâtiment bilan brouillon brut caisse caissier calculé calculée carte cas catalogue
  catégorie caution CDD CDI centième chambre chambres changée charge chemin chiffre cible CINETPAY clé client clos
  clôture CNI code colonnes commande commandes commentaire commercial compte comptes compteur comptoir confirmation
  confirmé confirmée confirmer congé connexion consommation consommé constat contact contraire contrat contrats
  contribuable contrôleur convenu copie corps correction corrections courante cours coût couvert création crédit
  crédité créé créée créneau critical cuisine cuisinier cumul date de débit début décaissement
  décaissements décider déclarant déclaration déduction déduit déduite défaut déjà délivrance delta demande départ
  dépense dépenses déposé dépôt depuis dernier dernière des description devise différence différences
  disponible disponibles document domaine données du durée écart écarté échéance échec échouée échu effacé effacement
  effet élément éléments email embauche émises émission employé employés emporter empreinte empreintes en encaissé
  encaissement encaissements encaisseur enregistrement entité entrant entrée entrées entretien envoyé envoyée époque
  épuisée équipements erreur essai essais essayé essayer état événement événements excédent exception exercice
  exonéré expiration expiré expirée export facture facturée facturer factures fait faite fausse faux fermeture fête
  feuille fiche fichier fin finances fonction fond format forme fournisseur frais franc fréquence général genre grand
  hash hebdomadaire heure heures high horloge hors HT ici identifiant ids image impayé impayée impayés import inactif
  incertaine indicateurs indisponible infos initial IP issue jour journal journaux jours justificatif kg lavage le
  lecture libellé lien lieu lieux ligne lignes livraison livre locataire locataires location logement
  login low loyer loyers lue magasinier main maintenance manifestation manquant manquante manquantes manque manuelle
  marchandise marchandises marge masse max medium mensuel message meublé minimal mobile mode modèle modification modifié
  modifier module mois montant mot motif mouvement moyen ms MT940 naissance nationalité nature net nette nettoyage
  niveau nom nombre nommé non normal note notes notification nouveau nouvelles nuitée numéro objet observations
  occupation occupé occupées occupés octets offre OFX opérateur opération opérations origine ouvert ouverte ouverture
  paie paiement paiements panne par paramètre part partie partiel partielle parties passage passe passeport passif payé
  payée payer pays perçus perdu période périodicité périodique permission permissions personnel personnes perte photo
  photos PI pièce place plan planification plat poids pointage pointés portail préavis précédent préfixe premier prénom
  prénoms préparation présent présents pressing prestation prêt prête prêtes prévu prévue prime principal priorité prise
  prix prochain prochaines produit profession proposition propositions prouvé QR qualité quantité quota quotidienne rang
  rapprochée rapprochées rapprochement rapprocher rapprochés réalisée réalisées réception réceptionniste
  recettes rectification reçu réelle référence refusée refusées régime registre règle règlement rejeté relevé relevés
  reliquat remboursé remboursement remise repas repassage réponse report reporté repris reprise requête
  réseaux réservation réservations réservé réservée réservés résidence résidentiel résiliation
  résilié résiliée résolu résolution responsable restaurant restauration reste restitue restituée restitution
  résultant résultante résultat retard retards retenue retenues retiré retirées retour retrait réussie révision
  révocation rôle rompu saisi saisie salaire salariale salle sauvegarde sceau scope séchage secondaire secret séjour
  séquence série séries serveur service services servie session seul sexe sha256 sieste signalement signature solde
  sortant sortie sorties souhaitée source souscription SPI statut stock stricte studio succès suite suivie sujet sup
  sur suspendu synthèse taille tarif tarification taux taxe technicien téléphone tentatives terminé texte ticket
  tirage titre total tout trace traitant traité traitement transaction travaillée trésorerie TTC type types unitaire
  unité url usage utilisateur utilisation valable valeur valide validée vendeur vendue venir vente vers versé
  versement version verso vêtement ville virement virements voir wave webhook zéro
$mots$, E' \n'), '\s+') m (mot);

insert into core.mot (genre, nom, mots)
select t.genre::core.genre_mot, btrim(split_part(e.entree, ':', 1), E' \n'),
       regexp_replace(btrim(substr(e.entree, strpos(e.entree, ':') + 1), E' \n'), '\s+', ' ', 'g')
  from (values
('MOT', $mots$
  affaires: d’affaires; aujourd: aujourd’hui; entetes: en-têtes; hui:; id: identifiant; maj: mise à jour;
  num: numérisée; ref: réf.; tel: tél.;
$mots$),
('ETAT', $mots$
  DEPOSE: déposée; PARTIELLE: payée en partie; PRET: prête; RETIRE: retirée;
$mots$),
('LIGNE', $mots$
  achat.application: Imputation d'un paiement d'achat; achat.avoir: Avoir de fournisseur;
  achat.avoir_ligne: Ligne d'avoir de fournisseur; achat.facture: Facture d'achat;
  achat.facture_ligne: Ligne de facture d'achat; achat.paiement: Paiement d'achat;
  achat.reception_ligne: Produit d'une réception;
  abonnement.mouvement: Mouvement d'abonnement prépayé; abonnement.offre: Offre d'abonnement prépayé;
  audit.archive: Archive du journal; audit.effacement: Effacement des données d'un client;
  audit.rectification: Rectification du journal; auth.cle: Clé d'API; auth.code_secours: Code de secours;
  auth.depot: Catégorie de fichiers; auth.role_permission: Permission d'un rôle;
  auth.second_facteur: Second facteur de l'utilisateur; auth.secret: Mot de passe de l'utilisateur;
  categorie_abonnement: Catégorie d'abonnement; categorie_charge: Catégorie de charge;
  categorie_depense: Catégorie de dépense; categorie_produit: Catégorie de produit; cle: Paramètre;
  client.contact_urgence: Contact d'urgence; client.piece_identite: Pièce d'identité; code: Activité;
  code_barre: Code-barres; compta.compte: Compte comptable; compta.etat_compte: Préfixe d'un état financier;
  compta.etat_ligne: Ligne d'un état financier; compta.plan: Compte du plan comptable;
  compta.exercice_clos: Exercice clôturé;
  compta.jour_efface: Libellés comptables effacés; compta.operation: Opération comptable;
  compta.operation_ligne: Ligne d'opération comptable; id_operation: Opération comptable; annee: Exercice;
  compta.periode: Clôture comptable; core.code_taxe: Code de taxe; core.regime: Régime de taxe;
  core.secret_documents: Clé de contrôle des documents; evenement.webhook_secret: Clé d'un webhook;
  facturation.avoir_ligne: Ligne d'avoir; facturation.facture_ligne: Ligne de facture;
  facturation.facture_ligne_taxe: Taxe d'une ligne de facture;
  finances.affectation_caisse: Affectation de caisse de l'utilisateur;
  finances.application_paiement: Imputation de paiement; finances.mouvement_credit: Mouvement du crédit d'un client;
  finances.moyen_paiement: Moyen de paiement; finances.periode_caisse: Période de caisse;
  finances.appareil: Appareil de caisse; finances.exception_caisse: Exception de caisse;
  finances.tirage: Comptage de caisse; id_cle: Clé d'API; id_moyen: Moyen de paiement; id_piece: Pièce d'identité;
  jobs.planification: Planification des sauvegardes; market.mouvement_stock: Mouvement de stock;
  market.vente_ligne: Ligne de vente; paie: Bulletin de paie; pressing.commande: Commande du pressing;
  pressing.commande_ligne: Ligne de commande du pressing; pressing.prestation: Prestation du pressing;
  pressing.tarif_kg: Prix du kilo du pressing; residence.abonnement_periode: Période d'un abonnement;
  residence.caution_evenement: Mouvement de caution; residence.charge_facturee: Charge refacturée;
  residence.contrat_location: Contrat de location; residence.echeance: Échéance;
  residence.etat_des_lieux: État des lieux; residence.occupation: Occupation de logement;
  residence.revision_loyer: Révision de loyer; residence.sejour_court: Séjour;
  restaurant.categorie_plat: Catégorie de plat; restaurant.commande: Commande du restaurant;
  restaurant.commande_ligne: Ligne de commande du restaurant; rh.element_salaire: Élément de salaire;
  salle_fete.reservation: Réservation de la salle; signalement.photo: Photo de signalement;
  souscription: Abonnement prépayé; taxe: Taux de taxe; tresorerie.compte: Compte hors caisse;
  tresorerie.ligne: Ligne de relevé; id_ligne: Ligne de relevé;
  type_manifestation: Type de manifestation;
  type_vetement: Type de vêtement;
$mots$),
('TITRE', $mots$
  de_0_a_30_jours: 0 à 30 jours; de_1_a_30_jours: 1 à 30 jours; de_31_a_60_jours: 31 à 60 jours;
  de_61_a_90_jours: 61 à 90 jours; plus_de_90_jours: Plus de 90 jours;
  ouverture_debit: Ouverture, débit; ouverture_credit: Ouverture, crédit;
  solde_debit: Solde débiteur; solde_credit: Solde créditeur; solde_precedent: Un an avant;
  montant_precedent: Un an avant; net_precedent: Net un an avant; amortissements: Amort. et dépréc.;
  CAMT_053: camt.053; CONSTAT: Constatée; ici_seul: Ici seulement; MAIN: À la main; MANQUE: Relevé manquant;
  OUVERTURE: Avant le premier relevé; prouve: Prouvé par un relevé; rapproches: Rapproché;
  releve_seul: Sur le relevé seulement; solde_releve: Solde du relevé;
  activite_code: Code de l’activité; activite_libelle: Activité; adresse_livraison: Adresse de livraison;
  annulees: Annulations; au_id: Au n°; avoirs_mois: Avoirs; base: Base HT; batiment_code: Code du bâtiment;
  batiment_nom: Nom du bâtiment; ca: Chiffre d’affaires; CARTE_SEJOUR: Carte de séjour; categorie_libelle: Catégorie;
  categorie_plat_libelle: Catégorie de plat; chiffre_affaires_aujourd_hui: Chiffre d’affaires du jour;
  chiffre_affaires_global_mois: Chiffre d’affaires; chiffre_affaires_mois: Chiffre d’affaires;
  client_code: Code du client; client_nom: Nom du client; client_prenoms: Prénoms du client;
  client_tel: Téléphone du client; code_barre: Code-barres; code_taxe: Code de taxe; collectee: Taxe collectée;
  consomme_aujourdhui: Consommé aujourd’hui; date_debut: Date de début; date_depot: Date de dépôt;
  date_echeance: Échéance; date_embauche: Date d’embauche; date_entree: Date d’entrée; date_evenement: Date;
  date_fin: Date de fin; date_heure: Date et heure; date_naissance: Date de naissance;
  date_retrait_prevue: Retrait prévu le; date_retrait_reelle: Retiré le; date_sortie: Date de sortie;
  decaissements_mois: Décaissements; declarant_login: Login du déclarant; declarant_nom: Nom du déclarant;
  declarant_prenom: Prénom du déclarant;
  DELETE: Suppression; depenses_mois: Dépenses; due: Taxe due; deductible: Taxe déductible;
  du_id: Du n°; duree_jours: Durée en jours; duree_mois: Durée en mois; duree_ms: Durée en ms;
  employe_nom: Nom de l’employé; employe_prenom: Prénom de l’employé; en_alerte: Produits en alerte;
  entite_id: Identifiant; facture_numero: Numéro de facture; factures_brutes_mois: Factures brutes;
  fournisseur_nom: Fournisseur; heure_debut: Heure de début;
  INSERT: Création; jours_retard: Jours de retard; lieu_naissance: Lieu de naissance;
  LOCATION_COMMERCIAL: Location commerciale; LOCATION_RESIDENTIEL: Location résidentielle;
  logements_par_statut: Logements par état; login: Utilisateur; market: Boutique; market.stock: Stock;
  mode_prix: Mode de prix; montant_avoirs: Avoirs; montant_brut: Factures brutes; montant_du: Montant dû;
  montant_factures: Montant des factures; montant_loyer: Loyer; montant_taxe: Taxe; moyen_libelle: Moyen;
  nom_client: Client; nombre_commandes: Commandes; nombre_commandes_aujourd_hui: Commandes du jour;
  nombre_operations: Nombre d’opérations; nombre_personnes: Personnes; nombre_reservations: Réservations;
  nombre_sejours: Séjours; nombre_ventes: Ventes; nombre_ventes_aujourd_hui: Ventes du jour;
  numero_commande: Numéro de commande;
  numero_contrat: Numéro de contrat; numero_contribuable: Numéro de contribuable; numero_logement: Numéro de logement;
  net: Net; non_echu: Non échu;
  offre_code: Code de l’offre; offre_libelle: Offre; paie: Paie (nets); paie.total_verse: Salaires versés;
  par_statut: Par état; paye_jusqu_au: Payé jusqu’au; pointage: Présences; pointage.total_duree: Heures travaillées;
  pointage.total_heures_sup: Heures supplémentaires; pointage.total_pointes: Pointages;
  prestation_libelle: Prestation; prix_achat: Prix d’achat; prix_vente: Prix de vente;
  quantite_stock: Quantité en stock; recettes_jour: Recettes du jour;
  recettes_mois: Recettes; residence.impayes: Loyers échus ce jour; salaire_base: Salaire de base;
  salaires_a_payer_mois: Salaires à payer; SALLE_FETE: Salle de fête; salle_fete: Salle de fête;
  salle_fete.prochaines: Prochaines réservations;
  service_libelle: Service; seuil_alerte: Seuil d’alerte; solde_mois: Solde; sorties_mois: Sorties;
  source_id: Identifiant de la source; sur_avoirs: Taxe des avoirs; taux: Taux (%);
  total_decaissements: Total des décaissements; total_depenses: Total des dépenses;
  total_duree: Heures travaillées; total_heures_sup: Heures supplémentaires;
  total_pointages_aujourd_hui: Pointages du jour; total_pointes: Pointages; total_produits: Produits;
  total_recettes: Total des recettes; total_sorties: Total des sorties; total_verse: Salaires versés;
  type_client: Type de client; type_contrat: Type de contrat; type_location: Type de location;
  type_logement: Type de logement; type_manifestation: Manifestation; type_signalement: Type de signalement;
  UPDATE: Modification; valeur_stock: Valeur du stock; VENTE_MARCHANDISES: Vente de marchandises;
$mots$),
('FEUILLE', $mots$
  actif: active, en service;
  activite: secteur, code activite, code de l activite, activite code;
  adresse: adresse postale, rue, localisation, quartier;
  autres_infos: autres infos, notes, observations, remarques;
  batiment: batiment code, code du batiment, immeuble, residence, code batiment, nom du batiment, bloc,
    id batiment code;
  categorie: famille, rayon, groupe, categorie produit, categorie plat, categorie libelle;
  client: locataire, code du client, nom du client, nom client, code client, client code, nom du locataire,
    nom complet;
  code: n, no, numero, code client, reference;
  batiments.code: code batiment, lettre;
  clients.code: code client, n client, no client, numero client, numero de client;
  employes.code: matricule, code employe, n matricule, no matricule, numero matricule;
  code_barre: code barres, code a barres, ean, ean13, gencod;
  contact: interlocuteur, personne a contacter, responsable;
  date: date facture, date de la facture, date de facture, emise le;
  date_debut: date de debut, date debut bail, debut du bail, date d entree, date entree, entree, du;
  date_embauche: date d embauche, embauche, embauche le, date d entree, date entree, recrute le;
  date_entree: date d entree, entre le;
  date_fin_prevue: date fin, date de fin, fin du bail, fin, echeance, date de fin prevue, au;
  date_naissance: date de naissance, ne le, nee le, naissance, ddn;
  date_signature: date de signature, signe le, signature du bail;
  date_sortie: date de sortie, sortie, date de depart;
  description: descriptif, detail, details, composition;
  disponible: en vente, a la carte;
  document_ref: document ref, reference document, bon, n bon, no bon;
  duree_mois: duree, duree en mois, duree du bail, nombre de mois;
  email: e mail, mail, courriel, adresse electronique, adresse mail, adresse e mail;
  equipements: equipement, mobilier;
  etat: etat des lieux, condition;
  fonction: poste, emploi;
  fournisseur: fournisseur nom, nom fournisseur, nom du fournisseur;
  lieu_naissance: ne a, lieu de naissance;
  libelle: designation, intitule, nom, objet, prestation, service;
  factures.libelle: designation, objet, numero, n facture, no facture, numero facture, numero de facture, facture,
    reference;
  logement: chambre, numero de logement, appartement, studio, n logement, no logement, numero logement, numero du
    logement, local, numero;
  montant: reste, reste a payer, solde, du, montant du, impaye, montant restant, reste du, montant reste a payer;
  montant_loyer: loyer, loyer mensuel, montant du loyer, loyer initial, prix du loyer;
  motif: commentaire, remarque;
  nationalite: pays d origine;
  nom: noms, nom de famille, libelle;
  clients.nom: noms, nom de famille, nom du client, nom client;
  employes.nom: noms, nom de famille, nom employe;
  fournisseurs.nom: fournisseur, raison sociale, nom du fournisseur, nom fournisseur, societe, libelle;
  plats.nom: plat, designation, nom du plat, libelle, intitule;
  produits.nom: designation, produit, article, nom du produit, nom produit, libelle, intitule;
  stock.nom: designation, produit, article, nom du produit, nom produit, libelle;
  batiments.nom: nom du batiment, batiment, libelle;
  numero: n, no, numero logement, n logement, no logement, numero du logement, chambre, porte;
  pays: pays de residence;
  paye_jusqu_au: paye jusqu au, paye jusqu a, loyer paye jusqu au, paye jusque, a jour jusqu au, regle jusqu au,
    dernier loyer paye, paid until, jusqu au, payes jusqu au, paye au;
  prenom: prenoms, prenom s;
  prenoms: prenom, prenom s;
  prix: tarif, montant, prix unitaire, pu, prix de vente, prix ttc;
  prix_achat: pa, achat, cout, cout d achat, prix de revient, prix d achat unitaire;
  cout_unitaire: cout, pa, achat, prix d achat, cout d achat, prix de revient, prix unitaire, pu, valeur unitaire;
  prix_vente: pv, vente, prix, tarif, prix unitaire, pu, prix de vente unitaire, prix ttc;
  profession: metier, emploi, activite professionnelle;
  quantite: qte, qte en stock, stock, quantite en stock, quantite stock, stock initial, nombre, quantite initiale,
    stock d ouverture;
  quantite_initiale: qte, quantite, stock, quantite stock, stock initial, qte en stock, stock d ouverture, en stock;
  ligne_saisie.compte: numero, numero de compte, n compte, no compte, code;
  ligne_saisie.credit: solde credit, solde crediteur, crediteur, avoir;
  ligne_saisie.debit: solde debit, solde debiteur, debiteur, doit;
  ligne_saisie.libelle: intitule, intitule du compte, libelle du compte, nom du compte;
  feuille.jour: date operation, date d operation, date de l operation, date comptable, date comptabilisation, le;
  feuille.libelle: libelle operation, libelle de l operation, designation, description, nature, details, detail, motif,
    intitule, operation, narration;
  feuille.reference: ref, reference operation, n piece, piece, reference client, numero de piece, n cheque;
  feuille.debit: montant debit, debit fcfa, debit xof, debits, sortie, sorties, retrait, retraits, debite;
  feuille.credit: montant credit, credit fcfa, credit xof, credits, entree, entrees, depot, depots, credite;
  feuille.montant: montant operation, montant de l operation, montant fcfa, montant xof, somme, amount;
  feuille.solde: solde apres operation, solde apres, solde progressif, solde fcfa, solde xof, nouveau solde, balance;
  feuille.identifiant: id, id transaction, transaction, transaction id, n transaction, numero de transaction,
    identifiant operation, id operation, reference transaction, reference banque;
  reference: ref, code, code produit, code article, sku, reference produit, ref produit;
  salaire_base: salaire, salaire mensuel, salaire de base mensuel, remuneration;
  service: departement, service libelle;
  seuil_alerte: seuil, stock minimum, stock mini, stock min, alerte, seuil d alerte;
  sexe: genre, civilite;
  statut: disponibilite;
  tarif: loyer, prix, montant, loyer mensuel, montant du loyer;
  tel_principal: tel, tel 1, tel1, telephone 1, telephone principal, tel principal, n tel, no tel, n de tel, numero
    tel, n telephone, n de telephone, no telephone, numero de telephone, numero telephone, mobile, portable,
    cellulaire, cel, gsm, whatsapp, contact, contacts, numero;
  tel_secondaire: tel 2, tel2, telephone 2, telephone secondaire, tel secondaire, autre tel, autre numero, deuxieme
    telephone;
  telephone: tel, tel 1, n tel, no tel, n de tel, numero tel, n telephone, n de telephone, no telephone, numero de
    telephone, numero telephone, mobile, portable, cellulaire, cel, telephone du client, tel client;
  type: type logement, nature, categorie, type de logement;
  type_client: type, type client, categorie, nature;
  type_contrat: contrat, type contrat, nature du contrat;
  type_location: type location, type de bail, type bail, frequence, mensuel annuel;
  ville: commune, localite;
$mots$)) t (genre, texte),
       string_to_table(t.texte, ';') e (entree)
 where strpos(e.entree, ':') > 0;

-- PostgreSQL inlines a function in FROM. The journal calls this one for every entry.
create function core.en_mots(p_genre core.genre_mot, p_nom text) returns table (mots text)
language sql stable parallel safe
begin atomic
  select coalesce(
    (select m.mots from core.mot m where m.genre = p_genre and m.nom = p_nom),
    (select m.mots from core.mot m where m.genre = p_genre and m.nom = nu.nom),
    (select case p_genre when 'LIGNE' then upper(left(n.mots, 1)) || substr(n.mots, 2) else n.mots end
       from (select string_agg(nullif(coalesce(m.mots, n.mot), ''), ' ' order by n.rang) as mots
               from string_to_table(lower(nu.nom), '_') with ordinality n (mot, rang)
               left join core.mot m on m.genre = 'MOT' and m.nom = n.mot) n))
    from (select split_part(p_nom, '.', -1)) nu (nom);
end;
comment on function core.en_mots is
  'Un nom en mots : son entrée dans core.mot, ou celle du nom sans schéma ; sinon les mots du nom.';

-- The journal finds the words of every table in one look-up.
insert into core.mot (genre, nom, mots)
select 'LIGNE', t.nom, m.mots
  from (select n.nspname || '.' || c.relname from pg_class c join pg_namespace n on n.oid = c.relnamespace
         where c.relkind in ('r', 'p') and not c.relispartition and c.relowner = 'comptoir_owner'::regrole) t (nom),
       core.en_mots('LIGNE', t.nom) m
on conflict do nothing;

create function core.mot_lister() returns setof core.mot
language sql stable security definer set search_path = pg_catalog, pg_temp
begin atomic
  select * from core.mot;
end;
comment on function core.mot_lister is 'Les mots, que l''API lit à son démarrage.';
