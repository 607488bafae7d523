-- What a column means, in which unit, and who writes it, where its name does not say it. Some sentences of rules told
-- what is true of the data instead of what the user has to mend.
-- depends: 0025.finances-resume

comment on column core.parametre.valeur is 'Toujours un texte ; ce que le service sait lire d''un paramètre est vérifié à l''écriture.';
comment on column core.parametre.description is 'Ce que règle ce paramètre.';
comment on column core.activite.code is 'Code technique, par exemple PRESSING ; il ne change pas.';
comment on column core.activite.actif is 'Une activité inactive reste dans les factures et les paiements passés.';
comment on column core.compteur.type is 'Série : FAC pour les factures, CL pour les clients, CPR, CON…';
comment on column core.compteur.valeur is 'Dernier rang donné.';
comment on column core.idempotence.id_utilisateur is 'Une clé est à l''utilisateur qui l''envoie.';
comment on column core.idempotence.cle is 'Valeur de l''en-tête Idempotency-Key.';
comment on column core.idempotence.reponse is 'Corps de la première réponse, octet pour octet ; null tant que sa transaction court.';
comment on column core.empreinte.nom is 'Chemin du fichier, ou nom de l''objet.';
comment on column core.empreinte.valeur is 'Empreinte de son contenu.';
comment on column core.secret_documents.seul is 'Toujours vrai : une seule ligne.';

comment on column client.client.type_client is 'LOCATAIRE quand il devient résident ; PASSAGE pour qui ne fait que passer.';
comment on column client.client.tel_principal is 'Téléphone auquel on le joint d''abord.';
comment on column client.piece_identite.autorite_delivrance is 'Qui a délivré la pièce.';
comment on column client.piece_identite.copie_num is 'Clé de la copie du recto.';
comment on column client.piece_identite.copie_num_verso is 'Clé de la copie du verso, null s''il n''y en a pas.';
comment on constraint piece_dates_ordonnees on client.piece_identite is 'La pièce doit expirer après sa délivrance.';

comment on column auth.permission.code is 'DOMAINE.ACTION, par exemple FINANCES.VOIR.';
comment on column auth.role.code is 'Code technique, par exemple RESPONSABLE_MAGASIN.';
comment on column auth.utilisateur.login is 'Identifiant de connexion, souvent une adresse électronique ; sa casse ne compte pas.';
comment on column auth.utilisateur.actif is 'Un compte inactif n''ouvre plus de session, et les siennes prennent fin.';
comment on column auth.utilisateur.dernier_connexion is 'Dernière connexion réussie.';
comment on column auth.secret.mot_de_passe is 'Hachage bcrypt, coût 10.';
comment on column auth.secret.date_maj is 'Dernier changement du mot de passe.';
comment on column auth.jeton_rafraichissement.hash is 'SHA-256 du jeton ; le jeton n''est gardé nulle part.';
comment on column auth.jeton_rafraichissement.famille is 'Connexion dont le jeton descend ; révoquée tout entière si l''un d''eux est rejoué.';
comment on column auth.jeton_rafraichissement.adresse_ip is 'Adresse qui l''a reçu.';
comment on column auth.jeton_reinitialisation.hash is 'SHA-256 du jeton ; le jeton n''est que dans l''e-mail.';
comment on column auth.jeton_reinitialisation.date_usage is 'Usage, ou demande suivante qui le remplace ; null tant qu''il peut servir.';
comment on column auth.connexion.succes is 'Faux pour un mot de passe refusé ou un compte inactif.';
comment on column auth.connexion.adresse_ip is 'Adresse d''où elle vient, null si elle n''est pas connue.';

comment on column facturation.prestation.categorie is 'Regroupement libre, pour les listes.';
comment on column facturation.prestation.prix is 'Prix d''une unité ; les factures émises gardent celui de leur jour.';
comment on column facturation.prestation.id_activite is 'Activité qui la facture, null pour toutes.';
comment on column facturation.prestation.actif is 'Une prestation inactive ne se facture plus.';
comment on column facturation.facture.date is 'Instant de l''émission.';
comment on column facturation.facture.id_client is 'Client qui doit, null pour un client de passage.';
comment on column facturation.facture.id_activite is 'Activité dont c''est la recette, null pour aucune.';
comment on column facturation.facture.id_utilisateur is 'Qui l''a émise, null hors de l''API.';
comment on column facturation.facture.libelle is 'Objet de la facture, la seule chose qui s''y corrige.';
comment on column facturation.facture.remise is 'Remise sur la somme des lignes ; elle ne la dépasse pas.';
comment on column facturation.facture.annulee is 'Vrai quand sa source est annulée : elle n''est plus due, ses paiements sont rendus.';
comment on column facturation.facture.source_type is 'Ce que la facture fait payer ; source_id en est l''identifiant.';
comment on column facturation.facture_ligne.quantite is 'Nombre d''unités, nuits ou pièces, deux décimales.';
comment on column facturation.facture_ligne.prix_unitaire is 'Prix d''une unité.';

comment on column finances.moyen_paiement.actif is 'Un moyen inactif n''est plus proposé ; ses paiements restent.';
comment on column finances.caisse.actif is 'Une caisse inactive ne s''ouvre plus et n''encaisse plus.';
comment on column finances.periode_caisse.ouverture is 'Instant de l''ouverture.';
comment on column finances.periode_caisse.fermeture is 'Null tant que la caisse est ouverte.';
comment on column finances.periode_caisse.id_utilisateur_ouverture is 'Qui a ouvert la caisse, null hors de l''API.';
comment on column finances.periode_caisse.id_utilisateur_fermeture is 'Qui a fermé la caisse, null tant qu''elle est ouverte.';
comment on column finances.paiement.date is 'Instant du paiement ; se corrige tant que la période de caisse est ouverte.';
comment on column finances.paiement.montant is 'Toujours positif : type dit le sens.';
comment on column finances.paiement.type is 'ENCAISSEMENT : argent reçu. DECAISSEMENT : argent rendu ou versé, un salaire par exemple.';
comment on column finances.paiement.id_activite is 'Activité dont c''est l''argent, null pour aucune.';
comment on column finances.paiement.id_caisse is 'Caisse qui l''a reçu ou rendu, null hors caisse.';
comment on column finances.paiement.id_utilisateur is 'Qui l''a écrit, null hors de l''API.';
comment on column finances.paiement.motif is 'Ce qui est payé, en clair.';
comment on column finances.paiement.reference is 'Texte libre : numéro de chèque, de virement, de transaction.';
comment on column finances.application_paiement.montant is 'Part appliquée à la facture ; négative pour un paiement contraire, jamais nulle.';
comment on column finances.depense.date is 'Instant de la dépense, jamais à venir.';
comment on column finances.depense.id_activite is 'Activité que la dépense charge, null pour l''entreprise entière.';
comment on column finances.depense.id_caisse is 'Caisse qui a payé, null sans caisse.';
comment on column finances.depense.id_periode is 'Période ouverte de la caisse au moment de la dépense, posée par un déclencheur.';
comment on column finances.depense.id_utilisateur is 'Qui l''a écrite, null hors de l''API.';
comment on column finances.depense.justificatif is 'Référence ou description de la pièce justificative.';
comment on column finances.tirage.date is 'Jour compté, pas celui de la saisie.';
comment on column finances.tirage.montant_compte is 'Argent trouvé dans la caisse, fond initial déduit.';
comment on column finances.tirage.ecart is 'montant_compte − montant_attendu : négatif s''il manque de l''argent.';
comment on column finances.tirage.id_utilisateur is 'Qui a compté.';
comment on column finances.resume_etat.seul is 'Toujours vrai : une seule ligne.';
comment on column finances.resume_paiement.id_activite is 'Activité des paiements, null pour ceux qui n''en ont pas.';
comment on column finances.resume_paiement.id_caisse is 'Caisse des paiements, null pour ceux hors caisse.';
comment on column finances.resume_paiement.encaissements is 'Somme de l''argent reçu.';
comment on column finances.resume_paiement.decaissements is 'Somme de l''argent rendu ou versé, positive.';

comment on column notification.notification.priorite is 'LOW, MEDIUM, HIGH ou CRITICAL : à quel point elle presse.';
comment on column notification.notification.titre is 'Ce qui s''affiche d''abord.';
comment on column notification.notification.corps is 'Une phrase pour l''utilisateur.';
comment on column notification.notification.donnees is 'Ce dont il s''agit, par ses identifiants.';
comment on column notification.lecture.date is 'Première lecture.';

comment on column audit.journal.date_heure is 'Instant de l''écriture, à l''horloge de la base.';
comment on column audit.journal.operation is 'INSERT, UPDATE ou DELETE.';
comment on column audit.journal.entite is 'Table écrite, sans son schéma.';
comment on column audit.journal.entite_id is 'Clé primaire de la ligne ; ses colonnes se joignent par un tiret.';
comment on column audit.journal.montant is 'Montant de la ligne, null si elle n''en porte pas.';
comment on column audit.journal.avant is 'La ligne avant l''écriture, ses secrets masqués ; null pour un INSERT.';
comment on column audit.journal.apres is 'La ligne après l''écriture, ses secrets masqués ; null pour un DELETE.';
comment on column audit.journal.adresse_ip is 'Adresse du client de la requête, null hors de l''API.';
comment on column audit.sceau.date is 'Instant du scellement.';
comment on column audit.sceau.registre is 'Table scellée : le journal, les factures, les paiements ou leurs applications.';
comment on column audit.sceau.au_id is 'Dernier identifiant de l''intervalle, compris.';

comment on column residence.batiment.code is 'Fin du numéro de ses logements, par exemple B dans GSG-CH01-B.';
comment on column residence.batiment.actif is 'Un bâtiment inactif garde ses logements et leurs contrats.';
comment on column residence.logement.nom is 'Nom d''usage, facultatif.';
comment on column residence.logement.equipements is 'Ce qui s''y trouve, en texte libre.';
comment on column residence.logement.statut is 'Disponibilité ; les contrats et les séjours la changent, ou quelqu''un, par les passages de core.transition.';
comment on column residence.contrat_location.duree_mois is 'Durée en mois ; donne la fin prévue qui manque.';
comment on column residence.contrat_location.type_location is 'MENSUEL : une échéance par mois. ANNUEL : une par année civile.';
comment on column residence.contrat_location.periodicite is 'Texte libre imprimé sur le contrat ; type_location s''il n''est pas donné.';
comment on column residence.contrat_location.date_resiliation is 'Dernier jour dû d''un contrat résilié, null pour les autres.';
comment on constraint fin_contrat_apres_debut on residence.contrat_location is 'Le contrat ne peut pas finir avant son début.';
comment on column residence.revision_loyer.ancien_montant is 'Loyer d''avant la révision.';
comment on column residence.revision_loyer.nouveau_montant is 'Loyer à partir de date_effet.';
comment on column residence.revision_loyer.date_effet is 'Premier jour du nouveau loyer ; les échéances impayées de ce jour ou d''après le prennent.';
comment on column residence.echeance.annee is 'Année de date_echeance.';
comment on column residence.echeance.mois is 'Mois de date_echeance, de 1 à 12.';
comment on column residence.caution.date_versement is 'Null tant qu''elle n''est pas versée.';
comment on column residence.caution.date_restitution is 'Null tant qu''elle n''est ni rendue ni retenue.';
comment on column residence.caution.montant_restitue is 'Montant moins la retenue, null avant la restitution.';
comment on column residence.caution.retenue is 'Part gardée par l''entreprise, null avant la restitution.';
comment on column residence.caution_evenement.id_paiement is 'Paiement d''un ENCAISSEMENT ou d''un REMBOURSEMENT, null pour ce qui est déclaré.';
comment on column residence.occupation.id_contrat is 'Contrat qui tient le logement, null pour un séjour.';
comment on column residence.occupation.id_sejour is 'Séjour qui tient le logement, null pour un contrat.';
comment on column residence.categorie_charge.actif is 'Une catégorie inactive ne se facture plus ; ses charges restent.';
comment on column residence.charge_facturee.periode is 'Mois consommé, AAAA-MM.';
comment on column residence.charge_facturee.compteur_numero is 'Numéro du compteur relevé.';
comment on column residence.charge_facturee.lecture_debut is 'Relevé du compteur au début de la période.';
comment on column residence.charge_facturee.lecture_fin is 'Relevé du compteur à la fin de la période.';
comment on column residence.charge_facturee.montant is 'Montant refacturé, saisi : il ne se déduit pas de la consommation.';
comment on constraint charge_sans_montant on residence.charge_facturee is 'Le montant d''une charge doit être plus grand que zéro.';
comment on column residence.sejour_court.id_client is 'Null pour un client de passage qui n''est pas enregistré.';
comment on column residence.sejour_court.date_heure_arrivee is 'Instant de l''arrivée.';
comment on constraint depart_prevu_ordonne on residence.sejour_court is 'Le départ prévu doit suivre l''arrivée.';
comment on column residence.abonnement.id_logement is 'Logement servi, null s''il n''y en a pas.';
comment on column residence.abonnement.service is 'Ce à quoi le client s''abonne, par exemple « Internet ».';
comment on column residence.abonnement.montant is 'Montant facturé à la souscription, en une fois.';
comment on column residence.abonnement.date_fin is 'Dernier jour, null sans terme.';
comment on column residence.etat_des_lieux.id_utilisateur is 'Qui a ajouté la photo.';

comment on column market.categorie_produit.actif is 'Une catégorie inactive sort des listes ; ses produits la gardent.';
comment on column market.fournisseur.actif is 'Un fournisseur inactif sort des listes ; ses produits le gardent.';
comment on column market.produit.prix_achat is 'Prix d''une unité chez le fournisseur, pour la marge et la valeur du stock.';
comment on column market.produit.prix_vente is 'Prix d''une unité au client.';
comment on column market.produit.actif is 'Un produit inactif ne se vend plus.';
comment on column market.vente.id_client is 'Null pour un client de passage.';
comment on column market.vente_ligne.quantite is 'Quantité vendue, deux décimales.';
comment on column market.vente_ligne.total_ligne is 'quantite × prix_unitaire, arrondi à deux décimales.';
comment on column market.mouvement_stock.type is 'ENTREE ajoute, SORTIE retire, AJUSTEMENT fait l''un ou l''autre selon son signe.';
comment on column market.mouvement_stock.motif is 'Pourquoi, en clair.';
comment on constraint quantite_du_mouvement on market.mouvement_stock is 'La quantité doit être plus grande que zéro, ou différente de zéro pour un AJUSTEMENT.';

comment on column pressing.commande.date_depot is 'Instant où le client a laissé son linge.';
comment on column pressing.commande_ligne.type_vetement is 'Par exemple « Chemise ».';
comment on column pressing.commande_ligne.quantite is 'Nombre de pièces.';

comment on column restaurant.plat.prix is 'Prix à la carte ; les commandes passées gardent le leur.';
comment on column restaurant.commande.id_client is 'Null pour un client de passage.';
comment on column restaurant.commande.statut is 'Avancement en cuisine et en salle ; l''argent, lui, est reçu à la commande.';
comment on column restaurant.commande_ligne.total is 'quantite × prix_unitaire, arrondi à deux décimales.';

comment on column salle_fete.reservation.id_client is 'Null tant que personne n''est nommé.';
comment on column salle_fete.reservation.heure_debut is 'Heure locale, au fuseau de l''organisation.';
comment on column salle_fete.reservation.type_manifestation is 'Par exemple « Mariage ».';
comment on column salle_fete.reservation.tarif is 'Prix de la location entière.';

comment on column signalement.signalement.id_utilisateur_declarant is 'Qui l''a signalé, null hors de l''API.';
comment on column signalement.signalement.note_resolution is 'Ce qui a été fait, ou pourquoi il est rejeté ; null tant qu''il n''est pas clos.';
comment on column signalement.signalement.date_resolution is 'Instant où il a été clos, null avant.';
comment on column signalement.photo.cle_objet is 'Clé du fichier déposé.';
comment on column signalement.photo.id_utilisateur is 'Qui l''a jointe.';

comment on column rh.employe.id_service is 'Service présent, null s''il n''en a pas.';
comment on column rh.employe.statut is 'Seul un employé ACTIF pointe et reçoit les bulletins du mois.';
comment on column rh.employe.autres_infos is 'Note libre.';
comment on column rh.pointage.date is 'Jour de l''arrivée, même si le départ est le lendemain.';
comment on column rh.pointage.heures_sup is 'Heures supplémentaires déclarées, deux décimales.';
comment on column rh.paie.periode is 'Mois payé, AAAA-MM.';
comment on column rh.paie.salaire_base is 'Salaire mensuel de base du bulletin.';
comment on column rh.paie.statut is 'CALCULEE, puis VALIDEE (figé), puis PAYEE ; ou ANNULEE avant le paiement.';
comment on column rh.element_salaire.type is 'PRIME et HEURE_SUP s''ajoutent, AVANCE et RETENUE se déduisent, AUTRE fait l''un ou l''autre selon son signe.';

comment on column jobs.sauvegarde.date_fin is 'Null tant qu''elle court.';
comment on column jobs.sauvegarde.taille_octets is 'Taille du fichier, en octets.';
comment on column jobs.sauvegarde.sha256 is 'SHA-256 du fichier, en hexadécimal.';
comment on column jobs.sauvegarde.message_erreur is 'Pourquoi elle a échoué, null sinon.';
comment on column jobs.restauration.auteur is 'Login de qui l''a demandée, null pour la ligne de commande.';
comment on column jobs.restauration.date_debut is 'Null tant que personne ne l''a prise en main.';
comment on column jobs.restauration.date_fin is 'Null tant qu''elle court.';
comment on column jobs.restauration.message_erreur is 'Pourquoi elle a échoué, null sinon.';
comment on column jobs.planification.active is 'Faux : rien ne se sauvegarde de soi-même.';
comment on column jobs.horloge.tache is 'Nom de la tâche, par exemple menage.';
comment on column jobs.total.issue is 'succeeded : réussie ; retried : échouée, elle sera reprise ; failed : échouée pour de bon.';
comment on column jobs.total.nombre is 'Nombre de tentatives.';

comment on constraint limite_minimale on domain core.limite is 'La limite est de 1 au moins.';
comment on constraint limite_maximale on domain core.limite is 'La limite est de 1000 au plus.';
