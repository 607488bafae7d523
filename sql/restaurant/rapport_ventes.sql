create type restaurant.rapport_plat as (plat text, quantite_vendue core.somme, chiffre_affaire core.somme);
comment on type restaurant.rapport_plat is 'Ventes d''un plat, avoirs déduits.';

-- A line of an invoice is of the dish of its name, and of its price if the name has changed since. A credit note for
-- what subscriptions pay takes no dish off.
create function restaurant._plats_credites(p_du date, p_au date)
returns table (id_plat bigint, quantite numeric, ca numeric)
language sql stable
begin atomic
  select d.id_plat, coalesce(a.quantite, 0), a.montant - case f.mode_prix when 'HT' then a.montant_taxe else 0 end
    from facturation.avoir o
    join facturation.facture f on f.id_facture = o.id_facture and f.source_type = 'COMMANDE_RESTAURANT'
    join restaurant.commande_vue x
      on x.id_commande = f.source_id and x.statut <> 'ANNULEE' and x.montant_couvert is not null
    join facturation.avoir_ligne a on a.id_avoir = o.id_avoir
    join facturation.facture_ligne l on l.id_ligne = a.id_ligne
   cross join lateral (
      select c.id_plat from restaurant.commande_ligne c
        join restaurant.plat p on p.id_plat = c.id_plat
       where c.id_commande = x.id_commande and c.prix_unitaire = l.prix_unitaire and c.quantite >= l.quantite
       order by p.nom = l.libelle desc, c.id_ligne limit 1) d
   where o.jour between p_du and p_au and o.motif <> restaurant._motif_couvert();
end;
comment on function restaurant._plats_credites is 'Ce que les avoirs de ces jours retirent des commandes réglées, par plat.';

create function restaurant.rapport_ventes(p_du date default null, p_au date default null)
returns setof restaurant.rapport_plat
language plpgsql stable security definer set search_path = pg_catalog, pg_temp as $$
declare
  v_au date := coalesce(p_au, core.aujourdhui());
  v_du date := core.premier_jour(p_du, p_au);
begin
  return query
  select min(p.nom)::text, sum(v.quantite)::core.somme, sum(v.ca)::core.somme
    from (select l.id_plat, l.quantite, l.total as ca
            from restaurant.commande_vue x
            join restaurant.commande_ligne l on l.id_commande = x.id_commande
           where x.date >= core.debut_du_jour(v_du) and x.date < core.debut_du_jour(v_au + 1)
             and x.statut <> 'ANNULEE' and x.montant_couvert is not null
          union all
          select c.id_plat, -c.quantite, -c.ca from restaurant._plats_credites(v_du, v_au) c) v
    join restaurant.plat p on p.id_plat = v.id_plat
   group by p.id_plat
   order by sum(v.ca) desc, p.id_plat;
end $$;
comment on function restaurant.rapport_ventes is
  'Plats des commandes réglées et non annulées, par chiffre d''affaires, avoirs déduits à leur jour ; ceux que paie un abonnement comptent au prix de la carte. Sans dates : le mois en cours.';
