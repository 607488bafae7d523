create type restaurant.rapport_plat as (plat text, quantite_vendue core.somme, chiffre_affaire core.somme);
comment on type restaurant.rapport_plat is 'Ventes d''un plat.';

create function restaurant.rapport_ventes(p_du date default null, p_au date default null)
returns setof restaurant.rapport_plat
language plpgsql stable security definer set search_path = pg_catalog, pg_temp as $$
declare
  v_au date := coalesce(p_au, core.aujourdhui());
  v_du date := core.premier_jour(p_du, p_au);
begin
  return query
  select min(p.nom)::text, sum(l.quantite)::core.somme, sum(l.total)::core.somme
    from restaurant.commande_vue x
    join restaurant.commande_ligne l on l.id_commande = x.id_commande
    join restaurant.plat p on p.id_plat = l.id_plat
   where x.date >= core.debut_du_jour(v_du) and x.date < core.debut_du_jour(v_au + 1) and x.statut <> 'ANNULEE'
     and x.montant_couvert is not null
   group by p.id_plat
   order by sum(l.total) desc, p.id_plat;
end $$;
comment on function restaurant.rapport_ventes is
  'Plats des commandes réglées du premier au dernier jour compris, du plus grand chiffre d''affaires au plus petit. Les commandes annulées n''y sont pas. Sans dates : le mois en cours. Les plats que paie un abonnement comptent au prix de la carte.';
