call core.liste('echange.import_lister', 'echange.import_vue', 'v.id_import desc', 'entite', 'etat');
comment on function echange.import_lister is 'Liste ses imports, le dernier d''abord.';
