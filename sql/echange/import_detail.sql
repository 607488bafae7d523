call core.detail('echange.import_detail', 'echange.import_detail_vue', 'id_import');
comment on function echange.import_detail is
  'Un import : où il en est, les colonnes reconnues, ce qui ne va pas dans ses lignes.';
