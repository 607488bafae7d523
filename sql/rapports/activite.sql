create type rapports.rapport_activite as (
  periode rapports.periode, code text, libelle text, recettes core.somme, nombre_operations integer,
  indicateurs core.chiffres_par_cle);
comment on type rapports.rapport_activite is 'Rapport d''une activité.';
comment on column rapports.rapport_activite.recettes is 'Encaissements de l''activité.';
comment on column rapports.rapport_activite.nombre_operations is 'Nombre de paiements de l''activité, dans les deux sens.';
comment on column rapports.rapport_activite.indicateurs is 'Chiffres propres à l''activité : ca (chiffre d''affaires : factures émises moins avoirs), loyers_percus, nombre_ventes, annulees, par_statut…';

-- The planner reads only the branch of the requested activity.
create view rapports._comptoir_vue as
select 'VENTE_MARCHANDISES' as code, v.date, v.statut::text, v.statut = 'PAYEE' as compte from market.vente v
union all
select 'PRESSING', coalesce(c.date_depot, c.date_demande), c.statut::text,
       c.statut::text not in ('EN_ATTENTE', 'ANNULEE')
  from pressing.commande c
union all
select 'RESTAURATION', c.date, c.statut::text, c.statut::text not in ('EN_ATTENTE', 'ANNULEE')
  from restaurant.commande c
union all
select 'SALLE_FETE', core.debut_du_jour(r.date_evenement), r.statut::text,
       r.statut::text not in ('EN_ATTENTE', 'ANNULEE')
  from salle_fete.reservation r
union all
select 'LOCATION_RESIDENTIEL', s.date_heure_arrivee, s.statut::text, s.statut::text not in ('EN_ATTENTE', 'ANNULE')
  from residence.sejour_court s;
comment on view rapports._comptoir_vue is 'Ventes, commandes, réservations et séjours, chacun par son code d''activité et à son jour.';
comment on column rapports._comptoir_vue.compte is 'Faux de ce qui est demandé ou annulé, et d''une vente qui n''est pas payée.';

create function rapports._indicateurs(p_code text, p_du date, p_au date) returns jsonb
language plpgsql stable as $$
declare
  v_debut timestamptz := coalesce(core.debut_du_jour(p_du), '-infinity');
  v_fin timestamptz := coalesce(core.debut_du_jour(p_au + 1), 'infinity');
begin
  if p_code not in ('VENTE_MARCHANDISES', 'PRESSING', 'RESTAURATION', 'SALLE_FETE', 'LOCATION_RESIDENTIEL') then
    return jsonb '{}';
  end if;
  return (
    select jsonb_build_object(
             case p_code when 'VENTE_MARCHANDISES' then 'nombre_ventes' when 'SALLE_FETE' then 'nombre_reservations'
                         when 'LOCATION_RESIDENTIEL' then 'nombre_sejours' else 'nombre_commandes' end,
             coalesce(sum(x.nombre) filter (where x.compte), 0),
             'annulees', coalesce(sum(x.nombre) filter (where x.statut in ('ANNULE', 'ANNULEE')), 0),
             'par_statut', coalesce(jsonb_object_agg(x.statut, x.nombre), '{}'))
           || case p_code when 'SALLE_FETE' then jsonb_build_object(
                'realisees', coalesce(sum(x.nombre) filter (where x.statut = 'REALISEE'), 0)) else '{}' end
           || case p_code when 'LOCATION_RESIDENTIEL' then jsonb_build_object(
                'loyers_percus', coalesce((select sum(a.montant) from finances.application_jour_vue a
                                            where a.source_type = 'LOCATION'
                                              and a.jour between coalesce(p_du, '-infinity')
                                                             and coalesce(p_au, 'infinity')), 0)::core.somme::text,
                'contrats_actifs', (select count(*) from residence.contrat_location c where c.statut = 'ACTIF'),
                'logements_par_statut', (select coalesce(jsonb_object_agg(l.statut, l.nombre), '{}')
                                           from (select l.statut, count(*) as nombre
                                                   from residence.logement l group by l.statut) l))
              else jsonb_build_object('ca', rapports._chiffre_affaires(p_code, p_du, p_au)::core.somme::text) end
      from (select o.statut, o.compte, count(*) as nombre
              from rapports._comptoir_vue o
             where o.code = p_code and o.date >= v_debut and o.date < v_fin group by o.statut, o.compte) x);
end $$;
comment on function rapports._indicateurs is 'Chiffres propres à une activité, vide pour une activité sans tranche.';

create function rapports.activite(p_code core.code, p_du date default null, p_au date default null)
returns rapports.rapport_activite
language plpgsql stable security definer set search_path = pg_catalog, pg_temp as $$
declare
  v core.activite := rapports._activite(p_code);
begin
  return (
    select row(row(p_du, p_au)::rapports.periode, v.code, v.libelle, coalesce(sum(e.encaissements), 0),
               coalesce(sum(e.nombre), 0), rapports._indicateurs(v.code, p_du, p_au))::rapports.rapport_activite
      from finances.paiement_jour_vue e
     where e.id_activite = v.id_activite
       and e.jour between coalesce(p_du, '-infinity') and coalesce(p_au, 'infinity'));
end $$;
comment on function rapports.activite is
  'Rapport d''une activité : recettes, opérations et ses propres indicateurs. Sans FINANCES.VOIR, sa seule activité.';
