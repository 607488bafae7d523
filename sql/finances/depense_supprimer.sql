call core.retrait('finances.depense_supprimer', 'finances.depense_detail',
  'update finances.depense set date_annulation = now()');
comment on function finances.depense_supprimer is
  'Supprime une dépense : hors des listes et des sommes, elle reste au journal.';
-- The function writes neither the till nor the author.
call core.ne_refuse_pas('finances.depense_supprimer', 'DEPENSE_FIGEE');
