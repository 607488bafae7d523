-- The contents of a printed invoice, credit note or ticket. sql/finances/_facture_document.sql fills an invoice.

create type facturation.document_client as (
  code text, nom text, telephone text, email text, adresse text, ville text, numero_contribuable text);
comment on type facturation.document_client is 'Client d''un document.';
comment on column facturation.document_client.nom is 'Prénoms et nom.';

create type facturation.document_taxe as (libelle text, base core.somme, montant core.somme);
comment on type facturation.document_taxe is 'Taxe d''un document.';
comment on column facturation.document_taxe.libelle is 'TVA 18 %, Exonéré de TVA ou Exportation.';

create function facturation._document_taxe(
  p_nature core.nature_taxe, p_taux numeric, p_base numeric, p_montant numeric) returns facturation.document_taxe
language sql stable
return row(case p_nature when 'EXONERE' then 'Exonéré de TVA' when 'EXPORT' then 'Exportation'
                         else format('TVA %s %%', core.nombre_ecrire(p_taux)) end,
           p_base, p_montant)::facturation.document_taxe;
comment on function facturation._document_taxe is 'Taxe d''un document, nommée d''après sa nature.';

create type facturation.document_paiement as (
  jour date, moyen text, reference text, montant core.montant_signe);
comment on type facturation.document_paiement is 'Paiement appliqué à la facture ; négatif quand il a été rendu.';

create type facturation.document_facture as (
  fichier text, organisation core.organisation, numero text, jour date, heure time, activite text, libelle text,
  vendeur text, statut facturation.statut_facture, client facturation.document_client,
  lignes facturation.facture_ligne_vue[], remise core.montant, montant_total core.montant, montant_paye core.montant,
  reste core.montant_signe, paiements facturation.document_paiement[], jeton text, motif_annulation text,
  montant_avoirs core.montant, montant_credit core.montant, taxes facturation.document_taxe[], montant_ht core.montant,
  mode_prix facturation.mode_prix, numero_contribuable text, avoirs text[], qr_paiement text);
comment on type facturation.document_facture is 'Tout ce qu''imprime une facture.';
comment on column facturation.document_facture.fichier is 'Nom du fichier, sans son suffixe.';
comment on column facturation.document_facture.heure is 'Heure locale, à la minute.';
comment on column facturation.document_facture.vendeur is 'Prénom et nom de qui l''a émise, son login s''il n''en a pas.';
comment on column facturation.document_facture.motif_annulation is 'Pourquoi la facture est annulée, null si elle tient.';
comment on column facturation.document_facture.avoirs is 'Numéros de ses avoirs, du premier au dernier.';
comment on column facturation.document_facture.montant_credit is 'Part de montant_paye que le client garde à son crédit.';
comment on column facturation.document_facture.taxes is 'Null ou vide d''une facture sans taxe.';
comment on column facturation.document_facture.numero_contribuable is 'Celui de l''organisation, d''une facture qui porte une taxe.';
comment on column facturation.document_facture.qr_paiement is
  'Code PI-SPI qui paie ce qui reste, null d''une facture qu''aucun compte PI-SPI n''encaisse.';
comment on column facturation.document_facture.jeton is 'Jeton du code QR : il mène à la vérification du document (core._jeton).';

create function facturation._document_client(p_id_client bigint) returns facturation.document_client
language sql stable
return (select row(c.code, concat_ws(' ', c.prenoms, c.nom), c.tel_principal, c.email, c.adresse, c.ville,
                   c.numero_contribuable)::facturation.document_client
          from client.client c where c.id_client = p_id_client);
comment on function facturation._document_client is 'Client d''un document, null sans client.';

create type facturation.document_avoir as (
  fichier text, organisation core.organisation, numero text, jour date, heure time, activite text, vendeur text,
  client facturation.document_client, facture_numero text, facture_jour date, motif text,
  lignes facturation.avoir_ligne_vue[], montant_total core.montant, montant_excedent core.montant, rembourse boolean,
  jeton text, taxes facturation.document_taxe[], montant_ht core.montant, numero_contribuable text);
comment on type facturation.document_avoir is 'Tout ce qu''imprime un avoir.';
comment on column facturation.document_avoir.montant_excedent is 'Ce qui était payé de trop : rendu, ou gardé au crédit du client.';

create type facturation.document_ticket_avoir as (
  fichier text, largeur integer, avoir facturation.document_avoir);
comment on type facturation.document_ticket_avoir is 'Un avoir à imprimer en ticket de caisse.';
comment on column facturation.document_ticket_avoir.largeur is 'Du papier, en millimètres.';
