-- The event of a published root, for systems that keep roots elsewhere.

call evenement.declarer('sceau.publie', 'audit.publication_vue', 'AUDIT.VOIR',
  'La racine signée du jour est publiée.', 'AUCUNE');
create constraint trigger t90_evenement_publie after insert on audit.publication deferrable initially deferred
  for each row execute function evenement._t90_evenement('sceau.publie', 'taille', '');
