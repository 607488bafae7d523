call core.liste_entiere('rh.service_lister', 'rh.service_vue', 'v.libelle, v.id_service');
comment on function rh.service_lister is 'Les services, par ordre alphabétique.';
