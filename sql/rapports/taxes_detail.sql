create function rapports.taxes_detail(
  p_du date default null, p_au date default null, p_periode core.periode default null, p_code core.code default null,
  p_taux core.taux_taxe default null, p_id_activite bigint default null)
returns setof rapports.taxe_mouvement
language sql stable security definer set search_path = pg_catalog, pg_temp
begin atomic
  select * from rapports._taxes(core.premier_jour(p_du, p_au), coalesce(p_au, core.aujourdhui())) m
   where (p_periode is null or to_char(m.jour, 'YYYY-MM') = p_periode)
     and (p_code is null or m.code = p_code)
     and (p_taux is null or m.taux = p_taux)
     and (p_id_activite is null or m.id_activite = p_id_activite)
   order by m.jour, m.type, m.id_facture, m.id_avoir, m.id_achat, m.taux desc, m.code;
end;
comment on function rapports.taxes_detail is
  'Factures, avoirs, règlements et achats que le rapport des taxes additionne ; le mois, le code, le taux et l''activité d''une de ses lignes en donnent le détail.';
