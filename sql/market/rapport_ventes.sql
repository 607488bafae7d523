-- Sales and their margin, at the cost at which the articles left the stock. A credit note of a paid sale counts on its
-- own day. Only par_type counts sales that are cancelled, requested, or accepted and not paid yet.

create type market.rapport_periode as (du date, au date);
comment on type market.rapport_periode is 'Jours compris du rapport, null sans borne.';
call core.peut_etre_null('market.rapport_periode', 'du', 'au');

create type market.rapport_statut as (statut market.statut_vente, nb_ventes bigint, ca core.somme);
comment on type market.rapport_statut is 'Ventes d''un état, avoirs déduits.';

create type market.rapport_produit as (
  libelle text, quantite core.somme, ca core.somme, marge core.somme);
comment on type market.rapport_produit is 'Ventes d''un produit, avant les remises, avoirs déduits.';
comment on column market.rapport_produit.marge is 'Chiffre d''affaires − coût des articles au moment de la vente.';

create type market.rapport_ventes_bilan as (
  periode market.rapport_periode, nb_ventes bigint, ca_total core.somme, marge_totale core.somme,
  ecarts_de_cout core.somme, par_type market.rapport_statut[], top_produits market.rapport_produit[]);
comment on type market.rapport_ventes_bilan is 'Rapport des ventes.';
comment on column market.rapport_ventes_bilan.nb_ventes is 'Ventes payées.';
comment on column market.rapport_ventes_bilan.ca_total is 'Ventes payées, remises déduites, moins les avoirs de ces jours.';
comment on column market.rapport_ventes_bilan.marge_totale is 'ca_total − coût des articles sortis.';
comment on column market.rapport_ventes_bilan.ecarts_de_cout is
  'Coûts corrigés dans la période, pour leur part d''articles déjà sortis : en plus de ce que compte la marge.';
comment on column market.rapport_ventes_bilan.top_produits is 'Les dix produits qui font le plus de chiffre.';

-- The part of a line that is credited keeps its share of the discount, and has no tax that is not in the prices.
create function market._ventes_creditees(p_du date, p_au date)
returns table (id_produit bigint, quantite numeric, ca numeric, montant numeric)
language sql stable
begin atomic
  select v.id_produit, coalesce(a.quantite, 0), round(l.total * a.montant / c.montant, 2),
         a.montant - case f.mode_prix when 'HT' then a.montant_taxe else 0 end
    from facturation.avoir o
    join facturation.facture f on f.id_facture = o.id_facture and f.source_type = 'VENTE'
    join market.vente_vue x on x.id_vente = f.source_id and x.statut = 'PAYEE'
    join facturation.avoir_ligne a on a.id_avoir = o.id_avoir
    join facturation.facture_ligne l on l.id_ligne = a.id_ligne
   cross join lateral facturation._lignes_creditables(f.id_facture) c
   cross join lateral market._lignes_vendues(f.id_facture) v
   where o.jour between p_du and p_au and c.id_ligne = a.id_ligne and v.id_ligne = a.id_ligne;
end;
comment on function market._ventes_creditees is
  'Ce que les avoirs de ces jours retirent des ventes payées, par ligne : avant les remises (ca), et remises déduites.';

create function market.rapport_ventes(p_du date default null, p_au date default null)
returns market.rapport_ventes_bilan
language plpgsql stable security definer set search_path = pg_catalog, pg_temp as $$
declare
  v market.rapport_ventes_bilan;
  v_du date := coalesce(p_du, '-infinity');
  v_au date := coalesce(p_au, 'infinity');
  v_debut timestamptz := coalesce(core.debut_du_jour(p_du), '-infinity');
  v_fin timestamptz := coalesce(core.debut_du_jour(p_au + 1), 'infinity');
begin
  v.periode := row(p_du, p_au)::market.rapport_periode;
  select coalesce(array_agg(row(s.statut, s.nombre, s.ca)::market.rapport_statut order by s.statut), '{}'),
         coalesce(sum(s.nombre) filter (where s.statut = 'PAYEE'), 0),
         coalesce(sum(s.ca) filter (where s.statut = 'PAYEE'), 0)
    into v.par_type, v.nb_ventes, v.ca_total
    from (select y.statut, sum(y.nombre) as nombre, sum(y.ca) as ca
            from (select x.statut, 1 as nombre, x.total as ca
                    from market.vente_vue x where x.date >= v_debut and x.date < v_fin
                  union all
                  select 'PAYEE', 0, -c.montant from market._ventes_creditees(v_du, v_au) c) y
           group by y.statut) s;
  select coalesce(sum(m.ecart_de_cout), 0) into v.ecarts_de_cout
    from market.mouvement_stock_vue m
   where m.jour between v_du and v_au;
  with payees as materialized (
    select x.id_vente from market.vente_vue x where x.date >= v_debut and x.date < v_fin and x.statut = 'PAYEE'
  ), couts as (
    -- A sale of before the average cost has no value, and the purchase price of that time.
    select m.id_produit, coalesce(-m.valeur, (
             select sum(round(l.quantite * l.prix_achat, 2)) from market.vente_ligne l
              where l.id_vente = m.id_vente and l.id_produit = m.id_produit)) as cout
      from payees x
      join market.mouvement_stock m on m.id_vente = x.id_vente and m.type = 'SORTIE'
    union all
    -- Articles that come back have the cost at which they had left.
    select m.id_produit, -m.valeur
      from market.mouvement_stock m
      join market.vente_vue x on x.id_vente = m.id_vente and x.statut = 'PAYEE'
     where m.type = 'ENTREE' and m.jour between v_du and v_au
  ), lignes as (
    select l.id_produit, l.quantite, l.total_ligne as ca, 0 as cout
      from payees x
      join market.vente_ligne l on l.id_vente = x.id_vente
    union all
    select c.id_produit, -c.quantite, -c.ca, 0 from market._ventes_creditees(v_du, v_au) c
    union all
    select c.id_produit, 0, 0, c.cout from couts c
  ), vendus as (
    select l.id_produit, sum(l.quantite) as quantite, sum(l.ca) as ca, sum(l.cout) as achat
      from lignes l group by l.id_produit
  ), premiers as (
    select p.nom, d.* from vendus d join market.produit p on p.id_produit = d.id_produit
     order by d.ca desc, d.id_produit limit 10
  )
  select v.ca_total - coalesce((select sum(d.achat) from vendus d), 0),
         array(select row(t.nom, t.quantite, t.ca, t.ca - t.achat)::market.rapport_produit
                 from premiers t order by t.ca desc, t.id_produit)
    into v.marge_totale, v.top_produits;
  return v;
end $$;
comment on function market.rapport_ventes is
  'Nombre, chiffre d''affaires et marge des ventes, par état et par produit (les dix premiers), avoirs déduits. « du » et « au » sont des jours compris.';
