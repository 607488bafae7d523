create type compta.ligne_de_creances as (
  id_client bigint, client text, factures bigint, de_0_a_30_jours core.somme, de_31_a_60_jours core.somme,
  de_61_a_90_jours core.somme, plus_de_90_jours core.somme, total core.somme);
comment on type compta.ligne_de_creances is 'Ce qu''un client doit, par âge.';
comment on column compta.ligne_de_creances.factures is 'Nombre de factures dues.';
comment on column compta.ligne_de_creances.de_0_a_30_jours is 'Reste des factures émises depuis 30 jours au plus.';
call core.peut_etre_null('compta.ligne_de_creances', 'id_client', 'client');

-- An invoice owed on a day is owed now, or a payment or a credit note came later. « offset 0 »: PostgreSQL reads these
-- invoices by their key, and not all.
create function compta.creances(p_au date default null) returns setof compta.ligne_de_creances
language sql stable security definer set search_path = pg_catalog, pg_temp
begin atomic
  with j as (select coalesce(p_au, core.aujourdhui()) as au),
  apres as (
    select x.id_facture, sum(x.recu) as recu, sum(x.avoirs) as avoirs, sum(x.credit) as credit
      from (select f.id_facture, 0 as recu, 0 as avoirs, 0 as credit
              from facturation.facture f where f.statut in ('IMPAYEE', 'PARTIELLE')
            union all
            select a.id_facture, a.montant, 0, 0
              from j join finances.paiement p on p.jour > j.au
              join finances.imputation_vue a on a.id_paiement = p.id_paiement
            union all
            select v.id_facture, 0, v.montant_total, case when v.rembourse then 0 else v.montant_excedent end
              from j join facturation.avoir v on v.jour > j.au) x
     group by x.id_facture
  ), r as (
    select f.id_client, j.au - f.jour as age, r.reste
      from j cross join apres x
     cross join lateral (select f.* from facturation.facture f where f.id_facture = x.id_facture offset 0) f
     cross join lateral (
       select facturation._reste(false, f.montant_total - f.montant_avoirs + x.avoirs,
                                 f.montant_paye - x.recu - f.montant_credit + x.credit) as reste) r
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
