-- The event of a published root, for systems that keep roots elsewhere.

call evenement.declarer_ligne('sceau.publie', 'audit.publication', null, '',
  'audit.publication_vue', 'La racine signée du jour est publiée.', 'AUCUNE');
