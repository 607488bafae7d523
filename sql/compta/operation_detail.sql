call core.detail('compta.operation_detail', 'compta.operation_detail_vue', 'id_operation');
comment on function compta.operation_detail is 'Une opération et ses lignes.';
