call core.liste('tresorerie.virement_lister', 'tresorerie.virement_vue', 'v.date desc, v.id_virement desc',
  'recherche: core._contient(v.numero, $) or core._contient(v.reference, $) or core._contient(v.motif, $)',
  'du: date', 'au: date',
  'id_caisse bigint := finances._caisse_demandee($): $ in ((v.de).id_caisse, (v.vers).id_caisse)',
  'id_compte bigint: $ in ((v.de).id_compte, (v.vers).id_compte)', 'numero', 'reference');
comment on function tresorerie.virement_lister is
  'Virements, du plus récent au plus ancien. « id_caisse » et « id_compte » gardent ceux qui en partent ou y arrivent.';
