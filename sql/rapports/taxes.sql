create type rapports.taxe_ligne as (
  periode text, code core.code, taux core.taux_taxe, id_activite bigint, activite text, base core.somme,
  collectee core.somme, sur_avoirs core.somme, due core.somme, deductible core.somme, nette core.somme);
comment on type rapports.taxe_ligne is 'Taxes d''un mois, par code, taux et activité.';
comment on column rapports.taxe_ligne.periode is 'AAAA-MM.';
comment on column rapports.taxe_ligne.base is 'Base hors taxe des factures émises.';
comment on column rapports.taxe_ligne.collectee is 'Taxe des factures émises, celles qu''un avoir a annulées depuis comprises.';
comment on column rapports.taxe_ligne.sur_avoirs is 'Taxe des avoirs émis.';
comment on column rapports.taxe_ligne.due is 'Selon TAXES_DUES : collectee − sur_avoirs, ou la taxe de ce que les factures ont reçu moins ce qui en est rendu.';
comment on column rapports.taxe_ligne.deductible is
  'Taxe des achats, du jour de leur facture, ou de leurs paiements selon TAXES_DUES, moins celle que leurs avoirs reprennent.';
comment on column rapports.taxe_ligne.nette is 'due − deductible : à verser, ou un crédit de taxe si elle est négative.';
call core.peut_etre_null('rapports.taxe_ligne', 'id_activite', 'activite');

create function rapports.taxes(p_du date default null, p_au date default null) returns setof rapports.taxe_ligne
language sql stable security definer set search_path = pg_catalog, pg_temp
begin atomic
  select to_char(m.jour, 'YYYY-MM'), m.code, m.taux, m.id_activite,
         (select a.libelle::text from core.activite a where a.id_activite = m.id_activite),
         sum(m.base)::core.somme, sum(m.collectee)::core.somme, sum(m.sur_avoirs)::core.somme, sum(m.due)::core.somme,
         sum(m.deductible)::core.somme, sum(m.due - m.deductible)::core.somme
    from rapports._taxes(core.premier_jour(p_du, p_au), coalesce(p_au, core.aujourdhui())) m
   group by 1, m.code, m.taux, m.id_activite
   order by 1, m.taux desc, m.code, m.id_activite nulls last;
end;
comment on function rapports.taxes is
  'Taxes par mois, code, taux et activité : collectées, sur avoirs, dues et déductibles. Période par défaut : le mois en cours.';
