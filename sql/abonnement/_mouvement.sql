-- The ledger of prepaid units. A movement is signed and never changes. The balance of a subscription is its quota plus
-- its movements. One function draws units for an order, and one trigger gives back what a cancelled order drew.
-- Locks, in this order: the order, the subscriptions by id.

create function abonnement._t10_mouvement_remplir() returns trigger
language plpgsql volatile as $$
begin
  new.id_utilisateur := coalesce(core.utilisateur(), new.id_utilisateur);
  new.jour := case when new.type <> 'ANNULATION' then core.jour(new.date)
                   else (select m.jour from abonnement.mouvement m where m.id_mouvement = new.id_mouvement_origine) end;
  return new;
end $$;
comment on function abonnement._t10_mouvement_remplir is
  'Auteur et date de gestion d''un mouvement ; une annulation a celle de sa consommation.';

create trigger t10_mouvement_remplir before insert on abonnement.mouvement
  for each row execute function abonnement._t10_mouvement_remplir();

create function abonnement._t20_mouvement_solde() returns trigger
language plpgsql volatile as $$
declare
  v_solde numeric;
  v_unite abonnement.unite;
begin
  perform from abonnement.souscription s where s.id_souscription = new.id_souscription for no key update;
  select s.quota + coalesce((select sum(m.quantite) from abonnement.mouvement m
                              where m.id_souscription = s.id_souscription), 0), o.unite
    into v_solde, v_unite
    from abonnement.souscription s
    join abonnement.offre o on o.id_offre = s.id_offre
   where s.id_souscription = new.id_souscription;
  if v_solde + new.quantite < 0 then
    perform core.refuser(400, 'SOLDE_NEGATIF',
      format('Il reste %s à cet abonnement : il ne s''en retire pas davantage.',
             abonnement._quantite_ecrire(v_solde, v_unite)),
      jsonb_build_object('solde', v_solde::text));
  end if;
  return new;
end $$;
comment on function abonnement._t20_mouvement_solde is 'Refuse un mouvement qui prend plus que le solde : SOLDE_NEGATIF.';

create trigger t20_solde_negatif before insert on abonnement.mouvement
  for each row when (new.quantite < 0) execute function abonnement._t20_mouvement_solde();

-- A line of an order counts pieces and meals with two decimals: a finer balance could not be drawn to zero.
create function abonnement._t20_mouvement_fin() returns trigger
language plpgsql volatile as $$
begin
  if exists (select from abonnement.souscription s join abonnement.offre o on o.id_offre = s.id_offre
              where s.id_souscription = new.id_souscription and o.unite <> 'KG') then
    perform core.refuser(400, 'QUANTITE_TROP_FINE', 'Seuls des kilos se comptent à trois décimales, le reste à deux.');
  end if;
  return new;
end $$;
comment on function abonnement._t20_mouvement_fin is 'Refuse trois décimales à ce qui ne se pèse pas : QUANTITE_TROP_FINE.';

create trigger t20_quantite_trop_fine before insert on abonnement.mouvement
  for each row when (new.quantite <> round(new.quantite, 2)) execute function abonnement._t20_mouvement_fin();

-- A reason goes with the data of an erased client.
call core.figer('MOUVEMENT_D_ABONNEMENT_FIGE',
  'Un mouvement d''abonnement ne change ni ne s''efface : il se corrige par un ajustement.',
  'before delete on abonnement.mouvement',
  'change: before update on abonnement.mouvement
    when (new.motif is not null or to_jsonb(new) - ''motif'' <> to_jsonb(old) - ''motif'')');

create type abonnement.ligne_a_couvrir as (couverture bigint, quantite numeric);
comment on type abonnement.ligne_a_couvrir is 'Unités d''une ligne de commande.';
comment on column abonnement.ligne_a_couvrir.couverture is 'Prestation du pressing, ou catégorie du plat.';

create type abonnement.part as (rang bigint, id_souscription bigint, quantite numeric);
comment on type abonnement.part is 'Unités d''une ligne que paie un abonnement.';
comment on column abonnement.part.rang is 'Place de la ligne dans la commande, de 1 à n.';
comment on column abonnement.part.id_souscription is 'Null pour l''excédent : des unités que l''abonnement paierait s''il en restait.';

-- A subscription that is used up, or not in force, covers nothing: its client pays as everybody does.
create function abonnement._repartir(
  p_id_client bigint, p_unite abonnement.unite, p_lignes abonnement.ligne_a_couvrir[]) returns abonnement.part[]
language plpgsql stable as $$
declare
  v_abonnements bigint[];
  v_couvertures bigint[];
  v_restes numeric[];
  v_ligne record;
  v_reste numeric;
  v_part numeric;
  v_couvrable boolean;
  v abonnement.part[] := array[]::abonnement.part[];
begin
  select array_agg(s.id_souscription order by s.date_fin, s.id_souscription),
         array_agg(coalesce(s.id_prestation, s.id_categorie_plat) order by s.date_fin, s.id_souscription),
         array_agg(greatest(0, least(s.solde, s.max_par_jour - s.consomme_aujourdhui))
                   order by s.date_fin, s.id_souscription)
    into v_abonnements, v_couvertures, v_restes
    from abonnement._souscription_vue s
   where s.id_client = p_id_client and s.unite = p_unite and s.etat = 'ACTIVE';
  for v_ligne in select l.couverture, l.quantite, l.rang
                   from unnest(p_lignes) with ordinality as l (couverture, quantite, rang) order by l.rang loop
    v_reste := v_ligne.quantite;
    v_couvrable := false;
    for i in 1..coalesce(cardinality(v_abonnements), 0) loop
      continue when v_couvertures[i] <> v_ligne.couverture
                 or v_couvertures[i] is not null and v_ligne.couverture is null;
      v_couvrable := true;
      v_part := least(v_reste, v_restes[i]);
      continue when v_part = 0;
      v := v || row(v_ligne.rang, v_abonnements[i], v_part)::abonnement.part;
      v_restes[i] := v_restes[i] - v_part;
      v_reste := v_reste - v_part;
    end loop;
    if v_couvrable and v_reste > 0 then
      v := v || row(v_ligne.rang, null, v_reste)::abonnement.part;
    end if;
  end loop;
  return v;
end $$;
comment on function abonnement._repartir is
  'Ce que les abonnements en vigueur d''un client paient des lignes d''une commande, et l''excédent ; celui qui finit d''abord sert d''abord.';

create function abonnement._consommer(
  p_id_client bigint, p_unite abonnement.unite, p_lignes abonnement.ligne_a_couvrir[], p_accepter_excedent boolean,
  p_id_commande_restaurant bigint default null, p_id_commande_pressing bigint default null)
returns abonnement.part[]
language plpgsql volatile as $$
declare
  v_parts abonnement.part[];
  v_excedent numeric;
begin
  perform from abonnement.souscription s
    where s.id_client = p_id_client and s.statut = 'ACTIVE' and core.aujourdhui() between s.date_debut and s.date_fin
    order by s.id_souscription for no key update;
  v_parts := abonnement._repartir(p_id_client, p_unite, p_lignes);
  v_excedent := (select sum(p.quantite) from unnest(v_parts) p where p.id_souscription is null);
  if v_excedent > 0 and not p_accepter_excedent then
    perform core.refuser(409, 'ABONNEMENT_EXCEDENT',
      format('La commande dépasse l''abonnement. Acceptez l''excédent, %s au prix normal, ou réduisez la commande.',
             abonnement._quantite_ecrire(v_excedent, p_unite)),
      jsonb_build_object('excedent', abonnement._quantite(v_excedent, p_unite)::text, 'unite', p_unite));
  end if;
  insert into abonnement.mouvement (id_souscription, type, quantite, id_commande_restaurant, id_commande_pressing, date)
  select p.id_souscription, 'CONSOMMATION', -sum(p.quantite), p_id_commande_restaurant, p_id_commande_pressing,
         coalesce(core.moment(), now())
    from unnest(v_parts) p where p.id_souscription is not null
   group by p.id_souscription order by p.id_souscription;
  return v_parts;
end $$;
comment on function abonnement._consommer is
  'Prend aux abonnements d''un client ce qu''ils paient d''une commande, et rend les parts de chaque ligne. Refuse ABONNEMENT_EXCEDENT.';
-- No part is larger or finer than the balance.
call core.ne_refuse_pas('abonnement._consommer', 'SOLDE_NEGATIF', 'QUANTITE_TROP_FINE');

create function abonnement._t50_commande_rendre() returns trigger
language plpgsql volatile as $$
begin
  insert into abonnement.mouvement (id_souscription, type, quantite, id_mouvement_origine, id_commande_restaurant,
                                    id_commande_pressing, date)
  select m.id_souscription, 'ANNULATION', -m.quantite, m.id_mouvement, m.id_commande_restaurant, m.id_commande_pressing,
         coalesce(core.moment(), now())
    from abonnement.mouvement m
   where m.type = 'CONSOMMATION'
     and (tg_table_schema = 'restaurant' and m.id_commande_restaurant = new.id_commande
          or tg_table_schema = 'pressing' and m.id_commande_pressing = new.id_commande)
   order by m.id_mouvement;
  return null;
end $$;
comment on function abonnement._t50_commande_rendre is 'Rend aux abonnements ce qu''une commande annulée leur avait pris.';
-- The movements give back the quantities that were drawn.
call core.ne_refuse_pas('abonnement._t50_commande_rendre', 'SOLDE_NEGATIF', 'QUANTITE_TROP_FINE');

create trigger t50_commande_rendre after update of statut on restaurant.commande
  for each row when (new.statut = 'ANNULEE' and old.statut <> 'ANNULEE')
  execute function abonnement._t50_commande_rendre();

create trigger t50_commande_rendre after update of statut on pressing.commande
  for each row when (new.statut = 'ANNULEE' and old.statut <> 'ANNULEE')
  execute function abonnement._t50_commande_rendre();

create type abonnement.apercu_souscription as (
  id_souscription bigint, offre_libelle text, solde abonnement.unites, quota abonnement.unites, unite abonnement.unite,
  etat abonnement.etat_souscription, date_fin date, consomme_aujourdhui abonnement.unites, max_par_jour core.nombre);
comment on type abonnement.apercu_souscription is 'Abonnement en vigueur d''un client, tel que le montre l''aperçu d''une commande.';
comment on column abonnement.apercu_souscription.solde is 'Avant la commande.';
call core.peut_etre_null('abonnement.apercu_souscription', 'max_par_jour');

create function abonnement._apercu_souscriptions(p_id_client bigint, p_unite abonnement.unite)
returns abonnement.apercu_souscription[]
language sql stable
return array(
  select row(s.id_souscription, s.offre_libelle, s.solde, s.quota, s.unite, s.etat, s.date_fin, s.consomme_aujourdhui,
             s.max_par_jour)::abonnement.apercu_souscription
    from abonnement._souscription_vue s
   where s.id_client = p_id_client and s.unite = p_unite and s.etat in ('ACTIVE', 'EPUISEE')
   order by s.date_fin, s.id_souscription);
comment on function abonnement._apercu_souscriptions is
  'Abonnements en vigueur d''un client, épuisés compris, celui qui finit d''abord en tête.';
