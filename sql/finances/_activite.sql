-- Activities belong to core. finances shows them, because API clients choose an activity there.

create view finances.activite_vue as
select a.id_activite, a.code::text as code, a.libelle::text as libelle, a.actif
  from core.activite a;
comment on view finances.activite_vue is 'Activités de l''entreprise.';
call core.jamais_null('finances.activite_vue', 'code', 'libelle');
