-- Locks: both subscriptions, by id.

create function abonnement.souscription_decider_reliquat(
  p_id_souscription bigint, p_decision abonnement.reliquat, p_id_souscription_cible bigint default null,
  p_motif core.libelle default null)
returns abonnement.souscription_detail_vue
language plpgsql volatile security definer set search_path = pg_catalog, pg_temp as $$
declare
  v abonnement.souscription_detail_vue := abonnement.souscription_detail(p_id_souscription);
begin
  if (p_decision = 'REPORTE') <> (p_id_souscription_cible is not null) then
    perform core.refuser(400, 'RELIQUAT_CIBLE_MANQUANTE',
      'Un reliquat reporté demande l''abonnement qui le reçoit (id_souscription_cible) ; un reliquat perdu n''en a pas.');
  end if;
  perform from abonnement.souscription s
    where s.id_souscription in (p_id_souscription, p_id_souscription_cible)
    order by s.id_souscription for no key update;
  v := abonnement.souscription_detail(p_id_souscription);
  if not v.reliquat_a_decider then
    perform core.refuser(409, 'RELIQUAT_SANS_OBJET',
      'Cet abonnement n''a pas de reliquat : il n''a pas expiré, ou il n''en reste rien.');
  end if;
  if p_decision = 'PERDU' then
    insert into abonnement.mouvement (id_souscription, type, quantite, motif)
    values (p_id_souscription, 'PERTE', -v.solde, p_motif);
  else
    perform abonnement._reliquat_reporter(v, p_id_souscription_cible, p_motif);
  end if;
  update abonnement.souscription s set reliquat = p_decision where s.id_souscription = p_id_souscription;
  return abonnement.souscription_detail(p_id_souscription);
end $$;
comment on function abonnement.souscription_decider_reliquat is
  'Décide des unités qui restent d''un abonnement expiré : REPORTE les ajoute à un autre abonnement du même client, qui paie la même chose et n''a pas expiré ; PERDU les retire.';
-- The movement takes exactly the balance.
call core.ne_refuse_pas('abonnement.souscription_decider_reliquat', 'SOLDE_NEGATIF', 'QUANTITE_TROP_FINE');

create function abonnement._reliquat_reporter(
  v abonnement.souscription_detail_vue, p_id_souscription_cible bigint, p_motif core.libelle)
returns void
language plpgsql volatile as $$
declare
  v_cible abonnement.souscription_vue;
  v_id_mouvement bigint;
begin
  select * into v_cible from abonnement.souscription_vue s where s.id_souscription = p_id_souscription_cible;
  if not found then
    perform core.refuser(422, 'RELIQUAT_CIBLE_INCONNUE', 'L''abonnement qui recevrait le reliquat n''existe pas.');
  elsif v_cible.id_souscription = v.id_souscription or v_cible.id_client <> v.id_client or v_cible.unite <> v.unite
     or (v_cible.id_prestation, v_cible.id_categorie_plat) is distinct from (v.id_prestation, v.id_categorie_plat) then
    perform core.refuser(400, 'RELIQUAT_CIBLE_INCOMPATIBLE',
      'Un reliquat se reporte sur un autre abonnement du même client, de la même unité, qui paie la même chose.');
  elsif v_cible.etat not in ('ACTIVE', 'EPUISEE', 'A_VENIR') then
    perform core.refuser(409, 'RELIQUAT_CIBLE_INUTILISABLE',
      format('L''abonnement qui recevrait le reliquat est à l''état %s.', core.etat_ecrire(v_cible.etat::text)));
  end if;
  insert into abonnement.mouvement as m (id_souscription, type, quantite, motif)
  values (v.id_souscription, 'REPORT_SORTANT', -v.solde, p_motif)
  returning m.id_mouvement into v_id_mouvement;
  insert into abonnement.mouvement (id_souscription, type, quantite, motif, id_mouvement_origine)
  values (p_id_souscription_cible, 'REPORT_ENTRANT', v.solde, p_motif, v_id_mouvement);
end $$;
comment on function abonnement._reliquat_reporter is
  'Passe le solde d''un abonnement à un autre. Refuse RELIQUAT_CIBLE_INCONNUE, RELIQUAT_CIBLE_INCOMPATIBLE, RELIQUAT_CIBLE_INUTILISABLE.';
