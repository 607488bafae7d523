call core.creation('rh.service_creer', 'rh.service', 'rh.service_detail', null, 'libelle');
comment on function rh.service_creer is 'Crée un service.';
