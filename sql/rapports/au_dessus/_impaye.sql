-- The sums by day of what clients owe. Each payment changes what is owed, so a sum that the settlement kept would make
-- it wait for other settlements. A job adds up what is owed at an entry of the journal; core.resume_etat says which. A
-- report adds, in the same snapshot, what the entries after it have changed: every write has its entry, by hand too.
-- Stays are few, and are read one by one.

create view rapports._impaye_ligne_vue as
select false as loyer, f.jour, f.id_activite, false as entame, f.reste::numeric as reste
  from facturation.facture f
 where f.statut in ('IMPAYEE', 'PARTIELLE') and f.source_type not in ('LOCATION', 'SEJOUR')
union all
select true, e.date_echeance, null, e.montant_paye > 0, e.montant - e.montant_paye
  from residence.echeance e
 where e.montant_paye < e.montant and not e.annulee;
comment on view rapports._impaye_ligne_vue is
  'Factures et échéances qui restent dues, sans les séjours ; une échéance à venir aussi, et celle d''un contrat en attente.';

-- PL/pgSQL keeps the plan, which takes longer to make than the entries to read: the journal has one part a month.
-- facturation._facture_recente_vue says why the identifiers have an upper bound and the query an offset.
create function rapports._impayes_recents()
returns table (loyer boolean, jour date, id_activite bigint, entame boolean, nombre integer, reste numeric)
language plpgsql stable as $$
begin
  return query
    select v.loyer, v.jour, v.id_activite, v.entame, j.signe, j.signe * v.reste
      from (select j.entite, x.signe, x.image
              from audit.journal j
             cross join lateral (values (-1, j.avant), (1, j.apres)) x (signe, image)
             where j.id_trace between (select e.jusqu_a + 1 from core.resume_etat e where e.entite = 'finances.impaye')
                                  and 9223372036854775807
               and (j.module, j.entite) in (('facturation', 'facture'), ('residence', 'echeance'))
            offset 0) j
     cross join lateral (
       select false as loyer, (j.image ->> 'jour')::date as jour, (j.image ->> 'id_activite')::bigint as id_activite,
              false as entame, (j.image ->> 'reste')::numeric as reste
        where j.entite = 'facture' and j.image ->> 'statut' in ('IMPAYEE', 'PARTIELLE')
          and j.image ->> 'source_type' not in ('LOCATION', 'SEJOUR')
       union all
       select true, (j.image ->> 'date_echeance')::date, null, (j.image ->> 'montant_paye')::numeric > 0,
              (j.image ->> 'montant')::numeric - (j.image ->> 'montant_paye')::numeric
        where j.entite = 'echeance' and not (j.image ->> 'annulee')::boolean
          and (j.image ->> 'montant_paye')::numeric < (j.image ->> 'montant')::numeric) v;
end $$;
comment on function rapports._impayes_recents is
  'Ce que les entrées du journal ont changé à ce qui reste dû depuis qu''il est résumé, en plusieurs lignes à additionner.';

create view rapports._impaye_jour_vue as
select r.loyer, r.jour, r.id_activite, r.entame, r.nombre, r.reste::numeric as reste from finances.resume_impaye r
union all
select n.loyer, n.jour, n.id_activite, n.entame, n.nombre, n.reste from rapports._impayes_recents() n;
comment on view rapports._impaye_jour_vue is
  'Ce qui reste dû par jour, en plusieurs lignes à additionner ; juste quand rapports._impayes_resumes() est vrai.';

create function rapports._impayes_resumer() returns bigint
language plpgsql volatile as $$
declare
  v_jusqu_a bigint := (select s.last_value from audit.journal_id_trace_seq s where s.is_called);
  v_depuis bigint := core._resume_avancer('finances.impaye', 'audit.journal_id_trace_seq', v_jusqu_a);
begin
  if v_depuis is null then
    return 0;
  end if;
  delete from finances.resume_impaye;
  insert into finances.resume_impaye (loyer, jour, id_activite, entame, nombre, reste)
  select d.loyer, d.jour, d.id_activite, d.entame, sum(d.nombre), sum(d.reste)
    from (select l.loyer, l.jour, l.id_activite, l.entame, 1 as nombre, l.reste from rapports._impaye_ligne_vue l
          union all
          select n.loyer, n.jour, n.id_activite, n.entame, -n.nombre, -n.reste from rapports._impayes_recents() n) d
   group by d.loyer, d.jour, d.id_activite, d.entame
  having sum(d.nombre) <> 0 or sum(d.reste) <> 0;
  return v_jusqu_a - v_depuis;
end $$;
comment on function rapports._impayes_resumer is
  'Refait les sommes de ce qui reste dû à la dernière entrée du journal, et rend de combien d''entrées elles avancent ; 0 quand il n''y en a pas, ou qu''une écriture ne finit pas.';

-- A job that is late by many entries would make a report slower than reading what is owed. Entries that were archived
-- since the last sum are not in the journal.
create function rapports._impayes_resumes() returns boolean
language sql stable
return (select e.jusqu_a >= greatest(1, (select max(upper(a.ids)) - 1 from audit.archive a),
                                     (select s.last_value - 20000 from audit.journal_id_trace_seq s))
          from core.resume_etat e where e.entite = 'finances.impaye');
comment on function rapports._impayes_resumes is
  'Vrai si ce qui reste dû est résumé, et que le journal garde toutes les entrées d''après.';

-- Two statements: PostgreSQL would make the plan of one statement for both again in every report.
create function rapports._impayes(p_jour date)
returns table (loyer boolean, jour date, nombre bigint, reste numeric)
language plpgsql stable as $$
begin
  if rapports._impayes_resumes() then
    return query
      select r.loyer, r.jour, r.nombre, r.reste
        from rapports._impaye_jour_vue r
       where (not r.loyer or r.entame or r.jour <= p_jour)
         and case when r.loyer then (select residence._visible())
                  else core._visible(r.id_activite, (select core.activite())) end
      union all
      -- The sums have the rents of every lease. A lease that has not begun owes nothing yet.
      select true, e.date_echeance, -1, e.montant_paye - e.montant
        from residence.contrat_location c
        join residence.echeance e on e.id_contrat = c.id_contrat
       where c.statut = 'EN_ATTENTE' and e.montant_paye < e.montant and not e.annulee
         and (e.montant_paye > 0 or e.date_echeance <= p_jour) and (select residence._visible())
      union all
      select false, s.date_echeance, 1, s.reste from finances.impaye_vue s where s.type = 'SEJOUR';
  else
    return query select d.type = 'LOYER', d.date_echeance, 1::bigint, d.reste from finances.impaye_vue d;
  end if;
end $$;
comment on function rapports._impayes is
  'Ce que finances.impaye_vue dit dû, par jour, en plusieurs lignes à additionner.';
