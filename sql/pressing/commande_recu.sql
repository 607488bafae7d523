create type pressing.document_recu as (
  fichier text, largeur integer, organisation core.organisation, numero text, statut pressing.statut_commande,
  depot date, heure_depot time, retrait_prevu date, retrait date, client text, telephone text,
  lignes pressing.commande_ligne_vue[], montant_total core.montant, montant_couvert core.montant,
  acompte core.montant, reste core.montant, jeton text, numero_facture text, qr_paiement text);
comment on type pressing.document_recu is 'Tout ce qu''imprime le reçu d''une commande.';
comment on column pressing.document_recu.largeur is 'Du papier, en millimètres.';
comment on column pressing.document_recu.heure_depot is 'Heure locale, à la minute.';
comment on column pressing.document_recu.retrait is 'Jour où le client a repris son linge, null avant.';
comment on column pressing.document_recu.montant_couvert is 'Part du total que paient des abonnements.';
comment on column pressing.document_recu.jeton is 'Jeton du code QR : il mène à la vérification du document (core._jeton).';
comment on column pressing.document_recu.qr_paiement is
  'Code PI-SPI de ce qui reste à payer, null sans facture ou sans compte PI-SPI.';
comment on column pressing.document_recu.numero_facture is 'Numéro de la facture, dont la preuve est celle du reçu ; null sans elle.';

create function pressing.commande_recu(p_id_commande bigint, p_largeur core.largeur_ticket default '80')
returns pressing.document_recu
language plpgsql stable security definer set search_path = pg_catalog, pg_temp as $$
declare
  v pressing.commande_detail_vue := pressing.commande_detail(p_id_commande);
begin
  if exists (select from pressing.commande c where c.id_commande = p_id_commande and c.date_depot is null) then
    perform core.refuser(409, 'LINGE_NON_DEPOSE', 'Le linge n''est pas déposé : il n''y a pas de reçu.');
  end if;
  return row(
    'recu-' || v.numero_commande, p_largeur::text::integer, core._organisation(), v.numero_commande, v.statut,
    core.jour(v.date_depot), date_trunc('minute', v.date_depot at time zone core.fuseau())::time,
    v.date_retrait_prevue, core.jour(v.date_retrait_reelle), concat_ws(' ', v.client_prenoms, v.client_nom),
    v.client_tel, v.lignes, v.montant_total, v.montant_couvert, v.acompte, v.reste_a_payer,
    core._jeton('commande', p_id_commande),
    (select f.numero from facturation.facture f where f.id_facture = v.id_facture),
    (select tresorerie._qr_facture(f) from facturation.facture f where f.id_facture = v.id_facture))
    ::pressing.document_recu;
end $$;
comment on function pressing.commande_recu is
  'Reçu d''une commande, dès la dépose : une page HTML à la largeur du papier de l''imprimante thermique.';
