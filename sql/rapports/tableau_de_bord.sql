create type rapports.tableau_ligne as (
  code text, libelle text, encaissements core.somme, decaissements core.somme, depenses core.somme,
  sorties core.somme, solde core.somme, factures_emises integer, montant_factures core.somme, montant_brut core.somme,
  montant_avoirs core.somme);
comment on type rapports.tableau_ligne is 'Une activité du tableau de bord.';
comment on column rapports.tableau_ligne.code is 'Code de l''activité, SANS_ACTIVITE pour ce qui n''en a pas, TOTAL pour la somme.';
comment on column rapports.tableau_ligne.solde is 'Encaissements − sorties.';
comment on column rapports.tableau_ligne.montant_factures is 'Chiffre d''affaires : montant_brut − montant_avoirs.';
comment on column rapports.tableau_ligne.montant_brut is 'Factures émises, celles qu''un avoir a annulées depuis comprises.';
comment on column rapports.tableau_ligne.montant_avoirs is 'Avoirs émis.';

create function rapports.tableau_de_bord(p_du date default null, p_au date default null)
returns setof rapports.tableau_ligne
language plpgsql stable security definer set search_path = pg_catalog, pg_temp as $$
declare
  v_au date := coalesce(p_au, core.aujourdhui());
  v_du date := core.premier_jour(p_du, p_au);
begin
  return query
  with argent as (
    select m.id_activite, sum(m.encaissements) as e, sum(m.decaissements) as d, sum(m.depenses) as x,
           sum(m.sorties) as sorties, sum(m.solde) as solde
      from finances.mouvement_jour_vue m where m.jour between v_du and v_au group by m.id_activite
  ), factures as (
    select f.id_activite, sum(f.nombre) as nombre, sum(f.chiffre_affaires) as montant,
           sum(f.montant_factures) as brut, sum(f.montant_avoirs) as avoirs
      from facturation.facture_jour_vue f where f.jour between v_du and v_au group by f.id_activite
  ), activites as (
    select a.id_activite, a.code, a.libelle from core.activite a
     where core._visible(a.id_activite, core.activite())
    union all
    select null, 'SANS_ACTIVITE', 'Sans activité'
     where exists (select from argent g where g.id_activite is null)
        or exists (select from factures f where f.id_activite is null)
  )
  select coalesce(a.code, 'TOTAL'), coalesce(a.libelle, 'Total'), coalesce(sum(g.e), 0)::core.somme,
         coalesce(sum(g.d), 0)::core.somme, coalesce(sum(g.x), 0)::core.somme,
         coalesce(sum(g.sorties), 0)::core.somme, coalesce(sum(g.solde), 0)::core.somme,
         coalesce(sum(f.nombre), 0)::integer, coalesce(sum(f.montant), 0)::core.somme,
         coalesce(sum(f.brut), 0)::core.somme, coalesce(sum(f.avoirs), 0)::core.somme
    from activites a
    left join argent g on g.id_activite is not distinct from a.id_activite
    left join factures f on f.id_activite is not distinct from a.id_activite
   group by grouping sets ((a.id_activite, a.code, a.libelle), ())
   order by grouping(a.code), a.id_activite nulls last;
end $$;
comment on function rapports.tableau_de_bord is
  'Argent et factures par activité, et leur total. Période par défaut : le mois en cours.';
