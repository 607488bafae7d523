create type pressing.apercu_ligne as (
  type_vetement text, prestation text, quantite abonnement.nombre, couvert abonnement.nombre,
  excedent abonnement.nombre, abonnement_applicable boolean, prix_unitaire core.montant, montant_brut core.montant,
  montant_du core.montant);
comment on type pressing.apercu_ligne is 'Ce que paient les abonnements d''une ligne, et ce qui reste dû.';
comment on column pressing.apercu_ligne.quantite is 'Pièces, ou kilogrammes d''une ligne pesée.';
comment on column pressing.apercu_ligne.couvert is 'Unités que paient les abonnements.';
comment on column pressing.apercu_ligne.excedent is 'Unités qu''un abonnement en vigueur paierait s''il lui en restait.';
comment on column pressing.apercu_ligne.abonnement_applicable is 'Vrai si un abonnement en vigueur du client paie cette prestation.';
comment on column pressing.apercu_ligne.prix_unitaire is 'Prix d''une pièce, ou d''un kilogramme.';
comment on column pressing.apercu_ligne.montant_brut is 'Prix de la ligne.';
comment on column pressing.apercu_ligne.montant_du is 'Prix des unités que les abonnements ne paient pas.';

create type pressing.apercu_abonnement as (
  unite abonnement.unite, abonnements abonnement.apercu_souscription[], lignes pressing.apercu_ligne[],
  total_brut core.montant, total_du core.montant, excedent boolean);
comment on type pressing.apercu_abonnement is 'Ce que les abonnements d''un client paieraient d''une commande.';
comment on column pressing.apercu_abonnement.abonnements is 'Ses abonnements en vigueur, celui qui sert d''abord en tête.';
comment on column pressing.apercu_abonnement.total_du is 'Ce que le client paierait.';
comment on column pressing.apercu_abonnement.excedent is 'Vrai si la commande demande « accepter_excedent ».';

create function pressing._apercu_abonnement(
  p_id_client bigint, p_mode pressing.mode_tarification, p_lignes pressing.commande_ligne[], p_parts abonnement.part[])
returns pressing.apercu_abonnement
language plpgsql stable as $$
declare
  v_lignes pressing.apercu_ligne[] := array(
    select row((p_lignes[i]).type_vetement, (p_lignes[i]).prestation,
               coalesce((p_lignes[i]).poids_kg, (p_lignes[i]).quantite), trim_scale(p.couvert),
               trim_scale(p.excedent), p.nombre > 0,
               coalesce((p_lignes[i]).prix_kg, (p_lignes[i]).tarif), pressing._ligne_due(p_lignes[i], 0),
               pressing._ligne_due(p_lignes[i], p.couvert))::pressing.apercu_ligne
      from generate_subscripts(p_lignes, 1) i
     cross join lateral (
        select coalesce(sum(x.quantite) filter (where x.id_souscription is not null), 0) as couvert,
               coalesce(sum(x.quantite) filter (where x.id_souscription is null), 0) as excedent, count(*) as nombre
          from unnest(p_parts) x where x.rang = i) p
     order by i);
begin
  return (
    select row(pressing._unite(p_mode), abonnement._apercu_souscriptions(p_id_client, pressing._unite(p_mode)),
               v_lignes, coalesce(sum(l.montant_brut), 0), coalesce(sum(l.montant_du), 0),
               coalesce(bool_or(l.excedent > 0), false))::pressing.apercu_abonnement
      from unnest(v_lignes) l);
end $$;
comment on function pressing._apercu_abonnement is 'Chaque ligne, ce que ses parts en paient et ce qui reste dû.';

create function pressing.apercu_abonnement_calculer(
  p_id_client bigint, p_lignes pressing.ligne_entree[],
  p_mode_tarification pressing.mode_tarification default 'UNITAIRE') returns pressing.apercu_abonnement
language plpgsql stable security definer set search_path = pg_catalog, pg_temp as $$
declare
  v_lignes pressing.commande_ligne[];
begin
  perform pressing._activite();
  if coalesce(cardinality(p_lignes), 0) = 0 then
    perform core.refuser(400, 'COMMANDE_SANS_LIGNE', 'Une commande compte au moins une ligne.');
  elsif exists (select from unnest(p_lignes) l
                 where (l.poids_kg is not null) <> (p_mode_tarification = 'POIDS')
                    or num_nonnulls(l.poids_kg, l.tarif) <> 1) then
    perform core.refuser(400, 'LIGNE_SELON_LE_MODE',
      'Une commande UNITAIRE a un tarif à chaque ligne, une commande POIDS un poids ; le mode se fixe à la dépose.');
  end if;
  v_lignes := array(
    select jsonb_populate_record(null::pressing.commande_ligne, to_jsonb(l) || jsonb_build_object(
             'prix_kg', case p_mode_tarification when 'POIDS' then pressing._prix_kg() end))
      from unnest(p_lignes) with ordinality
           as l (type_vetement, quantite, prestation, tarif, poids_kg, hors_catalogue, rang) order by l.rang);
  return pressing._apercu_abonnement(
    client._client_resoudre(p_id_client, null), p_mode_tarification, v_lignes,
    abonnement._repartir(p_id_client, pressing._unite(p_mode_tarification), pressing._lignes_a_couvrir(v_lignes)));
end $$;
comment on function pressing.apercu_abonnement_calculer is
  'Dit ce que les abonnements d''un client paieraient d''une commande, sans rien leur prendre.';

create function pressing.commande_apercevoir(p_id_commande bigint) returns pressing.apercu_abonnement
language sql stable security definer set search_path = pg_catalog, pg_temp
return (
  select pressing._apercu_abonnement(
           v.id_client, v.mode_tarification,
           array(select l from pressing.commande_ligne l where l.id_commande = p_id_commande order by l.id_ligne),
           array(select row(l.rang, 0, l.couvert)::abonnement.part
                   from (select x.couvert, row_number() over (order by x.id_ligne) as rang
                           from pressing.commande_ligne x where x.id_commande = p_id_commande) l
                  where l.couvert > 0))
    from pressing.commande_detail(p_id_commande) v);
comment on function pressing.commande_apercevoir is
  'Dit ce que des abonnements ont payé d''une commande reçue, ligne par ligne, et ce qui en est dû.';
