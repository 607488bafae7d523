create type achat.dette as (
  id_fournisseur bigint, fournisseur text, factures integer, depuis date, non_echu core.somme,
  de_1_a_30_jours core.somme, de_31_a_60_jours core.somme, de_61_a_90_jours core.somme, plus_de_90_jours core.somme,
  avoirs core.somme, total core.somme);
comment on type achat.dette is 'Ce qui est dû à un fournisseur au soir d''un jour, selon les jours passés depuis l''échéance.';
comment on column achat.dette.fournisseur is 'Nom du fournisseur.';
comment on column achat.dette.factures is 'Nombre de factures dont il reste quelque chose.';
comment on column achat.dette.depuis is 'Échéance de la plus ancienne facture due ; null si rien n''est dû.';
comment on column achat.dette.non_echu is 'À échoir.';
comment on column achat.dette.avoirs is 'Ce que le fournisseur doit, en négatif.';
comment on column achat.dette.total is 'Somme des colonnes.';
call core.peut_etre_null('achat.dette', 'depuis');

create function achat._reste_au(p_au date)
returns table (id_achat bigint, id_fournisseur bigint, echeance date, reste numeric)
language plpgsql stable as $$
begin
  return query
  select f.id_achat, f.id_fournisseur, coalesce(f.echeance, f.date),
         f.reste + coalesce(a.montant, 0) + coalesce(p.montant, 0)
    from achat.achat_vue f
    left join (select x.id_achat, sum(x.montant_total) as montant from achat.avoir x
                where x.jour > p_au group by x.id_achat) a on a.id_achat = f.id_achat
    left join (select x.id_achat, sum(x.montant) as montant from achat.reglement_achat_vue x
                where x.date > p_au and x.date_annulation is null group by x.id_achat) p on p.id_achat = f.id_achat
   where f.jour <= p_au;
end $$;
comment on function achat._reste_au is 'Ce qui restait dû de chaque facture au soir d''un jour, avec les corrections venues depuis.';

create function achat.dette_lister(p_au date default null, p_id_fournisseur bigint default null)
returns setof achat.dette
language sql stable security definer set search_path = pg_catalog, pg_temp
begin atomic
  select r.id_fournisseur, s.nom::text, count(*)::integer, min(r.echeance) filter (where r.reste > 0),
         coalesce(sum(r.reste) filter (where r.reste > 0 and r.age <= 0), 0),
         coalesce(sum(r.reste) filter (where r.reste > 0 and r.age between 1 and 30), 0),
         coalesce(sum(r.reste) filter (where r.reste > 0 and r.age between 31 and 60), 0),
         coalesce(sum(r.reste) filter (where r.reste > 0 and r.age between 61 and 90), 0),
         coalesce(sum(r.reste) filter (where r.reste > 0 and r.age > 90), 0),
         coalesce(sum(r.reste) filter (where r.reste < 0), 0), sum(r.reste)
    from (select x.*, coalesce(p_au, core.aujourdhui()) - x.echeance as age
            from achat._reste_au(coalesce(p_au, core.aujourdhui())) x where x.reste <> 0) r
    join market.fournisseur s on s.id_fournisseur = r.id_fournisseur
   where p_id_fournisseur is null or r.id_fournisseur = p_id_fournisseur
   group by r.id_fournisseur, s.nom
   order by s.nom, r.id_fournisseur;
end;
comment on function achat.dette_lister is
  'Ce qui est dû à chaque fournisseur au soir du jour « au », aujourd''hui par défaut, par âge depuis l''échéance.';
