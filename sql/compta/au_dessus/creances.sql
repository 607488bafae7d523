create type compta.ligne_de_creances as (
  id_client bigint, client text, factures bigint, de_0_a_30_jours core.somme, de_31_a_60_jours core.somme,
  de_61_a_90_jours core.somme, plus_de_90_jours core.somme, total core.somme);
comment on type compta.ligne_de_creances is 'Ce qu''un client doit, par âge.';
comment on column compta.ligne_de_creances.factures is 'Nombre de factures dues.';
comment on column compta.ligne_de_creances.de_0_a_30_jours is 'Reste des factures émises depuis 30 jours au plus.';
call core.peut_etre_null('compta.ligne_de_creances', 'id_client', 'client');

-- An invoice that is settled today was due on that day if something came later.
create function compta.creances(p_au date default null) returns setof compta.ligne_de_creances
language sql stable security definer set search_path = pg_catalog, pg_temp
begin atomic
  with j as (select coalesce(p_au, core.aujourdhui()) as au),
  i as (
    select f.id_facture from facturation.facture f where f.reste > 0
    union
    select a.id_facture
      from j join finances.paiement p on p.jour > j.au join finances.imputation_vue a on a.id_paiement = p.id_paiement
    union
    select v.id_facture from j join facturation.avoir v on v.jour > j.au
  ), r as (
    select f.id_client, j.au - f.jour as age, r.reste
      from j cross join i
      join facturation.facture f on f.id_facture = i.id_facture
     cross join lateral (
       select coalesce(sum(v.montant_total), 0) as avoirs,
              coalesce(sum(v.montant_excedent) filter (where not v.rembourse), 0) as credit
         from facturation.avoir v where v.id_facture = f.id_facture and v.jour <= j.au) v
     cross join lateral (
       select coalesce(sum(a.montant), 0) as recu
         from finances.imputation_vue a join finances.paiement p on p.id_paiement = a.id_paiement
        where a.id_facture = f.id_facture and p.jour <= j.au) p
     cross join lateral (
       select facturation._reste(false, f.montant_total - v.avoirs, p.recu - v.credit) as reste) r
     where f.jour <= j.au and facturation._montant_facture(f) > 0 and r.reste > 0
       and core._visible(f.id_activite, (select core.activite()))
  )
  select r.id_client, nullif(max(concat_ws(' ', c.nom, c.prenoms)), ''), count(*),
         coalesce(sum(r.reste) filter (where r.age <= 30), 0),
         coalesce(sum(r.reste) filter (where r.age between 31 and 60), 0),
         coalesce(sum(r.reste) filter (where r.age between 61 and 90), 0),
         coalesce(sum(r.reste) filter (where r.age > 90), 0), sum(r.reste)
    from r left join client.client c on c.id_client = r.id_client
   group by r.id_client
   order by sum(r.reste) desc, r.id_client;
end;
comment on function compta.creances is
  'Ce que les clients devaient au soir d''un jour, aujourd''hui sans date, par client et par âge des factures.';
