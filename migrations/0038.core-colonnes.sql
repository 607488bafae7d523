-- What the last columns mean whose name does not say it: a day or an instant, whose, in which states.
-- depends: 0028.residence-bornes

comment on column abonnement.categorie_abonnement.description is 'Ce que l''abonnement comprend, texte libre.';

comment on column auth.connexion.id_utilisateur is 'Compte auquel on a voulu se connecter.';
comment on column auth.connexion.date is 'Instant de l''essai, réussi ou non.';
comment on column auth.jeton_rafraichissement.id_utilisateur is 'Compte dont le jeton renouvelle la session.';
comment on column auth.jeton_rafraichissement.date_creation is 'Instant où le jeton a été donné.';
comment on column auth.jeton_rafraichissement.date_expiration is 'Instant à partir duquel il est refusé.';
comment on column auth.jeton_reinitialisation.id_utilisateur is 'Compte dont le mot de passe peut être changé.';
comment on column auth.jeton_reinitialisation.date_creation is 'Instant de la demande.';
comment on column auth.jeton_reinitialisation.date_expiration is 'Instant à partir duquel le lien est refusé.';
comment on column auth.role.description is 'À qui ce rôle est donné, texte libre.';
comment on column auth.utilisateur.id_role is 'Rôle présent : ses permissions sont celles du compte, dès la requête suivante.';
comment on column auth.utilisateur.date_creation is 'Instant de l''enregistrement, écrit par la base.';

comment on column client.client.tel_secondaire is 'Téléphone auquel on le joint à défaut du premier, null s''il n''y en a pas.';
comment on column client.client.adresse is 'Adresse de son domicile, telle qu''elle paraît sur les documents.';
comment on column client.client.date_enregistrement is 'Instant de l''enregistrement, écrit par la base.';
comment on column client.contact_urgence.tel_principal is 'Téléphone auquel on joint la personne d''abord.';
comment on column client.contact_urgence.tel_secondaire is 'Téléphone à défaut du premier, null s''il n''y en a pas.';
comment on column client.piece_identite.type_piece is 'CNI, PASSEPORT, CARTE_SEJOUR ou AUTRE.';
comment on column client.piece_identite.numero is 'Numéro porté par la pièce.';
comment on column client.piece_identite.date_delivrance is 'Jour où la pièce a été délivrée.';
comment on column client.piece_identite.date_expiration is 'Dernier jour de validité, null si la pièce n''en a pas.';

comment on column core.idempotence.date_creation is 'Instant de la première requête ; la ligne est retirée sept jours après.';

comment on column facturation.facture_ligne.libelle is 'Ce qui est facturé, tel que la facture l''imprime.';
comment on column facturation.prestation.description is 'Ce que le service comprend, texte libre.';

comment on column finances.affectation_caisse.id_utilisateur is 'Utilisateur lié à la caisse ; à une seule.';
comment on column finances.affectation_caisse.id_caisse is 'Caisse où va tout ce qu''il encaisse ou dépense.';
comment on column finances.depense.montant is 'Somme sortie, deux décimales, dans la monnaie de l''organisation.';
comment on column finances.depense.libelle is 'Ce qui a été payé.';
comment on column finances.tirage.note is 'Note libre, par exemple sur un écart.';
comment on column finances.tirage.date_creation is 'Instant du comptage, écrit par la base.';

comment on column jobs.planification.frequence is 'QUOTIDIENNE ou HEBDOMADAIRE ; HEBDOMADAIRE est le dimanche.';
comment on column jobs.restauration.id_sauvegarde is 'Sauvegarde remise en place.';
comment on column jobs.restauration.statut is 'EN_COURS, puis SUCCES ou ERREUR.';
comment on column jobs.restauration.date_creation is 'Instant de la demande.';
comment on column jobs.sauvegarde.type is 'MANUELLE, demandée par quelqu''un, ou AUTOMATIQUE, par la planification.';
comment on column jobs.sauvegarde.statut is 'EN_COURS, puis SUCCES ou ERREUR.';
comment on column jobs.sauvegarde.date_creation is 'Instant de la demande.';
comment on column jobs.total.tache is 'Nom de la tâche, celui de sa route.';

comment on column market.fournisseur.adresse is 'Adresse où l''on commande, texte libre.';
comment on column market.mouvement_stock.date is 'Instant du mouvement, écrit par la base.';
comment on column market.mouvement_stock.id_utilisateur is 'Auteur : l''utilisateur de la requête, écrit par la base ; null hors de l''API.';
comment on column market.vente.date is 'Instant de la vente, écrit par la base.';
comment on column market.vente.statut is 'PAYEE dès qu''elle est faite, puis ANNULEE si elle est défaite.';
comment on column market.vente.id_utilisateur is 'Auteur : l''utilisateur de la requête, écrit par la base ; null hors de l''API.';

comment on column notification.lecture.id_utilisateur is 'Utilisateur qui l''a lue.';
comment on column notification.notification.date is 'Instant où elle est écrite ; les listes vont de la plus récente à la plus ancienne.';

comment on column pressing.commande.statut is 'DEPOSE, EN_TRAITEMENT, PRET, RETIRE, ou ANNULEE.';

comment on column residence.abonnement.type is 'Rythme : MENSUEL, ANNUEL, ou PERIODIQUE, d''une date à une autre.';
comment on column residence.abonnement.date_debut is 'Premier jour couvert.';
comment on column residence.abonnement.statut is 'ACTIF, SUSPENDU, RESILIE, ou EXPIRE après le dernier jour.';
comment on column residence.abonnement.date_creation is 'Instant de l''enregistrement, écrit par la base.';
comment on column residence.batiment.adresse is 'Adresse des logements du bâtiment.';
comment on column residence.caution.motif_retenue is 'Pourquoi une part est gardée, null si tout est rendu.';
comment on column residence.caution_evenement.evenement is 'DECLARATION, VERSEMENT et RESTITUTION sont déclarés ; ENCAISSEMENT et REMBOURSEMENT passent par un paiement.';
comment on column residence.caution_evenement.date is 'Instant du fait.';
comment on column residence.caution_evenement.montant is 'Somme en jeu, deux décimales.';
comment on column residence.caution_evenement.motif is 'Explication, texte libre.';
comment on column residence.caution_evenement.id_utilisateur is 'Auteur : l''utilisateur de la requête, écrit par la base ; null hors de l''API.';
comment on column residence.charge_facturee.id_utilisateur is 'Auteur : l''utilisateur de la requête, écrit par la base ; null hors de l''API.';
comment on column residence.charge_facturee.date_creation is 'Instant de l''enregistrement, écrit par la base.';
comment on column residence.contrat_location.date_debut is 'Premier jour de location.';
comment on column residence.contrat_location.statut is 'EN_ATTENTE jusqu''à l''activation, ACTIF, puis RESILIE avant le terme ou TERMINE au terme.';
comment on column residence.contrat_location.date_signature is 'Jour où le contrat a été signé, null s''il ne l''est pas.';
comment on column residence.contrat_location.motif_resiliation is 'Pourquoi il a pris fin avant son terme, null sinon.';
comment on column residence.contrat_location.date_creation is 'Instant de l''enregistrement, écrit par la base.';
comment on column residence.contrat_location.id_utilisateur is 'Auteur : l''utilisateur de la requête, écrit par la base ; null hors de l''API.';
comment on column residence.etat_des_lieux.type is 'ENTREE ou SORTIE.';
comment on column residence.etat_des_lieux.commentaire is 'Ce que montre la photo, texte libre.';
comment on column residence.etat_des_lieux.date_ajout is 'Instant du dépôt de la photo, écrit par la base.';
comment on column residence.logement.type is 'CHAMBRE, STUDIO, APPARTEMENT ou MEUBLE.';
comment on column residence.revision_loyer.motif is 'Pourquoi le loyer change, texte libre.';
comment on column residence.revision_loyer.date_creation is 'Instant de l''enregistrement, écrit par la base.';
comment on column residence.revision_loyer.id_utilisateur is 'Auteur : l''utilisateur de la requête, écrit par la base ; null hors de l''API.';
comment on column residence.sejour_court.type_prestation is 'NUITEE, une nuit ou plus, ou SIESTE, arrivée et départ le même jour.';
comment on column residence.sejour_court.statut is 'EN_COURS, TERMINE une fois soldé ou clos au départ, ou ANNULE.';
comment on column residence.sejour_court.id_utilisateur is 'Auteur : l''utilisateur de la requête, écrit par la base ; null hors de l''API.';
comment on column residence.sejour_court.date_creation is 'Instant de l''enregistrement, écrit par la base.';

comment on column restaurant.commande.date is 'Instant de la commande, écrit par la base.';
comment on column restaurant.commande.type is 'SUR_PLACE, A_EMPORTER ou LIVRAISON.';
comment on column restaurant.commande.id_utilisateur is 'Auteur : l''utilisateur de la requête, écrit par la base ; null hors de l''API.';
comment on column restaurant.commande_ligne.quantite is 'Portions commandées, deux décimales.';
comment on column restaurant.plat.description is 'Ce que le client en lit sur la carte.';

comment on column rh.element_salaire.libelle is 'Raison de la somme, telle que le bulletin l''imprime.';
comment on column rh.employe.fonction is 'Métier de l''employé dans l''entreprise.';
comment on column rh.employe.date_embauche is 'Premier jour de travail, payé.';
comment on column rh.employe.type_contrat is 'Nature de son contrat de travail.';
comment on column rh.pointage.statut is 'PRESENT ou RETARD s''il est venu ; ses heures ne comptent qu''alors.';
comment on column rh.pointage.note is 'Explication d''un retard ou d''une absence, texte libre.';

comment on column salle_fete.reservation.date_evenement is 'Jour où la location commence, au fuseau de l''organisation.';
comment on column salle_fete.reservation.observations is 'Demandes du client, texte libre.';
comment on column salle_fete.reservation.statut is 'RESERVEE, CONFIRMEE, REALISEE quand l''événement a eu lieu et que le solde est payé, ou ANNULEE.';
comment on column salle_fete.reservation.motif_annulation is 'Pourquoi elle est annulée, null sinon.';
comment on column salle_fete.reservation.date_creation is 'Instant de l''enregistrement, écrit par la base.';
comment on column salle_fete.reservation.id_utilisateur is 'Auteur : l''utilisateur de la requête, écrit par la base ; null hors de l''API.';

comment on column signalement.photo.date_ajout is 'Instant du dépôt de la photo, écrit par la base.';
comment on column signalement.signalement.titre is 'L''incident en quelques mots.';
comment on column signalement.signalement.description is 'Le récit de qui le signale.';
comment on column signalement.signalement.statut is 'OUVERT, EN_COURS une fois pris en charge, puis RESOLU ou REJETE avec une note.';
comment on column signalement.signalement.date_signalement is 'Instant du signalement, écrit par la base.';
