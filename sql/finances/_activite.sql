-- Activities belong to core. finances shows them, because API clients choose an activity there.

create view finances.activite_vue as
select a.id_activite, a.code::text as code, a.libelle::text as libelle, a.actif, a.code_taxe::core.code
  from core.activite a;
comment on view finances.activite_vue is 'Activités de l''entreprise.';
comment on column finances.activite_vue.code_taxe is 'Code de taxe de ce qui n''a pas le sien, null sans taxe.';
call core.null_comme('finances.activite_vue', 'core.activite');
call core.jamais_null('finances.activite_vue', 'code', 'libelle');
