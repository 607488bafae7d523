-- The balances of tills, and the parts of transfers that balances contain.

-- A counter-transfer gives the fees back to the place that paid them. The fees are rows of their own, because a bank may
-- write one line or two. Each branch reads one index.
create view tresorerie._mouvement_vue as
select v.jour, v.id_virement, 'MONTANT'::tresorerie.part_virement as part, v.id_caisse_de as id_caisse,
       v.id_compte_de as id_compte, -v.montant::numeric as montant
  from tresorerie.virement v
union all
select v.jour, v.id_virement, 'MONTANT', v.id_caisse_vers, v.id_compte_vers, v.montant
  from tresorerie.virement v
union all
select v.jour, v.id_virement, 'FRAIS', v.id_caisse_de, v.id_compte_de, -v.frais
  from tresorerie.virement v where v.id_virement_origine is null and v.frais > 0
union all
select v.jour, v.id_virement, 'FRAIS', v.id_caisse_vers, v.id_compte_vers, v.frais
  from tresorerie.virement v where v.id_virement_origine is not null and v.frais > 0;
comment on view tresorerie._mouvement_vue is 'Ce que chaque virement fait entrer et sortir, les frais à part.';

create view tresorerie._caisse_jour_vue as
select r.jour, r.id_caisse, (r.encaissements - r.decaissements)::numeric as montant from finances.resume_paiement r
union all
select p.jour, p.id_caisse, case p.type when 'ENCAISSEMENT' then p.montant else -p.montant end
  from finances._paiement_recent_vue p
union all
select d.jour, d.id_caisse, -d.montant from finances._depense_jour_vue d
union all
select m.jour, m.id_caisse, m.montant from tresorerie._mouvement_vue m;
comment on view tresorerie._caisse_jour_vue is 'L''argent des caisses par jour, en plusieurs lignes à additionner.';

-- The balance at the end of a day, with later corrections, from the sums as in reports.
create function tresorerie._caisse_solde(p_id_caisse bigint, p_jour date) returns core.somme
language sql stable
return (select coalesce(sum(m.montant), 0) from tresorerie._caisse_jour_vue m
         where m.id_caisse = p_id_caisse and m.jour <= p_jour);
comment on function tresorerie._caisse_solde is
  'Ce qu''une caisse a reçu, moins ce qui en est sorti, jusqu''à ce jour ; son fond n''en est pas.';

create function tresorerie._caisse_minimum(p_id_caisse bigint, p_jour date) returns numeric
language sql stable
return (select min(c.cumul)
          from (select sum(sum(m.montant)) over (order by greatest(m.jour, p_jour)) as cumul
                  from (select j.jour, j.montant from tresorerie._caisse_jour_vue j where j.id_caisse = p_id_caisse
                        union all
                        select p_jour, 0) m
                 group by greatest(m.jour, p_jour)) c);
comment on function tresorerie._caisse_minimum is 'Le plus petit solde d''une caisse au soir de ce jour et des suivants.';
