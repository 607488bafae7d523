create type restaurant.apercu_abonnement as (
  unite abonnement.unite, abonnements abonnement.apercu_souscription[], lignes restaurant.apercu_ligne[],
  total_brut core.montant, total_du core.montant, excedent boolean);
comment on type restaurant.apercu_abonnement is 'Ce que les abonnements d''un client paieraient d''une commande.';
comment on column restaurant.apercu_abonnement.abonnements is 'Ses abonnements en vigueur, celui qui sert d''abord en tête.';
comment on column restaurant.apercu_abonnement.total_du is 'Ce que le client paierait.';
comment on column restaurant.apercu_abonnement.excedent is 'Vrai si la commande demande « accepter_excedent ».';

create function restaurant._apercu_abonnement(p_id_client bigint, p_lignes restaurant.ligne_a_regler[])
returns restaurant.apercu_abonnement
language plpgsql stable as $$
declare
  v_lignes restaurant.apercu_ligne[] := restaurant._apercevoir(
    p_lignes, abonnement._repartir(p_id_client, 'REPAS', restaurant._lignes_a_couvrir(p_lignes)));
begin
  return (
    select row('REPAS', abonnement._apercu_souscriptions(p_id_client, 'REPAS'), v_lignes,
               coalesce(sum(l.montant_brut), 0), coalesce(sum(l.montant_du), 0),
               coalesce(bool_or(l.excedent > 0), false))::restaurant.apercu_abonnement
      from unnest(v_lignes) l);
end $$;
comment on function restaurant._apercu_abonnement is 'Ce que les abonnements d''un client paieraient de ces lignes.';

create function restaurant.apercu_abonnement_calculer(p_id_client bigint, p_lignes restaurant.ligne_commande[])
returns restaurant.apercu_abonnement
language plpgsql stable security definer set search_path = pg_catalog, pg_temp as $$
begin
  perform restaurant._activite();
  perform restaurant._plats_disponibles(p_lignes);
  return restaurant._apercu_abonnement(client._client_resoudre(p_id_client, null), array(
    select row(p.id_plat, p.nom, p.id_categorie_plat, l.quantite, p.prix)::restaurant.ligne_a_regler
      from unnest(p_lignes) with ordinality as l (id_plat, quantite, rang)
      join restaurant.plat p on p.id_plat = l.id_plat
     order by l.rang));
end $$;
comment on function restaurant.apercu_abonnement_calculer is
  'Dit ce que les abonnements d''un client paieraient d''une commande, sans rien leur prendre.';

create function restaurant.commande_apercevoir(p_id_commande bigint) returns restaurant.apercu_abonnement
language plpgsql stable security definer set search_path = pg_catalog, pg_temp as $$
declare
  v restaurant.commande_detail_vue := restaurant.commande_detail(p_id_commande);
  v_reste numeric := (
    select f.reste from facturation.facture f
     where f.source_type = 'COMMANDE_RESTAURANT' and f.source_id = p_id_commande and not f.annulee
       and v.montant_couvert is null and f.montant_paye + f.montant_avoirs > 0);
  v_apercu restaurant.apercu_abonnement := restaurant._apercu_abonnement(
    case when v_reste is null then v.id_client end,
    case when v.montant_couvert is null then restaurant._lignes_a_regler(p_id_commande) else '{}' end);
begin
  v_apercu.total_du := coalesce(v_reste, v_apercu.total_du);
  return v_apercu;
end $$;
comment on function restaurant.commande_apercevoir is
  'Dit ce que les abonnements du client paieraient d''une commande, sans rien leur prendre ; réglée, elle ne doit rien ; sa facture payée ou créditée en partie, elle doit son reste.';
