create view rh.service_vue as
select s.id_service, s.libelle
  from rh.service s;
comment on view rh.service_vue is 'Services de l''entreprise.';
