-- What has to hold of money whatever happened: read after a restore, and whenever somebody wants to be sure.

create function jobs._controler() returns setof text
language plpgsql stable as $$
begin
  return query
  select format('La facture %s porte montant_paye %s, ses paiements font %s.', f.numero, f.montant_paye, coalesce(sum(a.montant), 0))
    from facturation.facture f
    left join finances.application_paiement a on a.id_facture = f.id_facture
   group by f.id_facture
  having f.montant_paye <> coalesce(sum(a.montant), 0)
   order by f.id_facture;
  return query
  select format('La facture %s porte montant_total %s, ses lignes moins la remise font %s.',
                f.numero, f.montant_total, coalesce(sum(l.total), 0) - f.remise)
    from facturation.facture f
    left join facturation.facture_ligne l on l.id_facture = f.id_facture
   group by f.id_facture
  having f.montant_total <> coalesce(sum(l.total), 0) - f.remise
   order by f.id_facture;
  -- The numbers of a year are unique: as many as the highest of them, and as the counter gave, means none is missing.
  return query
  with series as (
    select substring(f.numero from '-FAC-([0-9]+)-')::integer as annee, count(*) as nombre,
           max(substring(f.numero from '[0-9]+$')::bigint) as dernier
      from facturation.facture f group by 1)
  select format('Les factures de %s sont %s, la dernière porte le numéro %s, le compteur en a donné %s.',
                coalesce(s.annee, c.annee), coalesce(s.nombre, 0), coalesce(s.dernier, 0), coalesce(c.valeur, 0))
    from series s
    full join (select * from core.compteur where type = 'FAC') c on c.annee = s.annee
   where s.nombre is distinct from s.dernier or s.nombre is distinct from c.valeur
   order by 1;
end $$;
comment on function jobs._controler() is
  'Chaque écart de l''argent, une phrase par écart : paiements et montant_paye, lignes et montant_total, numéros de facture sans trou. Rien quand tout tombe juste.';
