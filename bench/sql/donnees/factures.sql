insert into facturation.facture (id_facture, numero, date, jour, id_client, id_activite, id_utilisateur, libelle, remise,
                                 montant_total, montant_paye, annulee, source_type, reste, statut)
overriding system value
select f.id_facture, concat_ws('-', a.organisation, 'FAC', a.annee, core._chiffres(f.id_facture - a.avant, 3)), f.date, f.jour,
       f.id_client, f.id_activite, 1, f.libelle, f.remise, f.total, p.paye, f.annulee,
       'PRESTATION', facturation._reste(f.annulee, f.total, p.paye), facturation._statut(f.annulee, f.total, p.paye)
  from brouillon.facture f
  join (select extract(year from x.jour) as annee, min(x.id_facture) - 1 as avant, core.parametre('CODE_ORGANISATION') as organisation
          from brouillon.facture x group by 1) a
    on a.annee = extract(year from f.jour)
 cross join lateral (select case when f.annulee then 0 else f.du end as paye) p;
