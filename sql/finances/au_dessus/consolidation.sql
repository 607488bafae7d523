create type finances.consolidation_ligne as (
  code text, libelle text, encaissements core.somme, decaissements core.somme,
  depenses core.somme, sorties core.somme, solde core.somme);
comment on type finances.consolidation_ligne is 'Argent d''une activité.';
comment on column finances.consolidation_ligne.code is 'Code de l''activité, SANS_ACTIVITE pour ce qui n''en a pas.';
comment on column finances.consolidation_ligne.solde is 'Encaissements − sorties.';

create type finances.consolidation_total as (
  encaissements core.somme, decaissements core.somme,
  depenses core.somme, sorties core.somme, solde core.somme);
comment on type finances.consolidation_total is 'Somme des activités.';

create type finances.consolidation_bilan as (
  par_activite finances.consolidation_ligne[], total finances.consolidation_total);
comment on type finances.consolidation_bilan is 'Argent par activité et au total.';

create function finances.consolidation(p_du date default null, p_au date default null)
returns finances.consolidation_bilan
language sql stable security definer set search_path = pg_catalog, pg_temp
begin atomic
  with sommes as (
    select m.id_activite, sum(m.encaissements) as e, sum(m.decaissements) as d, sum(m.depenses) as x,
           sum(m.sorties) as sorties, sum(m.solde) as solde
      from finances.mouvement_jour_vue m
     where m.jour between coalesce(p_du, '-infinity') and coalesce(p_au, 'infinity')
     group by m.id_activite
  ), lignes as (
    select a.id_activite, coalesce(a.code, 'SANS_ACTIVITE') as code, coalesce(a.libelle, 'Sans activité') as libelle,
           coalesce(s.e, 0) as e, coalesce(s.d, 0) as d, coalesce(s.x, 0) as x,
           coalesce(s.sorties, 0) as sorties, coalesce(s.solde, 0) as solde
      from core.activite a
      full join sommes s on s.id_activite = a.id_activite
     where core._visible(a.id_activite, core.activite()) or s.e is not null
  )
  select array_agg(row(l.code, l.libelle, l.e, l.d, l.x, l.sorties, l.solde)::finances.consolidation_ligne
                   order by l.id_activite),
         row(sum(l.e), sum(l.d), sum(l.x), sum(l.sorties), sum(l.solde))::finances.consolidation_total
    from lignes l;
end;
comment on function finances.consolidation is
  'Rend encaissements, décaissements, dépenses et solde par activité et au total, depuis toujours ou sur une période.';
