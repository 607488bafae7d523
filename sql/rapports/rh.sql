create function rapports.rh(p_du date default null, p_au date default null) returns rh.rapport
language sql stable security definer set search_path = pg_catalog, pg_temp
return (
  with services as (
    select s.id_service, s.libelle, array_agg(e.id_employe) as employes
      from rh.employe_vue e
      left join rh.service s on s.id_service = e.id_service
     group by s.id_service, s.libelle),
  tous as (select coalesce(array_agg(e.id_employe), '{}') as employes from rh.employe_vue e)
  select row(rh._rapport_pointage(t.employes, p_du, p_au), rh._rapport_paie(t.employes, p_du, p_au),
             array(select row(coalesce(s.libelle, 'Sans service'), s.id_service,
                              rh._rapport_pointage(s.employes, p_du, p_au),
                              rh._rapport_paie(s.employes, p_du, p_au))::rh.rapport_service
                     from services s order by s.libelle nulls last))::rh.rapport
    from tous t);
comment on function rapports.rh is
  'Présences et paie, en tout et par service, depuis toujours ou sur une période (pour la paie, ses mois).';
