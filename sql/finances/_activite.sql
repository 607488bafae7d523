-- Activities are the ground's; finances shows them, because that is where a client of the API picks one.

create view finances.activite_vue as
select a.id_activite, a.code::text as code, a.libelle::text as libelle, a.actif
  from core.activite a;
comment on view finances.activite_vue is 'Activités de l''entreprise.';
call core.jamais_null('finances.activite_vue', 'code', 'libelle');
