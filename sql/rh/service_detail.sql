call core.detail('rh.service_detail', 'rh.service_vue', 'id_service');
comment on function rh.service_detail is 'Un service du personnel.';
