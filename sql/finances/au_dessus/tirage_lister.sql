call core.liste('finances.tirage_lister', 'finances.tirage_vue', 'v.date desc, v.id_tirage desc',
  'recherche: core._contient(v.note, $) or core._contient(v.login, $)', 'du: date', 'au: date', 'id_caisse');
comment on function finances.tirage_lister is
  'Liste les comptages de caisse, le dernier d''abord ; un utilisateur lié à une caisse ne voit que les siens.';
