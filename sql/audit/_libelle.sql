-- The words that the journal uses for the kind of a row.

create function audit._libelle(p_module text, p_entite text) returns text
language sql immutable parallel safe
return case p_module || '.' || p_entite
  when 'abonnement.categorie_abonnement' then 'Catégorie d''abonnement'
  when 'audit.archive' then 'Archive du journal'
  when 'auth.depot' then 'Catégorie de fichiers'
  when 'auth.permission' then 'Permission'
  when 'auth.role' then 'Rôle'
  when 'auth.role_permission' then 'Permission d''un rôle'
  when 'auth.secret' then 'Mot de passe de l''utilisateur'
  when 'auth.utilisateur' then 'Utilisateur'
  when 'client.client' then 'Client'
  when 'client.contact_urgence' then 'Contact d''urgence'
  when 'client.piece_identite' then 'Pièce d''identité'
  when 'core.activite' then 'Activité'
  when 'core.parametre' then 'Paramètre'
  when 'core.secret_documents' then 'Clé de contrôle des documents'
  when 'facturation.facture' then 'Facture'
  when 'facturation.facture_ligne' then 'Ligne de facture'
  when 'facturation.prestation' then 'Prestation'
  when 'finances.affectation_caisse' then 'Affectation de caisse de l''utilisateur'
  when 'finances.application_paiement' then 'Imputation de paiement'
  when 'finances.caisse' then 'Caisse'
  when 'finances.categorie_depense' then 'Catégorie de dépense'
  when 'finances.depense' then 'Dépense'
  when 'finances.moyen_paiement' then 'Moyen de paiement'
  when 'finances.paiement' then 'Paiement'
  when 'finances.periode_caisse' then 'Période de caisse'
  when 'finances.tirage' then 'Comptage de caisse'
  when 'jobs.planification' then 'Planification des sauvegardes'
  when 'market.categorie_produit' then 'Catégorie de produit'
  when 'market.fournisseur' then 'Fournisseur'
  when 'market.mouvement_stock' then 'Mouvement de stock'
  when 'market.produit' then 'Produit'
  when 'market.vente' then 'Vente'
  when 'market.vente_ligne' then 'Ligne de vente'
  when 'notification.notification' then 'Notification'
  when 'pressing.commande' then 'Commande du pressing'
  when 'pressing.commande_ligne' then 'Ligne de commande du pressing'
  when 'residence.abonnement' then 'Abonnement'
  when 'residence.abonnement_periode' then 'Période d''un abonnement'
  when 'residence.batiment' then 'Bâtiment'
  when 'residence.categorie_charge' then 'Catégorie de charge'
  when 'residence.caution' then 'Caution'
  when 'residence.caution_evenement' then 'Mouvement de caution'
  when 'residence.charge_facturee' then 'Charge refacturée'
  when 'residence.contrat_location' then 'Contrat de location'
  when 'residence.echeance' then 'Échéance'
  when 'residence.etat_des_lieux' then 'État des lieux'
  when 'residence.logement' then 'Logement'
  when 'residence.occupation' then 'Occupation de logement'
  when 'residence.revision_loyer' then 'Révision de loyer'
  when 'residence.sejour_court' then 'Séjour'
  when 'restaurant.categorie_plat' then 'Catégorie de plat'
  when 'restaurant.commande' then 'Commande du restaurant'
  when 'restaurant.commande_ligne' then 'Ligne de commande du restaurant'
  when 'restaurant.plat' then 'Plat'
  when 'rh.element_salaire' then 'Élément de salaire'
  when 'rh.employe' then 'Employé'
  when 'rh.paie' then 'Bulletin de paie'
  when 'rh.pointage' then 'Pointage'
  when 'rh.service' then 'Service'
  when 'salle_fete.reservation' then 'Réservation de la salle'
  when 'signalement.photo' then 'Photo de signalement'
  when 'signalement.signalement' then 'Signalement'
  else p_entite end;
comment on function audit._libelle(text, text) is 'Nom d''une table journalisée, tel qu''il se lit.';

create function audit._droit(p_cle text) returns text
language sql stable parallel safe
return (select 'Permission ' || p.code || ' du rôle ' || r.code
          from auth.role r, auth.permission p
         where r.id_role = split_part(p_cle, '-', 1)::bigint and p.id_permission = split_part(p_cle, '-', 2)::bigint);
comment on function audit._droit(text) is
  'Une ligne de auth.role_permission en mots : « Permission CORE.VOIR du rôle RH » ; null une fois le rôle supprimé.';
