-- Units of prepaid subscriptions for a laundry order: pieces of an order by the piece, kilograms of an order by weight.
-- A subscription covers the lines whose label is exactly the label of its service.
-- Locks, in this order: the order, the subscriptions by id.

create function pressing._unite(p_mode pressing.mode_tarification) returns abonnement.unite
language sql immutable parallel safe
return case p_mode when 'POIDS' then 'KG' else 'PIECE' end::abonnement.unite;
comment on function pressing._unite is 'Unité des abonnements qui paient une commande de ce mode.';

create function pressing._lignes_a_couvrir(p_lignes pressing.commande_ligne[]) returns abonnement.ligne_a_couvrir[]
language sql stable
return array(
  select row((select p.id_prestation from pressing.prestation p where p.libelle = (p_lignes[i]).prestation),
             coalesce((p_lignes[i]).poids_kg, (p_lignes[i]).quantite))::abonnement.ligne_a_couvrir
    from generate_subscripts(p_lignes, 1) i order by i);
comment on function pressing._lignes_a_couvrir is 'Les mêmes lignes, pour les abonnements.';

create function pressing._commande_couvrir(
  p_id_commande bigint, p_id_client bigint, p_mode pressing.mode_tarification, p_utiliser_abonnement boolean,
  p_accepter_excedent boolean)
returns void
language plpgsql volatile as $$
declare
  v_lignes pressing.commande_ligne[] := array(
    select l from pressing.commande_ligne l where l.id_commande = p_id_commande order by l.id_ligne);
  v_parts abonnement.part[];
begin
  if not p_utiliser_abonnement then
    return;
  end if;
  v_parts := abonnement._consommer(p_id_client, pressing._unite(p_mode), pressing._lignes_a_couvrir(v_lignes),
                                   p_accepter_excedent, p_id_commande_pressing => p_id_commande);
  update pressing.commande_ligne l set couvert = p.couvert
    from (select x.rang, sum(x.quantite) as couvert from unnest(v_parts) x
           where x.id_souscription is not null group by x.rang) p
   where l.id_ligne = (v_lignes[p.rang]).id_ligne;
end $$;
comment on function pressing._commande_couvrir is
  'Prend aux abonnements du client ce qu''ils paient des lignes d''une commande. Refuse ABONNEMENT_EXCEDENT.';
