-- The query gets the till or activity of a bound user as a value too, so that the plan can use its index.
call core.liste('finances.depense_lister', 'finances.depense_vue', 'v.date desc, v.id_depense desc',
  'recherche: core._contient(v.libelle, $) or core._contient(v.justificatif, $)', 'du: date', 'au: date',
  'id_categorie_depense', 'id_activite := coalesce($, core._activite_sans_caisse())', 'id_utilisateur',
  'id_caisse := finances._caisse_demandee($)',
  'id_compte', 'sans_caisse boolean := nullif($ and core.caisse() is null, false): $ and v.id_caisse is null', 'libelle');
comment on function finances.depense_lister is
  'Liste les dépenses, la dernière d''abord ; un utilisateur lié à une caisse ne voit que les siennes. « sans_caisse » garde les dépenses sans caisse.';
