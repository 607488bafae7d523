create type rh.rapport_pointage as (
  par_statut core.nombres_par_cle, total_pointes integer, total_heures_sup core.somme, total_duree core.somme);
comment on type rh.rapport_pointage is 'Présences d''une période.';
comment on column rh.rapport_pointage.par_statut is 'Nombre de pointages par statut.';
comment on column rh.rapport_pointage.total_duree is 'Heures travaillées.';

create type rh.rapport_paie as (par_statut core.montants_par_cle, total_verse core.somme);
comment on type rh.rapport_paie is 'Bulletins de paie d''une période.';
comment on column rh.rapport_paie.par_statut is 'Somme des nets par statut.';
comment on column rh.rapport_paie.total_verse is 'Somme des nets payés.';

create type rh.rapport_service as (
  libelle text, id_service bigint, pointage rh.rapport_pointage, paie rh.rapport_paie);
comment on type rh.rapport_service is 'Présences et paie d''un service.';
comment on column rh.rapport_service.libelle is '« Sans service », avec id_service null, pour les employés sans service.';
call core.peut_etre_null('rh.rapport_service', 'id_service');

create type rh.rapport as (pointage rh.rapport_pointage, paie rh.rapport_paie, services rh.rapport_service[]);
comment on type rh.rapport is 'Rapport du personnel, en tout et par service.';

create function rh._rapport_pointage(p_employes bigint[], p_du date, p_au date) returns rh.rapport_pointage
language sql stable
return (
  with lus as (
    select p.statut, count(*) as nombre, sum(p.heures_sup) as heures_sup, sum(p.duree_travaillee) as duree
      from rh.pointage_vue p
     where p.id_employe = any (p_employes) and (p_du is null or p.date >= p_du) and (p_au is null or p.date <= p_au)
     group by p.statut)
  select row(jsonb_object_agg(s.statut, coalesce(l.nombre, 0)), coalesce(sum(l.nombre), 0),
             coalesce(sum(l.heures_sup), 0), coalesce(sum(l.duree), 0))::rh.rapport_pointage
    from unnest(enum_range(null::rh.statut_pointage)) s (statut)
    left join lus l on l.statut = s.statut);
comment on function rh._rapport_pointage is 'Présences de ces employés, jours compris.';

create function rh._rapport_paie(p_employes bigint[], p_du date, p_au date) returns rh.rapport_paie
language sql stable
return (
  with lus as (
    select p.statut, sum(p.montant_a_payer) as net
      from rh.paie_vue p
     where p.id_employe = any (p_employes)
       and (p_du is null or p.periode >= to_char(p_du, 'YYYY-MM'))
       and (p_au is null or p.periode <= to_char(p_au, 'YYYY-MM'))
     group by p.statut)
  select row(jsonb_object_agg(s.statut, coalesce(l.net, 0)::core.somme::text),
             coalesce(sum(l.net) filter (where s.statut = 'PAYEE'), 0))::rh.rapport_paie
    from unnest(enum_range(null::rh.statut_paie)) s (statut)
    left join lus l on l.statut = s.statut);
comment on function rh._rapport_paie is 'Bulletins de ces employés, mois des deux jours compris.';
