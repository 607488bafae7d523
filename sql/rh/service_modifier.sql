call core.modification('rh.service_modifier', 'rh.service', 'rh.service_detail', 'libelle');
comment on type rh.service_champs is 'Ce qui se modifie dans un service.';
comment on function rh.service_modifier is 'Renomme un service.';
