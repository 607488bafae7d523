call core.retrait('achat.paiement_supprimer', 'achat.paiement_detail',
  'update achat.paiement set date_annulation = now()');
comment on function achat.paiement_supprimer is
  'Annule un paiement sans dépense : un avoir déduit d''une autre facture. Un autre s''annule en supprimant sa dépense.';
